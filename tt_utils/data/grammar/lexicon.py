"""The words of the book's small world, English beside Spanish.

A noun has a gender and belongs to kinds; a verb says which kinds it takes as subject
and object, an adjective which kinds it describes. Regular forms are computed.
"""

from dataclasses import dataclass, field

PERSONS = ("1sg", "2sg", "3sg", "1pl", "3pl")


@dataclass(frozen=True)
class Noun:
    """A noun in both languages; a mass noun has no plural."""

    en: str
    en_plural: str | None
    es: str
    es_plural: str | None
    gender: str
    kinds: frozenset[str]

    @property
    def animate(self) -> bool:
        """People and animals take the personal `a` as objects."""
        return bool(self.kinds & {"person", "animal"})


@dataclass(frozen=True)
class Adjective:
    """An adjective, its four Spanish forms and the copula it goes with."""

    en: str
    es: dict[str, str]  # "ms", "fs", "mp", "fp"
    copula: str
    kinds: frozenset[str]


@dataclass(frozen=True)
class Verb:
    """A verb: English base, third person and past; Spanish tense → person → form."""

    en: str
    en_3sg: str
    en_past: str
    es: dict[str, dict[str, str]] = field(repr=False)
    subjects: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()


def read_nouns(table: str) -> list[Noun]:
    """Read `english plural | spanish plural gender | kinds`, `-` for no plural."""
    nouns = []
    for line in table.strip().splitlines():
        english, spanish, kinds = (part.split() for part in line.split("|"))
        en, en_plural = english
        es, es_plural, gender = spanish
        nouns.append(
            Noun(
                en,
                None if en_plural == "-" else en_plural,
                es,
                None if es_plural == "-" else es_plural,
                gender,
                frozenset(kinds),
            )
        )
    return nouns


def read_adjectives(table: str) -> list[Adjective]:
    """Read `english | masculine (plural) | copula | kinds`; -o becomes -a, -os, -as."""
    adjectives = []
    for line in table.strip().splitlines():
        en, spanish, copula, kinds = (part.split() for part in line.split("|"))
        masculine, *given = spanish
        feminine = masculine[:-1] + "a" if masculine.endswith("o") else masculine
        plural = given[0] if given else masculine + "s"
        feminine_plural = feminine + "s" if masculine.endswith("o") else plural
        forms = {"ms": masculine, "fs": feminine, "mp": plural, "fp": feminine_plural}
        adjectives.append(Adjective(en[0], forms, copula[0], frozenset(kinds)))
    return adjectives


ENDINGS = {
    "ar": {"present": "o as a amos an", "past": "é aste ó amos aron"},
    "er": {"present": "o es e emos en", "past": "í iste ió imos ieron"},
    "ir": {"present": "o es e imos en", "past": "í iste ió imos ieron"},
}
# Spelling keeps the sound before the é of the first person: busqué, llegué, lancé.
SPELLING_BEFORE_E = {"c": "qu", "g": "gu", "z": "c"}
IRREGULAR = {
    "cerrar": {"present": "cierro cierras cierra cerramos cierran"},
    "encontrar": {"present": "encuentro encuentras encuentra encontramos encuentran"},
    "perder": {"present": "pierdo pierdes pierde perdemos pierden"},
    "jugar": {"present": "juego juegas juega jugamos juegan"},
    "ver": {"present": "veo ves ve vemos ven", "past": "vi viste vio vimos vieron"},
    "leer": {"past": "leí leíste leyó leímos leyeron"},
    "dormir": {
        "present": "duermo duermes duerme dormimos duermen",
        "past": "dormí dormiste durmió dormimos durmieron",
    },
    "seguir": {
        "present": "sigo sigues sigue seguimos siguen",
        "past": "seguí seguiste siguió seguimos siguieron",
    },
    "ser": {
        "present": "soy eres es somos son",
        "past": "era eras era éramos eran",
    },
    "estar": {
        "present": "estoy estás está estamos están",
        "past": "estaba estabas estaba estábamos estaban",
    },
    "tener": {
        "present": "tengo tienes tiene tenemos tienen",
        "past": "tenía tenías tenía teníamos tenían",
    },
}


