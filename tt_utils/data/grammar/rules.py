"""An endless supply of English-Spanish sentence pairs with gold alignments.

A synchronous grammar builds both sentences at once, so that it knows which word
means which. It covers agreement in gender and number, adjectives that change place,
conjugation, negation, questions, prepositions, relative clauses and dropped pronouns.
"""

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Literal

from tt_utils.data.grammar.lexicon import (
    ADJECTIVES,
    BE,
    HAVE,
    NOUNS,
    PERSONS,
    VERBS,
    Adjective,
    Noun,
    Verb,
)
from tt_utils.data.grammar.phrases import (
    Phrase,
    fused,
    links,
    ordered,
    spelled,
    unaligned,
    unit,
)

Split = Literal["train", "test"]
Kinds = frozenset[str] | tuple[str, ...]

# Never in training, so that the book's own sentences are always new to the model.
BOOK_PAIRS = {("blue", "ball"), ("black", "cat")}
HELD_OUT_SHARE = 10  # one word pair in ten
MAX_WORDS = 14

DETERMINERS = {
    "the": "el la los las",
    "a": "un una - -",
    "some": "- - unos unas",
    "this": "este esta - -",
    "that": "ese esa - -",
    "these": "- - estos estas",
    "those": "- - esos esas",
    "my": "mi mi mis mis",
    "your": "tu tu tus tus",
    "his": "su su sus sus",
    "her": "su su sus sus",
    "our": "nuestro nuestra nuestros nuestras",
    "their": "su su sus sus",
    "every": "cada cada - -",
    "two": "- - dos dos",
    "three": "- - tres tres",
    "many": "- - muchos muchas",
}
NOT_FOR_MASS = {"a", "every"}
POSSESSIVES = {"my", "your", "his", "her", "our", "their"}
NOT_GRADED = {("very", word) for word in ("open", "closed", "broken", "empty")}
# Without one of these words nothing clashes.
CHOOSY = {"every", "very", "always", "never", "often"}
FORMS = ("ms", "fs", "mp", "fp")

# English, person, gender and number of a Spanish adjective that describes it.
PRONOUNS = {
    "I": ("1sg", "ms"),
    "you": ("2sg", "ms"),
    "he": ("3sg", "ms"),
    "she": ("3sg", "fs"),
    "we": ("1pl", "mp"),
    "they": ("3pl", "mp"),
}
BE_FORMS = {
    "present": dict(zip(PERSONS, ("am", "are", "is", "are", "are"), strict=True)),
    "past": dict(zip(PERSONS, ("was", "were", "was", "were", "were"), strict=True)),
}
PLACES = [
    ("in", "en", "place"),
    ("on", "sobre", "surface"),
    ("under", "debajo de", "shelter"),
    ("near", "cerca de", "landmark"),
    ("behind", "detrás de", "landmark"),
    ("in front of", "delante de", "landmark"),
    ("with", "con", "person"),
]
TIMES = {
    "present": [("today", "hoy"), ("now", "ahora"), ("every day", "todos los días")],
    "past": [("today", "hoy"), ("yesterday", "ayer")],
}
FREQUENCIES = [("always", "siempre"), ("never", "nunca"), ("often", "a menudo")]
CONJUNCTIONS = [
    ("and", "y"),
    ("but", "pero"),
    ("because", "porque"),
    ("when", "cuando"),
]

WITH_A_PLACE = ("animal", "food", "person", "thing")
TO_HAVE = ("animal", "food", "thing")

# What fits what: the same for every sentence, so it is looked up once.
NOUNS_OF = {
    kind: [noun for noun in NOUNS if kind in noun.kinds]
    for kind in set().union(*(noun.kinds for noun in NOUNS))
}
SUBJECT_PRONOUNS = list(PRONOUNS)
TRANSITIVE = [verb for verb in VERBS if verb.objects]
INTRANSITIVE = [verb for verb in VERBS if not verb.objects]


@cache
def in_order(kinds: Kinds) -> list[str]:
    """Sort, since the order of a set is another in each process."""
    return sorted(kinds)


@cache
def adjectives_for(kinds: frozenset[str]) -> list[Adjective]:
    """List what can describe nouns of these kinds."""
    return [adjective for adjective in ADJECTIVES if adjective.kinds & kinds]


@cache
def done_by(kinds: frozenset[str]) -> list[Verb]:
    """List what nouns of these kinds can do."""
    return [verb for verb in VERBS if verb.subjects & kinds]


@cache
def done_to(kinds: frozenset[str]) -> list[Verb]:
    """List what can be done to nouns of these kinds."""
    return [verb for verb in VERBS if verb.objects & kinds]


