import { describe, expect, it } from "vitest";
import {
  CATEGORIES,
  CATEGORY_SLUGS,
  CATEGORY_TAGS,
  categoriesOf,
  rowOfSlug,
  rowsWithSlugs,
  slugsOf,
} from "../../../src/core/places/categories.ts";

const slugs = (tags: Record<string, string>) => slugsOf(categoriesOf(tags));

describe("the category table", () => {
  it("has paths of one to three slugs, each path once, no slug on two branches", () => {
    const paths = CATEGORIES.map(({ path }) => path.join("/"));
    expect(new Set(paths).size).toBe(paths.length);
    const parents = new Map<string, string>();
    for (const { path } of CATEGORIES) {
      expect(path.length).toBeLessThanOrEqual(3);
      path.forEach((slug, i) => {
        expect(slug).toMatch(/^[a-z]+(-[a-z]+)*$/);
        const above = path.slice(0, i).join("/");
        expect(parents.get(slug) ?? above, slug).toBe(above);
        parents.set(slug, above);
      });
    }
  });

  it("has about 120 slugs to search by, and room for them in a byte", () => {
    expect(CATEGORY_SLUGS.size).toBeGreaterThan(110);
    expect(CATEGORIES.length).toBeLessThan(255);
  });

  it("gives no pattern to two categories", () => {
    const patterns = CATEGORIES.flatMap(({ patterns }) =>
      patterns.flatMap((pattern) => {
        const [first, ...rest] = pattern.split(" ");
        const [key, values] = first.split("=");
        return values.split("|").flatMap((value) => {
          if (rest.length === 0) return [`${key}=${value}`];
          return rest[0]
            .split("=")[1]
            .split("|")
            .map((second) => `${key}=${value} ${rest[0].split("=")[0]}=${second}`);
        });
      }),
    );
    expect(patterns.filter((pattern, i) => patterns.indexOf(pattern) !== i)).toEqual([]);
  });

  it("reaches every category by its own patterns", () => {
    CATEGORIES.forEach(({ path, patterns }, row) => {
      for (const pattern of patterns) {
        const tags = Object.fromEntries(
          pattern.split(" ").map((condition) => {
            const [key, values] = condition.split("=");
            return [key, values === "*" ? "anything" : values.split("|")[0]];
          }),
        );
        expect(categoriesOf(tags), `${pattern} → ${path.join("/")}`).toContain(row);
      }
    });
  });

  it("asks the reader for all tags that lead somewhere", () => {
    expect(CATEGORY_TAGS).toContain("amenity=cafe");
    expect(CATEGORY_TAGS).toContain("shop");
    expect(CATEGORY_TAGS).toContain("landuse=cemetery");
    expect(CATEGORY_TAGS).not.toContain("amenity=bench");
  });
});

describe("what a place is, by its tags", () => {
  const cases: [tags: Record<string, string>, slugs: string[]][] = [
    [{ amenity: "cafe", cuisine: "coffee_shop" }, ["food-beverage", "cafe", "coffee-shop"]],
    [{ amenity: "cafe", cuisine: "regional" }, ["food-beverage", "cafe"]],
    [{ amenity: "fast_food", cuisine: "chicken;burger" }, ["food-beverage", "restaurant", "burger-restaurant"]],
    [{ amenity: "fast_food" }, ["food-beverage", "restaurant", "fast-food-restaurant"]],
    [{ amenity: "restaurant", cuisine: "Thai" }, ["food-beverage", "restaurant"]],
    [{ shop: "supermarket" }, ["shopping-retail", "food-grocery", "supermarket"]],
    [{ shop: "candles" }, ["shopping-retail"]],
    [{ shop: "no" }, []],
    [
      { amenity: "fuel", shop: "convenience" },
      ["shopping-retail", "food-grocery", "convenience-store", "automotive", "gas-station"],
    ],
    [{ amenity: "fuel", shop: "kiosk" }, ["automotive", "gas-station"]],
    [{ amenity: "place_of_worship" }, ["religion"]],
    [{ amenity: "place_of_worship", religion: "muslim" }, ["religion", "mosque"]],
    [{ aeroway: "aerodrome", iata: "QMZ" }, ["travel-transportation", "airport"]],
    [{ railway: "station", station: "subway" }, ["travel-transportation", "train-station", "subway-station"]],
    [{ leisure: "garden" }, []],
    [{ leisure: "garden", access: "yes" }, ["sports-recreation", "park", "garden"]],
    [{ amenity: "bench" }, []],
    [{ highway: "residential", name: "Pizza Street" }, []],
    [{ constructor: "yes" }, []],
  ];
  for (const [tags, expected] of cases) {
    it(`${Object.entries(tags)
      .map((pair) => pair.join("="))
      .join(" ")} → ${expected.at(-1) ?? "nothing"}`, () => {
      expect(slugs(tags)).toEqual(expected);
    });
  }

  it("is found by slugs of any level", () => {
    const burger = categoriesOf({ amenity: "restaurant", cuisine: "burger" });
    for (const slug of ["food-beverage", "restaurant", "burger-restaurant"]) {
      expect(burger.some((row) => rowsWithSlugs([slug]).has(row))).toBe(true);
    }
    expect(burger.some((row) => rowsWithSlugs(["cafe", "unheard-of"]).has(row))).toBe(false);
    expect(rowsWithSlugs(["unheard-of"]).size).toBe(0);
  });

  it("can be set by an operator with one slug", () => {
    expect(slugsOf([rowOfSlug("coffee-shop")!])).toEqual(["food-beverage", "cafe", "coffee-shop"]);
    expect(rowOfSlug("apparel")).toBeUndefined();
    expect(rowOfSlug("unheard-of")).toBeUndefined();
  });
});
