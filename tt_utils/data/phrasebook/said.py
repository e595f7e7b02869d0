"""What is said as it stands. One line, one meaning; other English ways after a slash.

English without commas: the page leaves them out before it reads.
"""

TABLE = """
hello / hi / hey : hola
hello world : hola mundo
good morning : buenos días
good afternoon : buenas tardes
good evening / good night : buenas noches
goodbye / bye / bye bye : adiós
see you tomorrow : hasta mañana
see you later / see you soon / see you : hasta luego
thank you / thanks : gracias
thank you very much / thanks a lot / many thanks : muchas gracias
please : por favor
yes : sí
yes please : sí , por favor
no : no
no thanks / no thank you : no , gracias
you are welcome / it is nothing : de nada
I am sorry / sorry : lo siento
excuse me / pardon : perdón
ok / okay / all right : vale
nice to meet you / pleased to meet you : mucho gusto
welcome : bienvenidos
good luck : buena suerte
happy birthday : feliz cumpleaños
merry christmas : feliz navidad
happy new year : feliz año nuevo
congratulations : felicidades
have a nice day / have a good day : que tengas un buen día
sweet dreams : dulces sueños
cheers : salud
how are you ? / how are you doing ? / how are you today ? : ¿ cómo estás ?
how is it going ? : ¿ cómo estás ?
how are things ? / what is up ? / what is new ? : ¿ qué tal ?
hello how are you ? / hi how are you ? : hola , ¿ cómo estás ?
I am fine / I am well / I am good / I am ok / I am okay / I am doing well : estoy bien
I am very well / I am very good : estoy muy bien
I am fine thank you / I am fine thanks / fine thanks : estoy bien , gracias
and you ? : ¿ y tú ?
what is your name ? : ¿ cómo te llamas ?
what is his name ? / what is her name ? : ¿ cómo se llama ?
who are you ? : ¿ quién eres ?
who is he ? / who is she ? / who is it ? / who is that ? : ¿ quién es ?
how old are you ? : ¿ cuántos años tienes ?
how old is he ? / how old is she ? : ¿ cuántos años tiene ?
what is this ? : ¿ qué es esto ?
what is that ? / what is it ? : ¿ qué es eso ?
what time is it ? : ¿ qué hora es ?
what day is it ? / what day is it today ? : ¿ qué día es hoy ?
how much is it ? / how much does it cost ? / how much is this ? : ¿ cuánto cuesta ?
what are you doing ? / what do you do ? : ¿ qué haces ?
what do you want ? : ¿ qué quieres ?
what do you think ? : ¿ qué piensas ?
what happened ? : ¿ qué pasó ?
what is happening ? : ¿ qué pasa ?
what does it mean ? / what does this mean ? : ¿ qué significa ?
where are you ? : ¿ dónde estás ?
where are you from ? : ¿ de dónde eres ?
where are you going ? : ¿ a dónde vas ?
where do you live ? : ¿ dónde vives ?
where am I ? : ¿ dónde estoy ?
where is he ? / where is she ? / where is it ? : ¿ dónde está ?
where are we ? : ¿ dónde estamos ?
where are they ? : ¿ dónde están ?
when ? : ¿ cuándo ?
why ? : ¿ por qué ?
why not ? : ¿ por qué no ?
who ? : ¿ quién ?
where ? : ¿ dónde ?
what ? : ¿ qué ?
how ? : ¿ cómo ?
why are you sad ? : ¿ por qué estás triste ?
why are you crying ? : ¿ por qué lloras ?
can you help me ? / could you help me ? : ¿ puedes ayudarme ?
do you understand ? : ¿ entiendes ?
are you ok ? / are you all right ? / are you well ? : ¿ estás bien ?
are you ready ? : ¿ estás listo ?
are you there ? : ¿ estás ahí ?
are you a robot ? : ¿ eres un robot ?
are you human ? / are you a human ? : ¿ eres humano ?
are you sure ? : ¿ estás seguro ?
really ? : ¿ de verdad ?
I am ready : estoy listo
I am not sure : no estoy seguro
I am a robot : soy un robot
I am human / I am a human : soy humano
I am here : estoy aquí
I am lost : estoy perdido
I am alone : estoy solo
I am busy : estoy ocupado
I am bored : estoy aburrido
I am in love : estoy enamorado
I do not know / I do not know it : no sé
I know / I know it : lo sé
I do not understand / I do not understand it : no entiendo
I do not care : no me importa
I think so : creo que sí
I do not think so : creo que no
I hope so : espero que sí
I love it : me encanta
I like it : me gusta
I do not like it : no me gusta
I miss you : te echo de menos
I miss you very much / I miss you so much : te echo mucho de menos
I love you too : yo también te quiero
I love you very much / I love you so much / I really love you : te quiero mucho
I love you forever : te quiero para siempre
me too : yo también
will you marry me ? : ¿ quieres casarte conmigo ?
it is good / that is good / this is good : está bien
it is true / that is true : es verdad
it is not true / that is not true : no es verdad
it is late : es tarde
it is early : es temprano
it is easy : es fácil
it is difficult / it is hard / it is not easy : es difícil
it is important : es importante
it is interesting : es interesante
it is beautiful / that is beautiful / this is beautiful : es bonito
it is impossible : es imposible
it is possible : es posible
it is fun / this is fun : es divertido
it is my birthday / today is my birthday : hoy es mi cumpleaños
it is my birthday today : hoy es mi cumpleaños
it does not work / this does not work : no funciona
it works / this works : funciona
it is me : soy yo
that is life : así es la vida
life is good : la vida es buena
life is beautiful : la vida es bella
life is short : la vida es corta
life is hard : la vida es dura
time is money : el tiempo es oro
love is blind : el amor es ciego
all you need is love : todo lo que necesitas es amor
attention is all you need : la atención es todo lo que necesitas
to be or not to be : ser o no ser
I think therefore I am : pienso , luego existo
once upon a time : érase una vez
the end : fin
help / help me : ayúdame
come here : ven aquí
come with me : ven conmigo
look / look at me : mira
look at this : mira esto
listen / listen to me : escucha
stop : para
go away : vete
sit down : siéntate
be quiet : silencio
be careful : ten cuidado
do not worry : no te preocupes
do not cry : no llores
let us go / let us go now : vamos
let us eat : vamos a comer
let us play : vamos a jugar
let us dance : vamos a bailar
where is the bathroom ? / where is the toilet ? : ¿ dónde está el baño ?
the bill please / the check please : la cuenta , por favor
one moment / just a moment : un momento
one more time / once more / again : otra vez
today : hoy
tomorrow : mañana
yesterday : ayer
now : ahora
always : siempre
never : nunca
nothing : nada
everything : todo
love : amor
peace : paz
house : casa
cat : gato
dog : perro
water : agua
friend : amigo
family : familia
mother : madre
father : padre
red : rojo
blue : azul
green : verde
white : blanco
black : negro
dinner is ready : la cena está lista
lunch is ready : la comida está lista
the food is good / the food is very good : la comida está muy buena
it is delicious / this is delicious : está delicioso
the brown fox jumps over the lazy dog : el zorro marrón salta sobre el perro perezoso
what is your favorite color ? : ¿ cuál es tu color favorito ?
what is your favorite food ? : ¿ cuál es tu comida favorita ?
what is love ? : ¿ qué es el amor ?
what is life ? : ¿ qué es la vida ?
what is attention ? : ¿ qué es la atención ?
what is a transformer ? / what is the transformer ? : ¿ qué es un transformer ?
how does it work ? / how does this work ? : ¿ cómo funciona ?
you are a good friend : eres un buen amigo
you are a genius : eres un genio
I am a genius : soy un genio
I love my life : me encanta mi vida
I love books : me encantan los libros
good : bien
good job / well done : bien hecho
very good : muy bien
of course : por supuesto
maybe / perhaps : quizás
I believe you : te creo
I trust you : confío en ti
I agree : estoy de acuerdo
I am at the beach : estoy en la playa
long time no see : cuánto tiempo
see you next week : hasta la próxima semana
I speak a little spanish : hablo un poco de español
do you speak a little english ? : ¿ hablas un poco de inglés ?
can you speak english ? : ¿ puedes hablar inglés ?
can I help you ? / may I help you ? : ¿ puedo ayudarte ?
can you repeat ? / can you repeat that ? / can you repeat please ? : ¿ puedes repetir ?
more slowly please / slowly please : más despacio , por favor
what does he want ? / what does she want ? : ¿ qué quiere ?
what do you like ? : ¿ qué te gusta ?
which one ? : ¿ cuál ?
how many ? : ¿ cuántos ?
how much ? : ¿ cuánto ?
here : aquí
there : ahí
not now : ahora no
not today : hoy no
every day : todos los días
I have to go / I must go : tengo que irme
I have to work / I must work : tengo que trabajar
I have to study / I must study : tengo que estudiar
I have a headache / my head hurts : me duele la cabeza
I feel good / I feel well : me siento bien
I feel bad / I do not feel well : me siento mal
I feel sad : me siento triste
nobody is perfect / no one is perfect : nadie es perfecto
money does not buy happiness : el dinero no compra la felicidad
practice makes perfect : la práctica hace al maestro
better late than never : más vale tarde que nunca
one two three : uno , dos , tres
go home : ve a casa
wait / wait a minute : espera
good morning everyone : buenos días a todos
hello everyone / hi everyone / hello all : hola a todos
hello my friend / hi my friend : hola , amigo
good morning my love : buenos días , mi amor
good night my love : buenas noches , mi amor
good to see you / nice to see you / I am happy to see you : me alegro de verte
have a good weekend / have a nice weekend : buen fin de semana
this is a test / it is a test / test / testing : esto es una prueba
is it raining ? : ¿ está lloviendo ?
is it cold ? / is it cold outside ? : ¿ hace frío ?
is it hot ? : ¿ hace calor ?
how is the weather ? / how is the weather today ? : ¿ qué tiempo hace ?
what is the weather like ? : ¿ qué tiempo hace ?
it was hot yesterday : ayer hizo calor
it was cold yesterday : ayer hizo frío
it is raining again : está lloviendo otra vez
how was your day ? : ¿ cómo fue tu día ?
did you sleep well ? : ¿ dormiste bien ?
what did you say ? : ¿ qué dijiste ?
what did you do ? : ¿ qué hiciste ?
what did you do yesterday ? : ¿ qué hiciste ayer ?
what are you doing today ? : ¿ qué haces hoy ?
what are you doing tomorrow ? : ¿ qué haces mañana ?
what should I do ? : ¿ qué debo hacer ?
what can I do ? : ¿ qué puedo hacer ?
how do you say hello in spanish ? : ¿ cómo se dice hola en español ?
how do you say dog in spanish ? : ¿ cómo se dice perro en español ?
how do you say cat in spanish ? : ¿ cómo se dice gato en español ?
how do you say love in spanish ? : ¿ cómo se dice amor en español ?
what is your phone number ? : ¿ cuál es tu número de teléfono ?
where is the train station ? : ¿ dónde está la estación de tren ?
what time does the train leave ? : ¿ a qué hora sale el tren ?
what time does the bus leave ? : ¿ a qué hora sale el autobús ?
how much does this cost ? : ¿ cuánto cuesta esto ?
a table for two please / a table for two : una mesa para dos , por favor
I need help : necesito ayuda
I need your help : necesito tu ayuda
I need help with my homework : necesito ayuda con mi tarea
can you help me please ? : ¿ puedes ayudarme , por favor ?
I can not hear you : no te oigo
I can not see you : no te veo
I can hear you : te oigo
can you hear me ? : ¿ me oyes ?
I will call you tomorrow : te llamo mañana
I will call you later : te llamo más tarde
I love you more : te quiero más
I think about you / I am thinking of you : pienso en ti
I dream about you : sueño contigo
I dreamed about you : soñé contigo
you have beautiful eyes : tienes unos ojos bonitos
you are the love of my life : eres el amor de mi vida
he is the love of my life / she is the love of my life : es el amor de mi vida
can I kiss you ? : ¿ puedo besarte ?
kiss me : bésame
I want to be with you : quiero estar contigo
I want to go home : quiero ir a casa
I want to sleep : quiero dormir
I am late / sorry I am late : llego tarde
you are late : llegas tarde
the train is late : el tren llega tarde
the bus is late : el autobús llega tarde
the teacher is late : la maestra llega tarde
it is time to go / time to go : es hora de irse
it is time to go to bed / time to go to bed : es hora de ir a la cama
it is time to eat / time to eat : es hora de comer
everything is good / everything is fine / all is well : todo está bien
everything is ok / everything is okay : todo está bien
everything is going to be ok / everything will be ok : todo va a estar bien
everything is going to be okay / everything will be fine : todo va a estar bien
I play the guitar : toco la guitarra
I can play the guitar : puedo tocar la guitarra
he plays the guitar / she plays the guitar : toca la guitarra
do you play the guitar ? : ¿ tocas la guitarra ?
I play the piano : toco el piano
birds can fly : los pájaros pueden volar
I can fly : puedo volar
fish live in water : los peces viven en el agua
fish can swim : los peces pueden nadar
this is cool / that is cool : esto es genial
cool : genial
it is mine / this is mine : es mío
the blue ball is mine : la bola azul es mía
it is not my fault : no es mi culpa
I am not a robot : no soy un robot
I know that you are right : sé que tienes razón
I know nothing : no sé nada
I am older than you : soy mayor que tú
she is taller than me : es más alta que yo
he is taller than me : es más alto que yo
I am taller than you : soy más alto que tú
my brother is taller than me : mi hermano es más alto que yo
I was born in Spain : nací en España
I was born in Germany : nací en Alemania
I was at home / I was home : estaba en casa
I could not sleep : no pude dormir
I had fun : me divertí
I do not remember : no recuerdo
I am not from here : no soy de aquí
I have no time : no tengo tiempo
I have no money : no tengo dinero
I have no idea : no tengo ni idea
there is no time : no hay tiempo
we need more time : necesitamos más tiempo
the house is on fire : la casa está en llamas
my phone is dead : mi teléfono está muerto
the game is over : el juego ha terminado
I am working from home : trabajo desde casa
I am learning : estoy aprendiendo
I like this book : me gusta este libro
I like your dress : me gusta tu vestido
I like your hat : me gusta tu sombrero
I like you : me gustas
I do not like you : no me gustas
do you like it ? : ¿ te gusta ?
do you like me ? : ¿ te gusto ?
you are welcome here : eres bienvenido
who wrote this book ? : ¿ quién escribió este libro ?
how are your parents ? : ¿ cómo están tus padres ?
how are your children ? : ¿ cómo están tus hijos ?
how is your family ? : ¿ cómo está tu familia ?
where do you come from ? : ¿ de dónde vienes ?
where does he come from ? / where does she come from ? : ¿ de dónde viene ?
good morning how are you ? : buenos días , ¿ cómo estás ?
good morning how are you today ? : buenos días , ¿ cómo estás hoy ?
thank you for your help / thanks for your help : gracias por tu ayuda
thank you for everything / thanks for everything : gracias por todo
no problem : no hay problema
good idea / that is a good idea : buena idea
have fun : diviértete
I hate mondays : odio los lunes
I love sundays : me encantan los domingos
I stay at home / I am staying at home : me quedo en casa
I stayed at home / I stayed home : me quedé en casa
I get up at seven / I wake up at seven : me levanto a las siete
would you like some tea ? : ¿ te gustaría un poco de té ?
would you like some coffee ? : ¿ te gustaría un poco de café ?
would you like some water ? : ¿ te gustaría un poco de agua ?
the machine does not work / my machine does not work : la máquina no funciona
my phone does not work : mi teléfono no funciona
my computer does not work : mi ordenador no funciona
the internet does not work : internet no funciona
it was a very good movie : fue una película muy buena
it was a good day : fue un buen día
I had a good day : tuve un buen día
I have a dream : tengo un sueño
I will be back / I am coming back : vuelvo pronto
I am coming home : vengo a casa
we have fish for dinner : tenemos pescado para cenar
what is for dinner ? : ¿ qué hay para cenar ?
what is for lunch ? : ¿ qué hay para comer ?
could you repeat that please ? : ¿ puedes repetir eso , por favor ?
where did you go ? : ¿ a dónde fuiste ?
where does the train go ? : ¿ a dónde va el tren ?
where does the bus go ? : ¿ a dónde va el autobús ?
when are you coming ? : ¿ cuándo vienes ?
talk to me : habla conmigo
can I talk to you ? : ¿ puedo hablar contigo ?
"""
