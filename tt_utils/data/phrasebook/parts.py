"""What the rules of the phrasebook are made of: subjects, nouns, verbs, deeds."""

import random
from dataclasses import dataclass

from tt_utils.data.grammar.lexicon import (
    ADJECTIVES,
    BE,
    NOUNS,
    PERSONS,
    VERBS,
    Adjective,
    Noun,
    Verb,
    conjugate,
)
from tt_utils.data.grammar.rules import BE_FORMS, DETERMINERS, FORMS, PRONOUNS
from tt_utils.data.phrasebook import words

Pair = tuple[str, str]


@dataclass(frozen=True)
class Who:
    """A subject: its English, its Spanish (none for a pronoun), person and form."""

    en: str
    es: str
    person: str
    form: str

    def says(self, spanish: str) -> str:
        """Put the subject before the rest of a Spanish sentence."""
        return f"{self.es} {spanish}".strip()

    def asked(self, spanish: str) -> str:
        """Ask: who is named stands behind the verb, the first word."""
        verb, *rest = spanish.split()
        return " ".join(["¿", verb, *self.es.split(), *rest, "?"])


def lines_of(table: str) -> list[str]:
    return table.strip().splitlines()


def lines(table: str) -> list[list[str]]:
    return [line.split() for line in lines_of(table)]


def slashed(table: str) -> list[list[str]]:
    """Read several entries from each line."""
    return [entry.split() for line in lines_of(table) for entry in line.split(" / ")]


def read_acts(table: str) -> list[Verb]:
    """Read `english third past | infinitive`, then present and past if irregular."""
    acts = []
    for line in lines_of(table):
        english, infinitive, *given = (part.split() for part in line.split("|"))
        base, third, past = english
        forms = conjugate(infinitive[0])
        for tense, irregular in zip(("present", "past"), given, strict=False):
            forms[tense] = dict(zip(PERSONS, irregular, strict=True))
        acts.append(Verb(base, third, past, forms, frozenset({"person"})))
    return acts


ACTS = [v for v in VERBS if "person" in v.subjects] + read_acts(words.ACTS)
ACT = {verb.en: verb for verb in ACTS}
COUNTRIES = lines(words.COUNTRIES)
JOBS = lines(words.JOBS)
STATES = lines(words.STATES)
NUMBERS = lines(words.NUMBERS)
DAYS = lines(words.DAYS)
LOVED = lines(words.LOVED)[0]
DOING = lines(words.FORMS)
NOTHING = ("", "")
# Pronouns as objects, and those that mean who does it.
OBJECT = {"me": "me", "you": "te", "him": "lo", "us": "nos", "them": "los", "her": "la"}
OF_ONESELF = {"I": ("me", "us"), "we": ("me", "us"), "you": ("you",)}
DEGREES = [
    ("very", "muy"),
    ("very", "muy"),
    ("so", "muy"),
    ("really", "muy"),
    ("too", "demasiado"),
]
ALONE = ("eat", "drink", "read", "write", "cook", "paint")  # without an object, too
PEOPLE = [Who(en, "", *about) for en, about in PRONOUNS.items()]
NAMED = [
    Who(name, name, "3sg", f"{gender}s")
    for gender, names in words.NAMES.items()
    for name in names.split()
]
MANY = [
    Who(english, spanish, "3pl", "mp")
    for english, spanish in (line.split(" : ") for line in lines_of(words.MANY))
]
ALL = [*NOUNS, *words.THINGS]
QUALITIES = [*ADJECTIVES, *words.QUALITIES]
COUNTRY_IS = ("big", "beautiful", "great", "interesting", "famous")
KNOWN = {noun.en: noun for noun in ALL}
FAMILY = [KNOWN[name] for line in lines(words.FAMILY) for name in line]
LIKED = [
    noun
    for noun in ALL
    if noun.kinds & {"food", "drink", "animal", "liked"}
    or noun.en in ("book", "flower")
]
HAD = [noun for noun in ALL if noun.kinds & {"animal", "thing", "food", "drink", "had"}]
OFFERED = [noun for noun in HAD if "person" not in noun.kinds]
SPOTS = [noun for noun in ALL if noun.kinds & {"place"}]
SEATS = [noun for noun in ALL if "surface" in noun.kinds]
# What has no article where Spanish has one, and what has one of its own.
UNIQUE = [noun for noun in words.THINGS if "sky" in noun.kinds]


def conjugated(line: str) -> tuple[str, str, dict[str, str]]:
    (base, third), forms = (part.split() for part in line.split("|"))
    return base, third, dict(zip(PERSONS, forms, strict=True))


VERB = {line[0]: line for line in map(conjugated, lines_of(words.VERBS))}
VERB |= {verb.en: (verb.en, verb.en_3sg, verb.es["present"]) for verb in ACTS}


def the(noun: Noun, plural: bool = False, by: str = "the") -> Pair:
    """A noun with an article, or with whose it is."""
    forms = dict(zip(FORMS, DETERMINERS[by].split(), strict=True))
    spanish = forms[noun.gender + ("p" if plural else "s")]
    if noun.en == "water" and by == "the":
        spanish = "el"
    name = (noun.en_plural, noun.es_plural) if plural else (noun.en, noun.es)
    return f"{by} {name[0]}", f"{spanish} {name[1]}"


