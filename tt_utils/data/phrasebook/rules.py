"""Everyday sentences in English and Spanish, drawn by rules without end.

As in the book's small world, a Spanish subject pronoun is left out, *you* is one person
and a friend (tú), and who is meant by *I* or *you* is taken for a man.
"""

import random
from collections.abc import Callable, Iterator

from tt_utils.data.grammar.lexicon import ADJECTIVES, BE, HAVE, NOUNS, PERSONS, VERBS
from tt_utils.data.grammar.phrases import spelled, unit
from tt_utils.data.phrasebook import acts, asking, said, words
from tt_utils.data.phrasebook.parts import (
    ACT,
    ALL,
    COUNTRIES,
    COUNTRY_IS,
    DAYS,
    FAMILY,
    HAD,
    JOBS,
    KNOWN,
    LIKED,
    LOVED,
    NAMED,
    NOTHING,
    NUMBERS,
    OBJECT,
    OF_ONESELF,
    PEOPLE,
    QUALITIES,
    SEATS,
    SPOTS,
    STATES,
    UNIQUE,
    Pair,
    Who,
    bare,
    bare_object,
    deed,
    do,
    fitting,
    is_,
    joined,
    kin,
    now_or_then,
    person,
    present,
    quality,
    some,
    stated,
    staying,
    the,
)

Rule = Callable[[random.Random], Pair]


def as_said(rng: random.Random) -> Pair:
    english, spanish = rng.choice(SAID)
    return rng.choice(english), spanish


def greeting(rng: random.Random) -> Pair:
    name = rng.choice(NAMED).en
    english, spanish = rng.choice(
        [
            ("hello", "hola"),
            ("hi", "hola"),
            ("good morning", "buenos días"),
            ("good night", "buenas noches"),
            ("goodbye", "adiós"),
            ("thank you", "gracias"),
            ("bye", "adiós"),
        ]
    )
    return f"{english} {name}", f"{spanish} , {name}"


def name(rng: random.Random) -> Pair:
    who = rng.choice(NAMED)
    his = "his" if who.form == "ms" else "her"
    english, spanish = rng.choice(
        [
            ("my name is", "me llamo"),
            ("my name is", "me llamo"),
            ("hello my name is", "hola , me llamo"),
            ("hi my name is", "hola , me llamo"),
            ("your name is", "te llamas"),
            (f"{his} name is", "se llama"),
            ("I am", "soy"),
            ("you are", "eres"),
            ("hello I am", "hola , soy"),
            ("hi I am", "hola , soy"),
            ("call me", "llámame"),
            ("my dog is called", "mi perro se llama"),
            ("my cat is called", "mi gato se llama"),
            ("the name of my dog is", "mi perro se llama"),
        ]
    )
    return f"{english} {who.en}", f"{spanish} {who.es}"


def this_is(rng: random.Random) -> Pair:
    who = rng.choice([rng.choice(NAMED), kin(rng)])
    shown = {"ms": "este", "fs": "esta"}[who.form]
    return f"this is {who.en}", f"{shown} es {who.es}"


def job(rng: random.Random) -> Pair:
    who = person(rng)
    english, masculine, feminine = rng.choice([JOBS[0], *JOBS])
    spanish = feminine if who.form[0] == "f" else masculine
    if who.person in ("1pl", "3pl"):
        plural = spanish + ("es" if spanish.endswith("r") else "s")
        return stated(rng, who, is_(who, "ser"), (f"{english}s", plural))
    return stated(rng, who, is_(who, "ser"), (f"a {english}", spanish))


def origin(rng: random.Random) -> Pair:
    who = person(rng)
    place, lugar, people, _, masculine, feminine = rng.choice(COUNTRIES)
    if who.person in ("1sg", "2sg", "3sg") and rng.random() < 0.35:
        spanish = feminine if who.form[0] == "f" else masculine
        return stated(rng, who, is_(who, "ser"), (people, spanish))
    if rng.random() < 0.3:
        place, lugar = rng.choice(list(words.CITIES.items()))
    if rng.random() < 0.5:
        return stated(rng, who, is_(who, "ser"), (f"from {place}", f"de {lugar}"))
    return stated(rng, who, present(who, "live"), (f"in {place}", f"en {lugar}"))


