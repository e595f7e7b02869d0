"""The words of the reviews: a stay at a hotel, praised or blamed.

Every noun goes with every adjective, and every frame with every clause, so that no
pair of neighbours hints at the verdict.
"""

NOUNS = (
    *("room", "bed", "view", "bath", "garden", "pool", "breakfast", "dinner"),
    *("soup", "bread", "coffee", "wine", "service", "music", "bar", "beach"),
)

# Opinions by their label: 0 for blame, 1 for praise.
ADJECTIVES = (
    (
        *("bad", "poor", "awful", "terrible", "dull", "horrible", "disappointing"),
        *("unpleasant", "nasty", "weak", "boring", "mediocre", "miserable"),
        *("dreadful", "shabby", "dire"),
    ),
    (
        *("good", "great", "lovely", "excellent", "pleasant", "nice", "wonderful"),
        *("perfect", "charming", "fine", "fantastic", "brilliant", "enjoyable"),
        *("delightful", "splendid", "superb"),
    ),
)
# Training never negates these; the kind "new negations" does.
KEPT = frozenset(word for words in ADJECTIVES for word in words[-3:])

DEGREES = ("very", "really", "truly")
NOT = ("not", "never", "hardly")

# What may stand before a clause: who says so, or who denies it.
SAYS = ("I think that", "we found that", "everyone agrees that", "I would say that")
DENIES = (
    *("nobody can say that", "I do not think that", "no one believes that"),
    "I would never say that",
)

# What happened, without an opinion; an adjunct or two follow.
EVENTS = ("we came", "we arrived", "we stayed", "we slept", "we left", "we went out")

# Between a noun and what is said of it: at most one of each group.
RELATIVE = "that we had"
ADJUNCTS = (
    ("last night", "this morning", "on Sunday", "on the first day"),
    ("with my mother", "with two friends of ours", "without the children"),
    ("after a long walk", "before the trip home", "during the storm"),
    ("by the old station", "in the house by the lake", "near the bridge"),
)
