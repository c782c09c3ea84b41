import { Malformed } from "../../core/geo/bytes/protobuf.ts";
import { type Budget, budgetFor } from "../frame/budget.ts";
import type { Layer, OperatorFiles } from "../frame/layer.ts";
import { BlobFile, damaged, unpackBlob } from "../osm/pbf/blob-file.ts";
import { decodeBlock } from "../osm/pbf/decode-block.ts";
import { minMemoryOfReading, READING } from "../osm/read/read-extracts.ts";
import { type Forecast, type ImportCounts, NOTHING } from "../report/import-counts.ts";
import { amountsOf, PhaseTimes } from "../report/phase-times.ts";
import { readPlan } from "../sources/overture/plan.ts";

/** Blobs that are looked at: some 10 ms each, spread evenly over the file. */
const MIN_SAMPLED_BLOBS = 24;
const MAX_SAMPLED_BLOBS = 96;

/** Keys of destinations. */
const POI_KEYS = ["amenity", "shop", "tourism", "leisure", "office"] as const;

/**
 * Directed edges for each way with a highway: 5.2 in Baltimore, 4.9 in Malta, 3.9 in Monaco and in Queens, about 5 in the demo
 * world.
 */
const EDGES_PER_ROAD = 5;

/**
 * Of the work folder at its largest, and of what is published: bytes for each byte of the extracts. 4.2 and 1.6 were seen in the
 * demo world of 5; sorts that do not fit into memory put more on disk.
 */
const WORK_PER_BYTE = 8;
const PUBLISHED_PER_BYTE = 2;
/**
 * Of the parts that are kept for the next update (part-cache.ts), likewise: 12.3 was seen in the demo world of 8, 13.1 in that of 60. What
 * an import adds is kept as well until it is published, and longer, but for the pieces of the map.
 */
const KEPT_PER_BYTE = 13;
const KEPT_TWICE_PER_BYTE = 11;

/**
 * Forecasts an import of these extracts from their sizes and a sample of their blobs.
 * @param keeps whether parts are kept for the next update
 * @param files of which those of Overture count
 */
export async function foresee(
  extracts: readonly string[],
  layers: readonly Layer[],
  budget: Budget,
  times: string,
  keeps = false,
  files: OperatorFiles = { addresses: [] },
): Promise<Forecast> {
  const counts = { ...NOTHING };
  for (const path of extracts) {
    const found = await lookAt(path);
    for (const what of Object.keys(counts) as (keyof ImportCounts)[]) counts[what] += found[what];
  }
  const rows = await overtureRows(files);
  counts.addresses += rows.addresses;
  counts.pois += rows.places;
  const bytes = counts.bytes + BYTES_PER_ROW * (rows.addresses + rows.places);
  const needs = [
    { name: "reading", bytes: minMemoryOfReading(counts) },
    ...layers.map((layer) => ({ name: layer.name, bytes: layer.minMemory?.(counts) ?? 0 })),
  ];
  const most = needs.sort((a, b) => b.bytes - a.bytes).at(0);
  const measured = await PhaseTimes.open(times, amountsOf(counts));
  // Phases are measured by elements of extracts.
  const phases = extracts.length > 0 ? measured.leaves([...READING, ...layers.map(({ name }) => name)]) : undefined;
  return {
    counts,
    memory: {
      given: budget.memory,
      least: budgetFor(most?.bytes ?? 0, budget.threads),
      ...(most && { layer: most.name }),
    },
    disk: {
      work: (WORK_PER_BYTE + (keeps ? KEPT_TWICE_PER_BYTE : 0)) * bytes,
      published: PUBLISHED_PER_BYTE * bytes,
      ...(keeps && { kept: KEPT_PER_BYTE * bytes }),
    },
    ...(phases && { seconds: Object.values(phases).reduce((sum, seconds) => sum + seconds, 0), phases }),
  };
}

/** A row of Overture takes as much disk as so many bytes of an extract: 75 bytes of work and 20 published were seen of a million. */
const BYTES_PER_ROW = 10;

async function overtureRows({ overtureAddresses, overturePlaces }: OperatorFiles) {
  const rowsOf = async (path: string | undefined) => (path === undefined ? 0 : (await readPlan(path)).rows);
  return { addresses: await rowsOf(overtureAddresses), places: await rowsOf(overturePlaces) };
}

/** Estimates of what an extract holds. @throws ImportError for a file that is no PBF, or cut off */
export async function lookAt(path: string): Promise<ImportCounts> {
  const file = await BlobFile.open(path);
  try {
    const found = { ...NOTHING, bytes: file.size };
    const all = file.blobs.length;
    const looks = Math.min(all, Math.max(MIN_SAMPLED_BLOBS, Math.min(MAX_SAMPLED_BLOBS, Math.round(all / 50))));
    // A file is sorted by kind, so blobs at even distances hold every kind in its share.
    for (let i = 0; i < looks; i++) {
      const blob = file.blobs[Math.floor(((i + 0.5) * all) / looks)];
      const bytes = unpackBlob(await file.readBlob(blob), path, blob.offset);
      try {
        countBlock(bytes, found);
      } catch (error) {
        throw error instanceof Malformed ? damaged(path, blob.offset, error) : error;
      }
    }
    for (const what of Object.keys(found) as (keyof ImportCounts)[]) {
      if (what !== "bytes" && looks > 0) found[what] = Math.round((found[what] * all) / looks);
    }
    found.edges = EDGES_PER_ROAD * found.roads;
    return found;
  } finally {
    await file.close();
  }
}

function countBlock(bytes: Uint8Array, found: ImportCounts): void {
  const tagged = (tags: Readonly<Record<string, string>>) => {
    if (tags["addr:housenumber"] !== undefined) found.addresses++;
    if (POI_KEYS.some((key) => tags[key] !== undefined)) found.pois++;
  };
  decodeBlock(
    bytes,
    {
      node({ tags }) {
        found.nodes++;
        tagged(tags);
      },
      way({ tags, refs }) {
        found.ways++;
        found.wayNodes += refs.length;
        if (tags.highway !== undefined) {
          found.roads++;
          found.roadNodes += refs.length;
        }
        tagged(tags);
      },
      relation({ tags }) {
        found.relations++;
        tagged(tags);
      },
    },
    { nodes: true, ways: true, relations: true },
  );
}
