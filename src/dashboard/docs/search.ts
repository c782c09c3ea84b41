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
/** A guide whose headings have every word is about them; an endpoint only uses them. */
const TOPIC = 12;
/** A whole title that is the query. */
const EXACT = 8;
/** An endpoint that is asked for by its path. */
const PATH = 100;

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
 * The entries with every word of the query, the best first. A word may be the beginning of a longer one. For words that are a topic,
 * guides come before endpoints; a query with a slash looks for endpoints.
 */
export function search<E extends Searched>(entries: readonly E[], query: string): E[] {
  const wanted = query.trim().toLowerCase();
  const words = stemsOf(wanted);
  if (words.length === 0) return [];
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, wanted, words) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ entry }) => entry);
}

function scoreOf({ page, title, text }: Searched, wanted: string, words: readonly string[]): number {
  const [inTitle, inPage, inText] = [title, page, text].map(stemsOf);
  const isGuide = page !== REFERENCE;
  let score = 0;
  let isTopic = true;
  for (const word of words) {
    const has = (stems: readonly string[]) => stems.some((stem) => stem.startsWith(word));
    const [titled, paged] = [has(inTitle), isGuide && has(inPage)];
    const found = (titled ? SCORES.title : 0) + (paged ? SCORES.page : 0) + (has(inText) ? SCORES.text : 0);
    if (found === 0) return 0;
    score += found;
    isTopic &&= titled || paged;
  }
  if (isGuide && isTopic) score += TOPIC;
  if (stemsOf(title).join(" ") === words.join(" ")) score += EXACT;
  if (!isGuide && wanted.includes("/") && title.toLowerCase().includes(wanted)) score += PATH;
  return score;
}
