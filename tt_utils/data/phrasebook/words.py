"""The words that a phrasebook needs beside those of the book's small world."""

from tt_utils.data.grammar.lexicon import read_adjectives, read_nouns

NAMES = {
    "f": "Anna Ana Maria Sara Laura Lucy Emma Julia Sofia Alice Eva Carla Jane Mary",
    "m": "Tom Peter John Paul David Ben Carlos Juan Max Bob Daniel Lucas Jack Leo",
}
# Where one is from, what one speaks, and who one is (masculine and feminine).
COUNTRIES = """
Spain España spanish español español española
Germany Alemania german alemán alemán alemana
France Francia french francés francés francesa
England Inglaterra english inglés inglés inglesa
Italy Italia italian italiano italiano italiana
Mexico México mexican - mexicano mexicana
China China chinese chino chino china
Japan Japón japanese japonés japonés japonesa
India India indian - indio india
Brazil Brasil brazilian - brasileño brasileña
Russia Rusia russian ruso ruso rusa
America América american - americano americana
"""
CITIES = {
    "Madrid": "Madrid",
    "Berlin": "Berlín",
    "Paris": "París",
    "London": "Londres",
    "Rome": "Roma",
    "New York": "Nueva York",
}

JOBS = """
student   estudiante estudiante
teacher   maestro maestra
doctor    médico médica
engineer  ingeniero ingeniera
nurse     enfermero enfermera
lawyer    abogado abogada
programmer programador programadora
scientist científico científica
artist    artista artista
writer    escritor escritora
cook      cocinero cocinera
"""

FAMILY = """
mother father sister brother grandmother friend son daughter wife husband
dad mom teacher dog cat
"""
LOVED = """
love know need hear understand hate
"""

# Something one has in Spanish and is in English; `mucha` goes with the second kind.
STATES = """
hungry hambre f
thirsty sed f
cold frío m
hot calor m
sleepy sueño m
afraid miedo m
right razón f
lucky suerte f
"""

THINGS = read_nouns("""
question questions | pregunta preguntas f | had
problem problems   | problema problemas m | had
idea ideas         | idea ideas f         | had
phone phones       | teléfono teléfonos m | had thing
computer computers | ordenador ordenadores m | had thing
job jobs           | trabajo trabajos m   | had
child children     | hijo hijos m         | had person
son sons           | hijo hijos m         | had person
daughter daughters | hija hijas f         | had person
wife -             | esposa - f           | person
husband -          | marido - m           | person
family families    | familia familias f   | had person
dad -              | padre - m            | person
mom -              | madre - f            | person
baby babies        | bebé bebés m         | had person
animal animals     | animal animales m    | animal
fish -             | pez - m              | animal
zebra zebras       | cebra cebras f       | animal
money -            | dinero - m           | had liked
time -             | tiempo - m           | had
music -            | música - f           | liked
chocolate -        | chocolate - m        | food liked
pizza pizzas       | pizza pizzas f       | food liked mass
breakfast -        | desayuno - m         | food
dinner -           | cena - f             | food
wine -             | vino - m             | drink liked
beer beers         | cerveza cervezas f   | drink liked
juice -            | zumo - m             | drink
food -             | comida - f           | food liked
fruit -            | fruta - f            | food liked
summer -           | verano - m           | liked
winter -           | invierno - m         | liked
rain -             | lluvia - f           | liked
football -         | fútbol - m           | liked
science -          | ciencia - f          | liked
sun -              | sol - m              | sky liked
moon -             | luna - f             | sky liked
sky -              | cielo - m            | sky
sea -              | mar - m              | sky place
beach -            | playa - f            | place
hotel hotels       | hotel hoteles m      | place
airport -          | aeropuerto - m       | place
station -          | estación - f         | place
train trains       | tren trenes m        | thing
bus buses          | autobús autobuses m  | thing
restaurant -       | restaurante - m      | place
bathroom -         | baño - m             | place
room rooms         | habitación habitaciones f | place
office -           | oficina - f          | place
world -            | mundo - m            | sky place
sofa -             | sofá - m             | surface
mat -              | alfombra - f         | surface
floor -            | suelo - m            | surface
movie movies       | película películas f | thing
song songs         | canción canciones f  | thing
language languages | idioma idiomas m     | thing
""")

