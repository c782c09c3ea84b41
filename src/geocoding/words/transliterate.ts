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

/** The script of addresses in a country, where it is not Latin. */
const BY_COUNTRY: Readonly<Record<string, Table>> = {
  AM: ARMENIAN,
  BG: BULGARIAN,
  BY: RUSSIAN,
  CY: GREEK,
  GE: GEORGIAN,
  GR: GREEK,
  KG: RUSSIAN,
  KZ: RUSSIAN,
  MK: SERBIAN,
  RS: SERBIAN,
  RU: RUSSIAN,
  UA: UKRAINIAN,
};

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
]);

const LATIN = /^[a-zžčšŝûâèëćđ'-]+$/;

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
  ["ш", "sh"],
  ["щ", "shch"],
  ["ч", "ch"],
  ["ц", "ts"],
])
  TO_LATIN.set(letter, latin);

/** Returns a word of an address in the script of the country; undefined if it already is in it. */
export function inScriptOf(country: string, word: string): string | undefined {
  const text = word.toLowerCase().normalize("NFC").replaceAll("’", "'");
  const table = BY_COUNTRY[country];
  if (!table) return toLatin(text);
  if (!LATIN.test(text)) return undefined;
  const type = TYPES.get(table)?.[fold(text)];
  if (type !== undefined) return type;
  let out = "";
  for (let at = 0; at < text.length; ) {
    const found = table.find(([latin]) => text.startsWith(latin, at));
    out += found?.[1] ?? "";
    at += found?.[0].length ?? 1;
  }
  return out === "" ? undefined : out.replace(/σ$/u, "ς");
}

function toLatin(text: string): string | undefined {
  const letters = [...fold(text)];
  if (!letters.some((letter) => TO_LATIN.has(letter) && letter > "\u024f")) return undefined;
  return letters.map((letter) => TO_LATIN.get(letter) ?? letter).join("");
}
