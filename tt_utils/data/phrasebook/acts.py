"""What one does, did or has to do, and when: rules of the phrasebook."""

import random

from tt_utils.data.grammar.lexicon import PERSONS, Verb
from tt_utils.data.phrasebook import words
from tt_utils.data.phrasebook.parts import (
    ACT,
    ACTS,
    ADJECTIVES,
    ALL,
    ALONE,
    COUNTRIES,
    HAD,
    JOBS,
    KNOWN,
    NAMED,
    NOTHING,
    NUMBERS,
    OBJECT,
    OF_ONESELF,
    OFFERED,
    PEOPLE,
    QUALITIES,
    SPOTS,
    STATES,
    Pair,
    Who,
    bare,
    deed,
    do,
    is_,
    joined,
    kin,
    object_of,
    person,
    present,
    quality,
    slashed,
    some,
    stated,
    the,
    with_it,
)


def act(rng: random.Random) -> tuple[Verb, Pair]:
    """A verb, and what it is done to or how."""
    verb = rng.choice(ACTS)
    if not verb.objects:
        return verb, with_it(verb.en, rng)
    if verb.en in ALONE and rng.random() < 0.3:
        return verb, NOTHING
    return verb, object_of(verb, rng)


def now_and_then(rng: random.Random) -> Pair:
    """What one does as a rule."""
    who = person(rng)
    verb, what = act(rng)
    when = rng.choice([NOTHING, *words.NOW])
    if what is NOTHING:
        how = [("very well", "muy bien"), ("a lot", "mucho")]
        if who.person in ("1pl", "3pl"):
            how.append(("together", "juntos" if who.form == "mp" else "juntas"))
        when = rng.choice([when, when, *how])
    rest = joined(what[0], when[0]), joined(what[1], when[1])
    return tensed(rng.random(), who, verb, "present", rest, (0.7, 0.85))


def does(who: Who, verb: Verb, tense: str = "present") -> Pair:
    """What one does or did: the form of the verb."""
    english = verb.en_3sg if who.person == "3sg" else verb.en
    return verb.en_past if tense == "past" else english, verb.es[tense][who.person]


def helper(who: Who, tense: str) -> str:
    """What English denies and asks with."""
    return "did" if tense == "past" else do(who)


def tensed(
    kind: float,
    who: Who,
    verb: Verb,
    tense: str,
    rest: Pair,
    ends: tuple[float, float],
) -> Pair:
    """Say it, deny it, or ask it: `kind`, below 1, lies before either end or behind."""
    english, spanish = does(who, verb, tense)
    helps, told = helper(who, tense), joined(spanish, rest[1])
    if kind < ends[0]:
        return joined(who.en, english, rest[0]), who.says(told)
    if kind < ends[1]:
        denied = joined(who.en, helps, "not", verb.en, rest[0])
        return denied, who.says(joined("no", told))
    return joined(helps, who.en, verb.en, rest[0], "?"), who.asked(told)


def before(rng: random.Random) -> Pair:
    """What one did, didn't do, or is asked about."""
    who = person(rng)
    verb, what = act(rng)
    when = rng.choice([NOTHING, *words.THEN])
    kind = rng.random()
    if kind < 0.1 and when is not NOTHING and "again" not in when:
        english, spanish = does(who, verb, "past")
        front = joined(when[0], who.en, english, what[0])
        return front, joined(when[1], who.es, spanish, what[1])
    rest = joined(what[0], when[0]), joined(what[1], when[1])
    return tensed(kind, who, verb, "past", rest, (0.65, 0.82))


PARTICIPLES = """
eaten comido eat / drunk bebido drink / seen visto see / read leído read
written escrito write / bought comprado buy / lost perdido lose / broken roto break
found encontrado find / cooked cocinado cook / washed lavado wash / closed cerrado close
"""
DONE = slashed(PARTICIPLES)
HABER = dict(zip(PERSONS, ["he", "has", "ha", "hemos", "han"], strict=True))


def perfect(rng: random.Random) -> Pair:
    """What one has done, or never did."""
    who = person(rng)
    done, hecho, base = rng.choice(DONE)
    what = object_of(ACT[base], rng)
    if base in ALONE and rng.random() < 0.4:
        what = NOTHING
    has = present(who, "have")[0]
    spanish = joined(HABER[who.person], hecho, what[1])
    kind = rng.random()
    if kind < 0.5:
        return joined(who.en, has, done, what[0]), who.says(spanish)
    if kind < 0.75:
        never, no = rng.choice([("never", "nunca"), ("not", "no")])
        return joined(who.en, has, never, done, what[0]), who.says(f"{no} {spanish}")
    asked = joined("¿", HABER[who.person], hecho, who.es, what[1], "?")
    return joined(has, who.en, done, what[0], "?"), asked


