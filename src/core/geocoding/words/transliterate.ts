import { fold } from "./normalise.ts";

/**
 * Names written in another script than the data has: "ulitsa Fonvizina" for улица Фонвизина. Sequences of Latin letters come from
 * ISO 9:1995, the BGN/PCGN romanizations of each language and the forms in everyday use; the longest sequence applies first.
 * Compared words are folded (normalise.ts), so й is и and ё is е.
 */
type Table = readonly (readonly [latin: string, letter: string])[];

const tableOf = (text: string): Table =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string])
    .sort((a, b) => b[0].length - a[0].length);

const RUSSIAN = tableOf(
  `shch=щ sch=щ zh=ж kh=х ts=ц ch=ч sh=ш yu=ю iu=ю ju=ю ya=я ia=я ja=я yo=е jo=е ye=е je=е iy=ии yy=ыи ij=ии yj=ыи
  ž=ж č=ч š=ш ŝ=щ û=ю â=я è=э ë=е j=и a=а b=б v=в w=в g=г d=д e=е z=з i=и y=ы k=к l=л m=м n=н o=о p=п r=р s=с t=т u=у f=ф
  h=х c=ц x=кс q=к '=ь`,
);
const UKRAINIAN = tableOf(
  `shch=щ zgh=зг zh=ж kh=х ts=ц ch=ч sh=ш yu=ю iu=ю ya=я ia=я yi=і ye=є ie=є ž=ж č=ч š=ш j=и a=а b=б v=в w=в h=г g=г d=д e=е
  z=з y=и i=і k=к l=л m=м n=н o=о p=п r=р s=с t=т u=у f=ф c=ц x=кс`,
);
const BULGARIAN = tableOf(
  `sht=щ zh=ж ts=ц ch=ч sh=ш yu=ю ya=я a=а b=б v=в w=в g=г d=д e=е z=з i=и y=и k=к l=л m=м n=н o=о p=п r=р s=с t=т u=у f=ф
  h=х c=ц j=ж x=кс`,
);
const SERBIAN = tableOf(
  `dž=џ lj=љ nj=њ đ=ђ dj=ђ ž=ж č=ч ć=ћ š=ш j=ј a=а b=б v=в g=г d=д e=е z=з i=и k=к l=л m=м n=н o=о p=п r=р s=с t=т u=у f=ф
  h=х c=ц`,
);
const GREEK = tableOf(
  `ou=ου th=θ ch=χ ps=ψ ks=ξ mp=μπ nt=ντ gk=γκ ng=γγ av=αυ af=αυ ev=ευ ef=ευ ei=ει oi=οι ai=αι a=α v=β b=μπ g=γ d=δ e=ε z=ζ
  i=ι k=κ c=κ l=λ m=μ n=ν x=ξ o=ο p=π r=ρ s=σ t=τ y=υ f=φ h=η w=ω u=ου`,
);
const GEORGIAN = tableOf(
  `kh=ხ gh=ღ sh=შ ch=ჩ ts=ც dz=ძ zh=ჟ a=ა b=ბ g=გ d=დ e=ე v=ვ w=ვ z=ზ t=თ i=ი k=კ l=ლ m=მ n=ნ o=ო p=პ r=რ s=ს u=უ f=ფ q=ქ
  y=ყ c=ც j=ჯ h=ჰ x=ხ`,
);
const ARMENIAN = tableOf(
  `kh=խ gh=ղ sh=շ ch=չ ts=ց dz=ձ zh=ժ ye=ե vo=ո ou=ու a=ա b=բ g=գ d=դ e=ե z=զ t=տ i=ի l=լ k=կ h=հ m=մ y=յ n=ն o=ո p=պ j=ջ r=ր
  s=ս v=վ u=ու f=ֆ q=ք c=ց`,
);

/** Vowels are rarely written; the search for a word's consonants (skeleton.ts) comes first. */
const HEBREW = tableOf(
  `tsch=ש sch=ש sh=ש ch=ח kh=ח tz=צ ts=צ th=ת oo=ו ou=ו ee=י b=ב v=ב w=ו g=ג d=ד h=ה z=ז t=ט y=י i=י k=ק c=ק q=ק l=ל m=מ n=נ s=ס p=פ
  f=פ r=ר o=ו u=ו j=ג x=קס`,
);
const ARABIC = tableOf(
  `kh=خ gh=غ sh=ش ch=ش th=ث dh=ذ zh=ج aa=ا oo=و ou=و ee=ي b=ب p=ب t=ت j=ج g=ج h=ح d=د r=ر z=ز s=س f=ف v=ف q=ق k=ك c=ك l=ل m=م n=ن
  w=و o=و u=و y=ي i=ي x=كس`,
);

