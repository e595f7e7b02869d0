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

# Several at once.
MANY = """
my parents : mis padres
my friends : mis amigos
my children : mis hijos
the children : los niños
the students : los estudiantes
my brothers : mis hermanos
"""

FAMILY = """
mother father sister brother grandmother friend son daughter wife husband
dad mom teacher dog cat grandfather uncle aunt cousin boss boyfriend girlfriend
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
name names         | nombre nombres m     | had
day days           | día días m           | had
word words         | palabra palabras f   | had
story stories      | historia historias f | had text
picture pictures   | foto fotos f         | had thing
game games         | juego juegos m       | had
party parties      | fiesta fiestas f     | had
class classes      | clase clases f       | had
exam exams         | examen exámenes m    | had
test tests         | prueba pruebas f     | had
homework -         | tarea - f            | had
meeting meetings   | reunión reuniones f  | had
email emails       | correo correos m     | had text
ticket tickets     | billete billetes m   | had thing
machine machines   | máquina máquinas f   | had thing
bike bikes         | bicicleta bicicletas f | had thing
boyfriend boyfriends | novio novios m     | had person
girlfriend girlfriends | novia novias f   | had person
grandfather grandfathers | abuelo abuelos m | had person
uncle uncles       | tío tíos m           | had person
aunt aunts         | tía tías f           | had person
cousin cousins     | primo primos m       | had person
boss bosses        | jefe jefes m         | had person
hand hands         | mano manos f         | body
eye eyes           | ojo ojos m           | body
vegetable vegetables | verdura verduras f | food liked
salt -             | sal - f              | food
sugar -            | azúcar - m           | food
chicken -          | pollo - m            | food
lunch -            | comida - f           | food
light lights       | luz luces f          | thing
weather -          | tiempo - m           | sky
spring -           | primavera - f        | liked
country countries  | país países m        | place
hospital -         | hospital - m         | place
library -          | biblioteca - f       | place
university -       | universidad - f      | place
cinema -           | cine - m             | place
shop shops         | tienda tiendas f     | place
bank -             | banco - m            | place
fridge fridges     | nevera neveras f     | container
mountain mountains | montaña montañas f   | place
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
cute        | lindo                   | ser   | person animal
crazy       | loco                    | estar | person animal
busy        | ocupado                 | estar | person
lost        | perdido                 | estar | person
married     | casado                  | estar | person
alone       | solo                    | estar | person
boring      | aburrido                | ser   | thing
perfect     | perfecto                | ser   | any
strange     | extraño                 | ser   | any
fast        | rápido                  | ser   | animal thing
slow        | lento                   | ser   | animal thing
short       | corto                   | ser   | thing
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
can can                | puedo puedes puede podemos pueden
have has               | tengo tienes tiene tenemos tienen
should should          | debo debes debe debemos deben
"""

# What one does beside the deeds of the small world: English base, third person, past;
# Spanish infinitive, and where they are not regular the forms of present and past.
ACTS = """
speak speaks spoke       | hablar
talk talks talked        | hablar
travel travels traveled  | viajar
learn learns learned     | aprender
study studies studied    | estudiar
listen listens listened  | escuchar
watch watches watched    | ver
wait waits waited        | esperar
live lives lived         | vivir
teach teaches taught     | enseñar
clean cleans cleaned     | limpiar
use uses used            | usar
win wins won             | ganar
arrive arrives arrived   | llegar
take takes took          | tomar
think thinks thought     | pensar | pienso piensas piensa pensamos piensan
start starts started     | empezar | empiezo empiezas empieza empezamos empiezan
make makes made          | hacer | hago haces hace hacemos hacen \
                         | hice hiciste hizo hicimos hicieron
leave leaves left        | salir | salgo sales sale salimos salen
drive drives drove       | conducir | conduzco conduces conduce conducimos conducen \
                         | conduje condujiste condujo condujimos condujeron
come comes came          | venir | vengo vienes viene venimos vienen \
                         | vine viniste vino vinimos vinieron
go goes went             | ir | voy vas va vamos van | fui fuiste fue fuimos fueron
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
talk talking hablar hablando
listen listening escuchar escuchando
watch watching ver viendo
wait waiting esperar esperando
live living vivir viviendo
take taking tomar tomando
arrive arriving llegar llegando
start starting empezar empezando
think thinking pensar pensando
teach teaching enseñar enseñando
clean cleaning limpiar limpiando
use using usar usando
make making hacer haciendo
leave leaving salir saliendo
drive driving conducir conduciendo
come coming venir viniendo
"""

