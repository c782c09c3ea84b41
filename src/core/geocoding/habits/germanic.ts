import type { Habit } from "./habit.ts";

/** German and Dutch: kinds of streets end compound words. */
export const GERMANIC: readonly Habit[] = [
  {
    countries: "DE AT CH LI",
    source: "DIN 5008:2020; Österreichische Post, Adressierung; Schweizerische Post, Strassenbezeichnungen",
    types: `
strasse str
platz pl
allee al
weg
gasse g
ufer
ring
damm
chaussee chee ch
steig
stieg
`,
    ends: `
strasse str
platz pl
gasse g
allee al
`,
    words: `
sankt st skt
nord n
sud s sued
ost o
west w
doctor dr
professor prof
general gen
alter alt
grosse gr
kleine kl
obere ob
untere unt
unter unt
burgermeister bgm
`,
    marks: "nr haus hausnr",
    units: "whg wohnung top tür stiege stg apt app zimmer",
    behind: [
      "\\d+\\.\\s*(?:og|stock|etage|etg|ug)\\.?(?:\\s*(?:links|rechts|mitte)(?!\\p{L}))?",
      "(?:eg|dg|ug|hh|vh|sf|hinterhaus|vorderhaus|gartenhaus|seitenflügel|erdgeschoss|dachgeschoss)\\.?(?:\\s*(?:links|rechts|mitte)(?!\\p{L}))?",
    ],
  },
  {
    countries: "NL BE SR",
    source: "NEN 5825:2002; bpost, Adressering",
    types: `
straat str
laan ln
plein pln
gracht gr
singel sngl
weg wg
kade kd
dijk dk
steeg stg
dreef drf
steenweg stwg stw
`,
    ends: `
straat str
laan ln
plein pln
gracht gr
singel sngl
weg wg
kade kd
dijk dk
steenweg stwg
`,
    words: `
burgemeester burg bgm
sint st
doctor dr
professor prof
prins pr
prinses pr
koningin kon
generaal gen
groot gr
klein kl
van v
van vd vh
der d
`,
    marks: "nr no",
    units: "bus bte boîte app kamer appartement",
    behind: ["(?:hs|huis|sous|bel|rood)\\.?", "\\d{1,2}\\s*hoog", "i{1,3}|iv"],
  },
];
