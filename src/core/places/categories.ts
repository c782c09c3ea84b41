import TABLE from "./categories.json" with { type: "json" };

/**
 * Categories of places, from their OSM tags. A category is a path of up to three slugs, group first:
 * `food-beverage/restaurant/burger-restaurant`. A place carries every slug of its paths, so a search for `restaurant`
 * finds burgers too.
 *
 * The slugs match those that clients of this API already use (`burger-restaurant`, `coffee-shop`, `gas-station`); if no
 * public slug exists, we chose one. A row of categories.json lists the tag patterns that lead to its path: space-separated conditions must
 * all hold, `|` separates values, `*` is any value but `no`. The pattern with the most conditions wins, then the
 * earlier row.
 */
interface Category {
  /** Slugs from the group down: ["food-beverage", "cafe", "coffee-shop"]. */
  path: readonly string[];
  patterns: readonly string[];
}

/**
 * Every row of the table. A place stores the row's number, so rows are only ever added at the end of a format version.
 */
export const CATEGORIES: readonly Category[] = Object.entries(TABLE).map(([path, patterns]) => ({
  path: path.split("/"),
  patterns,
}));

/** Every slug that a search may use, on any level. */
export const CATEGORY_SLUGS: ReadonlySet<string> = new Set(CATEGORIES.flatMap(({ path }) => path));

interface Pattern {
  category: number;
  conditions: { key: string; values: ReadonlySet<string> | undefined }[];
}

/** Patterns by the key of their first condition, those with most conditions first. */
const PATTERNS_BY_KEY = new Map<string, Pattern[]>();
CATEGORIES.forEach(({ patterns }, category) => {
  for (const text of patterns) {
    const conditions = text.split(" ").map((condition) => {
      const [key, values] = condition.split("=");
      return { key, values: values === "*" ? undefined : new Set(values.split("|")) };
    });
    const key = conditions[0].key;
    PATTERNS_BY_KEY.set(key, [...(PATTERNS_BY_KEY.get(key) ?? []), { category, conditions }]);
  }
});
for (const patterns of PATTERNS_BY_KEY.values()) patterns.sort((a, b) => weight(b) - weight(a));

/** More conditions are more specific, and naming values is more specific than `*`. */
function weight({ conditions }: Pattern): number {
  return conditions.reduce((sum, { values }) => sum + (values ? 10 : 1), 0);
}

/**
 * Rows of the table that match the tags, at most one per tag key, in the table's order. A gas station with a shop has
 * two; the bare groups are replaced by anything more specific.
 */
export function categoriesOf(tags: Readonly<Record<string, string>>): number[] {
  const found = new Set<number>();
  for (const [key, patterns] of PATTERNS_BY_KEY) {
    if (tags[key] === undefined) continue;
    const match = patterns.find(({ conditions }) => conditions.every(({ key, values }) => holds(tags[key], values)));
    if (match) found.add(match.category);
  }
  const rows = [...found].sort((a, b) => a - b);
  const specific = rows.filter((row) => CATEGORIES[row].path.length > 1);
  return specific.length > 0 ? specific : rows;
}

/** OSM lists several values with semicolons; any of them will do. */
function holds(value: string | undefined, values: ReadonlySet<string> | undefined): boolean {
  if (value === undefined || value === "no") return false;
  if (!values) return true;
  return values.has(value) || (value.includes(";") && value.split(";").some((part) => values.has(part.trim())));
}

/**
 * OSM tags that make a feature a place: "key=value" pairs, or "key" if any value will do. Other features need not be
 * read.
 */
export const CATEGORY_TAGS: readonly string[] = [
  ...new Set(
    [...PATTERNS_BY_KEY].flatMap(([key, patterns]) =>
      patterns.flatMap(({ conditions: [{ values }] }) =>
        values ? [...values].map((value) => `${key}=${value}`) : [key],
      ),
    ),
  ),
].sort();

/** The row whose path ends in a slug; undefined for slugs that only group others. */
export function rowOfSlug(slug: string): number | undefined {
  const row = CATEGORIES.findIndex(({ path }) => path[path.length - 1] === slug);
  return row < 0 ? undefined : row;
}

/** The OSM tag that is typical of a place with these slugs; undefined if they are only groups. */
export function tagOfSlugs(slugs: readonly string[]): readonly [key: string, value: string] | undefined {
  for (let i = slugs.length - 1; i >= 0; i--) {
    const row = rowOfSlug(slugs[i]);
    if (row === undefined) continue;
    const [key, values] = CATEGORIES[row].patterns[0].split(" ")[0].split("=");
    return [key, values === "*" ? "yes" : values.split("|")[0]];
  }
  return undefined;
}

/** All slugs of some rows, each once: the place's `categories` on the wire. */
export function slugsOf(rows: readonly number[]): string[] {
  // Most places have one path.
  if (rows.length === 1) return [...CATEGORIES[rows[0]].path];
  return [...new Set(rows.flatMap((row) => CATEGORIES[row].path))];
}

/** The rows whose path contains one of the slugs, for a search by category. Unknown slugs match nothing. */
export function rowsWithSlugs(slugs: readonly string[]): ReadonlySet<number> {
  const wanted = new Set(slugs);
  const rows = new Set<number>();
  CATEGORIES.forEach(({ path }, row) => {
    if (path.some((slug) => wanted.has(slug))) rows.add(row);
  });
  return rows;
}
