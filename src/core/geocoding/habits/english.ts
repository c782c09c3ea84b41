import type { Habit } from "./habit.ts";

/** English, and French in countries where both are in use. */
export const ENGLISH: readonly Habit[] = [
  {
    countries: "US CA",
    source: "USPS Publication 28 (2020), appendix C; Canada Post, Addressing Guidelines (2024)",
    types: `
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
`,
    words: `
north n
south s
east e
west w
northeast ne
northwest nw
southeast se
southwest sw
saint st s
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
county co
city cty
upper upr
lower lwr lr
great grt gt
`,
    marks: "no number",
  },
  {
    countries: "GB IE",
    source: "Royal Mail, Programmers' Guide to PAF; An Post, Eircode address rules; names on signs",
    types: `
avenue ave av avn
buildings bldgs blds
close cl clo
corner cnr
cottages cotts cotgs
crescent cres cresc
gardens gdns gds grdns
grove gr grv gve
lane ln la
mews mws
parade pde par
promenade prom
quay qy
row rw
terrace ter tce terr
upon
walk wk wlk
`,
    words: `
little lt ltl
north nth
saint st snt
south sth
upper up upr
`,
    units: "flat apt apartment unit",
    behind: ["(?:ground|first|second|third|[1-9](?:st|nd|rd|th)) floor"],
  },
  {
    countries: "AU NZ",
    source: "AS/NZS 4819:2011, appendix B; Australia Post, Address Presentation Standard",
    types: `
arcade arc
boulevard bvd blvd
circuit cct cir crct
close cl
crescent cres cr
drive dr dve
esplanade esp
freeway fwy
gardens gdns
grove gr gv gve
highway hwy
lane ln la
lookout lkt
parade pde
parkway pwy pkwy
place pl
promenade prom
quay qy qys
rise rise
terrace tce ter
track trk
vale
`,
    words: `
mount mt
upper upr
lower lwr
`,
  },
  {
    countries: "IN",
    source: "India Post, addressing guidelines; names on signs and in OpenStreetMap",
    types: `
road rd
marg mg
nagar ngr
chowk ck
gali gully
salai
block blk
sector sec
colony col cly
layout lyt
`,
    words: "mahatma mg\nbazaar bazar bzr\n",
    marks: "no plot door house h d hno dno",
  },
];
