import type { Habit } from "./habit.ts";

/** Slavic languages and Hungarian. */
export const SLAVIC: readonly Habit[] = [
  {
    countries: "CZ SK",
    source: "Internetová jazyková příručka ÚJČ AV ČR; RÚIAN (číslo popisné, evidenční, orientační); Slovenská pošta",
    types: `
ulice ul
ulica ul
namesti nam
namestie nam
trida tr
trieda tr
nabrezi nabr nab
nabrezie nabr
sidliste sidl
sidlisko sidl
silnice siln
cesta c
`,
    words: `
svateho sv
svate sv
svatej sv
svateho sv
generala gen
doktora dr
profesora prof
armady arm
velke vel
male mal
dolni dol
horni hor
`,
    silent: "ulice ulica ul",
    marks: "c cp cislo popisne or co",
    units: "byt",
    behind: ["č\\.\\s*bytu\\s*\\d+", "byt\\s+č\\.?\\s*\\d+", "\\d+\\.\\s*(?:patro|posch|poschodie|p)\\.?"],
  },
  {
    countries: "PL",
    source: "Poczta Polska, prawidłowe adresowanie; GUS, rejestr TERYT (ULIC)",
    types: `
ulica ul
aleja al
aleje al
plac pl
osiedle os
skwer skw
rondo rdo
bulwar bulw
`,
    words: `
swietego sw
swietej sw
ksiedza ks
generala gen
pulkownika plk
majora mjr
kapitana kpt
marszalka marsz
kardynala kard
biskupa bp
doktora dr
profesora prof
imienia im
`,
    silent: "ulica ul ulicy",
    marks: "nr numer",
    units: "m lok mieszk mieszkanie lokal pok klatka kl",
  },
  {
    countries: "HU",
    source: "A magyar helyesírás szabályai (2015); Magyar Posta, címzés",
    types: `
utca u utc
ut
utja
ter t
tere
koz
korut krt
rakpart rkp
setany stny
sugarut sgt
fasor fsr fs
lakotelep ltp
dulo
koru krt
`,
    words: "szent szt sz\ndoktor dr\nkiraly kir\n",
    marks: "szam sz hrsz",
    behind: [
      "(?:(?:[ivx]+|\\d{1,2})\\.?\\s*em(?:elet)?\\.?|(?:fszt|földszint|fsz|mfszt)\\.?)(?:[\\s/,]*\\d{1,3}\\.?\\s*(?:ajtó|ajto|a)?\\.?)?",
      "\\d{1,3}\\.?\\s*ajt[óo]",
      "[ivx]+\\.?\\/\\d+\\.?",
    ],
  },
  {
    countries: "RU BY KZ UA",
    source: "ГОСТ Р 6.30-2003; приказ Минфина РФ 171н (2015), сокращения; Укрпошта, правила адресування",
    types: `
улица ул
вулиця вул ул
проспект пр просп прт пркт
переулок пер пр
провулок пров пер
площадь пл
площа пл
шоссе ш
шосе ш
бульвар бул б бр бульв
набережная наб
набережна наб
проезд прд пр
проізд прд
тупик туп
аллея ал
алея ал
мікрораион мкр
микрораион мкр мкрн
линия лин л
тракт тр
узвіз узв
маидан м мн
квартал кв
`,
    words: `
большая б бол
большои б бол
малая м мал
малыи м мал
старая ст
новая нов н
верхняя в верх
нижняя н нижн
средняя ср
северная сев
южная юж
академика акад ак
генерала ген
маршала марш
адмирала адм
профессора проф
имени им
святого св
велика вел в
мала м
`,
    joined: "пр-т пр-кт б-р пр-д мкр-н м-н наб-я ул-ца",
    silent: "улица ул вулиця вул",
    marks: "д дом буд будинок номер",
    units: "кв квартира оф офис офіс под подъезд під'їзд під’їзд эт этаж пом помещение приміщення комн комната",
  },
  {
    countries: "BG RS HR BA ME MK SI",
    source: "Български пощи, адресиране; Pošta Srbije; Hrvatska pošta; names in OpenStreetMap",
    types: `
ulica ul
улица ул
булевард бул
bulevar bul blv
площад пл
trg
avenija av
obala
cesta c
put
setaliste set
`,
    words: "sveti sv\nsvetog sv\nсвети св\nсвета св\ndoktora dr\nкняз кн\nцар ц\nгенерал ген\nпрофесор проф\n",
    joined: "ж.к б-р",
    silent: "ulica ul улица ул",
    marks: "br broj бр но",
    units: "ет ап вх бл stan ulaz kat sprat",
  },
];
