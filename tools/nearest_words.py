"""Words that readers try first, each with the nearest ones that the page's model knows.

A dash means that the word can be left out. Several words may share a line.
"""

TABLE = """
hello hi hey : the my -
bye goodbye please thanks : -
thank : help see
love like want need hate adore miss : help see find
loves likes wants needs hates : helps sees finds
loved liked wanted needed hated : helped saw found
be been being : is are
know understand meet hear watch look : see
go went goes come came : walk ran runs
say says said tell tells told talk speak : shout shouts shouted
make makes made : prepare prepares prepared
give gives gave get gets got take takes took bring : carry sell bought
try use start learn study : read write
sit stand live lives lie : sleep rest rests
laugh laughs smile smiles : dance sing sings
think hope believe feel : see
dislike fight hit kill bite bites kick : push pushes follow
will would can could shall should must may might : -
world country town earth place : city village
morning evening night afternoon tomorrow : today
good nice great fine wonderful lovely beautiful pretty : kind happy new
bad evil ugly terrible : angry dirty
clever smart : intelligent
large huge giant : big
little tiny short : small
quick fast slow lazy : tired strong
poor : sad sick
pink purple : red brown
grey : gray
it : the this
one : a the
2 : two
3 : three
4 5 6 7 8 9 10 four five six seven eight nine ten several few : many three
no none : not
yes ok okay oh well just really so too also maybe perhaps : -
zebra pony donkey camel giraffe : horse
kitten kitty : cat
puppy fox : dog wolf
pig sheep lamb : goat cow
chicken rooster goose : hen duck
tiger leopard : lion
fish whale snake spider crocodile monkey : frog turtle
rat hamster squirrel : mouse rabbit
animal pet : cat dog
student pupil kid child baby : girl boy
children kids people students : girls boys
person somebody someone everybody : man woman friend
parent wife husband lady aunt : mother father
son uncle cousin : brother
daughter : sister
grandfather grandpa : father grandmother
mum mom mommy mama : mother
dad daddy papa : father
john peter tom bob paul david james : brother man
mary anna jane alice lisa sarah : sister woman
prince president boss : king
princess : queen
computer phone machine television radio robot : clock lamp
train bus bike bicycle truck plane : car boat
newspaper story text paper word words : letter book
home room building apartment hotel office : house
road way path : street
sea ocean lake beach : river
mountain hill field wood : forest
shop store : market
sun moon star sky : lamp flower
grass plant rose : flower tree
trousers pants jacket sweater clothes : coat shirt
boots boot sock socks : shoes
food lunch dinner breakfast : bread soup
wine beer juice : water milk
chocolate candy sugar ice : cake cookie
orange : apple red
fruit lemon : apple pear
chips fries : potatoes
money gold : key
desk sofa : table bed
at into to from for by about over between : in near
beside : near
above : on
after before while if then as : when
or nor : and
why how which whose : where what
"""

NEAREST = {
    word: choices.strip()
    for line in TABLE.strip().splitlines()
    for words, choices in [line.split(" : ")]
    for word in words.split()
}
