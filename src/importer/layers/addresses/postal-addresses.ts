import { basename } from "node:path";
import { ADDRESSES_VERSION, NO_CONTEXT } from "../../../core/geocoding/entry/entry.ts";
import { COVERAGE_KEY, encodeCoverage } from "../../../core/geocoding/index/coverage.ts";
import type { NewEntry } from "../../../core/geocoding/index/names-tile.ts";
import { HeadBuilder } from "../../../core/geocoding/index/pack-head.ts";
import { WordFilterBuilder } from "../../../core/geocoding/index/word-filter.ts";
import { tokensOf } from "../../../core/geocoding/words/normalise.ts";
import type { Layer } from "../../frame/layer.ts";
import { SpillFile, sortersIn } from "../../frame/spill.ts";
import { type PostalPlace, readPostalDump } from "../../sources/postal-dump.ts";
import { GEONAMES } from "../../world/cities.ts";
import { REGION_IMPORTANCE } from "./steps/collect-osm.ts";

/** A code is a point: how far around its places the build is asked [degrees]. */
const MARGIN = 0.1;

/**
 * Postal codes of GeoNames as their own build, of any countries: found by code, with a country or a place next to it. Like
 * the world base it has only a head, as no one asks which of them is around a point.
 */
export const postalAddresses: Layer = {
  name: "addresses",
  formatVersion: ADDRESSES_VERSION,
  summary: "postal codes of GeoNames, for geocoding",
  reads: {},
  files: ["addresses"],
  async build({ resources, files }, out, progress) {
    const store = new SpillFile(resources.path("head"));
    const head = new HeadBuilder(sortersIn(resources, 0.3), store);
    const filter = new WordFilterBuilder(sortersIn(resources, 0.2));
    const box: Box = [180, 90, -180, -90];
    let count = 0;
    progress.expect(0, "postal codes");
    for (const path of files.addresses) {
      for await (const { places, unread } of readPostalDump(path)) {
        if (unread > 0) out.count("left out: line of a file without a country, a code or a position", unread);
        for (const place of places) {
          head.add(entryOf(place), count++);
          const { code, place: town } = place;
          filter.add([code, joined(code), town].flatMap(tokensOf), tokensOf(town));
          widen(box, place);
        }
        if (places.length > 0) out.count("postal codes", places.length);
        progress.advance(places.length);
      }
      out.source({ ...GEONAMES, name: `GeoNames: ${basename(path)}`, edition: "postal codes" });
    }
    if (count > 0) out.area(box);
    await out.write(COVERAGE_KEY, encodeCoverage(new Map()));
    for (const { key, bytes } of filter.finish()) await out.write(key, bytes);
    for (const { key, bytes } of head.finish()) await out.write(key, bytes);
    store.close();
  },
};

function entryOf({ at, country, code, place, state, stateCode, county }: PostalPlace): NewEntry {
  return {
    kind: "postalCode",
    name: code,
    context: { ...NO_CONTEXT, city: place, county, state, stateCode, countryCode: country },
    postalCode: code,
    ...at,
    importance: REGION_IMPORTANCE.postalCode,
    ...(joined(code) !== code && { aliases: [["", joined(code)]] }),
  };
}

/** As it is also written: "SW1A1AA", "1500001". */
const joined = (code: string): string => code.replace(/[\s-]/g, "");

type Box = [west: number, south: number, east: number, north: number];

function widen(box: Box, { at: { latitude, longitude } }: PostalPlace): void {
  box[0] = Math.max(-180, Math.min(box[0], longitude - MARGIN));
  box[1] = Math.max(-90, Math.min(box[1], latitude - MARGIN));
  box[2] = Math.min(180, Math.max(box[2], longitude + MARGIN));
  box[3] = Math.min(90, Math.max(box[3], latitude + MARGIN));
}
