import TABLE from "./category-words.json" with { type: "json" };

/**
 * Without marks and capitals. Most texts are ASCII, which has no marks. Separate from the geocoder's function, because this module does
 * not depend on it.
 */
const plain = (text: string) => (ASCII.test(text) ? text.toLowerCase() : withoutMarks(text)).trim();

const ASCII = /^[\x20-\x7e]*$/;

const withoutMarks = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ı/g, "i")
    .replace(/ø/g, "o")
    .replace(/ł/g, "l")
    .replace(/æ/g, "ae")
    .normalize("NFC");

/**
 * Words for kinds of places, as people type them, by the slugs they mean. Each row of category-words.json holds one kind in English, German,
 * French, Spanish, Portuguese, Italian, Dutch, Polish, Czech, Swedish, Danish, Norwegian, Finnish, Turkish, Russian,
 * Arabic, Japanese, Chinese and Korean, then in Ukrainian, Hebrew and Greek; words that several languages share are
 * listed once. Original work: it contains no third-party table.
 */
const SLUGS = new Map<string, readonly string[]>(
  Object.entries(TABLE).flatMap(([slugs, words]) =>
    words.split("|").map((word) => [plain(word), slugs.split(",")] as const),
  ),
);
const MAX_WORDS = 4;

/** Words between a kind and a place, the longer ones first. */
const LINKS = [
  "near to|close to|next to|near|around|in|at|by|nearby",
  "in der nahe von|in der nahe|nahe|bei|am|an der|beim|im",
  "pres de la|pres du|pres de|pres d|proche de|a cote de|autour de|a|au|dans|en",
  "cerca de la|cerca del|cerca de|junto a|en",
  "perto da|perto do|perto de|em|no|na",
  "vicino alla|vicino al|vicino a|vicino|nei pressi di|a|in",
  "dichtbij|nabij|bij|vlakbij",
  "niedaleko|blisko|kolo|przy|w|we|na",
  "blizko|pobliz|u|v|ve",
  "nara|vid|i|pa",
  "taet pa|naer|ved|naerheden af",
  "lahella",
  "рядом с|недалеко от|около|возле|у|в|во|на",
  "поруч з|біля|поблизу|коло|у|в|на",
  "بالقرب من|قرب|في",
  "ליד|קרוב ל|ב",
  "κοντα στην|κοντα στο|κοντα σε|κοντα στον|κοντα στη|στην|στη|στον|στο|σε",
  "in het|te|op",
  "al centro di|nel|nella|ad",
  "en el|en la|de la|del|de|do|da|dos|das|di|du|des|of|von|van|of the|di|d",
]
  .flatMap((words) => words.split("|").map(plain))
  .sort((a, b) => b.length - a.length);

