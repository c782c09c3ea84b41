import TABLE from "./postal-areas.json" with { type: "json" };

/**
 * The city around postal codes, by how they begin: the longest beginning counts. postal-areas.json has for each country its cities, each
 * with the beginnings. Written for this list from the postal services' own overviews: facts that every atlas has.
 */
const known = new Map<string, Map<string, string>>();

function areasOf(country: string): Map<string, string> {
  let areas = known.get(country);
  if (!areas) {
    const list = (TABLE as Record<string, string>)[country] ?? "";
    areas = new Map();
    for (const entry of list === "" ? [] : list.split(",")) {
      const [, city, starts] = /^(.+?)((?: (?:[A-Z]{1,2}|[A-Z]?\d[A-Z\d]*))+)$/.exec(entry) ?? [];
      for (const start of starts.trim().split(" ")) areas.set(start, city);
    }
    known.set(country, areas);
  }
  return areas;
}

/** The city that a postal code of a country belongs to, or is near; undefined if none is known. */
export function cityOfPostalCode(country: string, code: string): string | undefined {
  const areas = areasOf(country);
  const letters = code.replace(/[ -]/g, "");
  // "B1 1BB" is in Birmingham, "BS1 1AA" in Bristol.
  const most = country === "GB" ? (/^[A-Z]+/.exec(letters)?.[0].length ?? 0) : letters.length;
  for (let length = most; length > 0; length--) {
    const city = areas.get(letters.slice(0, length));
    if (city !== undefined || country === "GB") return city;
  }
  return undefined;
}

/** Countries with cities by postal code, the likeliest first where a code may be of several. */
export const COUNTRIES_BY_CODE: readonly string[] = Object.keys(TABLE);