def ahead(rng: random.Random) -> Pair:
    """What one has to do, should do, would like to do, or will do, and when."""
    who = person(rng)
    base, _, infinitive, _ = deed(rng)
    when = rng.choice([NOTHING, NOTHING, *words.SOON])
    rest = joined(base, when[0]), joined(infinitive, when[1])
    kind = rng.random()
    has, tiene = present(who, "have")
    if kind < 0.35:
        return stated(rng, who, (has, tiene), (f"to {rest[0]}", f"que {rest[1]}"))
    if kind < 0.45:
        return joined(who.en, "must", rest[0]), who.says(joined(tiene, "que", rest[1]))
    if kind < 0.6:
        debe = present(who, "should")[1]
        return joined(who.en, "should", rest[0]), who.says(joined(debe, rest[1]))
    will = present(who, "go")[1]
    if kind < 0.7:
        english = joined(who.en, "will not", rest[0])
        return english, who.says(joined("no", will, "a", rest[1]))
    if kind < 0.85:
        spanish = who.asked(joined(will, "a", rest[1]))
        return joined("will", who.en, rest[0], "?"), spanish
    if when is NOTHING:
        when = words.SOON[0]
    am = is_(who, "ser")[0]
    english = joined(when[0], who.en, am, "going to", base)
    return english, joined(when[1], who.es, will, "a", infinitive)


HOURS = [
    (english, "la una" if english == "one" else f"las {spanish}")
    for english, spanish in NUMBERS[:11]
]
EVENTS = [
    KNOWN[name] for name in ("class", "meeting", "party", "movie", "school", "game")
]


def at_an_hour(rng: random.Random) -> Pair:
    """What begins, or is done, at an hour."""
    hour, hora = rng.choice(HOURS)
    if rng.random() < 0.5:
        english, spanish = the(rng.choice(EVENTS), by=rng.choice(["the", "the", "my"]))
        is_at, es = rng.choice([("starts", "empieza")] * 2 + [("is", "es")])
        return f"{english} {is_at} at {hour}", f"{spanish} {es} a {hora}"
    if rng.random() < 0.15:
        es = "es" if hour == "one" else "son"
        return f"it is {hour}", f"{es} {hora}"
    who = person(rng)
    verb, what = act(rng)
    english, spanish = does(who, verb)
    said = who.says(joined(spanish, what[1], "a", hora))
    return joined(who.en, english, what[0], "at", hour), said


def to_somebody(rng: random.Random) -> Pair:
    """To want to do, or to be doing, something to me, you, him and so on."""
    who = rng.choice([*PEOPLE[:2], *PEOPLE])
    base, ing, infinitive, gerund = rng.choice(TO_ONE)
    them = rng.choice([one for one in OBJECT if one not in OF_ONESELF.get(who.en, ())])
    if ing != "-" and rng.random() < 0.4:
        am, is_so = is_(who, "estar")
        clitic = OBJECT[them]
        english = f"{who.en} {am} {ing} {them}"
        return english, who.says(f"{clitic} {is_so} {gerund}")
    verb = rng.choice(["want", "can", "need"])
    to = "" if verb == "can" else "to"
    rest = joined(to, base, them), infinitive + OBJECT[them]
    return stated(rng, who, present(who, verb), rest)


TO_ONE = [
    ("see", "-", "ver", "-"),
    ("help", "helping", "ayudar", "ayudando"),
    ("call", "calling", "llamar", "llamando"),
    ("visit", "visiting", "visitar", "visitando"),
    ("find", "finding", "encontrar", "encontrando"),
    ("follow", "following", "seguir", "siguiendo"),
    ("hear", "-", "oír", "-"),
    ("understand", "-", "entender", "-"),
    ("wait for", "waiting for", "esperar", "esperando"),
    ("look for", "looking for", "buscar", "buscando"),
    ("look at", "looking at", "mirar", "mirando"),
]
TO_WHOM = {
    "me": "me",
    "you": "te",
    "him": "le",
    "her": "le",
    "us": "nos",
    "them": "les",
}
GAVE = [
    ("gave", "di diste dio dimos dieron"),
    ("gave", "di diste dio dimos dieron"),
    ("sent", "envié enviaste envió enviamos enviaron"),
    ("bought", "compré compraste compró compramos compraron"),
    ("showed", "mostré mostraste mostró mostramos mostraron"),
]


def gave(rng: random.Random) -> Pair:
    """What one gave, sent or showed to me, you, him and so on."""
    who = person(rng)
    english, forms = rng.choice(GAVE)
    verb = dict(zip(PERSONS, forms.split(), strict=True))[who.person]
    noun = rng.choice(OFFERED)
    what = some(noun) if rng.random() < 0.6 else the(noun)
    if rng.random() < 0.2:
        return f"{who.en} {english} {what[0]}", who.says(f"{verb} {what[1]}")
    them = rng.choice([one for one in TO_WHOM if one not in OF_ONESELF.get(who.en, ())])
    spanish = f"{TO_WHOM[them]} {verb} {what[1]}"
    return f"{who.en} {english} {them} {what[0]}", who.says(spanish)


