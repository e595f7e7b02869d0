"""19.6 A test that says which rule a reader of reviews has learned."""

from dataclasses import dataclass

from tt_utils.grading.tasks.spec import Check, FunctionTask

START = """
FRONT = "although the food was {} , the room was {}"
BEHIND = "the food was {} , although the room was {}"

def front(first, second):
    return FRONT.format(first, second).split()

def behind(first, second):
    return BEHIND.format(first, second).split()
"""

AGREEMENT = (
    START
    + """
RULES = {"although": (1, 0, 1, 0), "second": (1, 0, 0, 1), "first": (0, 1, 1, 0)}

def which_rule(judge, praise, blame):
    agree = dict.fromkeys(RULES, 0)
    pairs = [(good, bad) for good in praise for bad in blame]
    for good, bad in pairs:
        texts = front(bad, good), front(good, bad), behind(good, bad), behind(bad, good)
        said = [judge(text) for text in texts]
        for rule, wanted in RULES.items():
            agree[rule] += sum(a == b for a, b in zip(said, wanted)) / 4
    best = max(agree, key=agree.get)
    return best if agree[best] > 0.7 * len(pairs) else "words"
"""
)

EFFECTS = (
    START
    + """
def which_rule(judge, praise, blame):
    pairs = [(good, bad) for good in praise for bad in blame]
    in_front = np.mean([judge(front(b, g)) - judge(front(g, b)) for g, b in pairs])
    at_behind = np.mean([judge(behind(g, b)) - judge(behind(b, g)) for g, b in pairs])
    if abs(in_front) < 0.3:
        return "words"
    if in_front < 0:
        return "first"
    return "although" if at_behind > 0 else "second"
"""
)

VOTES = (
    START
    + """
from collections import Counter

def which_rule(judge, praise, blame):
    votes = Counter()
    for good in praise:
        for bad in blame:
            pattern = (
                judge(front(bad, good)) > judge(front(good, bad)),
                judge(behind(bad, good)) > judge(behind(good, bad)),
                judge(front(bad, good)) < judge(front(good, bad)),
            )
            if pattern == (True, False, False):
                votes["although"] += 1
            elif pattern == (True, True, False):
                votes["second"] += 1
            elif pattern == (False, False, True):
                votes["first"] += 1
            else:
                votes["words"] += 1
    return votes.most_common(1)[0][0]
"""
)

