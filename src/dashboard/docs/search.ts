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

/** What a word counts by where it is found. */
const SCORES = { title: 10, page: 6, text: 1 } as const;
/** A guide whose headings have every word is about them. */
const TOPIC = 12;
/** A whole title that is the query. */
const EXACT = 8;
/** What another word for the same counts, as a share of the word itself. */
const SYNONYM = 0.25;
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
];

/** Words that say nothing about the topic. */
const SMALL = new Set(["a", "an", "the", "of", "to", "for", "in", "on", "my", "how", "do", "i", "is", "and", "with"]);
/** Of this many words, one may be missing. */
const MANY = 3;

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
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
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
  const scored = (mayMiss: number) =>
    entries
      .map((entry) => ({ entry, score: scoreOf(entry, wanted, words, mayMiss) }))
      .filter(({ score }) => score !== 0)
      .sort((a, b) => b.score - a.score);
  // Entries with a part of the words are better than none.
  let found = scored(words.length < MANY ? 0 : 1);
  for (let miss = 1; found.length === 0 && miss < words.length; miss++) found = scored(miss);
  return found.slice(0, MAX_RESULTS).map(({ entry }) => entry);
}

function scoreOf(
  { page, title, text, href }: Searched,
  wanted: string,
  words: readonly string[],
  mayMiss: number,
): number {
  const [inTitle, inPage, inText] = [title, page, text].map(stemsOf);
  const isGuide = page !== REFERENCE;
  let score = 0;
  let isTopic = true;
  let missing = 0;
  for (const word of words) {
    const scoreBy = (own: string) => {
      const has = (stems: readonly string[]) => stems.some((stem) => stem.startsWith(own));
      const [titled, paged] = [has(inTitle), isGuide && has(inPage)];
      return {
        isTopic: titled || paged,
        found: (titled ? SCORES.title : 0) + (paged ? SCORES.page : 0) + (has(inText) ? SCORES.text : 0),
      };
    };
    const own = scoreBy(word);
    const found = own.found || Math.max(0, ...sameAs(word).map((one) => scoreBy(one).found * SYNONYM));
    if (found === 0 && ++missing > mayMiss) return 0;
    score += found;
    isTopic &&= own.isTopic;
  }
  if (isGuide && isTopic) score += TOPIC;
  if (stemsOf(title).join(" ") === words.join(" ")) score += EXACT;
  if (isGuide) return score;
  const isNamed = wanted.includes("/")
    ? title.toLowerCase().includes(wanted)
    : href.toLowerCase().endsWith(`#${wanted}`);
  return score + (isNamed ? ASKED_FOR : LAST);
}
