import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { placesLayer } from "../../../src/importer/layers/places/places-layer.ts";
import { osmRegions } from "../../../src/importer/layers/regions/osm-regions.ts";
import type { OsmNode } from "../../../src/importer/osm/pbf/element.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { buildWorld } from "../../../src/importer/run/ensure-world.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { layers, worldLayers } from "../../../src/importer/run/layers.ts";
import { randomTown } from "../../core/routing/graph/random-town.ts";
import { isNight } from "../night.ts";
import { replayedLayer } from "./kept-layers.ts";

/** The worlds that tests with a Worker look at, each built through the importer, as an operator would. */
export const WORLDS = {
  /** The base that every installation has. By day, its layers are the ones that pure tests look at, so they are built once per run. */
  world: (bucket: Bucket, cache: string): Promise<unknown> =>
    buildWorld(bucket, cache, silent, isNight ? worldLayers : worldLayers.map(replayedLayer)),

  /** A town at 49° N on the border of the US and Canada. */
  async demo(bucket: Bucket, cache: string): Promise<unknown> {
    const path = join(cache, "demo.osm.pbf");
    await writeDemoWorld(path);
    const files = { addresses: [] };
    return importGeodata({ name: "demo", extracts: [path], files, layers, cache, bucket, reporter: silent });
  },

  /** The same town with one building block of nine, of which only regions and addresses are known. */
  async village(bucket: Bucket, cache: string): Promise<unknown> {
    const path = join(cache, "demo.osm.pbf");
    await writeDemoWorld(path, { size: 1 });
    const known = { layers: [osmRegions, addressesLayer], files: { addresses: [] } };
    return importGeodata({ name: "demo", extracts: [path], ...known, cache, bucket, reporter: silent });
  },

  /**
   * Part of Queens, New York: houses with ZIP+4, units and uses, a café, a neighborhood, and the operator's table of market
   * areas.
   */
  async queens(bucket: Bucket, cache: string): Promise<unknown> {
    const path = join(cache, "queens.osm.pbf");
    await writePbf(path, queens(), { bounds: [-73.77, 40.7, -73.72, 40.74], writingProgram: "graticule tests" });
    const dma = join(cache, "dma.csv");
    writeFileSync(dma, 'fips,code,name\n36081,501,"New York, NY"\n');
    const files = { addresses: [], dma };
    const own = [osmRegions, placesLayer, addressesLayer];
    return importGeodata({ name: "queens", extracts: [path], files, layers: own, cache, bucket, reporter: silent });
  },

  /** A town in the north of Portugal where on working days from eight to nine nothing moves. */
  async traffic(bucket: Bucket, cache: string): Promise<unknown> {
    const town = randomTown(20, 4);
    const path = join(cache, "traffic.osm.pbf");
    await writePbf(path, town, { bounds: [-8.01, 40.99, -7.96, 41.03], writingProgram: "graticule tests" });
    const speeds = join(cache, "speeds.csv");
    const ways = town.filter(({ type }) => type === "way");
    writeFileSync(speeds, `way_id,days,hours,speed\n${ways.map(({ id }) => `${id},Mo-Fr,08:00-09:00,4`).join("\n")}`);
    const files = { addresses: [], speeds };
    return importGeodata({ name: "traffic", extracts: [path], files, layers, cache, bucket, reporter: silent });
  },
};

function* queens(): Generator<OsmNode> {
  const at = (i: number) => ({ latitude: 40.72 + i * 0.0005, longitude: -73.745 });
  const street = { "addr:street": "Hollis Avenue", "addr:city": "New York" };
  const houses: Record<string, string>[] = [
    { "addr:housenumber": "217-14", "addr:postcode": "11429-1234", building: "house" },
    { "addr:housenumber": "217-20", "addr:postcode": "11429", building: "retail" },
    { "addr:housenumber": "217-26", "addr:postcode": "11429", "addr:unit": "1A;1B", building: "apartments" },
    { "addr:housenumber": "217-32", "addr:postcode": "11429" },
  ];
  for (const [i, tags] of houses.entries()) yield { type: "node", id: 1 + i, ...at(i), tags: { ...street, ...tags } };
  yield { type: "node", id: 10, ...at(1.5), tags: { place: "neighbourhood", name: "Queens Village" } };
  yield { type: "node", id: 11, ...at(2.2), tags: { amenity: "cafe", name: "Lorimer Coffee", ...street } };
}

export type WorldName = keyof typeof WORLDS;