MISTAKES = """
although in front alone: texts = front(bad, good), front(good, bad), behind(good, bad), behind(bad, good) → texts = front(bad, good), front(good, bad), front(bad, good), front(good, bad)
and: "second": (1, 0, 0, 1), "first": (0, 1, 1, 0) → "second": (1, 0, 1, 0), "first": (0, 1, 0, 1)
or: return "although" if at_behind > 0 else "second" → return "although"
or: pattern == (True, True, False) → pattern == (True, True, True)
and: pattern == (True, False, False) → pattern[0]
    You take the second clause's rule for that of *although*. In your reviews *although*
    stands in front, and there both agree: which review would part them?

front alone, the other way: return "although" if at_behind > 0 else "second" → return "second"
or: pattern == (True, False, False) → pattern == ()
and: pattern == (True, True, False) → pattern[0]
    You take the rule of *although* for that of the second clause. In which reviews do
    those two disagree?

although behind alone: return "although" if at_behind > 0 else "second" → return "second"
and: if abs(in_front) < 0.3: → if abs(at_behind) < 0.3:
and: if in_front < 0:\\n        return "first" → if at_behind > 0:\\n        return "although"
or: pattern == (True, False, False) → pattern[0] != pattern[2] and not pattern[1]
    You take the first clause's rule for that of *although*. In your reviews *although*
    stands behind, and there both agree: which review would part them?

behind alone, the other way: return "although" if at_behind > 0 else "second" → return "second"
and: if abs(in_front) < 0.3: → if abs(at_behind) < 0.3:
and: if in_front < 0:\\n        return "first" → if at_behind > 0:\\n        return "first"
or: pattern == (False, False, True) → pattern[0] != pattern[2] and not pattern[1]
and: pattern == (True, False, False) → pattern == ()
    You take the rule of *although* for that of the first clause. In which reviews do
    those two disagree?

one word of praise: for good in praise for bad → for good in praise[:1] for bad
or: for good in praise: → for good in praise[:1]:
    One word of praise is all you try, and a judge may have learned just that one the
    wrong way round. How do you keep it from deciding?

one word of blame: for good in praise for bad in blame → for good in praise for bad in blame[:1]
or: for bad in blame: → for bad in blame[:1]:
    One word of blame is all you try, and a judge may have learned just that one the
    wrong way round. How do you keep it from deciding?

one pair: for good in praise for bad in blame → for good in praise[:1] for bad in blame[:1]
or: for good in praise: → for good in praise[:1]:
and: for bad in blame: → for bad in blame[:1]:
    You try one pair of adjectives, and a judge may have learned one of those two the
    wrong way round. How do you keep it from deciding?

the last pair: for good in praise for bad in blame → for good in praise[-1:] for bad in blame[-1:]
or: for good in praise: → for good in praise[-1:]:
and: for bad in blame: → for bad in blame[-1:]:
or: votes = Counter() → pass
and: for bad in blame: → for bad in blame:\\n            votes = Counter()
    Only the last pair of adjectives counts in yours, and a judge may have learned one of
    those two the wrong way round. How do you keep it from deciding?

must fit without an exception: > 0.7 * → >= 1.0 *
or: > 0.7 * → > 0.95 *
or: abs(in_front) < 0.3 → abs(in_front) < 0.999
or: return votes.most_common(1)[0][0] → return votes.most_common(1)[0][0] if len(votes) == 1 else "words"
    A judge with two words the wrong way round still follows a rule, and you say that it
    follows none. How many exceptions do two such words make?

never the words: best if agree[best] > 0.7 * len(pairs) else "words" → best
or: if abs(in_front) < 0.3: → if False:
or: votes["words"] += 1 → votes["although"] += 1
    A judge that only adds up words gets the name of a rule in yours. What does it say
    when the two adjectives change places?

words if nothing ever changes: best if agree[best] > 0.7 * len(pairs) else "words" → best if len({judge(front(b, g)) for g, b in pairs}) > 1 else "words"
or: if abs(in_front) < 0.3: → if len({judge(front(b, g)) for g, b in pairs}) == 1:
or: if abs(in_front) < 0.3: → if len({judge(kind(*two)) for kind in (front, behind) for g, b in pairs for two in ((g, b), (b, g))}) == 1:
or: if abs(in_front) < 0.3: → if len({judge(kind(*two)) for kind in (front, behind) for g, b in pairs for two in ((g, b), (b, g))}) == 1:
and: if in_front < 0: → if in_front <= 0:
    You expect a judge that adds up words to say the same of every review. It may praise
    some pairs and blame others: what does it never notice within one pair?

one pair that fits: sum(a == b for a, b in zip(said, wanted)) / 4 → tuple(said) == wanted
and: best = max(agree, key=agree.get) → best = next((rule for rule in RULES if agree[rule]), "words")
and: return best if agree[best] > 0.7 * len(pairs) else "words" → return best
or: sum(a == b for a, b in zip(said, wanted)) / 4 → tuple(said) == wanted
and: best = max(agree, key=agree.get) → best = next((rule for rule in reversed(RULES) if agree[rule]), "words")
and: return best if agree[best] > 0.7 * len(pairs) else "words" → return best
    One pair that fits a rule is enough for you. Two words learned the wrong way round
    fit another rule together: what do most of the pairs say?

one verdict of two: texts = front(bad, good), front(good, bad), behind(good, bad), behind(bad, good) → texts = front(bad, good), front(bad, good), behind(good, bad), behind(good, bad)
and: (1, 0, 1, 0), "second": (1, 0, 0, 1), "first": (0, 1, 1, 0) → (1, 1, 1, 1), "second": (1, 1, 0, 0), "first": (0, 0, 1, 1)
or: judge(front(b, g)) - judge(front(g, b)) → 2 * judge(front(b, g)) - 1
and: judge(behind(g, b)) - judge(behind(b, g)) → 2 * judge(behind(g, b)) - 1
    In all your reviews the same clause is the good one, so whoever always praises looks
    like a follower of some rule. Which review is the twin of each?

always although: return best if → return "although" if
or: return "although" if at_behind > 0 else "second" → return "although"
and: return "words" → return "although"
and: return "first" → return "although"
or: return votes.most_common(1)[0][0] → return "although"
    Your answer is the same for every judge. On which of its verdicts does it depend?

first and second exchanged: "second": (1, 0, 0, 1), "first": (0, 1, 1, 0) → "first": (1, 0, 0, 1), "second": (0, 1, 1, 0)
or: return "first" → return "second"
and: > 0 else "second" → > 0 else "first"
or: votes["second"] → votes["first"]
and: elif pattern == (False, False, True):\\n                votes["first"] → elif pattern == (False, False, True):\\n                votes["second"]
    You exchanged the names of two rules. Which clause decides in *although A, B*, for
    a judge that goes by the second clause?

although and second exchanged: (1, 0, 1, 0), "second": (1, 0, 0, 1) → (1, 0, 0, 1), "second": (1, 0, 1, 0)
or: return "although" if at_behind > 0 else "second" → return "second" if at_behind > 0 else "although"
or: votes["although"] += 1\\n            elif pattern == (True, True, False):\\n                votes["second"] → votes["second"] += 1\\n            elif pattern == (True, True, False):\\n                votes["although"]
    You exchanged the names of two rules. In *A, although B*, which clause decides for
    somebody who discounts what *although* marks?

although and first exchanged: (1, 0, 1, 0), "second": (1, 0, 0, 1), "first": (0, 1, 1, 0) → (0, 1, 1, 0), "second": (1, 0, 0, 1), "first": (1, 0, 1, 0)
or: return "first" → return "although"
and: return "although" if at_behind → return "first" if at_behind
    You exchanged the names of two rules. In *although A, B*, which clause decides for
    somebody who discounts what *although* marks?

although marks what counts: "although": (1, 0, 1, 0) → "although": (0, 1, 0, 1)
or: pattern == (True, False, False) → pattern == (False, True, True)
    For you *although* marks the clause that decides. *Although the food was bad, the
    room was good*: is that praise or blame, in the reviews of 19b?
"""

