"""What one asks of others, to know or to get something: rules of the phrasebook."""

import random

from tt_utils.data.grammar.lexicon import Noun, Verb
from tt_utils.data.phrasebook import words
from tt_utils.data.phrasebook.acts import act, helper
from tt_utils.data.phrasebook.parts import (
    ACT,
    ACTS,
    ALL,
    DOING,
    FAMILY,
    HAD,
    NAMED,
    NOTHING,
    OFFERED,
    PEOPLE,
    SPOTS,
    Pair,
    deed,
    do,
    is_,
    joined,
    kin,
    person,
    present,
    slashed,
    some,
    staying,
    the,
    with_it,
)

WHICH = [
    ("where", "dónde"),
    ("when", "cuándo"),
    ("why", "por qué"),
    ("how", "cómo"),
    ("what", "qué"),
    ("what", "qué"),
    ("who", "quién"),
]


MOVES = ("go", "come", "travel", "arrive", "leave")  # where to, and where from


def wondering(rng: random.Random) -> Pair:
    """Where, when, why, how, what, who."""
    ask, pregunta = rng.choice(WHICH)
    verb, what = act(rng)
    while ask == "where" and verb.en in MOVES:
        verb, what = act(rng)
    if ask == "what":
        verb = rng.choice([v for v in ACTS if v.objects or v.en in words.ONLY_WITH])
        what = NOTHING
    elif (
        ask in ("where", "when")
        and verb.en not in words.ONLY_WITH
        and rng.random() < 0.7
    ):
        what = NOTHING
    past = rng.random() < 0.35
    tense = "past" if past else "present"
    if ask == "who":
        english = verb.en_past if past else verb.en_3sg
        asked = joined("¿ quién", verb.es[tense]["3sg"], what[1], "?")
        return joined("who", english, what[0], "?"), asked
    who = person(rng)
    when = NOTHING
    if past and ask != "when" and rng.random() < 0.3:
        when = rng.choice(words.THEN[:3])
    spanish = verb.es[tense][who.person]
    asked = joined("¿", pregunta, spanish, who.es, what[1], when[1], "?")
    helps = helper(who, tense)
    return joined(ask, helps, who.en, verb.en, what[0], when[0], "?"), asked


def wondering_now(rng: random.Random) -> Pair:
    """What one is doing just now, or will do."""
    who = person(rng)
    ask, pregunta = rng.choice([*WHICH[:4], *WHICH[4:5] * 4])
    base, ing, infinitive, gerund = staying(rng)
    if ask == "what":
        line = rng.choice([line for line in DOING if takes_object(line[0])])
        base, ing, infinitive, gerund = line
    am, is_so = is_(who, "estar")
    if rng.random() < 0.6:
        english = joined(ask, am, who.en, ing, "?")
        return english, joined("¿", pregunta, is_so, gerund, who.es, "?")
    will = present(who, "go")[1]
    when = rng.choice([NOTHING, *words.SOON[:3]])
    helps, to = ("will", "") if rng.random() < 0.5 else (am, "going to")
    english = joined(ask, helps, who.en, to, base, when[0], "?")
    return english, joined("¿", pregunta, will, "a", infinitive, who.es, when[1], "?")


def takes_object(base: str) -> bool:
    """Say whether one may ask what is done."""
    return base in ("make", "watch", "use", "learn", "study") or bool(ACT[base].objects)


def about(rng: random.Random) -> Pair:
    """How old, what name, how many, what colour, how much."""
    kind = rng.random()
    if kind < 0.2:
        who = rng.choice([kin(rng), rng.choice(NAMED), *PEOPLE[2:4]])
        return f"how old is {who.en} ?", joined("¿ cuántos años tiene", who.es, "?")
    if kind < 0.4:
        noun = rng.choice([*FAMILY, *[n for n in ALL if "animal" in n.kinds]])
        by = rng.choice(["my", "your", "your"])
        english, spanish = the(noun, by=by)
        return f"what is the name of {english} ?", f"¿ cómo se llama {spanish} ?"
    if kind < 0.6:
        noun = rng.choice([n for n in HAD if n.en_plural])
        many = "cuántas" if noun.gender == "f" else "cuántos"
        who = person(rng)
        has = present(who, "have")[1]
        english = f"how many {noun.en_plural} {do(who)} {who.en} have ?"
        return english, joined("¿", many, noun.es_plural or "", has, who.es, "?")
    noun = rng.choice([n for n in ALL if n.kinds & {"thing", "food"}])
    by = rng.choice(["the", "the", "your", "this"])
    english, spanish = the(noun, by=by)
    if kind < 0.75:
        return f"what color is {english} ?", f"¿ de qué color es {spanish} ?"
    if kind < 0.9:
        ask = rng.choice(["is {} ?", "does {} cost ?"]).format(english)
        return f"how much {ask}", f"¿ cuánto cuesta {spanish} ?"
    noun = rng.choice([*SPOTS, *HAD[:60]])
    english, spanish = the(noun, by="a")
    near = rng.choice([("here", "aquí"), ("near here", "cerca de aquí"), NOTHING])
    ask = joined("is there", english, near[0], "?")
    return ask, joined("¿ hay", spanish, near[1], "?")