def some(noun: Noun) -> Pair:
    """One of them, or some of what isn't counted."""
    return (noun.en, noun.es) if noun.en_plural is None else the(noun, by="a")


def bare(noun: Noun) -> tuple[str, str, bool]:
    """What one likes in general: the plural where there is one."""
    plural = noun.en_plural is not None and "mass" not in noun.kinds
    english, spanish = the(noun, plural)
    return english.removeprefix("the "), spanish, plural


def is_(who: Who, copula: str, tense: str = "present") -> Pair:
    return BE_FORMS[tense][who.person], BE[copula][tense][who.person]


def now_or_then(rng: random.Random) -> str:
    """A tense; the present more often than the past."""
    return "past" if rng.random() < 0.15 else "present"


def present(who: Who, verb: str) -> Pair:
    base, third, spanish = VERB[verb]
    return third if who.person == "3sg" else base, spanish[who.person]


def do(who: Who) -> str:
    return "does" if who.person == "3sg" else "do"


def kin(rng: random.Random) -> Who:
    noun = rng.choice(FAMILY)
    english, spanish = the(noun, by=rng.choice(["my", "my", "your"]))
    return Who(english, spanish, "3sg", f"{noun.gender}s")


def person(rng: random.Random) -> Who:
    """I and you more than others."""
    kind = rng.random()
    if kind < 0.7:
        return rng.choice([*PEOPLE[:2], *PEOPLE])
    if kind < 0.75:
        return rng.choice(MANY)
    return rng.choice(NAMED) if kind < 0.87 else kin(rng)


def stated(rng: random.Random, who: Who, verb: Pair, rest: Pair) -> Pair:
    """Say it, deny it, or ask it; `verb` is a form of *to be*, or of another."""
    kind = rng.random()
    english, spanish = verb
    being = english in ("am", "is", "are", "was", "were", "can")
    if kind < 0.7:
        return f"{who.en} {english} {rest[0]}", who.says(f"{spanish} {rest[1]}")
    base = {"has": "have"}.get(english) or next(
        (b for b, third, _ in VERB.values() if third == english), english
    )
    if kind < 0.85:
        helped = f"{english} not" if being else f"{do(who)} not {base}"
        return f"{who.en} {helped} {rest[0]}", who.says(f"no {spanish} {rest[1]}")
    asks = f"{english} {who.en}" if being else f"{do(who)} {who.en} {base}"
    return f"{asks} {rest[0]} ?", who.asked(f"{spanish} {rest[1]}")


def joined(*parts: str) -> str:
    return " ".join(filter(None, parts))


def fitting(verb: Verb) -> list[Noun]:
    """What a verb may be done to: things, or else people and animals."""
    fits = [n for n in ALL if n.kinds & verb.objects]
    return [n for n in fits if not n.animate] or [n for n in fits if n.en_plural]


def bare_object(noun: Noun) -> Pair:
    """An object without an article; people and animals take an *a* in Spanish."""
    if noun.animate:
        return str(noun.en_plural), f"a {the(noun, plural=True)[1]}"
    if noun.en_plural is None:
        return noun.en, noun.es
    return noun.en_plural, str(noun.es_plural)


def object_of(verb: Verb, rng: random.Random) -> Pair:
    noun = rng.choice(fitting(verb))
    if noun.animate:
        english, spanish = the(rng.choice(FAMILY), by="my")
        return english, f"a {spanish}"
    if "place" in noun.kinds:
        return the(noun)
    if noun.en_plural is None:
        return rng.choice([bare_object(noun), bare_object(noun), the(noun)])
    kind = rng.random()
    if kind < 0.2:
        return bare_object(noun)
    return the(noun, by="a" if kind < 0.6 else "the" if kind < 0.85 else "my")


def with_it(verb: str, rng: random.Random) -> Pair:
    """What may stand behind a verb that has no object from the small world."""
    given = words.WITH.get(verb, [])
    return rng.choice(given if verb in words.ONLY_WITH else [NOTHING, *given])


def staying(rng: random.Random) -> tuple[str, str, str, str]:
    """A deed, but for going and coming, which have rules of their own."""
    found = deed(rng)
    return staying(rng) if found[0].startswith(("go", "come")) else found


def deed(rng: random.Random) -> tuple[str, str, str, str]:
    """Something to do: English base and -ing, Spanish infinitive and gerund."""
    forms = rng.choice(DOING)
    verb = next((v for v in VERBS if v.en == forms[0]), None)
    if verb and verb.objects and (rng.random() < 0.7 or forms[0] not in ALONE):
        what = object_of(verb, rng)
    else:
        what = with_it(forms[0], rng)
    base, ing, infinitive, gerund = forms
    return (
        joined(base, what[0]),
        joined(ing, what[0]),
        joined(infinitive, what[1]),
        joined(gerund, what[1]),
    )


def quality(adjective: Adjective, form: str, rng: random.Random) -> Pair:
    more = rng.random() < 0.3 and adjective.en not in (
        ["open", "closed", "broken", "empty", "full", "great", "perfect", "married"]
    )
    english, spanish = adjective.en, adjective.es[form]
    if not more:
        return english, spanish
    very, muy = rng.choice(DEGREES)
    return f"{very} {english}", f"{muy} {spanish}"
