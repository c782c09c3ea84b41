import { deserialize, serialize } from "node:v8";
import type { Progress } from "../../../common/progress.ts";
import { OPENSTREETMAP } from "../../../frame/credits.ts";
import type { Bounds, LayerInput, LayerOutput, LayerResources } from "../../../frame/layer.ts";
import { SpillFile, sortersIn } from "../../../frame/spill.ts";
import { type City, GEONAMES, worldCities } from "../../../world/cities.ts";
import { Workers } from "../jobs/workers.ts";
import { type Bucket, writeBuckets } from "../records/buckets.ts";
import { RegionTiles } from "../records/region-tiles.ts";
import { citiesAround, Settlements } from "../records/settlements.ts";
import { collectOpenAddresses, openAddressArea, sourceOfFile } from "./collect-open-addresses.ts";
import { collectOsm, nameOfRegion } from "./collect-osm.ts";
import { OvertureRecords } from "./collect-overture.ts";
import { RecordSink } from "./record-sink.ts";
import { type NamedRegion, regionsAround } from "./regions-around.ts";

/** Temporary files, by the step that writes them. */
export const FILES = {
  raw: "raw",
  tilePlaces: "region-places",
  tiles: "region-tiles",
  settlements: "settlements",
  drawnCodes: "drawn-codes",
} as const;

interface CollectedRecords {
  buckets: Bucket[];
  /** Records of all kinds. */
  count: number;
  /** Of files with addresses. */
  bounds: Bounds[];
  /** Names of the sources that houses refer to. */
  sources: string[];
}

/**
 * Everything with a name or a number into buckets by cell, and what all buckets have to know: regions, towns, which
 * postal codes are drawn.
 */
export async function collect(input: LayerInput, out: LayerOutput, progress: Progress): Promise<CollectedRecords> {
  const { resources, files } = input;
  const bounds: Bounds[] = [];
  const areas: Awaited<ReturnType<typeof openAddressArea>>[] = [];
  for (const path of files.addresses) {
    const area = await openAddressArea(path);
    areas.push(area);
    if (area.bounds) bounds.push(area.bounds);
  }
  const overture = await OvertureRecords.open(files);
  bounds.push(...overture.bounds);
  const { tiles, drawn } = await regionsAround(input, bounds);
  const settlements = new Settlements();
  const boxes = [...input.extracts.map((extract) => extract.bounds), ...bounds];
  if (settlements.addCities(citiesOf(boxes, resources), boxes) > 0) out.source(GEONAMES);
  const workers = new Workers(resources);
  const sorter = sortersIn(resources, 0.3)("records");
  try {
    const sink = new RecordSink(sorter, workers);
    await collectOsm(input, drawn, settlements, sink, out, progress);
    const sources = sourcesOf(input, overture);
    const numberOf = (name: string) => sources.indexOf(name);
    for (const area of areas) await collectOpenAddresses(area, numberOf(sourceOfFile(area.path)), sink, out, progress);
    await overture.collect(numberOf, sink, out, progress);
    await sink.finish();
    const regions = new RegionTiles(tiles);
    await settlements.settle((point) => regions.at(point));
    save(input, FILES.tilePlaces, new Uint8Array(tiles.places.buffer));
    save(input, FILES.tiles, tiles.bytes);
    save(input, FILES.settlements, settlements.encode());
    save(input, FILES.drawnCodes, new TextEncoder().encode(drawnCodes(drawn).join("\n")));
    const raw = new SpillFile(resources.path(FILES.raw));
    const buckets = writeBuckets(sorter, sink.density, raw, bucketSize(resources.memory, resources.threads));
    raw.close();
    return { buckets, count: sink.count, bounds, sources };
  } finally {
    sorter.close();
    await workers.close();
  }
}

/** Sources of houses: the extracts first, then files in their order, then datasets of Overture. */
function sourcesOf({ extracts, files }: LayerInput, overture: OvertureRecords): string[] {
  const own = extracts.length > 0 ? [OPENSTREETMAP.name] : [];
  return [...new Set([...own, ...files.addresses.map(sourceOfFile), ...overture.addressSources])];
}

/** The cities around some boxes; those of the world, fifty megabytes, are read only where the previous import had other boxes. */
function citiesOf(boxes: readonly Bounds[], { parts }: LayerResources): City[] {
  const key = parts?.key("cities", JSON.stringify(boxes));
  const known = key && parts?.find(key);
  if (known) return deserialize(known) as City[];
  const cities = citiesAround(worldCities(), boxes);
  if (key) parts?.put(key, serialize(cities));
  return cities;
}

/**
 * Of records [bytes]. A house takes some 70 of them, and some twenty times that while its bucket is worked on. Small buckets are more
 * of an update's to be known again: a change reaches a bucket or two.
 */
function bucketSize(memory: number, threads: number): number {
  return Math.max(64 * 1024, Math.min(384 * 1024, Math.floor(memory / 100 / (1 + threads))));
}

function drawnCodes(drawn: readonly NamedRegion[]): string[] {
  return drawn.flatMap((region) => {
    const name = region.kind === "postalCode" ? nameOfRegion(region) : undefined;
    return name === undefined ? [] : [name];
  });
}

function save({ resources }: LayerInput, name: string, bytes: Uint8Array): void {
  const file = new SpillFile(resources.path(name));
  file.append(bytes);
  file.close();
}