# What else goes with some of them.
WITH = {
    "play": [("football", "al fútbol"), ("with my dog", "con mi perro")],
    "work": [("at home", "en casa"), ("a lot", "mucho")],
    "sleep": [("here", "aquí"), ("at home", "en casa")],
    "swim": [("in the sea", "en el mar"), ("in the river", "en el río")],
    "travel": [("to Spain", "a España"), ("to Paris", "a París")],
    "run": [("in the park", "en el parque")],
    "walk": [("in the park", "en el parque"), ("home", "a casa")],
    "go": [("home", "a casa"), ("to the beach", "a la playa"), ("to bed", "a la cama")],
    "speak": [("spanish", "español"), ("english", "inglés")],
    "learn": [("spanish", "español"), ("english", "inglés")],
    "study": [("spanish", "español"), ("science", "ciencia"), ("here", "aquí")],
    "talk": [("to my mother", "con mi madre"), ("to my friend", "con mi amigo")],
    "listen": [("to music", "música"), ("to the radio", "la radio")],
    "watch": [("tv", "la televisión"), ("a movie", "una película")],
    "wait": [("here", "aquí"), ("for the bus", "el autobús")],
    "live": [("here", "aquí"), ("with my family", "con mi familia")],
    "teach": [("english", "inglés"), ("science", "ciencia")],
    "clean": [("my room", "mi habitación"), ("the kitchen", "la cocina")],
    "use": [("my phone", "mi teléfono"), ("a computer", "un ordenador")],
    "arrive": [("late", "tarde"), ("early", "temprano")],
    "take": [("the bus", "el autobús"), ("a picture", "una foto")],
    "think": [("about my work", "en mi trabajo"), ("about my family", "en mi familia")],
    "start": [("the class", "la clase"), ("the game", "el juego")],
    "make": [("dinner", "la cena"), ("a cake", "un pastel"), ("coffee", "café")],
    "leave": [("late", "tarde"), ("early", "temprano")],
    "drive": [("a car", "un coche"), ("to school", "a la escuela")],
    "come": [("home", "a casa"), ("here", "aquí"), ("late", "tarde")],
}
ONLY_WITH = ("watch", "use", "make", "take", "start")  # nothing without an object
NOW = [
    ("every day", "todos los días"),
    ("now", "ahora"),
    ("today", "hoy"),
    ("in the morning", "por la mañana"),
    ("at night", "por la noche"),
    ("a lot", "mucho"),
    ("with my friends", "con mis amigos"),
    ("again", "otra vez"),
    ("outside", "fuera"),
    ("on monday", "el lunes"),
    ("on sunday", "el domingo"),
]
THEN = [
    ("yesterday", "ayer"),
    ("last night", "anoche"),
    ("today", "hoy"),
    ("this morning", "esta mañana"),
    ("last week", "la semana pasada"),
    ("again", "otra vez"),
]
SOON = [
    ("tomorrow", "mañana"),
    ("today", "hoy"),
    ("tonight", "esta noche"),
    ("later", "más tarde"),
    ("on monday", "el lunes"),
    ("on saturday", "el sábado"),
]
# What one is told not to do: the forms differ from those of an order.
FORBIDDEN = """
eat comas / drink bebas / read leas / write escribas / open abras / close cierres
run corras / cry llores / sleep duermas / go vayas / work trabajes / buy compres
touch toques / sing cantes / play juegues / talk hables / speak hables
break rompas / leave salgas
"""

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
eleven once
twelve doce
fifteen quince
eighteen dieciocho
twenty veinte
thirty treinta
forty cuarenta
"""
