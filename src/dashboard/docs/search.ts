/**
 * Search over guides and endpoints by words, for the pages of the documentation and for Ctrl-K of the dashboard. This file is served as
 * it is, so it imports nothing.
 */

export interface Searched {
  /** Title of the guide, or "API reference". */
  page: string;
  title: string;
  href: string;
  text: string;
}

/** The part of /openapi.json that a search needs. */
export interface Reference {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { name: string }[];
}

const REFERENCE = "API reference";
/** Maximum number of results. */
const MAX_RESULTS = 20;

/** What a word counts by where it is found; in the text, more often counts more. */
const SCORES = { title: 10, page: 6, text: 2 } as const;
/** What the beginning of a longer word counts, as a share of the word itself. */
const BEGINNING = 0.7;
/** The same for a word that is complete: "data" is not "database". */
const OTHER_WORD = 0.3;
/** A guide whose headings have every word is about them. */
const TOPIC = 12;
/** A whole title that is the query. */
const EXACT = 8;
/** What another word for the same counts, as a share of the word itself. */
const SYNONYM = 0.4;
/** Endpoints come after all guides, unless one is asked for by its path or its name. */
const ASKED_FOR = 1000;
const LAST = -1000;

/** Words for the same thing, by their stems' beginnings: any of a line finds the others. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["verif", "check", "validat", "authentic"],
  ["invit", "add", "member", "colleague", "teammat"],
  ["simulat", "fake", "mock", "pretend"],
  ["dark", "light", "theme", "night"],
  ["rotat", "replac", "renew", "revok", "chang"],
  ["key", "secret", "credential"],
  ["password", "passkey", "login", "member"],
  ["delet", "remov", "erase", "forget", "gdpr", "privac"],
  ["price", "cost", "bill", "money"],
  ["retr", "resend", "redeliver"],
  ["upload", "import", "load"],
  ["download", "export", "csv"],
  ["install", "start", "setup", "deploy"],
  ["slow", "speed", "fast", "performanc", "latenc"],
  ["limit", "quota", "throttl"],
  ["zone", "area", "geofenc", "fenc", "polygon", "circl"],
  ["stop", "visit", "dwell", "stay"],
  ["late", "delay", "eta", "arriv"],
  ["car", "vehicl", "truck", "fleet", "driver"],
  ["phon", "devic", "mobil", "sdk", "app"],
  ["backup", "restor", "recover", "snapshot"],
  ["error", "fail", "problem", "troubl"],
  ["share", "link", "public"],
  ["address", "geocod", "autocomplet"],
  ["map", "tile", "raster"],
  ["mileag", "logbook", "journe", "odomet"],
  ["undo", "roll", "rollback", "revert", "downgrad"],
  ["audit", "histor", "chang"],
  ["mov", "migrat", "transfer", "restor"],
  ["batter", "drain", "option"],
  ["snap", "match"],
  ["near", "nearb", "around", "close"],
  ["shop", "store", "place", "restaurant", "coffe"],
  ["cost", "pric"],
  ["walk", "simulat"],
  ["permission", "role", "access", "sso"],
  ["trigger", "generat", "arriv", "miss"],
  ["parcel", "packag", "shipment", "courier", "trip"],
];

/** Words that say nothing about the topic. */
const SMALL = new Set(
  "a an the of to for in on my how do does i is it and with what why who not too much can get see from at by another than are was were be been this that there where when until long your our its"
    .split(" ")
    .map(stemOf),
);
/** Of this many words, one may be missing; of more, up to half. */
const MANY = 3;

/** From this many letters on, a word of the query may have one typo, and from the second number on, two. */
const TYPOS_FROM = [5, 9] as const;

/** A word and the other words for it. */
function sameAs(word: string): string[] {
  // "approach" is no other word for "app".
  const isOf = (line: readonly string[]) =>
    line.some(
      (one) => word === one || (one.length > 3 && word.startsWith(one)) || (word.length > 3 && one.startsWith(word)),
    );
  return SYNONYMS.filter(isOf).flat();
}

export function entriesOf({ paths }: Reference): Searched[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = "", parameters = [] }]) => ({
      page: REFERENCE,
      title: `${method.toUpperCase()} ${path}`,
      href: `/docs#${operationId}`,
      text: `${summary} ${description} ${operationId} ${parameters.map(({ name }) => name).join(" ")}`,
    })),
  );
}

/** The words of a text, without the endings of plurals and verbs: "Retries" and "retry" are one word. */
function stemsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf);
}

export function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return word.slice(0, -3);
  if (word.length > 3 && word.endsWith("y")) return word.slice(0, -1);
  if (word.length > 5 && /ings?$/.test(word)) return word.slice(0, word.lastIndexOf("ing"));
  if (word.length > 4 && word.endsWith("ed")) return word.slice(0, -2);
  if (word.length > 4 && word.endsWith("es")) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/**
 * The entries with every word of the query or another word for it, the best first. A word may be the beginning of a longer one. Guides come
 * before endpoints, unless the query has a slash or is the name of an endpoint.
 */