def coming(rng: random.Random) -> Pair:
    """Where one comes from, or that one comes."""
    who = person(rng)
    kind = rng.random()
    if kind < 0.4:
        place = rng.choice([(english, spanish) for english, spanish, *_ in COUNTRIES])
        place = rng.choice([place, place, *words.CITIES.items()])
        rest = f"from {place[0]}", f"de {place[1]}"
        return stated(rng, who, present(who, "come"), rest)
    when = rng.choice([NOTHING, *words.SOON])
    rest = rng.choice(
        [NOTHING, ("home", "a casa"), ("with Anna", "con Anna"), ("here", "aquí")]
    )
    english, spanish = joined(rest[0], when[0]), joined(rest[1], when[1])
    viene = present(who, "come")[1]
    am = is_(who, "ser")[0]
    return stated(rng, who, (am, viene), (joined("coming", english), spanish))


def working(rng: random.Random) -> Pair:
    """Where and as what one works, with whom and where one lives."""
    who = person(rng)
    if rng.random() < 0.5:
        who = rng.choice([*PEOPLE[:4], rng.choice(NAMED), kin(rng)])
        english, masculine, feminine = rng.choice(JOBS)
        spot = the(rng.choice(SPOTS), by="a")
        spanish = feminine if who.form[0] == "f" else masculine
        rest = rng.choice(
            [(f"as a {english}", f"como {spanish}"), (f"in {spot[0]}", f"en {spot[1]}")]
        )
        return stated(rng, who, present(who, "work"), rest)
    spot = the(rng.choice(SPOTS), by=rng.choice(["a", "the"]))
    rest = rng.choice(
        [
            ("with my family", "con mi familia"),
            ("with my parents", "con mis padres"),
            ("with a friend", "con un amigo"),
            ("here", "aquí"),
            (f"in {spot[0]}", f"en {spot[1]}"),
        ]
    )
    return stated(rng, who, present(who, "live"), rest)


FEEL = dict(
    zip(PERSONS, ["siento", "sientes", "siente", "sentimos", "sienten"], strict=True)
)
ONESELF = dict(zip(PERSONS, ["me", "te", "se", "nos", "se"], strict=True))


def felt(rng: random.Random) -> Pair:
    """How one feels."""
    who = person(rng)
    fits = [a for a in ADJECTIVES if a.copula == "estar" and "person" in a.kinds]
    rest = quality(rng.choice(fits), who.form, rng)
    verb = "feels" if who.person == "3sg" else "feel"
    spanish = f"{ONESELF[who.person]} {FEEL[who.person]} {rest[1]}"
    return f"{who.en} {verb} {rest[0]}", who.says(spanish)


def two_states(rng: random.Random) -> Pair:
    """Tired and hungry; small but strong."""
    who = rng.choice([*PEOPLE[:2], *PEOPLE])
    am, is_so = is_(who, "estar")
    fits = [a for a in ADJECTIVES if a.copula == "estar" and "person" in a.kinds]
    first, other = rng.sample(fits, 2)
    link = ("and", "y")
    if "happy" in (first.en, other.en):
        link = "but", "pero"
    english = f"{who.en} {am} {first.en} {link[0]}"
    spanish = f"{is_so} {first.es[who.form]} {link[1]}"
    if rng.random() < 0.5:
        hungry, hambre, _ = rng.choice(STATES[:5])
        has = present(who, "have")[1]
        return f"{english} {hungry}", who.says(f"{spanish} {has} {hambre}")
    return f"{english} {other.en}", who.says(f"{spanish} {other.es[who.form]}")


# These stand before the noun, in a form of their own.
BEFORE = {
    "good": {"m": "buen", "f": "buena"},
    "bad": {"m": "mal", "f": "mala"},
    "great": {"m": "gran", "f": "gran"},
}


OF_THOUGHTS = {"new", "old", "big", "small", "important", "interesting", "easy"}
DEMONSTRATIVES = [
    {"ms": "este", "fs": "esta", "mp": "estos", "fp": "estas"},
    {"ms": "ese", "fs": "esa", "mp": "esos", "fp": "esas"},
]


