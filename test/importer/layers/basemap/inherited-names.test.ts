import { describe, expect, it } from "vitest";
import { areaClass } from "../../../../src/importer/layers/basemap/features/areas.ts";
import { placeFeature } from "../../../../src/importer/layers/basemap/features/places.ts";
import { POI_TAGS, poiFeature } from "../../../../src/importer/layers/basemap/features/pois.ts";
import { roadFeature } from "../../../../src/importer/layers/basemap/features/roads.ts";
import { waterwayFeature } from "../../../../src/importer/layers/basemap/features/waterways.ts";

const line = [[0, 0, 1000, 1000]];
const keys = new Set([
  ...POI_TAGS.map((tag) => tag.split("=")[0]),
  ...["water", "waterway", "place", "man_made", "public_transport", "area:highway", "aerialway", "route"],
]);

/** What the map shows of an element with this tag, as an area, a point and a line. */
function shown(key: string, value: string) {
  const tags = { [key]: value, name: "One", natural: "water", ...(key === "natural" && { natural: value }) };
  return JSON.stringify([
    areaClass({ [key]: value }),
    areaClass(tags),
    poiFeature(tags, [[0, 0]], 0),
    placeFeature(tags, [[0, 0]]),
    waterwayFeature(tags, line),
    roadFeature(tags, line, []),
  ]);
}

describe("a tag whose value is a name that every object inherits", () => {
  it("is on the map as any value that it does not know", () => {
    for (const key of keys) {
      const unknown = shown(key, "unknownvalue");
      for (const value of Object.getOwnPropertyNames(Object.prototype))
        expect(shown(key, value).replaceAll(value, "unknownvalue"), `${key}=${value}`).toBe(unknown);
    }
  });
});