@cache
def determiners(form: str, countless: bool) -> list[str]:
    """List the English determiners that can stand before a noun."""
    return [
        word
        for word in DETERMINERS
        if spanish_determiner(word, form) != "-"
        and not (countless and word in NOT_FOR_MASS)
    ]


@cache
def spanish_determiner(english: str, form: str) -> str:
    """Give the form that agrees with the noun, `-` where there is none."""
    return DETERMINERS[english].split()[FORMS.index(form)]


@dataclass(frozen=True)
class SentencePair:
    """A sentence, its translation, and which word of one means which of the other.

    `alignment` holds all links that a person might draw, `sure` those that nobody
    would doubt; both as (source, target).
    """

    source: list[str]
    target: list[str]
    alignment: set[tuple[int, int]]
    sure: set[tuple[int, int]] = field(default_factory=set)

    @classmethod
    def of(cls, phrase: Phrase) -> "SentencePair":
        """Write a spelled phrase as two word lists and their alignment."""
        english, spanish = list(map(str, phrase.en)), list(map(str, phrase.es))
        return cls(english, spanish, links(phrase, "keys"), links(phrase, "sure"))


def sentence_pairs(n: int, seed: int = 0, split: Split = "train") -> list[SentencePair]:
    """Draw n different pairs; the same seed gives the same pairs.

    Who needs no alignment has them sooner from `sentence_texts`.

    English sentences have at most MAX_WORDS words. Each of the test split holds an
    adjective-noun or verb-object combination that no training sentence contains.

    Raises:
        ValueError: the split is unknown, or the grammar ran dry before n pairs.
    """
    return list(map(SentencePair.of, sentences(n, seed, split, aligned=True)))


