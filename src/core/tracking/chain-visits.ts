import type { ChainVisits, UserState } from "./types/state.ts";
import type { Chain } from "./types/surroundings.ts";

/** Maximum number of chains in a user's visit counts. */
const MAX_CHAINS = 50;

/** Counts a visit to a chain's place. If there are too many chains, the least recently visited one is dropped. */
export function countVisit(visits: UserState["chainVisits"] = {}, chain: Chain, at: number): UserState["chainVisits"] {
  const { slug, name, externalId } = chain;
  const counted: Record<string, ChainVisits> = { ...visits };
  counted[slug] = { name, externalId, count: (visits[slug]?.count ?? 0) + 1, lastAt: at };
  const slugs = Object.keys(counted);
  if (slugs.length > MAX_CHAINS) {
    const oldest = slugs.filter((one) => one !== slug).sort((a, b) => counted[a].lastAt - counted[b].lastAt)[0];
    delete counted[oldest];
  }
  return counted;
}

/** The most visited chains of a user, at most `limit`; of equals, the most recently visited comes first. */
export function topChains(visits: UserState["chainVisits"] = {}, limit: number): Chain[] {
  return Object.entries(visits)
    .sort(([a, one], [b, other]) => other.count - one.count || other.lastAt - one.lastAt || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([slug, { name, externalId }]) => ({ slug, name, externalId }));
}