/** The script of addresses in a country, where it is not Latin. */
const BY_COUNTRY: Record<string, Table> = {
  AM: ARMENIAN,
  BG: BULGARIAN,
  BY: RUSSIAN,
  CY: GREEK,
  GE: GEORGIAN,
  GR: GREEK,
  IL: HEBREW,
  KG: RUSSIAN,
  KZ: RUSSIAN,
  MK: SERBIAN,
  RS: SERBIAN,
  RU: RUSSIAN,
  UA: UKRAINIAN,
};
for (const country of "AE BH DZ EG IQ JO KW LB LY MA OM PS QA SA SD SY TN YE".split(" ")) BY_COUNTRY[country] = ARABIC;

/** Words for kinds of streets in English, in the language of the table. */
const TYPES = new Map<Table, Readonly<Record<string, string>>>([
  [
    RUSSIAN,
    {
      street: "улица",
      str: "улица",
      st: "улица",
      avenue: "проспект",
      ave: "проспект",
      lane: "переулок",
      square: "площадь",
      boulevard: "бульвар",
      blvd: "бульвар",
      embankment: "набережная",
      highway: "шоссе",
    },
  ],
  [UKRAINIAN, { street: "вулиця", str: "вулиця", st: "вулиця", avenue: "проспект", square: "площа", lane: "провулок" }],
  [
    BULGARIAN,
    { street: "улица", str: "улица", st: "улица", blvd: "булевард", boulevard: "булевард", square: "площад" },
  ],
  [GREEK, { street: "οδος", str: "οδος", st: "οδος", avenue: "λεωφορος", ave: "λεωφορος", square: "πλατεια" }],
  [
    HEBREW,
    {
      street: "רחוב",
      str: "רחוב",
      st: "רחוב",
      rehov: "רחוב",
      rechov: "רחוב",
      avenue: "שדרות",
      ave: "שדרות",
      boulevard: "שדרות",
      blvd: "שדרות",
      sderot: "שדרות",
      square: "כיכר",
      kikar: "כיכר",
    },
  ],
  [
    ARABIC,
    {
      street: "شارع",
      str: "شارع",
      st: "شارع",
      sharia: "شارع",
      shari: "شارع",
      share: "شارع",
      rue: "شارع",
      avenue: "شارع",
      ave: "شارع",
      road: "طريق",
      rd: "طريق",
      square: "ميدان",
      midan: "ميدان",
      // The article is written together with its word, which is found without it.
      ...Object.fromEntries("al el ar as ash at ad an az".split(" ").map((article) => [article, ""])),
    },
  ],
]);

/** Words for kinds of streets in other scripts, in the language of countries with Latin letters: by a word in English. */
const KINDS: Readonly<Record<string, string>> = {
  ...kindsOf("street", "улица ул вулиця вул οδος רחוב شارع ქუჩა փողոց"),
  ...kindsOf("avenue", "проспект λεωφορος שדרות გამზირი авеню авенью أفينيو افينيو"),
  ...kindsOf("square", "площадь площа πλατεια כיכר ميدان ساحه сквер"),
  ...kindsOf("road", "роуд роад رود רוד шоссе طريق"),
  ...kindsOf("boulevard", "бульвар булевард بوليفارد جاده"),
  ...kindsOf("lane", "переулок провулок лейн"),
  ...kindsOf("drive", "драйв درايف"),
};
/** Words that are written as they sound, not translated. */
const LOANWORDS: Readonly<Record<string, string>> = {
  стрит: "street",
  ستريت: "street",
  סטריט: "street",
  στριτ: "street",
  ρουντ: "road",
  штрассе: "strasse",
  штрасе: "strasse",
  شتراسه: "strasse",
  שטראסה: "strasse",
  плац: "platz",
  платц: "platz",
  рю: "rue",
  виа: "via",
  калле: "calle",
  пьяцца: "piazza",
  уэй: "way",
};

function kindsOf(kind: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(" ").map((word) => [fold(word), kind]));
}

const KINDS_IN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: { street: "strasse", square: "platz", avenue: "allee", lane: "gasse", road: "strasse", boulevard: "boulevard" },
  fr: { street: "rue", square: "place", avenue: "avenue", lane: "ruelle", road: "route" },
  es: {
    street: "calle",
    square: "plaza",
    avenue: "avenida",
    lane: "callejon",
    road: "carretera",
    boulevard: "bulevar",
  },
  pt: { street: "rua", square: "praca", avenue: "avenida", lane: "travessa", road: "estrada" },
  it: { street: "via", square: "piazza", avenue: "viale", lane: "vicolo", road: "strada" },
  nl: { street: "straat", square: "plein", avenue: "laan", lane: "steeg", road: "weg" },
  pl: { street: "ulica", square: "plac", avenue: "aleja", lane: "zaulek", road: "droga" },
};
const LANGUAGE_OF: Readonly<Record<string, string>> = {
  ...languagesOf("de", "AT CH DE LI"),
  ...languagesOf("fr", "BE FR LU MC"),
  ...languagesOf("es", "AR BO CL CO CR EC ES MX PE UY VE"),
  ...languagesOf("pt", "BR PT"),
  ...languagesOf("it", "IT SM"),
  NL: "nl",
  PL: "pl",
};

function languagesOf(language: string, countries: string): Record<string, string> {
  return Object.fromEntries(countries.split(" ").map((country) => [country, language]));
}

