import type { Habit } from "./habit.ts";

/** Greek and Turkish, the Near East, and eastern and southern Asia. */
export const EASTERN: readonly Habit[] = [
  {
    countries: "GR CY",
    source: "ΕΛΤΑ, οδηγίες διευθυνσιοδότησης; ELOT 743 for Latin letters",
    types: `
οδος οδ
λεωφορος λεωφ λ
πλατεια πλ πλατ
παροδος παρ
odos od
leoforos leof l
plateia pl plat
parodos par
`,
    words: `
αγιου αγ
αγιας αγ
αγιων αγ
εθνικης εθν
βασιλεως βασ
βασιλισσης βασ
στρατηγου στρ
μεγαλου μεγ μ
agiou ag
agias ag
vasileos vas
vasilissis vas
megalou meg
`,
    silent: "οδος οδ odos od",
    marks: "αρ αριθμος ar arithmos",
    behind: ["\\d{1,2}[οηoς]?ς?\\s*(?:όροφος|οροφος|orofos)"],
  },
  {
    countries: "TR AZ",
    source: "PTT, adres yazım kuralları; Türk Dil Kurumu, kısaltmalar; Ulusal Adres Veri Tabanı",
    types: `
sokak sk sok
sokagi sk sok
cadde cad cd
caddesi cad cd
bulvar bul bulv blv blvr
bulvari bul bulv blv blvr
mahalle mah mh
mahallesi mah mh
meydan meyd
meydani meyd myd
cikmazi cik ckm
yolu yl
`,
    words: `
sehit sht
doktor dr
profesor prof
general gen
mustafa m
kemal k
`,
    marks: "no numara nu kapi",
    units: "d daire kat k blok apt",
    behind: ["\\p{L}\\s*blok", "iç kapı no[\\s.:]*\\d+"],
  },
  {
    countries: "CN TW HK",
    source: "China Post, English addressing; Hanyu Pinyin words as on signs",
    types: `
lu road rd
jie street st
dajie avenue ave
dadao avenue ave
xiang lane
hutong
nong lane
`,
    words: "zhong middle\ndong east e\nnan south s\nxi west w\nbei north n\n",
    marks: "号 號 号楼 no",
    behind: ["\\d+\\s*(?:室|楼|樓|层|層|单元|栋|座)(?:\\s*(?:之\\s*)?\\d+\\s*(?:室|单元|楼)?)?"],
  },
  {
    countries: "JP",
    source: "Ministry of Internal Affairs, 住居表示に関する法律 (1962); Japan Post, English addresses",
    types: "chome\nbanchi ban\n",
    marks: "番地 番 号 no",
    behind: ["\\d+\\s*(?:階|号室|f)"],
  },
  {
    countries: "KR",
    source: "도로명주소법 (Road Name Address Act, 2014); Korea Post, English addresses",
    types: "daero\nro\ngil\nbeongil beon\n",
    marks: "번지 beonji",
    behind: ["\\d+\\s*(?:동|층|호)(?:\\s*\\d+\\s*(?:층|호))?"],
  },
  {
    countries: "ID MY SG VN TH",
    source: "Pos Indonesia and Pos Malaysia, addressing; VNPost; names in OpenStreetMap",
    types: `
jalan jl jln
lorong lor lrg
gang gg
persiaran psn
lebuh lbh
duong d
pho p
thanon th
soi
ถนน ถ
ซอย ซ
`,
    marks: "no nomor so blk block บานเลขท เลขท",
    units: "rt rw lantai lầu tầng",
    behind: ["(?:หมู่(?:ที่)?|ม\\.|moo)\\s*\\d+", "(?:ชั้น|ห้อง|ตึก|อาคาร)\\s*\\p{L}?\\d+"],
  },
  {
    countries: "IL AE EG SA",
    source: "Israel Post, addresses; names in OpenStreetMap",
    types: "רחוב רח\nשדרות שד\nشارع ش\nطريق ط\n",
    silent: "רחוב רח شارع ش",
    marks: "no رقم عماره مبني",
    units: "شقة دور الدور",
  },
  {
    countries: "IR AF",
    source: "شرکت ملی پست: addresses; names in OpenStreetMap",
    types: "خيابان خ\nكوچه\nبلوار بل\nميدان\n",
    marks: "پلاك پ شماره",
    units: "واحد طبقه",
  },
  {
    countries: "IN PK BD LK NP",
    source: "India Post and Pakistan Post, addressing; Bangladesh Post Office; names in OpenStreetMap",
    types: "marg मरग\nroad rd रड রড রসত সডক\nstreet st\nlane gali गल গল\nblock blk\nsector sec सकटर\nmohalla\n",
    marks: "no house h hno plot বড হলড मकन न भवन",
    units: "flat floor",
  },
];
