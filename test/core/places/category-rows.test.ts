import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CATEGORIES, CATEGORY_TAGS, categoriesOf, slugsOf } from "../../../src/core/places/categories.ts";

/*
 * category-rows.txt has each category with the tags that lead to it. Slugs are names of the API, and imported places keep
 * the number of their row: a row may only be added at the end.
 */
const ROWS = readFileSync(join(import.meta.dirname, "category-rows.txt"), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [path, patterns] = line.split(": ");
    return { path, patterns: patterns.split(", ") };
  });

/** Each combination of values that "amenity=cafe|bar + cuisine=coffee" stands for. */
function combinations(pattern: string): Record<string, string>[] {
  return pattern.split(" + ").reduce<Record<string, string>[]>(
    (tags, condition) => {
      const [key, values] = condition.split("=");
      const each = values === "*" ? ["something"] : values.split("|");
      return tags.flatMap((one) => each.map((value) => ({ ...one, [key]: value })));
    },
    [{}],
  );
}

describe("the rows of the category table", () => {
  it("keep their numbers and slugs", () => {
    expect(CATEGORIES.slice(0, ROWS.length).map(({ path }) => path.join("/"))).toEqual(ROWS.map(({ path }) => path));
  });

  it.each(ROWS.map(({ path, patterns }, row) => [path, row, patterns] as const))(
    "%s has its tags",
    (path, row, tags) => {
      for (const pattern of tags)
        for (const one of combinations(pattern)) {
          // A group stands back where its tags lead to something more specific as well.
          expect([one, categoriesOf(one)]).toEqual([one, [row]]);
          expect(slugsOf(categoriesOf(one))).toEqual(path.split("/"));
        }
    },
  );

  it("are reached by tags that an import reads", () => {
    const first = (pattern: string) => pattern.split(" + ")[0];
    const read = ROWS.flatMap(({ patterns }) => patterns.map(first)).flatMap((condition) => {
      const [key, values] = condition.split("=");
      return values === "*" ? [key] : values.split("|").map((value) => `${key}=${value}`);
    });
    expect(CATEGORY_TAGS).toEqual(expect.arrayContaining(read));
  });
});
