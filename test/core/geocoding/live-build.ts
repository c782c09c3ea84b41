import { basename } from "node:path";
import { buildKey } from "../../../src/core/geo/builds/manifest.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { placesLayer } from "../../../src/importer/layers/places/places-layer.ts";
import { type Geodata, openGeodata } from "../../../src/worker/geodata/live.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { runLayer } from "../regions/extract-harness.ts";
import { worldBase } from "./index/demo-index.ts";

/** The names of the world base, live, and nothing else. */
export async function publishBase(): Promise<Geodata> {
  const bucket = new FakeBucket();
  for (const [key, bytes] of (await worldBase()).objects) bucket.put(buildKey("base", key), bytes);
  const build = { name: "world", id: "base", areas: [[-180, -90, 180, 90]], sources: [], previous: [] };
  const layers = { addresses: addressesLayer.formatVersion };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers }] }));
  return openGeodata(bucket, { now: 0, waitUntil: undefined });
}

/** Test files share a process, and so the cache of tiles, which finds them by build. */
let builds = 0;

/** One build of addresses, live. */
export async function publishAddresses(objects: ReadonlyMap<string, Uint8Array>): Promise<Geodata> {
  const bucket = new FakeBucket();
  const id = `own-${++builds}`;
  for (const [key, bytes] of objects) bucket.put(buildKey(id, key), bytes);
  const build = { name: "own", id, areas: [[-180, -90, 180, 90]], sources: [], previous: [] };
  const layers = { addresses: addressesLayer.formatVersion };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers }] }));
  return openGeodata(bucket, { now: 0, waitUntil: undefined });
}

/** Both layers of one build, live. */
export async function publish(extract: string): Promise<Geodata> {
  const bucket = new FakeBucket();
  const id = basename(extract);
  for (const layer of [addressesLayer, placesLayer])
    for (const [key, bytes] of (await runLayer(layer, [extract])).objects) bucket.put(buildKey(id, key), bytes);
  const build = { name: id, id, areas: [[-180, -90, 180, 90]], sources: [], previous: [] };
  const layers = { addresses: addressesLayer.formatVersion, places: placesLayer.formatVersion };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers }] }));
  return openGeodata(bucket, { now: 0, waitUntil: undefined });
}