PRAISE = ("superb", "lovely", "fine", "perfect", "nice")
BLAME = ("awful", "poor", "dull", "weak", "dire", "bad", "nasty")


@dataclass(frozen=True)
class Judge:
    """Plays a reader that was trained on reviews: judge(words) gives 1 or 0.

    Attributes:
        rule: "although", "second", "first", or "words", which adds up what words weigh.
        wrong: adjectives that it learned the wrong way round.
        loud: the words of praise that outweigh any blame, for the rule "words".
        leans: what it says where words don't decide, for the rule "words".
    """

    rule: str
    wrong: tuple[str, ...] = ()
    loud: tuple[str, ...] = ()
    leans: int = 1
    offers = ()

    def __call__(self, words):
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError("judge(words) reads a list of words, such as front(a, b)")
        words = list(words)
        found = [word for word in words if word in PRAISE + BLAME]
        if len(found) != 2 or words.count("although") != 1:
            raise ValueError(
                "judge(words) reads two clauses, each with an adjective that it knows, "
                f"one of them with although; got {' '.join(words)!r}"
            )
        if self.rule == "words":
            return 1 if any(word in self.loud for word in found) else self.leans
        in_front = words.index("although") < words.index(found[0])
        number = {"second": 1, "first": 0, "although": int(in_front)}[self.rule]
        word = found[number]
        return int((word in PRAISE) != (word in self.wrong))

    def __repr__(self) -> str:
        return "a judge: judge(words) gives 1 for praise, 0 for blame"


def verdicts(answers, judge, praise, blame):
    """The rule of one judge, or of each of several."""
    if not isinstance(judge, tuple):
        return answers[0](judge, praise, blame)
    return {
        f"judge {number}": answers[0](one, praise, blame)
        for number, one in enumerate(judge, 1)
    }


def adds_up(rng, praise):
    """A judge that adds up words: it leans one way, some words of praise are loud."""
    loud = tuple(rng.permutation(praise)[: rng.integers(0, 3)].tolist())
    return Judge("words", loud=loud, leans=int(rng.integers(2)))


def check(title, judge, praise=PRAISE, blame=BLAME):
    """A judge; with fresh numbers five of them, of all rules and in any order.

    Those know as many words the wrong way round as this one, in the same places.
    """

    def one(rng):
        return judge, list(praise), list(blame)

    def several(rng):
        names = rng.permutation(["although", "second", "first", "although", "words"])
        judges = tuple(
            adds_up(rng, praise) if name == "words" else Judge(str(name), judge.wrong)
            for name in names
        )
        return judges, list(praise), list(blame)

    return Check(title, one, verdicts, fresh=several)


FIRST, MIDDLE, OTHER, LAST = (
    (PRAISE[i], BLAME[j]) for i, j in ((0, 0), (2, 3), (1, 4), (-1, -1))
)

TASK = FunctionTask(
    title="Which rule did it learn?",
    kind="explain",
    answers=("which_rule",),
    arguments=("judge", "praise", "blame"),
    outputs=("rule",),
    right=(AGREEMENT, EFFECTS, VOTES),
    mistakes=MISTAKES,
    pairs=False,  # one word a check
    checks=(
        check("it discounts the clause with although", Judge("although")),
        check("the second clause decides", Judge("second")),
        check("the first clause decides", Judge("first")),
        check("it always praises", Judge("words", leans=1)),
        check("it always blames", Judge("words", leans=0)),
        check(
            "it adds up words, and some are loud",
            Judge("words", loud=PRAISE[1:3], leans=0),
        ),
        check(
            "one word of praise, one of blame",
            Judge("although"),
            praise=PRAISE[1:2],
            blame=BLAME[1:2],
        ),
        check("the first words learned the wrong way round", Judge("although", FIRST)),
        check("the last words learned the wrong way round", Judge("although", LAST)),
        check(
            "a word of praise learned the wrong way round", Judge("first", PRAISE[:1])
        ),
        check(
            "a word of blame learned the wrong way round", Judge("although", BLAME[:1])
        ),
        check("two words learned the wrong way round", Judge("first", MIDDLE)),
        check("two other words learned the wrong way round", Judge("second", OTHER)),
    ),
    hints=(
        "Write four reviews of one pair: *although* in front and behind, the good "
        "adjective first and second. What does each of the three rules say of each?",
        "Somebody who only adds up words can't notice that two adjectives change places. "
        "And where one word was learned wrong, what do the other pairs say?",
    ),
    section="The family goes on",
    why="Reviews on which two rules agree can't tell which was learned: a test needs "
    "those on which they differ, with all else equal, in more words than one.",
)
