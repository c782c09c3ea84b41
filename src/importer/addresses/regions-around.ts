import type { Coordinate } from "../../geo/coordinate.ts";
import { ringCentroid } from "../../geo/polygon.ts";
import { memorySource } from "../../geo/tile-source.ts";
import { buildTiles } from "../../regions/build-tiles.ts";
import type { CellBox } from "../../regions/cell-box.ts";
import { GRID, HALF_TURN, normalLongitude, shorterWay } from "../../regions/crossing.ts";
import type { PointRegions } from "../../regions/region.ts";
import { IMPORT_TILES, RegionIndex, tileKey, tilesFrom } from "../../regions/region-index.ts";
import type { RegionShape } from "../../regions/region-shape.ts";
import type { Bounds, LayerInput } from "../layer.ts";
import type { OsmRelation } from "../osm/element.ts";
import { regionsOf } from "../regions/osm-region.ts";
import { baseShapes } from "../world/base.ts";

/** An administrative area or postal area of an extract, with its relation. */
export interface RegionRelation {
  relation: OsmRelation;
  shape: RegionShape;
}

export interface RegionsAround {
  at(point: Coordinate): Promise<PointRegions>;
  relations: RegionRelation[];
}

/** What lies where in the extracts: the world base, and what the extracts hold whole. */
export async function regionsAround(input: LayerInput, more: readonly Bounds[] = []): Promise<RegionsAround> {
  const boxes = [...input.extracts.map(({ bounds }) => bounds), ...more];
  const base = baseShapes();
  const wanted = (box: CellBox) => boxes.some((bounds) => meets(box, bounds));
  const world = index(base, wanted);
  const relations: OsmRelation[] = [];
  await input.scan({
    relation(relation) {
      const { type, boundary } = relation.tags;
      if ((type === "boundary" || type === "multipolygon") && boundary) relations.push(relation);
    },
  });
  const found: RegionRelation[] = [];
  for (const relation of relations) {
    if (relation.tags.boundary !== "administrative" && relation.tags.boundary !== "postal_code") continue;
    const polygons = input.multipolygon(relation);
    if (!polygons) continue;
    const rings = polygons.flatMap(({ outer, inner }) => [outer, ...inner]);
    const country = (await world.regionsAt(ringCentroid(rings[0]))).country?.code ?? "";
    for (const shape of regionsOf(relation.tags, rings, country)) found.push({ relation, shape });
  }
  const whole = found.length === 0 ? world : index([...base, ...found.map(({ shape }) => shape)], wanted);
  return { at: (point) => whole.regionsAt(point), relations: found };
}

function index(shapes: RegionShape[], wanted: (box: CellBox) => boolean): RegionIndex {
  const objects = new Map<string, Uint8Array>();
  for (const { cell, bytes } of buildTiles(shapes, IMPORT_TILES, wanted)) objects.set(tileKey(cell), bytes);
  return new RegionIndex([tilesFrom(memorySource(objects))]);
}

/** Does the cell's box meet the bounds? */
function meets({ x, south, north, halfWidth }: CellBox, [west, s, east, n]: Bounds): boolean {
  if (north < s * GRID || south > n * GRID) return false;
  const width = east >= west ? east - west : east - west + 360;
  const apart = Math.abs(shorterWay(normalLongitude((west + width / 2) * GRID) - x));
  return Math.min(apart, HALF_TURN) <= (width / 2) * GRID + halfWidth;
}
