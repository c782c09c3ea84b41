import type { Habit } from "./habit.ts";

/** The Nordic countries: kinds of streets end compound words, and are shortened to their first letter. */
export const NORDIC: readonly Habit[] = [
  {
    countries: "DK",
    source: "Dansk Sprognævn, Retskrivningsordbogen (2012); Danmarks Adresseregister, guide for addresses",
    types: `
gade g gd
vej v
alle al
plads pl
straede str
vaenge vg
park pk
torv
boulevard blvd bvd
`,
    ends: `
gade g gd
vej v
plads pl
straede str
vaenget vg vgt
parken pk
alle al
`,
    words: `
gammel gl
gamle gl
norre nr nrr
norre ndr
sondre sdr
nordre ndr
ostre o ostr
vestre v
vester v
oster o
store st
lille l ll
sankt skt sct st
kongens kgs
christian chr
frederik fr
frederiks frd
frederiksberg frb
doktor dr
`,
    marks: "nr hus",
    units: "lejl dør",
    behind: [
      "(?:st|kl|\\d{1,2})\\.?,?\\s*(?:sal\\.?,?\\s*)?(?:t\\.?v|t\\.?h|m\\.?f|dør\\s*\\d+)\\.?",
      "\\d{1,2}\\.?\\s*sal",
      "\\d{1,2}\\.",
      "(?:st|kl)\\.",
    ],
  },
  {
    countries: "NO",
    source: "Språkrådet, forkortingar; Kartverket, adresseveileder (bolignummer)",
    types: `
gate gt g
gata g
veien v vn
vegen v vn
vei v
veg v
plass pl
alle al
brygge br
torg
stien
`,
    ends: `
gate gt g
gata g gt
veien v vn
vegen v vn
vei v
veg v
plass pl
`,
    words: `
gamle gl
nordre ndr n
sondre sdr s
ovre o
nedre n
store st
lille l
sankt st
kristian kr
christian chr
fredrik fr
doktor dr
professor prof
`,
    marks: "nr",
    units: "leil bolig",
    behind: ["[hulk]\\d{4}"],
  },
  {
    countries: "SE",
    source: "Språkrådet, Svenska skrivregler (2017); Skatteverket, lägenhetsnummer",
    types: `
gatan g gt
gata g
vagen v vg
vag v vg
plan pl
plats pl
grand gr
torg t
torget t
stigen st stg
alle al
`,
    ends: `
gatan g gt gat
gata g
vagen v vg
vag v
plan pl
grand gr
stigen st stg
torget t
`,
    words: `
norra n na
sodra s sa
vastra v va
ostra o oa
stora st sta
lilla l la
gamla g ga
ovre o
nedre n
sankt st skt
sankta sta
doktor dr
professor prof
kungs k
nygatan nyg
`,
    joined: "s:t s:ta n:a s:a v:a o:a st:a l:a g:a",
    marks: "nr",
    units: "lgh uppg vån",
    behind: ["\\d\\s*tr\\.?(?:\\s*(?:tv|th|ö\\.?g\\.?))?"],
  },
  {
    countries: "FI",
    source: "Kotimaisten kielten keskus, lyhenteet; Maanmittauslaitos, JHS 106 postal addresses",
    types: `
katu k
tie t
kuja kj
polku p
tori t
aukio auk
ranta r
puistokatu pk
raitti
kaari
`,
    ends: `
katu k
tie t
kuja kj kja
polku p
puisto p
ranta r
tori t
aukio auk
kaari kri
`,
    words: `
pohjoinen pohj p
etelainen et e
itainen it i
lantinen lant l
iso i
pieni p
vanha v
uusi u
pyha p
`,
    marks: "nro",
    units: "as bst",
    behind: ["[a-l]\\s*(?:as\\.?\\s*)?\\d{1,3}\\s?[a-d]?"],
  },
  {
    countries: "IS EE LV LT",
    source: "Íslensk málnefnd; Eesti Keele Instituut; names in OpenStreetMap",
    types: `
gata g
vegur v
tanav tn
maantee mnt
puiestee pst
tee t
plats pl
iela i
gatve g
prospektas pr
aleja al
`,
    ends: "",
    words: "",
    marks: "nr",
  },
];
