import { AddressCollector } from "../../geocoding/collector.ts";
import { coverageOf } from "../../geocoding/coverage.ts";
import { ADDRESSES_VERSION } from "../../geocoding/entry.ts";
import { packAddresses } from "../../geocoding/pack.ts";
import { CATEGORY_TAGS } from "../../places/categories.ts";
import type { Bounds, Layer } from "../layer.ts";
import { GEONAMES, worldCities } from "../world/cities.ts";
import { collectOpenAddresses, openAddressBounds } from "./collect-open-addresses.ts";
import { collectOsm } from "./collect-osm.ts";
import { regionsAround } from "./regions-around.ts";
import { Settlements } from "./settlements.ts";

/** Addresses, streets, places and regions that can be found by name. */
export const addressesLayer: Layer = {
  name: "addresses",
  formatVersion: ADDRESSES_VERSION,
  summary: "house numbers, streets, names of places and regions, for geocoding",
  reads: {
    nodes: [...new Set(["addr:housenumber", "place", ...CATEGORY_TAGS])].sort(),
    ways: [...new Set(["addr:housenumber", "addr:interpolation", "highway", ...CATEGORY_TAGS])].sort(),
    relations: [
      ...new Set([
        "addr:housenumber",
        "boundary=administrative",
        "boundary=postal_code",
        "type=associatedStreet",
        "type=street",
        ...CATEGORY_TAGS,
      ]),
    ].sort(),
  },
  files: ["addresses"],
  async build(input, out, progress) {
    const bounds: Bounds[] = [];
    for (const path of input.files.addresses) {
      const box = await openAddressBounds(path);
      if (box) bounds.push(box);
    }
    const regions = await regionsAround(input, bounds);
    const settlements = new Settlements();
    const boxes = [...input.extracts.map((extract) => extract.bounds), ...bounds];
    if (settlements.addCities(worldCities(), boxes) > 0) out.source(GEONAMES);
    const collector = new AddressCollector();
    await collectOsm(input, regions, settlements, collector, out, progress);
    for (const path of input.files.addresses) {
      await collectOpenAddresses(path, regions, settlements, collector, out, progress);
    }
    if (collector.isEmpty) return;
    if (bounds.length > 0) for (const box of boxes) out.area(box);
    for (const [area, count] of coverageOf(collector)) out.count(`addresses in ${area}`, count);
    for (const { key, bytes } of packAddresses(collector)) {
      out.count(`objects of ${key.split("/")[1]}`);
      await out.write(key, bytes);
    }
  },
};