def described(rng: random.Random) -> Pair:
    """A noun with its adjective: a big dog, a good idea."""
    noun = rng.choice([n for n in ALL if n.en_plural])
    kinds = noun.kinds | {"any"}
    fits = [a for a in QUALITIES if a.kinds & kinds and a.copula == "ser"]
    if not noun.animate:
        fits += [a for a in QUALITIES if a.en in OF_THOUGHTS]
    adjective = rng.choice([a for a in fits if a.en != "beautiful" or not noun.animate])
    english, spanish = adjective.en, adjective.es[f"{noun.gender}s"]
    one = "un" if noun.gender == "m" else "una"
    if english in BEFORE:
        what = f"{one} {BEFORE[english][noun.gender]} {noun.es}"
    else:
        what = f"{one} {noun.es} {spanish}"
    a = f"a {english} {noun.en}"
    kind = rng.random()
    if kind < 0.35:
        near, far = (shown[noun.gender + "s"] for shown in DEMONSTRATIVES)
        this, este = rng.choice(
            [("this is", f"{near} es"), ("that is", f"{far} es"), ("it is", "es")]
        )
        return f"{this} {a}", f"{este} {what}"
    if noun.animate and "person" in noun.kinds:
        same = [one for one in [*PEOPLE[:4], *NAMED] if one.form[0] == noun.gender]
        who = rng.choice(same)
        return stated(rng, who, is_(who, "ser"), (a, what))
    if kind < 0.45:
        return f"it was {a}", f"era {what}"
    who = person(rng)
    verb = rng.choice(["have", "have", "want", "need"])
    return stated(rng, who, present(who, verb), (a, what))


def two_things(rng: random.Random) -> Pair:
    """A dog and a cat; cats and dogs."""
    one, other = rng.sample([n for n in OFFERED if n.en_plural], 2)
    kind = rng.random()
    if kind < 0.5:
        first, second = some(one), some(other)
        who = person(rng)
        verb = present(who, rng.choice(["have", "want"]))
        return stated(
            rng,
            who,
            verb,
            (f"{first[0]} and {second[0]}", f"{first[1]} y {second[1]}"),
        )
    liked = [n for n in ALL if n.kinds & {"food", "drink", "animal", "liked"}]
    one, other = rng.sample(liked, 2)
    english, spanish, plural = bare(one)
    more, otro, _ = bare(other)
    pleases = "me gustan" if plural else "me gusta"
    return f"I like {english} and {more}", f"{pleases} {spanish} y {otro}"


def mine(rng: random.Random) -> Pair:
    """Whose it is."""
    noun = rng.choice(HAD)
    plural = noun.en_plural is not None and rng.random() < 0.3
    by = rng.choice(["my", "my", "your", "his", "our"])
    english, spanish = the(noun, plural, by)
    far = rng.random() < 0.4
    shown = DEMONSTRATIVES[far][noun.gender + ("p" if plural else "s")]
    this = [["this", "these"], ["that", "those"]][far][plural]
    be, es = ("are", "son") if plural else ("is", "es")
    if rng.random() < 0.3:
        return f"{be} {this} {english} ?", f"¿ {es} {shown} {spanish} ?"
    if "person" in noun.kinds or rng.random() < 0.4:
        return f"{this} {be} {english}", f"{shown} {es} {spanish}"
    lost, perdido = rng.choice(LOST)
    who = rng.choice(PEOPLE[:2])
    english, spanish = the(noun, plural, "my" if who.en == "I" else "your")
    return f"{who.en} {lost} {english}", f"{perdido[who.person]} {spanish}"


LOST = [
    ("lost", {"1sg": "perdí", "2sg": "perdiste"}),
    ("forgot", {"1sg": "olvidé", "2sg": "olvidaste"}),
    ("can not find", {"1sg": "no encuentro", "2sg": "no encuentras"}),
    ("miss", {"1sg": "echo de menos", "2sg": "echas de menos"}),
]


def because(rng: random.Random) -> Pair:
    """How one is, and why."""
    who: Who = rng.choice([*PEOPLE[:2], *PEOPLE, kin(rng)])
    english, reasons = rng.choice(list(WHY.items()))
    mood = next(a for a in ADJECTIVES if a.en == english)
    why = rng.choice(reasons)
    am, is_so = is_(who, "estar")
    english = f"{who.en} {am} {mood.en} because {why[0]}"
    return english, who.says(f"{is_so} {mood.es[who.form]} porque {why[1]}")


SAD = [
    ("it is raining", "está lloviendo"),
    ("you are not here", "no estás aquí"),
    ("I am alone", "estoy solo"),
    ("my dog is sick", "mi perro está enfermo"),
]
WHY = {
    "happy": [
        ("you are here", "estás aquí"),
        ("it is sunny", "hace sol"),
        ("I love you", "te quiero"),
        ("today is my birthday", "hoy es mi cumpleaños"),
    ],
    "sad": SAD,
    "angry": SAD,
    "tired": [("it is late", "es tarde"), ("I have to work", "tengo que trabajar")],
}
