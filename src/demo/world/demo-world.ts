import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { OsmElement, OsmRelation } from "../../importer/osm/pbf/element.ts";
import { drawFrame } from "./frame.ts";
import { TOWNSHIP, type Township, townships } from "./layout.ts";
import { Plane } from "./plane.ts";
import type { Drawing } from "./sheet.ts";
import { drawTownship } from "./township.ts";

export interface DemoWorldOptions {
  /** Number of townships of 5.6 × 5.6 km, 1 … MAX_WORLD_TOWNSHIPS. Each is about 0.85 MB of PBF. */
  size?: number;
  /** Another seed is another world; everything but the twin town's plan changes. */
  seed?: number;
  /**
   * How far from its usual place it is along the 49th parallel [degrees], −2.8 … 1.1: there it is still Montana to
   * the south and Alberta to the north. For several demo worlds side by side.
   */
  east?: number;
  /** Called for each township twice: when its nodes are out, and when its ways are. */
  drawn?(): void;
}

/** A square of 27 × 27 townships: beyond it the numbers of counties would repeat, and the land bend too far. */
export const MAX_WORLD_TOWNSHIPS = 729;

/** Townships kept between the passes; the others are drawn once for their nodes and once more for the rest. */
const KEPT = 2;

/**
 * A made-up part of the Earth as OSM elements: the twin towns of Meridale, Montana, and North Meridale, Alberta, on
 * both sides of the 49th parallel, and as many townships around them as asked for. Nodes come first, then ways, then
 * relations, ids ascending in each. The same options give the same elements; an element of a small world is the same in
 * a larger one, but for the outermost boundaries. Memory stays that of a few townships.
 */
export function* demoWorld(options: DemoWorldOptions = {}): Generator<OsmElement> {
  const { list, plane, seed } = planOf(options);
  const frame = drawFrame(seed, plane, list);
  const kept = new Map<number, Drawing>();
  const drawingOf = (township: Township) => kept.get(township.index) ?? drawTownship(seed, plane, township);
  yield* frame.nodes;
  for (const township of list) {
    const drawing = drawingOf(township);
    if (kept.size < KEPT) kept.set(township.index, drawing);
    yield* drawing.nodes;
    options.drawn?.();
  }
  yield* frame.ways;
  // Relations wait until all ways are out, packed: some 10 kB of them in a township.
  const relations: Uint8Array[] = [];
  for (const township of list) {
    const drawing = drawingOf(township);
    yield* drawing.ways;
    relations.push(deflateRawSync(JSON.stringify(drawing.relations)));
    options.drawn?.();
  }
  yield* frame.relations;
  for (const packed of relations) yield* JSON.parse(inflateRawSync(packed).toString()) as OsmRelation[];
}

/** [west, south, east, north] of a demo world [degrees], a little larger than its outermost boundary. */
export function demoBounds(options: DemoWorldOptions = {}): [number, number, number, number] {
  const { list, plane } = planOf(options);
  const corners = list.flatMap(({ cx, cy }) =>
    [-0.53, 0.53].flatMap((du) =>
      [-0.53, 0.53].map((dv) => plane.locate([(cx + du) * TOWNSHIP, (cy + dv) * TOWNSHIP])),
    ),
  );
  const longitudes = corners.map(({ longitude }) => longitude);
  const latitudes = corners.map(({ latitude }) => latitude);
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}

function planOf({ size = 1, seed = 49, east = 0 }: DemoWorldOptions): { list: Township[]; plane: Plane; seed: number } {
  if (!Number.isInteger(size) || size < 1 || size > MAX_WORLD_TOWNSHIPS) {
    throw new RangeError(`size ${size} is not an integer from 1 to ${MAX_WORLD_TOWNSHIPS}`);
  }
  if (!(east >= -2.8 && east <= 1.1)) throw new RangeError(`east ${east} is not from -2.8 to 1.1`);
  return { list: townships(size), plane: new Plane(seed, east), seed };
}