/** "near me", in the languages of the links. */
const HERE = new Set(
  "me|here|nearby|hier|mir|ici|moi|aqui|mi|qui|me|mij|mnie|mig|meg|mne|мной|мне|меня|здесь|мене|тут|هنا|مني|אליי|כאן|μου|εμένα|εδώ"
    .split("|")
    .map(plain),
);
const NEAR_ME =
  /(?:\s|^)(?:near me|nearby|in meiner nahe|in der nahe|pres de moi|pres d'ici|cerca de mi|cerca|perto de mim|vicino a me|in de buurt|w poblizu|v okoli|lahella|yakinimda|yakininda|рядом|поблизости|рядом со мной|بالقرب مني)$/;
/** Scripts in which the kind follows the place: "東京駅の近くのカフェ", "天安门附近的咖啡", "강남역 근처 카페". */
const BEHIND = /^(.+?)\s*(?:の近くの|の近く|近くの|周辺の|附近的|附近|周边的?|旁边的?|근처의?|주변|인근)\s*(.+)$/u;
const IN_FRONT = /^(.+?)\s+(?:yakininda(?:ki)?|yakinlarinda|lahella)\s+(.+)$/;

/** Scripts that need no space between a place and a kind: "京都の病院", "台北市醫院", "서울병원". */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;
/** The longest kind in these scripts [characters]. */
const MAX_UNSPACED = 12;
/** Join a place to the kind after it. */
const JOINTS = ["の", "的", "의", "にある", "에 있는", "에있는"];

export interface CategoryQuery {
  slugs: readonly string[];
  /** The text of the location; "" for around the caller. */
  reference: string;
  /** Whether it is unambiguous: "park street" may be a street; "park near Main Street" is not. */
  sure: boolean;
  /** Other forms of the reference, if it may be inflected: "Москва" of "в Москве". */
  others?: readonly string[];
}

/** Reads a kind of place and its location; undefined when no kind is named. */
export function readCategory(text: string): CategoryQuery | undefined {
  const asked = plain(text).replace(/[?!.]+$/, "");
  if (asked.length > 160) return undefined;
  const bare = asked.replace(NEAR_ME, "").trim();
  const alone = SLUGS.get(bare);
  if (alone) return { slugs: alone, reference: "", sure: true };
  for (const pattern of [BEHIND, IN_FRONT]) {
    const behind = pattern.exec(asked.normalize("NFC"));
    const slugs = behind && (SLUGS.get(plain(behind[2])) ?? SLUGS.get(plain(behind[1])));
    if (behind && slugs) return { slugs, reference: SLUGS.has(plain(behind[2])) ? behind[1] : behind[2], sure: true };
  }
  // The original text's words, so that the place keeps its diacritics.
  const words = text.trim().split(/\s+/);
  return kindFirst(words) ?? kindLast(words) ?? kindBeforeComma(text) ?? unspaced(words);
}

/** "Manchester airport, UK": the state or country is of the town before the kind. */
function kindBeforeComma(text: string): CategoryQuery | undefined {
  const [town, ...around] = text.split(",");
  const found = around.length > 0 ? kindLast(town.trim().split(/\s+/)) : undefined;
  return found && { ...found, reference: [found.reference, ...around].join(",") };
}

function kindFirst(words: readonly string[]): CategoryQuery | undefined {
  for (let n = Math.min(MAX_WORDS, words.length - 1); n > 0; n--) {
    const kind = words.slice(0, n).join(" ").replace(/[,:]$/, "");
    const slugs = SLUGS.get(plain(kind));
    if (!slugs) continue;
    const rest = words.slice(n).join(" ");
    const folded = plain(rest);
    const link = LINKS.find((one) => folded.startsWith(`${one} `));
    if (link === undefined) {
      // Hebrew writes the preposition as a part of the name.
      const others = /^ב[\u0590-\u05ff]{2}/.test(rest) ? [rest.slice(1)] : [];
      return { slugs, reference: rest, sure: false, ...(others.length > 0 && { others }) };
    }
    const reference = words.slice(n + link.split(" ").length).join(" ");
    if (HERE.has(plain(reference))) return { slugs, reference: "", sure: true };
    const others = LOCATIVE_LINKS.has(link) ? baseForms(reference) : [];
    // "Hospital de Braga" is the name of one, and a hospital in Braga.
    return { slugs, reference, sure: !OF.has(link), ...(others.length > 0 && { others }) };
  }
  return undefined;
}

function kindLast(words: readonly string[]): CategoryQuery | undefined {
  for (let n = Math.min(MAX_WORDS, words.length - 1); n > 0; n--) {
    const slugs = SLUGS.get(plain(words.slice(-n).join(" ")));
    if (!slugs) continue;
    const before = words.slice(0, -n).join(" ").replace(/[,:]$/, "");
    // Turkish: "İzmir'de eczane", "İzmir'deki eczane". Japanese and Chinese: "京都の 病院".
    const suffix = /['’](?:[dt][ae](?:ki)?|n[iı]n)$/iu.exec(before);
    const joint = JOINTS.find((one) => before.endsWith(one));
    const reference = before.slice(0, before.length - (suffix?.[0].length ?? joint?.length ?? 0));
    if (reference !== "") return { slugs, reference, sure: suffix !== null || joint !== undefined };
  }
  return undefined;
}

/** "京都病院", "病院京都": the longest kind at the end or the beginning of a text without spaces. */
function unspaced(words: readonly string[]): CategoryQuery | undefined {
  const [text] = words;
  if (words.length !== 1 || !UNSPACED.test(text)) return undefined;
  for (let n = Math.min(MAX_UNSPACED, text.length - 2); n > 1; n--) {
    const [last, first] = [SLUGS.get(plain(text.slice(-n))), SLUGS.get(plain(text.slice(0, n)))];
    if (first) return { slugs: first, reference: text.slice(n), sure: false };
    if (!last) continue;
    const before = text.slice(0, -n);
    const joint = JOINTS.find((one) => before.endsWith(one) && before.length > one.length);
    return { slugs: last, reference: before.slice(0, before.length - (joint?.length ?? 0)), sure: joint !== undefined };
  }
  return undefined;
}

/** Prepositions that also join the parts of a name. */
const OF = new Set("de la|del|de|do|da|dos|das|di|du|des|of|von|van|of the|d".split("|"));

/**
 * Endings of names after a preposition, and those of their base forms: Russian, Ukrainian, Polish and Czech locatives,
 * the longer ones first.
 */
const LOCATIVES: readonly (readonly [ending: string, bases: readonly string[]])[] = [
  ["єві", ["їв"]],
  ["еві", ["ів"]],
  ["ові", ["ів", "ов"]],
  ["ці", ["ка", "ця"]],
  ["і", ["а", "", "ь"]],
  ["ске", ["ск"]],
  ["е", ["а", "", "я", "о"]],
  ["и", ["ь", "я", "а"]],
  ["cach", ["ce"]],
  ["ach", ["e", "y"]],
  ["ích", ["e"]],
  ["ie", ["", "a", "o"]],
  ["iu", ["", "ie"]],
  ["zi", ["ź", "dź"]],
  ["ze", ["ha", "ga"]],
  ["ni", ["nia", "n", "ň", "eň"]],
  ["ě", ["o", "a"]],
  ["u", ["", "o", "e"]],
  ["i", ["", "ia"]],
];

/** Prepositions before such names, as `plain` writes them. */
const LOCATIVE_LINKS = new Set("в|во|у|на|w|we|v|ve".split("|"));

/** Base forms of a name of one word that may have such an ending. */
function baseForms(reference: string): string[] {
  if (!/^\p{Lu}[\p{L}\p{M}]{3,}$/u.test(reference)) return [];
  const name = reference.normalize("NFC");
  const found = LOCATIVES.find(([ending]) => name.endsWith(ending));
  if (!found) return [];
  const [ending, bases] = found;
  return bases.map((base) => name.slice(0, name.length - ending.length) + base);
}
