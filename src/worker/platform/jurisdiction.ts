/**
 * Jurisdictions of Cloudflare in which projects can be stored: the European Union and the United States. A project's
 * jurisdiction is that of its database, whose binding names it: DB_EU, DB_EU_2; DB and DB_2 are in none.
 * Source: Cloudflare's pages "Data location" of Durable Objects, D1 and R2, 2026-11.
 */
export const JURISDICTIONS = ["eu", "us"] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

export const isJurisdiction = (text: string): text is Jurisdiction => JURISDICTIONS.some((one) => one === text);

const BINDING = /^DB(?:_(EU|US))?(?:_([1-9]\d*))?$/;

/** Is it the name of a binding of a database with projects? */
export const isDatabaseBinding = (binding: string): boolean => BINDING.test(binding);

/** The jurisdiction of a database, by its binding; undefined: in none. */
export function jurisdictionOf(binding: string): Jurisdiction | undefined {
  return BINDING.exec(binding)?.[1]?.toLowerCase() as Jurisdiction | undefined;
}

/** The binding of the bucket with the files of a jurisdiction's projects: BUCKET_EU. */
export const bucketBinding = (jurisdiction: Jurisdiction): string => `BUCKET_${jurisdiction.toUpperCase()}`;

/** The order of databases: DB, DB_2 …, then DB_EU, DB_EU_2 …, then DB_US. */
export function compareBindings(a: string, b: string): number {
  const [one, other] = [a, b].map((binding) => BINDING.exec(binding) ?? []);
  const rank = ([, place]: readonly string[]) =>
    place ? JURISDICTIONS.indexOf(place.toLowerCase() as Jurisdiction) : -1;
  return rank(one as string[]) - rank(other as string[]) || Number(one[2] ?? 1) - Number(other[2] ?? 1);
}
