/** A chain of places, from OSM's `brand`. */
export interface Chain {
  slug: string;
  name: string;
  /** Where it is on the web, without "www.": "starbucks.com" (chain-domains.ts). */
  domain?: string;
}

type Tags = Readonly<Record<string, string>>;

/**
 * The chain of a place, from `brand`. The slug comes from a Latin name if there is one (`brand:en` before a brand in
 * another script), else from the brand's Wikidata number, so that the same chain has the same slug in every extract.
 */
export function chainOf(tags: Tags): Chain | undefined {
  const name = tags.brand?.split(";")[0].trim();
  if (!name) return undefined;
  const slug = chainSlug(tags["brand:en"] ?? name) || chainSlug(tags["brand:wikidata"] ?? "");
  return slug ? { slug, name } : undefined;
}

/**
 * "McDonald's" → "mcdonalds", "Café Crème" → "cafe-creme", "A & W" → "a-and-w"; "" when no Latin letter or digit is
 * left.
 */
export function chainSlug(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f'’`.]/g, "")
    .replace(/ß/g, "ss")
    .replace(/ø/g, "o")
    .replace(/æ/g, "ae")
    .replace(/ł/g, "l")
    .replace(/&|\+/g, " and ")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
