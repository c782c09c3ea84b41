import { fold } from "./normalise.ts";
import { toLatin } from "./transliterate.ts";
import { mistakes } from "./typo.ts";

/**
 * The consonants of a word in classes that romanizations mix up: שדרות רוטשילד and "Sderot Rothschild", شارع التحرير and
 * "Tahrir". Vowels, which Hebrew and Arabic rarely write, do not count.
 */
const SEQUENCES: readonly (readonly [latin: string, classes: string])[] = [
  ["shch", "s"],
  ["tsch", "s"],
  ["sch", "s"],
  ["dzh", "g"],
  ["kh", "h"],
  ["ch", "h"],
  ["gh", "g"],
  ["sh", "s"],
  ["zh", "s"],
  ["ts", "s"],
  ["tz", "s"],
  ["th", "t"],
  ["dh", "d"],
  ["ph", "b"],
  ["ck", "k"],
  ["ce", "s"],
  ["ci", "s"],
];
const FIRST_LETTERS = new Set(SEQUENCES.map(([letters]) => letters[0]));
const CLASSES: Readonly<Record<string, string>> = {
  ...classOf("b", "bpfv"),
  ...classOf("k", "kqc"),
  ...classOf("g", "gj"),
  ...classOf("s", "sz"),
  ...classOf("h", "h"),
  ...classOf("t", "t"),
  ...classOf("d", "d"),
  ...classOf("l", "l"),
  ...classOf("m", "m"),
  ...classOf("n", "n"),
  ...classOf("r", "r"),
  x: "ks",
};

function classOf(one: string, letters: string): Record<string, string> {
  return Object.fromEntries([...letters].map((letter) => [letter, one]));
}

/** Words with fewer consonants are too much alike. */
const MIN_CONSONANTS = 2;

/** Returns the classes of a word's consonants; "" if it has too few, or digits. */
export function skeletonOf(word: string): string {
  if (/\d/.test(word)) return "";
  let folded = fold(word).replace(SILENT_END, "");
  if (!LATIN_ONLY.test(folded)) for (const [letters, latin] of ONE_SOUND) folded = folded.replaceAll(letters, latin);
  let out = "";
  // Letters of other scripts one by one: ת and ח are no "th".
  let isStart = true;
  for (const part of folded.match(PARTS) ?? []) {
    out = append(out, toLatin(part), isStart);
    isStart = false;
  }
  return out.length < MIN_CONSONANTS ? "" : out;
}

const LATIN_ONLY = /^[a-z]+$/;
const PARTS = /[a-z]+|[^a-z]/gu;
const ONE_SOUND = [
  ["дж", "j"],
  ["ντ", "d"],
  ["μπ", "b"],
  ["γκ", "g"],
] as const;
/** A last h is not heard: Yehudah. */
const SILENT_END = /(?<=[aeiou])h$|[הه]$/u;

function append(classes: string, latin: string, isStart: boolean): string {
  let out = classes;
  for (let at = 0; at < latin.length; ) {
    const letter = latin[at];
    const sequence = FIRST_LETTERS.has(letter)
      ? SEQUENCES.find(([letters]) => latin.startsWith(letters, at))
      : undefined;
    const found = sequence?.[1] ?? (letter === "w" && isStart && at === 0 ? "b" : (CLASSES[letter] ?? ""));
    // x is two consonants; twice the same one is one.
    for (const one of found) if (!out.endsWith(one)) out += one;
    at += sequence?.[0].length ?? 1;
  }
  return out;
}

/** Of words with the same consonants, the one that is written most like a word. */
export function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  const latin = toLatin(word);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const other = toLatin(candidate);
    const difference = mistakes(latin, other, Math.max(latin.length, other.length));
    if (difference >= least) continue;
    best = candidate;
    least = difference;
  }
  return best;
}