def places(rng: random.Random) -> Pair:
    """The way to somewhere, and where to get something."""
    kind = rng.random()
    english, spanish = the(rng.choice(SPOTS))
    if kind < 0.25:
        return f"how do I get to {english} ?", f"¿ cómo llego a {spanish} ?"
    if kind < 0.45:
        far = rng.choice([("far from here", "lejos de aquí"), ("near", "cerca")])
        return f"is {english} {far[0]} ?", f"¿ está {spanish} {far[1]} ?"
    if kind < 0.6:
        far = rng.choice([("far", "lejos"), ("near here", "cerca de aquí")])
        return f"{english} is {far[0]}", f"{spanish} está {far[1]}"
    if kind < 0.8:
        base, _, infinitive, _ = deed(rng)
        return f"where can I {base} ?", f"¿ dónde puedo {infinitive} ?"
    noun = rng.choice([n for n in HAD if n.en_plural and "thing" in n.kinds])
    english, spanish = the(noun, plural=True, by=rng.choice(["my", "the", "your"]))
    return f"where are {english} ?", f"¿ dónde están {spanish} ?"


def polite(rng: random.Random, english: str, spanish: str, ask: bool = False) -> Pair:
    """Now and then with *please*, before or behind."""
    mark = "?" if ask else ""
    here = rng.random()
    if here < 0.5:
        return joined(english, mark), joined(spanish, mark)
    if here < 0.8 or ask:
        asked = joined(spanish, ", por favor", mark)
        return joined(english, "please", mark), asked
    return f"please {english}", f"por favor , {spanish}"


def order(rng: random.Random) -> Pair:
    """Do this. The form is that of the third person, but for a few verbs."""
    if rng.random() < 0.25:
        english, spanish = rng.choice(ORDERS)
        return polite(rng, english, spanish)
    verb = rng.choice(ORDERED)
    what = with_it(verb.en, rng)
    if verb.objects:
        noun = rng.choice(things_for(verb))
        what = the(noun, by=rng.choice(["the", "the", "your", "this", "a"]))
        if noun.en_plural is None:
            what = the(noun, by=rng.choice(["the", "your"]))
    when = rng.choice([NOTHING, NOTHING, NOTHING, ("now", "ahora"), ("here", "aquí")])
    english = joined(verb.en, what[0], when[0])
    return polite(rng, english, joined(verb.es["present"]["3sg"], what[1], when[1]))


def things_for(verb: Verb) -> list[Noun]:
    return [n for n in ALL if n.kinds & verb.objects and not n.animate]


UNORDERED = ("go", "come", "make", "leave", "lose", "win", "break")
ORDERED = [
    verb
    for verb in ACTS
    if verb.en not in UNORDERED and (things_for(verb) or not verb.objects)
]
ORDERS = [
    ("go to the kitchen", "ve a la cocina"),
    ("go to bed", "ve a la cama"),
    ("go to school", "ve a la escuela"),
    ("go back", "vuelve"),
    ("come here", "ven aquí"),
    ("come home", "ven a casa"),
    ("come in", "entra"),
    ("tell me", "dime"),
    ("tell me a story", "cuéntame una historia"),
    ("tell me the truth", "dime la verdad"),
    ("call me", "llámame"),
    ("call me tomorrow", "llámame mañana"),
    ("call me later", "llámame más tarde"),
    ("write to me", "escríbeme"),
    ("help me", "ayúdame"),
    ("believe me", "créeme"),
    ("trust me", "confía en mí"),
    ("follow me", "sígueme"),
    ("wait for me", "espérame"),
    ("take it", "tómalo"),
    ("turn off the light", "apaga la luz"),
    ("turn on the light", "enciende la luz"),
    ("wash your hands", "lávate las manos"),
    ("speak slowly", "habla despacio"),
    ("do your homework", "haz tu tarea"),
    ("make dinner", "haz la cena"),
    ("translate this", "traduce esto"),
]


