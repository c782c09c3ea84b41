import { describe, expect, it } from "vitest";
import { categoriesOf } from "../../../src/core/places/categories.ts";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";
import { compare } from "./compare.ts";
import { extract, type ImportedPlaces, importPlaces } from "./import-places.ts";

describe("places of real extracts", () => {
  for (const name of ["vancouver", "malta", "monaco", "queens-village-ny", "heidelberg"]) {
    const path = extract(`${name}.osm.pbf`);
    let once: Promise<ImportedPlaces> | undefined;
    const imported = () => {
      once ??= importPlaces(path!);
      return once;
    };
    it.skipIf(!path)(`are found as by brute force in ${name}${path ? "" : " (skipped: no extract)"}`, async () => {
      const { found, at } = await compare(await imported(), 120);
      expect(found).toBeGreaterThan(100);
      expect(at).toBeGreaterThan(10);
    });

    it.skipIf(!path)(`are as many as an own count of ${name} says${path ? "" : " (skipped: no extract)"}`, async () => {
      const { places, counts } = await imported();
      const isPlace = (tags: Readonly<Record<string, string>>) =>
        (tags.name ?? tags["name:en"] ?? tags.brand) !== undefined &&
        tags.disused !== "yes" &&
        tags.abandoned !== "yes" &&
        categoriesOf(tags).length > 0;
      const nodes = new Set<number>();
      const points = new Set<number>();
      const ways = new Map<number, readonly number[]>();
      const relations = new Set<number>();
      await scanPbf(path!, {
        node: ({ id, tags }) => void (nodes.add(id) && isPlace(tags) && points.add(id)),
        way: ({ id, refs, tags }) => void (isPlace(tags) && ways.set(id, refs)),
        relation: ({ id, tags }) => void (isPlace(tags) && relations.add(id)),
      });
      const located = [...ways.values()].filter((refs) => refs.some((ref) => nodes.has(ref)));
      expect(places.length).toBe(counts.places);
      // Relations may be cut by the extract's edge; everything else is there.
      const expected = points.size + located.length;
      expect(places.length).toBeGreaterThanOrEqual(expected);
      expect(places.length).toBeLessThanOrEqual(expected + relations.size);
    });
  }
});