def conjugate(infinitive: str) -> dict[str, dict[str, str]]:
    """Form the present and the past of a Spanish verb for the five persons."""
    stem, ending = infinitive[:-2], infinitive[-2:]
    forms = {}
    for tense, endings in ENDINGS[ending].items():
        given = IRREGULAR.get(infinitive, {}).get(tense)
        words = given.split() if given else [stem + e for e in endings.split()]
        forms[tense] = dict(zip(PERSONS, words, strict=True))
    if ending == "ar" and stem[-1] in SPELLING_BEFORE_E:
        forms["past"]["1sg"] = stem[:-1] + SPELLING_BEFORE_E[stem[-1]] + "é"
    return forms


def read_verbs(table: str) -> list[Verb]:
    """Read `english third past | spanish | subjects | objects`."""
    verbs = []
    for line in table.strip().splitlines():
        english, spanish, subjects, objects = (p.split() for p in line.split("|"))
        base, third, past = english
        verbs.append(
            Verb(
                base,
                third,
                past,
                conjugate(spanish[0]),
                frozenset(subjects),
                frozenset(objects),
            )
        )
    return verbs


NOUNS = read_nouns("""
girl girls           | niña niñas f           | person
boy boys             | niño niños m           | person
woman women          | mujer mujeres f        | person
man men              | hombre hombres m       | person
king kings           | rey reyes m            | person
queen queens         | reina reinas f         | person
doctor doctors       | médico médicos m       | person
teacher teachers     | maestra maestras f     | person
friend friends       | amigo amigos m         | person
sister sisters       | hermana hermanas f     | person
brother brothers     | hermano hermanos m     | person
mother mothers       | madre madres f         | person
father fathers       | padre padres m         | person
grandmother grandmothers | abuela abuelas f   | person
cat cats             | gato gatos m           | animal
dog dogs             | perro perros m         | animal
bird birds           | pájaro pájaros m       | animal
horse horses         | caballo caballos m     | animal
cow cows             | vaca vacas f           | animal
mouse mice           | ratón ratones m        | animal
rabbit rabbits       | conejo conejos m       | animal
duck ducks           | pato patos m           | animal
goat goats           | cabra cabras f         | animal
lion lions           | león leones m          | animal
bear bears           | oso osos m             | animal
wolf wolves          | lobo lobos m           | animal
frog frogs           | rana ranas f           | animal
turtle turtles       | tortuga tortugas f     | animal
hen hens             | gallina gallinas f     | animal
elephant elephants   | elefante elefantes m   | animal
ball balls           | bola bolas f           | thing
book books           | libro libros m         | thing text
letter letters       | carta cartas f         | thing text
table tables         | mesa mesas f           | thing surface shelter
chair chairs         | silla sillas f         | thing surface shelter
bed beds             | cama camas f           | thing surface shelter
box boxes            | caja cajas f           | thing surface container lid
glass glasses        | vaso vasos m           | thing container
bag bags             | bolsa bolsas f         | thing container lid
basket baskets       | cesta cestas f         | thing container
bottle bottles       | botella botellas f     | thing container lid
cup cups             | taza tazas f           | thing container
plate plates         | plato platos m         | thing surface
door doors           | puerta puertas f       | thing lid
window windows       | ventana ventanas f     | thing lid
car cars             | coche coches m         | thing
key keys             | llave llaves f         | thing
shoe shoes           | zapato zapatos m       | thing clothes
hat hats             | sombrero sombreros m   | thing clothes
shirt shirts         | camisa camisas f       | thing clothes
dress dresses        | vestido vestidos m     | thing clothes
coat coats           | abrigo abrigos m       | thing clothes
flower flowers       | flor flores f          | thing
boat boats           | barco barcos m         | thing
clock clocks         | reloj relojes m        | thing
lamp lamps           | lámpara lámparas f     | thing
pencil pencils       | lápiz lápices m        | thing
guitar guitars       | guitarra guitarras f   | thing
mirror mirrors       | espejo espejos m       | thing
knife knives         | cuchillo cuchillos m   | thing
spoon spoons         | cuchara cucharas f     | thing
apple apples         | manzana manzanas f     | food
egg eggs             | huevo huevos m         | food
cake cakes           | pastel pasteles m      | food
banana bananas       | plátano plátanos m     | food
carrot carrots       | zanahoria zanahorias f | food
tomato tomatoes      | tomate tomates m       | food
potato potatoes      | patata patatas f       | food
pear pears           | pera peras f           | food
cookie cookies       | galleta galletas f     | food
bread -              | pan - m                | food
cheese -             | queso - m              | food
rice -               | arroz - m              | food
meat -               | carne - f              | food
milk -               | leche - f              | drink
water -              | agua - f               | drink
tea -                | té - m                 | drink
coffee -             | café - m               | drink
soup -               | sopa - f               | drink
house houses         | casa casas f           | place landmark
tree trees           | árbol árboles m        | landmark shelter
bridge bridges       | puente puentes m       | landmark shelter
school schools       | escuela escuelas f     | place landmark
garden gardens       | jardín jardines m      | place
park parks           | parque parques m       | place
kitchen kitchens     | cocina cocinas f       | place
street streets       | calle calles f         | place
river rivers         | río ríos m             | place landmark
forest forests       | bosque bosques m       | place
village villages     | pueblo pueblos m       | place
city cities          | ciudad ciudades f      | place
market markets       | mercado mercados m     | place landmark
""")