def language(rng: random.Random) -> Pair:
    who = person(rng)
    spoken = [line for line in COUNTRIES if line[3] != "-"]
    _, _, english, spanish, *_ = rng.choice([spoken[0], spoken[3], *spoken])
    verb = rng.choice(["speak", "speak", "speak", "learn", "study", "understand"])
    if verb == "learn" and rng.random() < 0.6:
        be = is_(who, "estar")
        return stated(rng, who, be, (f"learning {english}", f"aprendiendo {spanish}"))
    return stated(rng, who, present(who, verb), (english, spanish))


def state(rng: random.Random) -> Pair:
    """In English one is hungry, in Spanish one has hunger."""
    who = person(rng)
    english, spanish, gender = rng.choice([*STATES[:2], *STATES])
    has = HAVE.es["present"][who.person]
    if rng.random() < 0.2 and english not in ("right", "lucky"):
        much = "mucha" if gender == "f" else "mucho"
        english, spanish = f"very {english}", f"{much} {spanish}"
    return stated(rng, who, (is_(who, "estar")[0], has), (english, spanish))


def age(rng: random.Random) -> Pair:
    who = person(rng)
    english, spanish = rng.choice(NUMBERS[1:])
    has = HAVE.es["present"][who.person]
    rest = f"{english} years old", f"{spanish} años"
    english, spanish = f"{who.en} {is_(who, 'ser')[0]}", who.says(has)
    return f"{english} {rest[0]}", f"{spanish} {rest[1]}"


def feeling(rng: random.Random) -> Pair:
    who = person(rng)
    # Who says "I am good" means that he or she is well.
    told = ("good", "bad") if who.en == "I" else ()
    adjective = rng.choice(
        [a for a in QUALITIES if a.kinds & {"person", "any"} and a.en not in told]
    )
    rest = quality(adjective, who.form, rng)
    return stated(rng, who, is_(who, adjective.copula, now_or_then(rng)), rest)


TO_ME = dict(zip(PERSONS, ["me", "te", "le", "nos", "les"], strict=True))


def liking(rng: random.Random) -> Pair:
    """What one likes pleases one: the verb goes with it."""
    who = rng.choice([*PEOPLE[:2], *PEOPLE, person(rng)])
    third = who.person == "3sg"
    if rng.random() < 0.3:
        base, _, infinitive, _ = deed(rng)
        rest, plural = (f"to {base}", infinitive), False
    else:
        noun = rng.choice(LIKED)
        english, spanish, plural = (*the(noun), False) if noun in UNIQUE else bare(noun)
        rest = english, spanish
    to_me = TO_ME[who.person]
    whom = f"a {who.es}" if who.es else ""
    pleases = "gustan" if plural else "gusta"
    kind = rng.random()
    if kind < 0.25:
        loves = "loves" if third else "love"
        enchants = "encantan" if plural else "encanta"
        return f"{who.en} {loves} {rest[0]}", joined(whom, to_me, enchants, rest[1])
    if kind < 0.65:
        likes = "likes" if third else "like"
        return f"{who.en} {likes} {rest[0]}", joined(whom, to_me, pleases, rest[1])
    if kind < 0.8:
        english = f"{who.en} {do(who)} not like {rest[0]}"
        return english, joined(whom, "no", to_me, pleases, rest[1])
    asked = joined("¿", whom, to_me, pleases, rest[1], "?")
    return f"{do(who)} {who.en} like {rest[0]} ?", asked


def loving(rng: random.Random) -> Pair:
    """One loves a person: the object comes before the verb if it is a pronoun."""
    who = person(rng)
    if rng.random() < 0.6:
        base = rng.choice([*LOVED, *LOVED[:1] * 2])
        english, spanish = present(who, base)
    else:
        verb = rng.choice([v for v in VERBS if {"person", "animal"} <= v.objects])
        base, spanish = verb.en, verb.es["present"][who.person]
        english = verb.en_3sg if who.person == "3sg" else base
    if rng.random() < 0.55:
        free = [o for o in OBJECT if o not in OF_ONESELF.get(who.en, ())]
        them = rng.choice([*free[:2], *free])
        said = f"{OBJECT[them]} {spanish}"
    else:
        whom = rng.choice([rng.choice(NAMED), kin(rng)])
        them, said = whom.en, f"{spanish} a {whom.es}"
    kind = rng.random()
    if kind < 0.75:
        return f"{who.en} {english} {them}", who.says(said)
    if kind < 0.88:
        return f"{who.en} {do(who)} not {base} {them}", who.says(f"no {said}")
    asked = f"{do(who)} {who.en} {base} {them} ?"
    return asked, joined("¿", said, who.es, "?")