const LATIN = /^[a-zžčšŝûâèëćđ'-]+$/;

/** "ш=sh щ=shch" as pairs. */
function pairs(text: string): [letter: string, latin: string][] {
  return text.split(/\s+/).map((pair) => pair.split("=") as [string, string]);
}

/** Letters of each script to Latin ones: the first sequence of the table with the letter. */
const TO_LATIN = new Map<string, string>();
for (const table of [RUSSIAN, UKRAINIAN, BULGARIAN, SERBIAN, GREEK, GEORGIAN, ARMENIAN])
  for (const [latin, letter] of table)
    if ([...letter].length === 1 && /^[a-z]+$/.test(latin) && !TO_LATIN.has(letter)) TO_LATIN.set(letter, latin);
for (const [letter, latin] of [
  ["ъ", ""],
  ["ь", ""],
  ["э", "e"],
  ["ж", "zh"],
  ["х", "kh"],
  ["я", "ya"],
  ["ю", "yu"],
  ["е", "e"],
  ["и", "i"],
  ["ы", "y"],
  ["ς", "s"],
  ["η", "i"],
  ["ω", "o"],
  ...pairs("ћ=c џ=dz ґ=g ѓ=g ќ=k ѕ=dz ә=a ғ=g қ=q ң=n ө=o ұ=u ү=u һ=h"),
  ...pairs("ტ=t წ=ts ჭ=ch ყ=q ქ=k ჟ=zh"),
  ...pairs("փ=p թ=t ծ=ts ճ=ch ռ=r ը=y է=e ց=ts ւ=v օ=o և=ev"),
  ["ш", "sh"],
  ["щ", "shch"],
  ["ч", "ch"],
  ["ц", "ts"],
])
  TO_LATIN.set(letter, latin);
const CONSONANTS = `א= ב=b ג=g ד=d ה=h ו=w ז=z ח=h ט=t י=y כ=k ך=kh ל=l מ=m ם=m נ=n ן=n ס=s ע= פ=p ף=f צ=ts ץ=ts ק=k ר=r ש=sh ת=t
  ا=a ب=b ت=t ث=th ج=j ح=h خ=kh د=d ذ=dh ر=r ز=z س=s ش=sh ص=s ض=d ط=t ظ=z ع= غ=gh ف=f ق=q ك=k ل=l م=m ن=n ه=h و=w ي=y ء= پ=p چ=ch
  ژ=zh گ=g`;
for (const [letter, latin] of pairs(CONSONANTS)) TO_LATIN.set(letter, latin);
/** Letters that are consonants or vowels between consonants. */
const SEMIVOWEL = /(?<=[^aeiouwy])w(?=[^aeiouwy]|$)|(?<=[^aeiouwy])y(?=[^aeiouwy]|$)/g;

/** Returns whether addresses of a country are in Latin letters, or in a script that is not here. */
export const isLatin = (country: string) => !(country in BY_COUNTRY);

/** Returns whether a word is in another script than addresses of the country. */
export function isForeignIn(country: string, word: string): boolean {
  return country in BY_COUNTRY ? LATIN.test(plain(word)) : isWithoutLatin(fold(word));
}

const isWithoutLatin = (folded: string) => {
  for (const letter of folded) if (TO_LATIN.has(letter) && letter > "\u024f") return true;
  return false;
};

const plain = (word: string) => word.toLowerCase().normalize("NFC").replaceAll("’", "'");

/** The word for a kind of street in the script of the country: "" where it is omitted, undefined if it is none. */
export function kindInScriptOf(country: string, word: string): string | undefined {
  const table = BY_COUNTRY[country];
  const folded = fold(word);
  if (table) {
    const types = TYPES.get(table);
    return types && Object.hasOwn(types, folded) ? types[folded] : undefined;
  }
  if (Object.hasOwn(LOANWORDS, folded)) return LOANWORDS[folded];
  if (!Object.hasOwn(KINDS, folded)) return undefined;
  return KINDS_IN[LANGUAGE_OF[country] ?? ""]?.[KINDS[folded]] ?? KINDS[folded];
}

/** Writes a word of an address letter by letter in the script of the country; undefined if it already is in it. */
export function inScriptOf(country: string, word: string): string | undefined {
  const text = plain(word);
  const table = BY_COUNTRY[country];
  if (!table)
    return isWithoutLatin(fold(text))
      ? toLatin(text).replace(SEMIVOWEL, (letter) => (letter === "w" ? "u" : "i"))
      : undefined;
  if (!LATIN.test(text)) return undefined;
  let out = "";
  for (let at = 0; at < text.length; ) {
    const found = table.find(([latin]) => text.startsWith(latin, at));
    out += found?.[1] ?? "";
    at += found?.[0].length ?? 1;
  }
  return out === "" ? undefined : out.replace(/σ$/u, "ς");
}

/** A word in Latin letters, whatever its script. */
export function toLatin(text: string): string {
  return [...fold(text)].map((letter) => TO_LATIN.get(letter) ?? letter).join("");
}
