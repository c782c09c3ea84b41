import { expect, it } from "vitest";
import { extract } from "../../../core/places/import-places.ts";
import { importBasemap } from "./import-basemap.ts";

const monaco = extract("monaco.osm.pbf");

it.skipIf(!monaco)(
  `the basemap of Monaco has streets, the sea and the border${monaco ? "" : " (skipped: no extract)"}`,
  async () => {
    const map = await importBasemap(monaco!);
    const roads = await map.features("roads", 15, 7.4206, 43.7371);
    expect(roads.some(({ properties }) => properties.name === "Boulevard Albert 1er")).toBe(true);
    const harbour = await map.features("water", 15, 7.4262, 43.7356);
    expect(harbour.some(({ properties }) => properties.kind === "ocean")).toBe(true);
    expect(map.counts.buildings).toBeGreaterThan(5000);
  },
);