def wanting(rng: random.Random) -> Pair:
    """Want, need or can: a thing, or to do something."""
    who = person(rng)
    verb = rng.choice(["want", "want", "need", "can"])
    if verb == "can" or rng.random() < 0.5:
        base, _, infinitive, _ = deed(rng)
        rest = (base if verb == "can" else f"to {base}"), infinitive
    else:
        rest = some(rng.choice(HAD))
    return stated(rng, who, present(who, verb), rest)


def having(rng: random.Random) -> Pair:
    who = person(rng)
    noun = rng.choice([*HAD, *[n for n in HAD if "had" in n.kinds] * 2])
    kind = rng.random()
    if noun.en_plural is None or kind < 0.65:
        rest = some(noun)
    else:
        rest = the(noun, plural=True, by=rng.choice(["two", "three", "many"]))
    has = "has" if who.person == "3sg" else "have"
    return stated(rng, who, (has, HAVE.es["present"][who.person]), rest)


def doing(rng: random.Random) -> Pair:
    """What goes on just now."""
    if rng.random() < 0.5:
        who = person(rng)
    else:
        noun = rng.choice([n for n in NOUNS if n.animate])
        plural = rng.random() < 0.3
        form = f"{noun.gender}{'p' if plural else 's'}"
        who = Who(*the(noun, plural), "3pl" if plural else "3sg", form)
    _, ing, _, gerund = staying(rng)
    return stated(rng, who, is_(who, "estar", now_or_then(rng)), (ing, gerund))


def going(rng: random.Random) -> Pair:
    who = person(rng)
    place = rng.choice([None, None, *SPOTS])
    home = rng.choice([("home", "a casa"), ("home", "a casa"), ("to bed", "a la cama")])
    to = home
    if place is not None:
        english, spanish = the(place)
        bare_school = rng.choice([False, place.en == "school"])
        to = "to school" if bare_school else f"to {english}", f"a {spanish}"
    if rng.random() < 0.25:
        went, fue = acts.does(who, ACT["go"], "past")
        return f"{who.en} {went} {to[0]}", who.says(f"{fue} {to[1]}")
    if rng.random() < 0.5:
        english = is_(who, "ser")[0]
        spanish = present(who, "go")[1]
        return stated(rng, who, (english, spanish), (f"going {to[0]}", to[1]))
    return stated(rng, who, present(who, "go"), to)


def soon(rng: random.Random) -> Pair:
    """What one is going to do, or will do."""
    who = person(rng)
    base, _, infinitive, _ = deed(rng)
    when = rng.choice(
        [("", ""), ("", ""), (" tomorrow", " mañana"), (" today", " hoy")]
    )
    spanish = f"{present(who, 'go')[1]} a {infinitive}{when[1]}"
    if rng.random() < 0.5:
        return f"{who.en} will {base}{when[0]}", who.says(spanish)
    english = is_(who, "ser")[0]
    return f"{who.en} {english} going to {base}{when[0]}", who.says(spanish)


def sitting(rng: random.Random) -> Pair:
    noun = rng.choice([n for n in NOUNS if n.animate])
    seat = the(rng.choice([KNOWN["mat"], *SEATS]))
    by = rng.choice(["the", "the", "a", "my"])
    subject = the(noun, by=by)
    tense = rng.random()
    if tense < 0.5:
        verb = "sat", "se sentó"
    elif tense < 0.75:
        verb = "sits", "se sienta"
    else:
        verb = "is sitting", f"está sentad{'a' if noun.gender == 'f' else 'o'}"
    return (
        f"{subject[0]} {verb[0]} on {seat[0]}",
        f"{subject[1]} {verb[1]} en {seat[1]}",
    )


