import type { Chain } from "./chains.ts";

type Tags = Readonly<Record<string, string>>;

/** Sites on which shops have pages, but which are not their own. */
const HOSTS_OF_OTHERS =
  /(?:^|\.)(?:facebook|fb|instagram|twitter|x|youtube|tiktok|linkedin|google|goo|tripadvisor|yelp|wikipedia|wixsite|blogspot|wordpress|booking|ubereats|linktr)\.[a-z.]+$/;
const TAGS = ["website", "contact:website", "url"] as const;

/**
 * "https://www.starbucks.com/store/42" → "starbucks.com"; undefined if it is not a URL, or is a page on one of these
 * sites.
 */
export function domainOf(website: string | undefined): string | undefined {
  const text = website?.split(";")[0].trim() ?? "";
  if (text === "" || /\s/.test(text)) return undefined;
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const host = new URL(address).hostname.replace(/^www\d?\./, "");
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(host) && !HOSTS_OF_OTHERS.test(host) ? host : undefined;
}

/**
 * The domains of chains, from OpenStreetMap's tags of their places: the chain's own website (`brand:website`), else the
 * one shared by more than half of its places with a website, and at least two. Otherwise a chain has no domain.
 */
export class ChainDomains {
  readonly #votes = new Map<string, { own: Map<string, number>; places: Map<string, number> }>();

  add(chain: Chain, tags: Tags): void {
    let votes = this.#votes.get(chain.slug);
    if (!votes) {
      votes = { own: new Map(), places: new Map() };
      this.#votes.set(chain.slug, votes);
    }
    count(votes.own, domainOf(tags["brand:website"]));
    count(
      votes.places,
      TAGS.map((tag) => domainOf(tags[tag])).find((domain) => domain !== undefined),
    );
  }

  of({ slug }: Chain): string | undefined {
    const votes = this.#votes.get(slug);
    return votes && (shared(votes.own, 1) ?? shared(votes.places, 2));
  }
}

function count(votes: Map<string, number>, domain: string | undefined): void {
  if (domain !== undefined) votes.set(domain, (votes.get(domain) ?? 0) + 1);
}

function shared(votes: ReadonlyMap<string, number>, least: number): string | undefined {
  const all = [...votes.values()].reduce((sum, number) => sum + number, 0);
  return [...votes].find(([, number]) => number >= least && number * 2 > all)?.[0];
}
