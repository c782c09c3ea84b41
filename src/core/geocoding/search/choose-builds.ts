import type { AddressIndex } from "../index/address-index.ts";
import { probeOf } from "../index/word-filter.ts";
import { parseQuery } from "../parse/query.ts";

/** Number of builds searched together, and maximum number of turns while nothing is found. */
export const BUILDS_AT_ONCE = 8;
export const MAX_TURNS = 3;
/**
 * A build is skipped if its score is below the first share of the best build's, and in a later turn if it is below the
 * second.
 */
const MIN_QUERY_SHARE = 0.4;
const MIN_TURN_SHARE = 0.9;

export interface Candidate<T> {
  build: T;
  index: AddressIndex;
}

/**
 * Returns the builds to search for a text, in turns of at most eight, those that have most of its words first. A word
 * that few builds have, such as a town's name, has a higher weight. The builds of `always` are in the first turn
 * whatever words they have, and so is a build from before word filters existed.
 */
export async function chooseBuilds<T>(
  candidates: readonly Candidate<T>[],
  text: string,
  { open = false, always = [] }: { open?: boolean; always?: readonly T[] } = {},
): Promise<Candidate<T>[][]> {
  if (candidates.length <= BUILDS_AT_ONCE) return candidates.length === 0 ? [] : [[...candidates]];
  const { words } = parseQuery(text, open);
  const probes = words.map(probeOf);
  const known = await Promise.all(candidates.map(({ index }) => index.holds(probes)));
  const weights = words.map(({ weight, number, text: { length } }, i) => {
    const having = known.filter((one) => one && one.qualities[i] > 0.9).length;
    // Numbers and words for streets are in every build, so they do not distinguish builds.
    const telling = number && length < 4 ? 0.2 : weight;
    return telling * Math.log(1 + (known.length + 1) / (having + 1));
  });
  const score = (i: number) => known[i]?.qualities.reduce((sum, quality, w) => sum + quality * weights[w], 0) ?? 0;
  const ranked = candidates.map((candidate, i) => {
    const asked = always.includes(candidate.build) || known[i] === undefined;
    return { candidate, asked, score: score(i), entries: known[i]?.entries ?? 0, i };
  });
  const best = ranked.reduce((most, one) => Math.max(most, one.score), 0);
  const chosen = ranked
    .filter((one) => one.asked || (one.score > 0 && one.score >= best * MIN_QUERY_SHARE))
    .sort((a, b) => b.score - a.score || b.entries - a.entries || a.i - b.i);
  // At most half of the first turn is used for the builds that are always searched.
  const given = chosen.filter(({ asked }) => asked).slice(0, BUILDS_AT_ONCE / 2);
  const rest = chosen.filter((one) => !given.includes(one));
  const free = BUILDS_AT_ONCE - given.length;
  const turns = [[...given, ...rest.slice(0, free)]];
  const later = rest.slice(free).filter((one) => one.asked || one.score >= best * MIN_TURN_SHARE);
  for (let at = 0; turns.length < MAX_TURNS && at < later.length; at += BUILDS_AT_ONCE)
    turns.push(later.slice(at, at + BUILDS_AT_ONCE));
  return turns.map((turn) => turn.map(({ candidate }) => candidate));
}