def located(rng: random.Random) -> Pair:
    """Who or what is where, or is asked for."""
    kind = rng.random()
    if kind < 0.35:
        noun = rng.choice([*SPOTS, *HAD[:70], *FAMILY])
        by = "my" if noun in FAMILY else rng.choice(["the", "the", "my"])
        english, spanish = the(noun, by=by)
        return f"where is {english} ?", f"¿ dónde está {spanish} ?"
    who = person(rng)
    if kind < 0.6:
        rest = rng.choice(
            [
                ("at home", "en casa"),
                ("at home", "en casa"),
                ("here", "aquí"),
                ("in bed", "en la cama"),
                ("at school", "en la escuela"),
                ("at work", "en el trabajo"),
            ]
        )
    else:
        spot = the(rng.choice(SPOTS))
        rest = f"in {spot[0]}", f"en {spot[1]}"
    if kind > 0.8:
        noun = rng.choice([n for n in NOUNS if n.kinds & {"animal", "thing", "food"}])
        who = Who(*the(noun), "3sg", f"{noun.gender}s")
        if rng.random() < 0.4:
            seat = the(rng.choice(SEATS))
            rest = f"on {seat[0]}", f"en {seat[1]}"
    return stated(rng, who, is_(who, "estar", now_or_then(rng)), rest)


def there_is(rng: random.Random) -> Pair:
    noun = rng.choice([n for n in HAD if n.en_plural])
    where = rng.choice([None, rng.choice(SPOTS), rng.choice(SEATS)])
    spot = ("", "")
    if where is not None:
        english, spanish = the(where)
        at = "on" if "surface" in where.kinds else "in"
        spot = f" {at} {english}", f" en {spanish}"
    if rng.random() < 0.7:
        english, spanish = the(noun, by="a")
        return f"there is {english}{spot[0]}", f"hay {spanish}{spot[1]}"
    english, spanish = the(noun, plural=True, by=rng.choice(["two", "three", "many"]))
    return f"there are {english}{spot[0]}", f"hay {spanish}{spot[1]}"


def thing(rng: random.Random) -> Pair:
    """What something is like."""
    noun = rng.choice(ALL)
    kinds = noun.kinds | {"any"} | ({"thing"} if noun.kinds & {"liked"} else set())
    fits = [a for a in QUALITIES if a.kinds & kinds]
    if noun in UNIQUE:
        fits = [a for a in fits if a.en in ["beautiful", "big", "great"]]
        colours = {
            "sky": "blue gray",
            "sea": "blue",
            "sun": "yellow hot",
            "moon": "white",
        }
        wanted = colours.get(noun.en, "").split()
        fits += [a for a in ADJECTIVES if a.en in wanted]
    adjective = rng.choice(fits)
    plural = noun.en_plural is not None and rng.random() < 0.3
    form = f"{noun.gender}{'p' if plural else 's'}"
    by = "the" if noun in UNIQUE else rng.choice(["the", "the", "my"])
    copula = "ser" if noun in UNIQUE else adjective.copula
    who = Who(*the(noun, plural, by), "3pl" if plural else "3sg", form)
    verb = is_(who, copula, now_or_then(rng))
    return stated(rng, who, verb, quality(adjective, form, rng))


def in_general(rng: random.Random) -> Pair:
    """Of all of a kind: English without an article, Spanish with one."""
    noun = rng.choice([n for n in NOUNS if n.animate and n.en_plural])
    english, spanish, _ = bare(noun)
    form = f"{noun.gender}p"
    if rng.random() < 0.25 and "animal" in noun.kinds:
        return f"{english} are animals", f"{spanish} son animales"
    if rng.random() < 0.5:
        fits = [a for a in QUALITIES if a.kinds & {*noun.kinds, "any"}]
        adjective = rng.choice([a for a in fits if a.copula == "ser"])
        return f"{english} are {adjective.en}", f"{spanish} son {adjective.es[form]}"
    verb = rng.choice([v for v in VERBS if v.subjects & noun.kinds])
    what = NOTHING
    if verb.objects:
        what = bare_object(rng.choice(fitting(verb)))
    acts = verb.es["present"]["3pl"]
    return joined(english, verb.en, what[0]), joined(spanish, acts, what[1])


SHOWN = [("this is", "esto es"), ("it is", "es"), ("that is", "eso es")]