export function search<E extends Searched>(entries: readonly E[], query: string): E[] {
  const wanted = query.trim().toLowerCase();
  const all = stemsOf(wanted);
  const words = all.some((word) => !SMALL.has(word)) ? all.filter((word) => !SMALL.has(word)) : all;
  if (words.length === 0) return [];
  const pages = entries.map((entry) => ({ entry, stems: stemsIn(entry) }));
  const isThere = (word: string) => pages.some(({ stems }) => ownScore(stems, word) > 0);
  // A word that few entries have says more about what is looked for (Spärck Jones, 1972).
  const terms = words.map((typed) => {
    const isKnown = isThere(typed) || sameAs(typed).some(isThere);
    const word = isKnown
      ? typed
      : corrected(
          typed,
          pages.map(({ stems }) => stems),
        );
    const having = pages.filter(({ stems }) => ownScore(stems, word) > 0).length;
    const isComplete = pages.some(({ stems }) => Object.values(stems).some((all) => all.includes(word)));
    return {
      word,
      others: sameAs(word),
      beginning: isComplete ? OTHER_WORD : BEGINNING,
      weight: Math.log(1 + entries.length / (1 + having)),
    };
  });
  const scored = (mayMiss: number) =>
    pages
      .map(({ entry, stems }) => ({ entry, score: scoreOf(entry, stems, wanted, terms, mayMiss) }))
      .filter(({ score }) => score !== 0)
      .sort((a, b) => b.score - a.score);
  // Entries with a part of the words are better than none.
  let found = scored(words.length < MANY ? 0 : Math.floor(words.length / 2));
  for (let miss = 1; found.length === 0 && miss < words.length; miss++) found = scored(miss);
  return found.slice(0, MAX_RESULTS).map(({ entry }) => entry);
}

/** The nearest word of the entries, and of those equally near the most frequent; the word itself if none is near. */
function corrected(word: string, all: readonly Stems[]): string {
  const typos = TYPOS_FROM.filter((length) => word.length >= length).length;
  if (typos === 0) return word;
  const counts = new Map<string, number>();
  for (const { title, page, text } of all)
    for (const stem of [...title, ...page, ...text])
      if (Math.abs(stem.length - word.length) <= typos && stem.length >= TYPOS_FROM[0] - 1)
        counts.set(stem, (counts.get(stem) ?? 0) + 1);
  let [best, bestTypos, bestCount] = [word, typos + 1, 0];
  for (const [stem, count] of counts) {
    const needed = typosBetween(word, stem);
    if (needed < bestTypos || (needed === bestTypos && needed <= typos && count > bestCount))
      [best, bestTypos, bestCount] = [stem, needed, count];
  }
  return best;
}

/** Letters to add, leave out, replace or swap with the next (optimal string alignment: Boytsov, 2011). */
function typosBetween(a: string, b: string): number {
  let [previous, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], previous[j - 2] + 1);
    }
    [previous, row] = [row, next];
  }
  return row[b.length];
}

interface Term {
  word: string;
  /** Other words for it. */
  others: readonly string[];
  /** What the beginning of a longer word counts. */
  beginning: number;
  weight: number;
}

type Stems = Record<keyof typeof SCORES, readonly string[]>;

/** The stems of an entry, computed once. */
const known = new WeakMap<Searched, Stems>();

function stemsIn(entry: Searched): Stems {
  const isGuide = entry.page !== REFERENCE;
  const stems = known.get(entry) ?? {
    title: stemsOf(entry.title),
    page: isGuide ? stemsOf(entry.page) : [],
    text: stemsOf(entry.text),
  };
  known.set(entry, stems);
  return stems;
}

const isIn = (stems: readonly string[], word: string, beginning: number = BEGINNING) =>
  stems.includes(word) ? 1 : stems.some((stem) => stem.startsWith(word)) ? beginning : 0;

function ownScore({ title, page, text }: Stems, word: string, beginning: number = BEGINNING): number {
  const inText = isIn(text, word, beginning);
  const often = inText === 0 ? 0 : 1 + Math.log2(1 + text.filter((stem) => stem.startsWith(word)).length);
  const inHead = SCORES.title * isIn(title, word, beginning) + SCORES.page * isIn(page, word, beginning);
  return inHead + (SCORES.text * inText * often) / 2;
}

function scoreOf(
  { page, title, href }: Searched,
  stems: Stems,
  wanted: string,
  terms: readonly Term[],
  mayMiss: number,
): number {
  const isGuide = page !== REFERENCE;
  let score = 0;
  let isTopic = true;
  let missing = 0;
  for (const { word, others, beginning, weight } of terms) {
    const found = Math.max(ownScore(stems, word, beginning), ...others.map((one) => ownScore(stems, one) * SYNONYM));
    if (found === 0 && ++missing > mayMiss) return 0;
    score += found * weight;
    isTopic &&= isIn(stems.title, word) > 0 || isIn(stems.page, word) > 0;
  }
  if (isGuide && isTopic) score += TOPIC;
  if (stems.title.join(" ") === terms.map(({ word }) => word).join(" ")) score += EXACT;
  if (isGuide) return score;
  const isNamed = wanted.includes("/")
    ? title.toLowerCase().includes(wanted)
    : href.toLowerCase().endsWith(`#${wanted}`);
  return score + (isNamed ? ASKED_FOR : LAST);
}