def forbid(rng: random.Random) -> Pair:
    base, spanish = rng.choice(FORBIDDEN)
    verb = ACT[base]
    what = with_it(base, rng)
    if verb.objects:
        noun = rng.choice(things_for(verb))
        what = the(noun, by=rng.choice(["the", "this", "my"]))
    if rng.random() < 0.2:
        what = rng.choice([("that", "eso"), ("this", "esto")]) if verb.objects else what
    return polite(rng, joined("do not", base, what[0]), joined("no", spanish, what[1]))


FORBIDDEN = slashed(words.FORBIDDEN)


def give(rng: random.Random) -> Pair:
    """Give me, show me; I would like, can I have."""
    noun = rng.choice([*OFFERED, *[n for n in HAD if n.kinds & {"food", "drink"}]])
    what = some(noun) if rng.random() < 0.7 else the(noun, by=rng.choice(["the", "my"]))
    kind = rng.random()
    if kind < 0.3:
        english, spanish = rng.choice(GIVE)
        return polite(rng, f"{english} {what[0]}", f"{spanish} {what[1]}")
    if kind < 0.45:
        return polite(rng, f"I would like {what[0]}", f"quisiera {what[1]}")
    if kind < 0.6:
        ask = rng.choice(["can I have", "may I have", "could I have"])
        return polite(rng, f"{ask} {what[0]}", f"¿ puedo tener {what[1]}", ask=True)
    if kind < 0.7:
        return f"would you like {what[0]} ?", f"¿ te gustaría {what[1]} ?"
    if kind < 0.8:
        with_ = rng.choice([("milk", "leche"), ("sugar", "azúcar"), ("ice", "hielo")])
        drink = some(rng.choice([n for n in HAD if "drink" in n.kinds]))
        return polite(rng, f"{drink[0]} with {with_[0]}", f"{drink[1]} con {with_[1]}")
    if kind < 0.9:
        two, dos = rng.choice([("two", "dos"), ("three", "tres"), ("one", "un")])
        if two == "one" or noun.en_plural is None:
            return f"{what[0]} please", f"{what[1]} , por favor"
        return f"{two} {noun.en_plural} please", f"{dos} {noun.es_plural} , por favor"
    more = rng.choice([n for n in OFFERED if n.en_plural is None])
    who = person(rng)
    verb = present(who, rng.choice(["want", "need"]))
    if rng.random() < 0.4:
        english = f"{do(who)} {who.en} want more {more.en} ?"
        want = present(who, "want")[1]
        return english, who.asked(f"{want} más {more.es}")
    return f"{who.en} {verb[0]} more {more.en}", who.says(f"{verb[1]} más {more.es}")


GIVE = [
    ("give me", "dame"),
    ("give me", "dame"),
    ("bring me", "tráeme"),
    ("show me", "muéstrame"),
    ("pass me", "pásame"),
]


def can_you(rng: random.Random) -> Pair:
    """Can you do it; would you like to; let us."""
    base, _, infinitive, _ = staying(rng)
    kind = rng.random()
    if kind < 0.3:
        ask = rng.choice(["can you", "could you"])
        return polite(rng, f"{ask} {base}", f"¿ puedes {infinitive}", ask=True)
    if kind < 0.4:
        who = rng.choice([("I", "puedo"), ("we", "podemos")])
        return f"can {who[0]} {base} ?", f"¿ {who[1]} {infinitive} ?"
    if kind < 0.6:
        return f"let us {base}", f"vamos a {infinitive}"
    if kind < 0.75:
        return f"would you like to {base} ?", f"¿ te gustaría {infinitive} ?"
    if kind < 0.9:
        return f"I would like to {base}", f"me gustaría {infinitive}"
    place = the(rng.choice(SPOTS))
    return f"let us go to {place[0]}", f"vamos a {place[1]}"