def being(rng: random.Random) -> Pair:
    """Who or what one is."""
    work = {line[0] for line in JOBS}
    nouns = [n for n in ALL if n.animate and n.en_plural and n.en not in work]
    noun, who = rng.choice(nouns), rng.choice(PEOPLE[:4])
    kind = rng.random()
    if kind < 0.3:
        what = the(rng.choice(HAD), by="the") if kind < 0.1 else the(noun, by="a")
        shown = rng.choice(SHOWN)
        return f"{shown[0]} {what[0]}", f"{shown[1]} {what[1]}"
    if who.en in ("he", "she"):
        fits = [n for n in FAMILY if n.gender == who.form[0]]
        if kind < 0.65:
            return stated(rng, who, is_(who, "ser"), the(rng.choice(fits), by="my"))
        noun = rng.choice([n for n in nouns if n.gender == who.form[0]])
    return stated(rng, who, is_(who, "ser"), the(noun, by="a"))


def favorite(rng: random.Random) -> Pair:
    whose = rng.choice([("my", "mi"), ("my", "mi"), ("your", "tu"), ("his", "su")])
    if rng.random() < 0.5:
        colour = rng.choice(list(ADJECTIVES[:8]))
        return (
            f"{whose[0]} favorite color is {colour.en}",
            f"{whose[1]} color favorito es el {colour.es['ms']}",
        )
    food = rng.choice([n for n in ALL if "food" in n.kinds and n.en_plural is None])
    return (
        f"{whose[0]} favorite food is {food.en}",
        f"{whose[1]} comida favorita es {the(food)[1]}",
    )


def country(rng: random.Random) -> Pair:
    place, lugar, *_ = rng.choice(COUNTRIES)
    form = "fs" if lugar.endswith("a") else "ms"
    kind = rng.random()
    if kind < 0.4:
        who = rng.choice(PEOPLE[:2])
        return f"{who.en} love {place}", f"{TO_ME[who.person]} encanta {lugar}"
    who = Who(place, lugar, "3sg", form)
    adjective = rng.choice([a for a in QUALITIES if a.en in COUNTRY_IS])
    return stated(rng, who, is_(who, "ser"), quality(adjective, form, rng))


def two_friends(rng: random.Random) -> Pair:
    one, other = rng.sample(NAMED, 2)
    women = one.form == other.form == "fs"
    friends = "amigas" if women else "amigos"
    kind = rng.random()
    if kind < 0.4:
        return (
            f"{one.en} and {other.en} are friends",
            f"{one.es} y {other.es} son {friends}",
        )
    if kind < 0.6:
        return rng.choice(
            [
                ("we are friends", "somos amigos"),
                ("they are friends", "son amigos"),
                ("she is my friend", "es mi amiga"),
                ("he is my friend", "es mi amigo"),
            ]
        )
    friend = "amiga" if one.form == "fs" else "amigo"
    whose = rng.choice([("my", "mi"), ("my best", "mi mejor")])
    if rng.random() < 0.3:
        return f"you are {whose[0]} friend", f"eres {whose[1]} amigo"
    return f"{one.en} is {whose[0]} friend", f"{one.es} es {whose[1]} {friend}"


def how_is(rng: random.Random) -> Pair:
    who = rng.choice([kin(rng), kin(rng), rng.choice(NAMED), PEOPLE[-1]])
    english, spanish = is_(who, "estar")
    return f"how {english} {who.en} ?", joined("¿ cómo", spanish, who.es, "?")


def weather(rng: random.Random) -> Pair:
    english, spanish = rng.choice(WEATHER)
    when = rng.choice([("", ""), ("", ""), ("", ""), (" today", " hoy")])
    place = rng.choice(COUNTRIES)
    if rng.random() < 0.15:
        when = f" in {place[0]}", f" en {place[1]}"
    return rng.choice(english) + when[0], spanish + when[1]


def day(rng: random.Random) -> Pair:
    english, spanish = rng.choice(DAYS)
    return rng.choice(
        [
            (f"today is {english}", f"hoy es {spanish}"),
            (f"it is {english}", f"es {spanish}"),
            (f"see you on {english}", f"hasta el {spanish}"),
            (f"tomorrow is {english}", f"mañana es {spanish}"),
        ]
    )


