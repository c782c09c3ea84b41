import { ringCentroid } from "../../geo/polygon.ts";
import { memorySource } from "../../geo/tile-source.ts";
import { buildTiles } from "../../regions/build-tiles.ts";
import type { CellBox } from "../../regions/cell-box.ts";
import { GRID, HALF_TURN, normalLongitude, shorterWay } from "../../regions/crossing.ts";
import { IMPORT_TILES, RegionIndex, tileKey, tilesFrom, WORLD_TILES } from "../../regions/region-index.ts";
import type { RegionShape } from "../../regions/region-shape.ts";
import { REGION_TILE_VERSION } from "../../regions/tile-format.ts";
import type { Bounds, Layer, LayerInput, LayerOutput } from "../layer.ts";
import type { OsmRelation } from "../osm/element.ts";
import { BASE_SOURCES, baseShapes } from "../world/base.ts";
import { readDmaTable, withDma } from "./dma.ts";
import { regionsOf } from "./osm-region.ts";
import { readPostalCodes } from "./postal-codes.ts";
import { writeTiles } from "./write-tiles.ts";

/**
 * Regions of an import: `boundary=administrative` and `boundary=postal_code` relations that the extract holds whole and the
 * operator's postal codes, on top of the world base. Tiles cover the extracts' areas and hold both, so that where an import has a tile nothing else need be read.
 */
export const osmRegions: Layer = {
  name: "regions",
  formatVersion: REGION_TILE_VERSION,
  summary: "administrative areas and postal codes, with the world base beneath",
  reads: { relations: ["boundary=administrative", "boundary=postal_code"] },
  async build(input, out, progress) {
    let base = baseShapes();
    const boxes = input.extracts.map(({ bounds }) => bounds);
    let fresh = await wholeRegions(input, out, base, boxes);
    if (input.files.postalCodes) fresh.push(...(await readPostalCodes(input.files.postalCodes)));
    if (input.files.dma) {
      const table = readDmaTable(input.files.dma);
      base = withDma(base, table);
      fresh = withDma(fresh, table);
    }
    for (const { kind } of fresh) out.count(kind);
    for (const source of BASE_SOURCES) out.source(source);
    const shapes = [...withReplaced(base, fresh), ...fresh];
    await writeTiles(
      buildTiles(shapes, IMPORT_TILES, (box) => meetsAny(box, boxes)),
      out,
      progress,
    );
  },
};

/** Types of relations that bound an area; pieces of borders are tagged as boundaries too. */
const AREAS = new Set(["boundary", "multipolygon"]);

async function wholeRegions(
  input: LayerInput,
  out: LayerOutput,
  base: readonly RegionShape[],
  boxes: readonly Bounds[],
): Promise<RegionShape[]> {
  const countryAt = baseCountries(base, boxes);
  const relations: OsmRelation[] = [];
  await input.scan({
    relation(relation) {
      if (AREAS.has(relation.tags.type)) relations.push(relation);
    },
  });
  const shapes: RegionShape[] = [];
  for (const relation of relations) {
    // What is not whole is counted by the frame.
    const polygons = input.multipolygon(relation);
    if (!polygons) continue;
    const rings = polygons.flatMap(({ outer, inner }) => [outer, ...inner]);
    const regions = regionsOf(relation.tags, rings, await countryAt(rings[0]));
    if (regions.length === 0) out.count("skipped: no level, code or name in use");
    shapes.push(...regions);
  }
  return shapes;
}

/** Which country the world base sees in the middle of a ring; "" on the sea. */
function baseCountries(
  base: readonly RegionShape[],
  boxes: readonly Bounds[],
): (ring: readonly (readonly number[])[]) => Promise<string> {
  const countries = base.filter(({ kind }) => kind === "country");
  const objects = new Map<string, Uint8Array>();
  for (const { cell, bytes } of buildTiles(countries, WORLD_TILES, (box) => meetsAny(box, boxes))) {
    objects.set(tileKey(cell), bytes);
  }
  const index = new RegionIndex([], tilesFrom(memorySource(objects)));
  return async (ring) => (await index.regionsAt(ringCentroid(ring))).country?.code ?? "";
}

/** The base with those regions marked that the import draws anew. */
function withReplaced(base: readonly RegionShape[], fresh: readonly RegionShape[]): RegionShape[] {
  const name = ({ kind, country, code }: RegionShape) => `${kind} ${kind === "county" ? "" : country} ${code}`;
  const drawn = new Set(fresh.filter(({ code }) => code !== "").map(name));
  return base.map((shape) => (drawn.has(name(shape)) ? { ...shape, rank: "replaced" } : shape));
}

function meetsAny(box: CellBox, boxes: readonly Bounds[]): boolean {
  return boxes.some(([west, south, east, north]) => {
    if (box.north < south * GRID || box.south > north * GRID) return false;
    const width = east >= west ? east - west : east - west + 360;
    const middle = normalLongitude((west + width / 2) * GRID);
    const apart = Math.abs(shorterWay(middle - box.x));
    return Math.min(apart, HALF_TURN) <= (width / 2) * GRID + box.halfWidth;
  });
}
