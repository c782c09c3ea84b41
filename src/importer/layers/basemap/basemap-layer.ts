import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { BASEMAP_VERSION } from "../../../core/maps/tiles/archive-writer.ts";
import { MAX_ZOOM, planeRects, WORLD_SIZE } from "../../../core/maps/tiles/plane.ts";
import { OPENSTREETMAP } from "../../frame/credits.ts";
import type { Layer, LayerInput, LayerOutput } from "../../frame/layer.ts";
import { writeGlyphsOf } from "../../glyphs/write-glyphs.ts";
import type { ImportCounts } from "../../report/import-counts.ts";
import { ThreadPool } from "../../threads/thread-pool.ts";
import { AREA_TAGS } from "./features/areas.ts";
import { POI_TAGS } from "./features/pois.ts";
import { ROUTE_TAGS } from "./features/way-routes.ts";
import { type BasemapPool, writeBasemap } from "./steps/archive-of-runs.ts";
import { drawElements } from "./steps/draw-steps.ts";

const LINE_TAGS = [
  "highway",
  "railway",
  "aeroway=runway",
  "aeroway=taxiway",
  "aerialway",
  "route=ferry",
  "man_made=pier",
  "waterway",
];

/** Below this many bytes of elements, starting threads takes longer than what they save. */
const MIN_BYTES_FOR_THREADS = 5e6;

/** Share of the memory for the heaps of threads: elements and features while they are drawn, tiles while they are packed. */
const HEAP_SHARE = 0.4;

/** Bytes of the element store, or of pieces, that a step reads: a few minutes on two cores. */
export const STEP_BYTES = 1e9;

/** Vector tiles of the extracts in the schema of the Protomaps basemap, one PMTiles archive. */
export const basemapLayer: Layer = {
  name: "basemap",
  formatVersion: BASEMAP_VERSION,
  summary: "vector tiles for maps: land, water, roads, buildings, borders, names",
  files: [],
  reads: {
    nodes: ["place", "addr:housenumber", "highway=crossing", ...POI_TAGS],
    ways: [...new Set([...LINE_TAGS, ...AREA_TAGS, ...POI_TAGS, "natural=coastline", "place", "maritime=yes"])].sort(),
    relations: [
      ...new Set([...AREA_TAGS, ...POI_TAGS, "boundary=administrative", "boundary=disputed", "place", ...ROUTE_TAGS]),
    ].sort(),
  },

  minMemory,

  build: (input, out) => buildBasemap(input, out, bytesOf(input) < MIN_BYTES_FOR_THREADS ? 0 : input.resources.threads),
};

/**
 * Memory for the tiles of the archive, which grows with the extract: some 50 bytes a tile, twice that while
 * columns grow. Extracts have a tile for each 4 to 11 kB of PBF (Malta, Monaco, demo world). Everything else goes to disk.
 */
function minMemory({ bytes }: ImportCounts): number {
  return Math.ceil(MIN_MEMORY_BYTES + (bytes / 4000) * 100);
}
const MIN_MEMORY_BYTES = 48e6;

/** @param stepBytes what a step reads: some minutes of work */
export async function buildBasemap(
  input: LayerInput,
  out: LayerOutput,
  threads: number,
  stepBytes = STEP_BYTES,
): Promise<void> {
  const { resources, extracts } = input;
  // A map of nothing would hide the world's.
  if (extracts.length === 0) return;
  const pool = basemapPool(threads, resources.memory * HEAP_SHARE);
  try {
    const minZoom = Math.max(MIN_ZOOM, Math.min(...extracts.map(({ bounds }) => lowestZoom(bounds))));
    const within = extracts.flatMap(({ bounds }) => planeRects(bounds));
    const zooms = { minZoom, maxZoom: MAX_ZOOM };
    const options = { within, bounds: extracts.map(({ bounds }) => bounds), ...zooms };
    const { runs, units } = await drawElements({ input, out, pool, options, stepBytes });
    const attribution = OPENSTREETMAP.attribution ?? "";
    await writeBasemap(runs, { bounds: boundsOf(input), attribution, ...zooms }, { resources, out, pool, stepBytes });
    await writeGlyphsOf(units, { resources, out });
  } finally {
    await pool.close();
  }
}

/**
 * Threads that draw and pack; they start with their first jobs. 0: in place.
 * @param heap bytes that their heaps may take together; pieces are outside of them
 */
export function basemapPool(threads: number, heap?: number): BasemapPool {
  return new ThreadPool(threads, new URL("./steps/thread.ts", import.meta.url), { heap });
}

/** The lowest zoom of an extract's tiles: below it the world's own archive draws everything. */
const MIN_ZOOM = 5;

/** From which zoom on the extract is at least 16 pixels wide or high. */
function lowestZoom(bounds: Bounds): number {
  const sides = planeRects(bounds).flatMap(({ left, right, top, bottom }) => [right - left, bottom - top]);
  return Math.min(12, Math.max(0, Math.ceil(Math.log2(WORLD_SIZE / Math.max(...sides)) - 5)));
}

function bytesOf(input: LayerInput): number {
  const blocks = [...input.blocks("nodes").blocks, ...input.blocks("ways").blocks];
  return blocks.reduce((sum, { length }) => sum + length, 0);
}

function boundsOf({ extracts }: LayerInput): Bounds {
  const boxes = extracts.map(({ bounds }) => bounds);
  const crosses = boxes.some(([west, , east]) => west > east);
  return [
    crosses ? -180 : Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    crosses ? 180 : Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ];
}