def street(rng: random.Random) -> Pair:
    """The sentence whose *it* every lesson on attention asks about, and its kin."""
    noun = rng.choice([KNOWN["animal"], *[n for n in NOUNS if "animal" in n.kinds]])
    over = rng.choice([KNOWN["street"], KNOWN["bridge"], KNOWN["river"]])
    crossed = rng.random() < 0.3
    who, way = the(noun), the(over)
    if rng.random() < 0.5:
        adjective = rng.choice(
            [a for a in ADJECTIVES if a.en in ["tired", "sick", "nervous", "old"]]
        )
        about = noun
    else:
        adjective = rng.choice(
            [a for a in words.QUALITIES if a.en in ["long", "beautiful"]]
        )
        about = over
    form = adjective.es[f"{about.gender}s"]
    was = BE[adjective.copula]["past"]["3sg"]
    english = f"{who[0]} crossed" if crossed else f"{who[0]} did not cross"
    spanish = f"{who[1]} {'' if crossed else 'no '}cruzó"
    if rng.random() < 0.3:
        return f"{english} {way[0]}", f"{spanish} {way[1]}"
    return (
        f"{english} {way[0]} because it was too {adjective.en}",
        f"{spanish} {way[1]} porque {was} demasiado {form}",
    )


def two_sentences(rng: random.Random) -> Pair:
    """What one says of oneself, twice in one sentence."""
    parts: list[Pair] = []
    while len(parts) < 2:
        english, spanish = rng.choice(OF_ME)(rng)
        if (
            english.startswith("I ")
            and "?" not in english
            and (english, spanish) not in parts
        ):
            parts.append((english, spanish))
    (first, uno), (second, otro) = parts
    link = rng.choice([("and", "y"), ("and", "y"), ("but", "pero")])
    return f"{first} {link[0]} {second}", f"{uno} {link[1]} {otro}"


OF_ME: list[Rule] = [job, origin, language, state, feeling, wanting, having, liking]


def alternatives(table: str) -> list[tuple[list[str], str]]:
    pairs = (line.split(" : ") for line in table.strip().splitlines())
    return [(english.split(" / "), spanish) for english, spanish in pairs]


SAID, WEATHER = alternatives(said.TABLE), alternatives(words.WEATHER)
RULES: dict[Rule, int] = {
    as_said: 44,
    greeting: 2,
    name: 4,
    this_is: 2,
    job: 4,
    origin: 4,
    language: 3,
    state: 4,
    age: 2,
    feeling: 5,
    liking: 6,
    loving: 5,
    wanting: 5,
    having: 4,
    doing: 5,
    going: 3,
    soon: 3,
    sitting: 3,
    located: 5,
    there_is: 2,
    thing: 4,
    in_general: 3,
    being: 4,
    favorite: 1,
    country: 1,
    two_friends: 2,
    how_is: 1,
    weather: 2,
    day: 1,
    street: 2,
    two_sentences: 3,
    acts.now_and_then: 6,
    acts.at_an_hour: 2,
    acts.to_somebody: 3,
    acts.gave: 2,
    acts.before: 7,
    acts.perfect: 2,
    acts.ahead: 5,
    acts.coming: 3,
    acts.working: 3,
    acts.felt: 1,
    acts.two_states: 1,
    acts.described: 4,
    acts.two_things: 2,
    acts.mine: 3,
    acts.because: 1,
    asking.wondering: 6,
    asking.wondering_now: 3,
    asking.about: 4,
    asking.places: 3,
    asking.order: 6,
    asking.forbid: 2,
    asking.give: 5,
    asking.can_you: 4,
}


UNMARKED = 0.2  # of the questions: people leave the mark out


def phrases(count: int, seed: int) -> Iterator[tuple[list[str], list[str]]]:
    """Draw sentences: the words of both languages.

    The same seed always gives the same ones; no pair is ever held out. Some English
    questions come without their mark, the Spanish never.
    """
    rng = random.Random(f"phrasebook {seed}")
    rules, weights = zip(*RULES.items(), strict=True)
    for rule in rng.choices(rules, weights, k=count):
        english, spanish = rule(rng)
        if rng.random() < UNMARKED:
            english = english.removesuffix(" ?")
        phrase = spelled(unit(english, spanish, keys=()))
        yield list(map(str, phrase.en)), list(map(str, phrase.es))
