import type { AddressIndex } from "../index/address-index.ts";
import { tokensOf } from "../words/normalise.ts";
import { isSame } from "./pick.ts";
import { type Found, type SearchOptions, search } from "./search.ts";
import { searchAddress } from "./search-address.ts";

/**
 * Searches builds turn by turn (choose-builds.ts) until a matching result is found. Scores have one scale, so results
 * of several turns are ranked together. A text that is still being typed is searched by its words alone.
 */
export async function searchInTurns(
  turns: readonly (readonly AddressIndex[])[],
  text: string,
  options: SearchOptions,
): Promise<Found[]> {
  const ask = options.open ? search : searchAddress;
  let found: Found[] = [];
  for (const indexes of turns) {
    const more = await ask(indexes, text, options);
    found = found.length === 0 ? more : together(found, more, options);
    if (found.some(({ reached }) => reached)) break;
  }
  return found;
}

/** Removes duplicates, the best first; fallbacks for an address are dropped if the address itself is found. */
function together(found: readonly Found[], more: readonly Found[], { open, limit }: SearchOptions): Found[] {
  const all = [...found, ...more].sort((a, b) => b.score - a.score);
  const reached = !open && all.some(({ reached }) => reached);
  const out: (Found & { key: string })[] = [];
  for (const one of all) {
    if (out.length === limit) break;
    if (reached && !one.reached) continue;
    const keyed = { ...one, key: tokensOf(one.name).join(" ") };
    if (!out.some((other) => isSame(keyed, other))) out.push(keyed);
  }
  return out.map(({ key: _, ...one }) => one);
}