ADJECTIVES = read_adjectives("""
red         | rojo                    | ser   | thing
blue        | azul azules             | ser   | thing
green       | verde                   | ser   | thing
yellow      | amarillo                | ser   | thing
white       | blanco                  | ser   | thing animal
black       | negro                   | ser   | thing animal
brown       | marrón marrones         | ser   | thing animal
gray        | gris grises             | ser   | thing animal
big         | grande                  | ser   | thing animal place landmark
small       | pequeño                 | ser   | thing animal place landmark
new         | nuevo                   | ser   | thing landmark
old         | viejo                   | ser   | person animal thing landmark
heavy       | pesado                  | ser   | thing
cheap       | barato                  | ser   | thing food
tall        | alto                    | ser   | person
young       | joven jóvenes           | ser   | person animal
strong      | fuerte                  | ser   | person animal
kind        | amable                  | ser   | person
rich        | rico                    | ser   | person
famous      | famoso                  | ser   | person
serious     | serio                   | ser   | person
intelligent | inteligente             | ser   | person animal
sweet       | dulce                   | ser   | food
tired       | cansado                 | estar | person animal
sick        | enfermo                 | estar | person animal
happy       | contento                | estar | person animal
sad         | triste                  | estar | person animal
angry       | enfadado                | estar | person animal
nervous     | nervioso                | estar | person animal
clean       | limpio                  | estar | container clothes surface
dirty       | sucio                   | estar | container clothes surface
broken      | roto                    | estar | thing
wet         | mojado                  | estar | clothes animal
empty       | vacío                   | estar | container
full        | lleno                   | estar | container
open        | abierto                 | estar | lid
closed      | cerrado                 | estar | lid
cold        | frío                    | estar | drink food
hot         | caliente                | estar | drink food
fresh       | fresco                  | estar | food
""")

VERBS = read_verbs("""
eat eats ate              | comer     | person animal | food
drink drinks drank        | beber     | person animal | drink
see sees saw              | ver       | person animal | person animal thing food
read reads read           | leer      | person        | text
write writes wrote        | escribir  | person        | text
buy buys bought           | comprar   | person        | thing food
sell sells sold           | vender    | person        | thing food
open opens opened         | abrir     | person        | lid
close closes closed       | cerrar    | person        | lid
break breaks broke        | romper    | person animal | thing
wash washes washed        | lavar     | person        | clothes container animal
carry carries carried     | llevar    | person        | thing food
find finds found          | encontrar | person animal | person animal thing food
lose loses lost           | perder    | person        | thing
follow follows followed   | seguir    | person animal | person animal
help helps helped         | ayudar    | person        | person animal
call calls called         | llamar    | person        | person animal
visit visits visited      | visitar   | person        | person place
paint paints painted      | pintar    | person        | thing
cook cooks cooked         | cocinar   | person        | food
prepare prepares prepared | preparar  | person        | food drink
touch touches touched     | tocar     | person animal | thing animal
push pushes pushed        | empujar   | person animal | thing person
throw throws threw        | lanzar    | person        | thing
hide hides hid            | esconder  | person animal | thing food
smell smells smelled      | olfatear  | animal        | food drink person thing
sleep sleeps slept        | dormir    | person animal |
run runs ran              | correr    | person animal |
walk walks walked         | caminar   | person animal |
jump jumps jumped         | saltar    | person animal |
swim swims swam           | nadar     | person animal |
play plays played         | jugar     | person animal |
rest rests rested         | descansar | person animal |
sing sings sang           | cantar    | person        |
cry cries cried           | llorar    | person        |
work works worked         | trabajar  | person        |
dance dances danced       | bailar    | person        |
shout shouts shouted      | gritar    | person        |
""")

BE = {"ser": conjugate("ser"), "estar": conjugate("estar")}
HAVE = Verb("have", "has", "had", conjugate("tener"), frozenset({"person"}))