QUALITIES = read_adjectives("""
beautiful   | bonito                  | ser   | any
nice        | simpático               | ser   | person
good        | bueno                   | ser   | any
bad         | malo                    | ser   | any
funny       | divertido               | ser   | person animal
pretty      | guapo                   | ser   | person
smart       | listo                   | ser   | person animal
important   | importante              | ser   | thing
interesting | interesante             | ser   | thing
difficult   | difícil difíciles       | ser   | thing
easy        | fácil fáciles           | ser   | thing
long        | largo                   | ser   | thing
expensive   | caro                    | ser   | thing
great       | genial geniales         | ser   | any
""")

# English, third person; Spanish infinitive and five persons of the present.
VERBS = """
love loves             | quiero quieres quiere queremos quieren
want wants             | quiero quieres quiere queremos quieren
need needs             | necesito necesitas necesita necesitamos necesitan
know knows             | conozco conoces conoce conocemos conocen
hate hates             | odio odias odia odiamos odian
understand understands | entiendo entiendes entiende entendemos entienden
hear hears             | oigo oyes oye oímos oyen
live lives             | vivo vives vive vivimos viven
go goes                | voy vas va vamos van
speak speaks           | hablo hablas habla hablamos hablan
study studies          | estudio estudias estudia estudiamos estudian
learn learns           | aprendo aprendes aprende aprendemos aprenden
can can                | puedo puedes puede podemos pueden
"""

# -ing forms, infinitives and gerunds of the small world's verbs.
FORMS = """
eat eating comer comiendo
drink drinking beber bebiendo
see seeing ver viendo
read reading leer leyendo
write writing escribir escribiendo
buy buying comprar comprando
sell selling vender vendiendo
open opening abrir abriendo
close closing cerrar cerrando
break breaking romper rompiendo
wash washing lavar lavando
carry carrying llevar llevando
find finding encontrar encontrando
follow following seguir siguiendo
help helping ayudar ayudando
call calling llamar llamando
visit visiting visitar visitando
paint painting pintar pintando
cook cooking cocinar cocinando
sleep sleeping dormir durmiendo
run running correr corriendo
walk walking caminar caminando
jump jumping saltar saltando
swim swimming nadar nadando
play playing jugar jugando
rest resting descansar descansando
sing singing cantar cantando
cry crying llorar llorando
work working trabajar trabajando
dance dancing bailar bailando
travel traveling viajar viajando
go going ir yendo
speak speaking hablar hablando
learn learning aprender aprendiendo
study studying estudiar estudiando
"""

# What else goes with some of them.
WITH = {
    "play": [("football", "al fútbol"), ("with my dog", "con mi perro")],
    "work": [("at home", "en casa"), ("today", "hoy")],
    "sleep": [("now", "ahora"), ("at home", "en casa")],
    "swim": [("in the sea", "en el mar"), ("in the river", "en el río")],
    "travel": [("to Spain", "a España"), ("to Paris", "a París")],
    "run": [("in the park", "en el parque")],
    "walk": [("in the park", "en el parque"), ("home", "a casa")],
    "go": [("home", "a casa"), ("to the beach", "a la playa"), ("to bed", "a la cama")],
    "speak": [("spanish", "español"), ("english", "inglés")],
    "learn": [("spanish", "español"), ("english", "inglés")],
    "study": [("spanish", "español"), ("science", "ciencia")],
}

WEATHER = """
it is raining / it rains / it is rainy : está lloviendo
it is snowing / it snows : está nevando
it is cold / it is cold outside : hace frío
it is very cold : hace mucho frío
it is hot / it is warm : hace calor
it is very hot / it is very warm : hace mucho calor
it is sunny / the sun is shining / the sun shines : hace sol
it is windy : hace viento
it is cloudy : está nublado
the weather is nice / the weather is good / the weather is beautiful : hace buen tiempo
it is a nice day / it is a beautiful day : hace buen tiempo
the weather is bad : hace mal tiempo
"""
DAYS = """
monday lunes
tuesday martes
wednesday miércoles
thursday jueves
friday viernes
saturday sábado
sunday domingo
"""
NUMBERS = """
one un
two dos
three tres
four cuatro
five cinco
six seis
seven siete
eight ocho
nine nueve
ten diez
twelve doce
fifteen quince
eighteen dieciocho
twenty veinte
thirty treinta
forty cuarenta
"""
