import { rowOfSlug } from "./categories.ts";
import TABLE from "./overture-categories.json" with { type: "json" };

/**
 * Categories of Overture's places taxonomy (docs.overturemaps.org/guides/places/taxonomy, release of August 2026) by the last slug
 * of the category that they become. A place takes the most specific name of its hierarchy that is in the table; one without any is
 * not imported: offices of companies, services at the customer's home, and parts of nature that the map draws.
 */
export const OVERTURE_CATEGORIES: readonly (readonly [slug: string, names: readonly string[]])[] = Object.entries(
  TABLE,
).map(([slug, names]) => [slug, names.split(" ")]);

const ROWS = new Map<string, number>();
for (const [slug, names] of OVERTURE_CATEGORIES) {
  const row = rowOfSlug(slug);
  if (row === undefined) throw new Error(`there is no category ${slug}`);
  for (const name of names) ROWS.set(name, row);
}

/** Categories that a place may have besides the first one. */
const MAX_ROWS = 4;

/**
 * Rows of the category table for a place of Overture; none where nothing in it has a counterpart.
 *
 * @param hierarchy from the general to the special; only these names for a place from before the taxonomy
 * @param alternates other categories of the place
 */
export function rowsOfOverture(hierarchy: readonly string[], alternates: readonly string[]): number[] {
  const first = hierarchy.toReversed().find((name) => ROWS.has(name));
  if (first === undefined) return [];
  const rows = new Set([first, ...alternates].map((name) => ROWS.get(name)).filter((row) => row !== undefined));
  return [...rows].slice(0, MAX_ROWS);
}