def sentence_texts(
    n: int, seed: int = 0, split: Split = "train"
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of `sentence_pairs` as texts, without their alignments.

    Raises:
        ValueError: the split is unknown, or the grammar ran dry before n pairs.
    """
    for phrase in sentences(n, seed, split, aligned=False):
        yield " ".join(phrase.en), " ".join(phrase.es)


def sentences(n: int, seed: int, split: Split, aligned: bool) -> Iterator[Phrase]:
    """Yield n finished phrases of the split, no English one twice."""
    if split not in ("train", "test"):
        raise ValueError(f"sentence_pairs: split is {split!r}; use 'train' or 'test'.")
    grammar = Grammar(random.Random(f"{split} {seed}"), aligned)
    seen: set[str] = set()
    fruitless = 0
    while len(seen) < n:
        if fruitless > 100_000:
            raise ValueError(f"sentence_pairs: found only {len(seen)} of {n} pairs.")
        fruitless += 1
        phrase = grammar.sentence()
        is_test = any(map(held_out, phrase.pairs))
        if is_test != (split == "test") or len(phrase.en) > MAX_WORDS:
            continue
        phrase = spelled(phrase)
        english = " ".join(phrase.en)
        if english not in seen:
            seen.add(english)
            fruitless = 0
            yield phrase


@cache
def held_out(pair: tuple[str, str]) -> bool:
    """Say whether this word combination is kept for testing."""
    return (
        pair in BOOK_PAIRS or zlib.crc32(" ".join(pair).encode()) % HELD_OUT_SHARE == 0
    )


def clashes(phrase: Phrase) -> bool:
    """Say whether words meet that do not go together in Spanish.

    "cada" does not bear a negation, one adverb of time is enough, and nothing is
    "muy cerrado".
    """
    said = phrase.en
    if CHOOSY.isdisjoint(said):
        return False
    neighbours = set(pairwise(said))
    often = not {"always", "never", "often"}.isdisjoint(said)
    when = not {"today", "now", "yesterday"}.isdisjoint(said)
    return (
        ("every" in said and ("not" in said or "never" in said))
        or (often and (when or ("every", "day") in neighbours))
        or not NOT_GRADED.isdisjoint(neighbours)
    )


@dataclass(slots=True)
class Nominal:
    """Who or what: a phrase, with what verbs and adjectives must agree with."""

    phrase: Phrase
    person: str
    form: str
    noun: Noun | None = None

    @property
    def silent(self) -> bool:
        """A pronoun that Spanish leaves out; the verb ending says it."""
        return self.noun is None


def spoken(verb: Phrase, subject: Nominal) -> Phrase:
    """Let the verb carry a subject that Spanish leaves out."""
    return fused(verb, subject.phrase) if subject.silent else verb


def hides_tense(verb: Verb, person: str) -> bool:
    """Say whether the English form is the same now and then: "they read"."""
    return verb.en == verb.en_past and person != "3sg"


class Grammar:
    """Draws sentences; every choice comes from `rng`.

    What isn't `aligned` comes five times as fast: each unit is made once.
    """

    def __init__(self, rng: random.Random, aligned: bool = True) -> None:
        self.random, self.choice = rng.random, rng.choice
        self.unit = unit if aligned else unaligned

    def chance(self, share: float) -> bool:
        return self.random() < share

    # Sentences

    def sentence(self) -> Phrase:
        """Draw a sentence that a speaker of both languages would let pass."""
        while clashes(phrase := self.any_sentence()):
            pass
        return phrase

    def any_sentence(self) -> Phrase:
        """Draw a statement, two joined by a conjunction, or a question."""
        kind = self.random()
        if kind < 0.2:
            return self.question()
        if kind < 0.3:
            first, second = self.statement(depth=0), self.statement(depth=0)
            return first + self.unit(*self.choice(CONJUNCTIONS)) + second
        return self.statement(depth=1)

    def statement(self, depth: int) -> Phrase:
        """Draw a subject and say something about it."""
        kind = self.random()
        tense = self.tense()
        if kind < 0.25:
            return self.described(tense, depth)
        if kind < 0.32:
            return self.located(tense, depth)
        verb = HAVE if kind < 0.4 else self.choice(VERBS)
        subject = self.subject(verb.subjects, depth)
        if hides_tense(verb, subject.person):
            tense = "present"
        rest = self.object(verb, depth)
        if "que" not in rest.es:
            # After a relative clause, "yesterday" could belong to either verb.
            rest += self.adjunct(verb, tense)
        return self.clause(subject, self.predicate(verb, tense, subject.person), rest)

    def described(self, tense: str, depth: int) -> Phrase:
        subject, adjective = self.subject_with_adjective(depth)
        be = self.be(adjective.copula, tense, subject.person)
        return self.clause(subject, be, self.adjective_for(adjective, subject))

    def located(self, tense: str, depth: int) -> Phrase:
        subject = self.subject(WITH_A_PLACE, depth)
        be = self.be("estar", tense, subject.person)
        return self.clause(subject, be, self.place())

    def clause(self, subject: Nominal, predicate: Phrase, rest: Phrase) -> Phrase:
        return subject.phrase + spoken(predicate, subject) + rest

    # Questions

    def question(self) -> Phrase:
        """Draw a yes-no question or one that asks who, what or where."""
        mark = self.unit("?", "¿ ?")
        opening = Phrase(es=mark.es[:1])
        closing = Phrase(mark.en, mark.es[1:])
        asked = self.choice(
            [
                self.is_it_so,
                self.do_they,
                self.do_they,
                self.who_does,
                self.what_do_they,
                self.where_is,
                self.where_do_they,
            ]
        )()
        return opening + asked + closing

    def is_it_so(self) -> Phrase:
        tense = self.tense()
        subject, adjective = self.subject_with_adjective(depth=0)
        be = self.be_form(adjective.copula, tense, subject.person)
        said = self.adjective_for(adjective, subject)
        return self.inverted(be, subject, Phrase(), said, rest_first=True)

    def do_they(self) -> Phrase:
        verb, tense = self.choice(VERBS), self.tense()
        subject = self.subject(verb.subjects, depth=0)
        rest = self.object(verb, depth=0) + self.adjunct(verb, tense)
        return self.asked(verb, tense, subject, rest)

    def who_does(self) -> Phrase:
        verb, tense = self.choice(VERBS), self.tense()
        asked = self.unit("who", "quién") + self.affirmed(verb, tense, "3sg")
        return asked + self.object(verb, depth=0) + self.adjunct(verb, tense)

    def what_do_they(self) -> Phrase:
        verb = self.choice(TRANSITIVE)
        subject, tense = self.subject(verb.subjects, depth=0), self.tense()
        about_people = "person" in verb.objects and self.chance(0.5)
        about_people = about_people or not verb.objects - {"person", "animal"}
        word = self.unit("who", "a quién") if about_people else self.unit("what", "qué")
        return word + self.asked(verb, tense, subject, Phrase())

    def where_is(self) -> Phrase:
        tense = self.tense()
        subject = self.subject(WITH_A_PLACE, depth=0)
        be = self.be_form("estar", tense, subject.person)
        return self.unit("where", "dónde") + self.inverted(
            be, subject, Phrase(), Phrase()
        )

    def where_do_they(self) -> Phrase:
        verb, tense = self.choice(INTRANSITIVE), self.tense()
        subject = self.subject(verb.subjects, depth=0)
        return self.unit("where", "dónde") + self.asked(verb, tense, subject, Phrase())

    def asked(self, verb: Verb, tense: str, subject: Nominal, rest: Phrase) -> Phrase:
        """Ask with do-support: does the cat sleep → duerme el gato."""
        do, base = self.do_support(verb, tense, subject.person)
        return self.inverted(do, subject, base, rest)

    def inverted(
        self,
        finite: Phrase,
        subject: Nominal,
        base: Phrase,
        rest: Phrase,
        rest_first: bool = False,
    ) -> Phrase:
        """Put the verb before its subject; Spanish may put `rest` between them."""
        finite = spoken(finite, subject)
        after = [rest, subject.phrase] if rest_first else [subject.phrase, rest]
        return ordered([finite, subject.phrase, base, rest], [finite, *after])

    # Verbs

    def tense(self) -> str:
        return "present" if self.chance(0.55) else "past"

    def predicate(self, verb: Verb, tense: str, person: str) -> Phrase:
        """Draw a verb form: affirmed, negated, or with an adverb of frequency."""
        if self.chance(0.15):
            do, base = self.do_support(verb, tense, person)
            no = self.unit("not", "no")
            return ordered([do, no, base], [no, do])
        said = self.affirmed(verb, tense, person)
        if tense == "present" and self.chance(0.1):
            return self.unit(*self.choice(FREQUENCIES)) + said
        return said

    def affirmed(self, verb: Verb, tense: str, person: str) -> Phrase:
        english = {"past": verb.en_past, "present": verb.en}[tense]
        if (tense, person) == ("present", "3sg"):
            english = verb.en_3sg
        return self.unit(english, verb.es[tense][person])

    def do_support(self, verb: Verb, tense: str, person: str) -> tuple[Phrase, Phrase]:
        """Split "did eat" in two; the one Spanish word comes with the first."""
        do = {"past": "did", "present": "does" if person == "3sg" else "do"}[tense]
        both = self.unit(f"{do} {verb.en}", verb.es[tense][person])
        return Phrase(both.en[:1], both.es), Phrase(both.en[1:])

    def be_form(self, copula: str, tense: str, person: str) -> Phrase:
        return self.unit(BE_FORMS[tense][person], BE[copula][tense][person])

    def be(self, copula: str, tense: str, person: str) -> Phrase:
        form = self.be_form(copula, tense, person)
        if self.chance(0.15):
            no = self.unit("not", "no")
            return ordered([form, no], [no, form])
        return form

    # Nominals

    def subject(self, kinds: Kinds, depth: int) -> Nominal:
        """Draw a noun phrase, two of them, or a pronoun where it can be a person."""
        kind = self.random()
        if "person" in kinds and kind < 0.2:
            return self.pronoun()
        joined = depth > 0 and kind > 0.95
        first = self.noun_phrase(kinds, 0 if joined else depth)
        if not joined:
            return first
        second = self.noun_phrase(kinds, depth=0)
        both = first.phrase + self.unit("and", "y") + second.phrase
        return Nominal(both, "3pl", first.form, first.noun)

    def pronoun(self) -> Nominal:
        english = self.choice(SUBJECT_PRONOUNS)
        return Nominal(self.unit(english, ""), *PRONOUNS[english])

    def subject_with_adjective(self, depth: int) -> tuple[Nominal, Adjective]:
        adjective = self.choice(ADJECTIVES)
        if "person" in adjective.kinds and self.chance(0.2):
            return self.pronoun(), adjective
        return self.noun_phrase(adjective.kinds, depth, plain=True), adjective

    def object(self, verb: Verb, depth: int) -> Phrase:
        """Draw what the verb acts on; people and animals take the personal `a`."""
        kinds = TO_HAVE if verb is HAVE else verb.objects
        if not kinds:
            return Phrase()
        nominal = self.noun_phrase(kinds, depth, bare=True)
        assert nominal.noun is not None  # only a pronoun has none
        phrase = nominal.phrase.pairing((verb.en, nominal.noun.en))
        if nominal.noun.animate and verb is not HAVE:
            return self.personal(nominal) + phrase
        return phrase

    def personal(self, nominal: Nominal) -> Phrase:
        """Say `a` before a person or an animal, for which English has no word.

        It may be linked with the word that follows it, and with the noun.
        """
        assert nominal.noun is not None
        following, *rest = nominal.phrase.es
        names = (nominal.noun.es, nominal.noun.es_plural)
        noun = next(token for token in (following, *rest) if token in names)
        (a,) = self.unit("", "a").es
        return Phrase(es=(a.carrying(following.keys + noun.keys),))

    def noun_phrase(
        self, kinds: Kinds, depth: int, bare: bool = False, plain: bool = False
    ) -> Nominal:
        """Draw determiner, noun, adjective and what follows the noun.

        `bare` allows no determiner, as in "drinks milk"; `plain` forbids adjectives.
        """
        noun = self.choice(NOUNS_OF[self.choice(in_order(kinds))])
        plural = noun.en_plural is not None and self.chance(0.3)
        form = noun.gender + ("p" if plural else "s")
        english = noun.en_plural if plural else noun.en
        spanish = noun.es_plural if plural else noun.es
        assert english is not None
        assert spanish is not None
        head = self.unit(english, spanish)
        adjectives = [] if plain else self.adjectives(noun, form)
        core = head
        if adjectives:
            core = ordered([*reversed(adjectives), head], [head, *adjectives])
        countless = noun.en_plural is None
        may_be_bare = bare and (plural or countless) and not noun.animate
        if not (may_be_bare and self.chance(0.4)):
            core = self.determiner(noun, form, countless) + core
        if depth > 0:
            core += self.modifier(noun, plural, core.en[0] in POSSESSIVES)
        return Nominal(core, "3pl" if plural else "3sg", form, noun)

    def determiner(self, noun: Noun, form: str, countless: bool) -> Phrase:
        if self.chance(0.5):
            english = "the"
        else:
            english = self.choice(determiners(form, countless))
        if noun.es == "agua" and english == "the":
            form = "ms"  # el agua: a stressed a- takes the masculine article
        return self.unit(english, spanish_determiner(english, form))

    def adjectives(self, noun: Noun, form: str) -> list[Phrase]:
        """Draw no, one or two adjectives, the one nearest to the noun first."""
        fitting = adjectives_for(noun.kinds)
        if not fitting or not self.chance(0.35):
            return []
        chosen = [self.choice(fitting)]
        sizes = [a for a in fitting if a.en in ("big", "small")]
        if sizes and chosen[0] not in sizes and self.chance(0.15):
            chosen.append(self.choice(sizes))
        return [self.unit(a.en, a.es[form]).pairing((a.en, noun.en)) for a in chosen]

    def adjective_for(self, adjective: Adjective, subject: Nominal) -> Phrase:
        said = self.unit(adjective.en, adjective.es[subject.form])
        if self.chance(0.15):
            said = self.unit("very", "muy") + said
        if subject.noun is None:
            return said
        return said.pairing((adjective.en, subject.noun.en))

    # What follows a noun or a verb

    def modifier(self, noun: Noun, plural: bool, owned: bool) -> Phrase:
        """Draw a relative clause, an owner, or nothing, most often nothing."""
        kind = self.random()
        if kind < 0.1 and noun.animate:
            return self.subject_relative(noun, plural)
        if kind < 0.1 and "thing" in noun.kinds:
            return self.object_relative(noun)
        if kind < 0.2 and "thing" in noun.kinds and not owned:
            return self.unit("of", "de") + self.noun_phrase(("person",), depth=0).phrase
        if kind < 0.15 and "person" in noun.kinds:
            return (
                self.unit("with", "con")
                + self.noun_phrase(("clothes",), depth=0).phrase
            )
        return Phrase()

    def subject_relative(self, noun: Noun, plural: bool) -> Phrase:
        verb = self.choice(done_by(noun.kinds))
        word = self.unit("who" if "person" in noun.kinds else "that", "que")
        person = "3pl" if plural else "3sg"
        tense = "present" if hides_tense(verb, person) else self.tense()
        return word + self.affirmed(verb, tense, person) + self.object(verb, depth=0)

    def object_relative(self, noun: Noun) -> Phrase:
        """The book that the girl saw: Spanish puts the verb first."""
        verb = self.choice(done_to(noun.kinds))
        subject = self.subject(verb.subjects, depth=0)
        hidden = hides_tense(verb, subject.person)
        tense = "present" if hidden else self.tense()
        said = spoken(self.affirmed(verb, tense, subject.person), subject)
        clause = ordered([subject.phrase, said], [said, subject.phrase])
        return self.unit("that", "que") + clause.pairing((verb.en, noun.en))

    def adjunct(self, verb: Verb, tense: str) -> Phrase:
        """Draw where or when, more often for verbs without an object."""
        kind = self.random()
        if kind < (0.1 if verb.objects else 0.45):
            return self.place()
        if verb is not HAVE and kind > 0.85:
            return self.unit(*self.choice(TIMES[tense]))
        return Phrase()

    def place(self) -> Phrase:
        en, es, kind = self.choice(PLACES)
        return self.unit(en, es) + self.noun_phrase((kind,), depth=0).phrase
