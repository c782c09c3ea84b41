/**
 * Words that stand for each other, a group per line; folded. A word may be in several groups ("st": street, saint), and
 * then stands for the words of each. From USPS Publication 28 (2020), Canada Post's addressing guidelines, Royal Mail's
 * PAF guide, AFNOR NF Z10-011, the Spanish INE's and Italian post's lists of street types.
 */
const STREET_TYPES = `
alley aly allee
arcade arc
avenue ave av aven avn avenida avda
bayou byu
beach bch
bend bnd
boulevard blvd boul bd bvd bulevar blv
branch br
bridge brg
brook brk
bypass byp
canyon cyn
causeway cswy
center centre ctr cntr
circle cir circ
close cl
common cmn
corner cor
corners cors
course crse
court ct crt
courts cts
cove cv
creek crk
crescent cres cr crescente
crossing xing
crossroad xrd
drive dr drv
estate est
estates ests
expressway expy expwy
extension ext
field fld
fields flds
flat flt
ford frd
forest frst
fort ft
freeway fwy
garden gdn
gardens gdns
gateway gtwy
glen gln
green grn
grove grv gr
harbor harbour hbr
heights hts
highway hwy hgwy
hill hl
hills hls
hollow holw
island is
junction jct
key ky
knoll knl
lake lk
lakes lks
landing lndg
lane ln la
lodge ldg
manor mnr
meadow mdw
meadows mdws
mill ml
mission msn
motorway mwy
mount mt
mountain mtn mont
orchard orch
parade pde
park pk prk
parkway pkwy pky
passage psge pass
pike pk
pine pne
pines pnes
place pl plaza plc
plain pln
plaza plz pza
point pt pte pointe
port prt
ranch rnch
rapids rpds
ridge rdg
river riv
road rd
roads rds
route rte rt
rural rurl
shore shr
shores shrs
skyway skwy
spring spg
springs spgs
square sq sqr
station sta stn
stravenue stra
stream strm
street st str stra
summit smt
terrace ter terr tce
throughway trwy
trace trce
track trak trk
trail trl tr
tunnel tunl
turnpike tpke
union un
valley vly
viaduct via
view vw
village vlg
ville vl
vista vis
walk wlk
way wy
well wl
wells wls
chemin ch che
chaussee chee
cite
cours crs
faubourg fg fbg
impasse imp
quai q
quartier qu
rond point rpt
rue r
ruelle rle
sentier sent
traverse tra
voie
calle c cl
camino cno cmno
carrera cra kr cr
carretera ctra
colonia col
diagonal dg
glorieta gta
paseo po pso
pasaje pje
plaza pl pza
poligono pol
ronda rda
transversal tv
travesia trva
urbanizacion urb
via v
corso cso
largo lgo
piazza pza p za
piazzale ple
strada str
stradale
viale vle
vicolo vco
alameda al
beco
praca pca
rua r
rodovia rod
travessa tv
strasse str
platz pl
allee al
weg wg
gasse g
ufer
ring
straat str
laan ln
plein pln
gracht gr
singel
ulica ul
aleja al aleje
plac pl
osiedle os
ulitsa ul
prospekt pr prosp
pereulok per
ploshchad pl
улица ул
проспект пр просп пркт
переулок пер
площадь пл
шоссе ш
бульвар бул б
набережная наб
gata g
vagen v
gade g
vej v
sokak sk sok
cadde cad caddesi cd
mahalle mah mahallesi mh
bulvar bul bulvari blv
ulice ul
namesti nam
utca u
ut
ter
korut krt
strada str
bulevardul bd bdul
soseaua sos
calea cal
jalan jl jln
lorong lor
`;
const OTHERS = `
north n
south s
east e
west w
northeast ne
northwest nw
southeast se
southwest sw
nord n
sud s sued
est e
ouest o
ost o
norte n
sur s
oeste o
oriente ote
poniente pte
saint st s
sainte ste
sankt st skt
santa sta
santo sto
doctor dr
mount mt
fort ft
first 1st
second 2nd
third 3rd
fourth 4th
fifth 5th
sixth 6th
seventh 7th
eighth 8th
ninth 9th
tenth 10th
eleventh 11th
twelfth 12th
and und et y
professor prof
general gen gral
president pres
county co
city cty
upper upr
lower lwr
great grt gt
`;
const EQUIVALENT = new Map<string, string[]>();
const TYPES = new Set<string>();

for (const [table, types] of [
  [STREET_TYPES, true],
  [OTHERS, false],
] as const) {
  for (const line of table.trim().split("\n")) {
    const words = line.split(" ");
    for (const word of words) {
      if (types) TYPES.add(word);
      const known = EQUIVALENT.get(word) ?? [];
      for (const other of words) if (other !== word && !known.includes(other)) known.push(other);
      EQUIVALENT.set(word, known);
    }
  }
}

/** Is it a word for a kind of street, or the abbreviation of one? Such words tell less than others. */
export function isStreetType(word: string): boolean {
  return TYPES.has(word);
}

const NONE: readonly string[] = [];
const COMPOUND = /^(.{3,})(str|pl)$/;

/**
 * What else a word of a query may be written as in the index, without the word itself: its abbreviations and long
 * forms, compound words with an abbreviated end ("hauptstr" → "hauptstrasse"), ordinals ("5" → "5th"), German and
 * Nordic vowels written out ("muenchen" → "munchen").
 */
export function otherForms(word: string): readonly string[] {
  const more: string[] = [];
  const compound = word.length > 5 ? COMPOUND.exec(word) : null;
  if (compound?.[2] === "str") more.push(`${compound[1]}strasse`, `${compound[1]}straat`);
  else if (compound) more.push(`${compound[1]}platz`);
  else if (word.length > 8 && word.endsWith("strasse")) more.push(word.slice(0, -4));
  // "Avenuee" is a mistake and no umlaut: an "e" that follows stands for none.
  if (/[aou]e(?!e)/.test(word)) more.push(word.replace(/([aou])e(?!e)/g, "$1"));
  if (/^\d{1,3}$/.test(word)) more.push(word + ordinalEnd(Number(word)));
  else if (/^\d{1,3}(st|nd|rd|th)$/.test(word)) more.push(word.slice(0, -2));
  const known = EQUIVALENT.get(word) ?? NONE;
  return more.length === 0 ? known : [...known, ...more];
}

function ordinalEnd(n: number): string {
  if (n % 100 >= 11 && n % 100 <= 13) return "th";
  return ["th", "st", "nd", "rd"][n % 10] ?? "th";
}
