import { WORLD } from "../../core/geo/builds/manifest.ts";
import type { Layer } from "../frame/layer.ts";
import type { Bucket } from "../publish/bucket.ts";
import { readLiveList } from "../publish/live-list.ts";
import type { Reporter } from "../report/reporter.ts";
import { type ImportResult, importGeodata } from "./import.ts";
import { isWorldCurrent } from "./world-formats.ts";

/**
 * Builds the world base if the bucket has none, or one whose layers or formats differ from what this program makes.
 * Returns undefined when it existed: that takes one read.
 */
export async function ensureWorld(
  bucket: Bucket,
  cache: string,
  reporter: Reporter,
  layers?: readonly Layer[],
): Promise<ImportResult | undefined> {
  const worldLayers = layers ?? (await import("./layers.ts")).worldLayers;
  const { list } = await readLiveList(bucket);
  const formats = Object.fromEntries(worldLayers.map(({ name, formatVersion }) => [name, formatVersion]));
  if (isWorldCurrent(list, formats)) return undefined;
  reporter.say("Building the base of the world: countries, states, counties. This happens once.");
  return buildWorld(bucket, cache, reporter, worldLayers);
}

export async function buildWorld(
  bucket: Bucket | undefined,
  cache: string,
  reporter: Reporter,
  layers?: readonly Layer[],
): Promise<ImportResult> {
  return importGeodata({
    name: WORLD,
    extracts: [],
    files: { addresses: [] },
    layers: layers ?? (await import("./layers.ts")).worldLayers,
    cache,
    bucket,
    reporter,
  });
}
