import { decodeCellList } from "../geo/cell-list.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import type { PointRegions } from "../regions/region.ts";
import { cellOfKey, RegionIndex, TILE_LIST_KEY, type TileReader } from "../regions/region-index.ts";
import { RegionTile } from "../regions/region-tile.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";
import type { BuildSource } from "./r2-source.ts";

export const REGIONS_LAYER = "regions";

/** All regions that a point lies in, as far as they could be read; {} where there is no geodata to tell. */
export async function everyRegionAt(geodata: Geodata, point: Coordinate): Promise<PointRegions> {
  return (await regionsAt(geodata, point))?.regions ?? {};
}

export interface RegionsFound {
  /** Shared between callers: read it, do not change it. */
  regions: PointRegions;
  /** False where something could not be read: then the point may lie in regions that are missing here. */
  whole: boolean;
}

/** All regions that a point lies in; undefined where there is no geodata to tell. */
export async function regionsAt(geodata: Geodata, point: Coordinate): Promise<RegionsFound | undefined> {
  const { world } = geodata;
  const imports = geodata.at(point, REGIONS_LAYER);
  if (!world && imports.length === 0) return undefined;
  let whole = true;
  const leftOut = (what: string) => {
    whole = false;
    geodata.leftOut(what);
  };
  const tilesOf = (source: BuildSource): TileReader => {
    const tiles = doingWithout(geodata, source, REGIONS_LAYER, leftOut);
    return (key) => {
      const required = async () =>
        (await source.cached(TILE_LIST_KEY, decodeCellList, { required: source.hasLists }))?.has(cellOfKey(key));
      return tiles.cached(key, openRegionTile, { weight: weightOf, required });
    };
  };
  const regions = await new RegionIndex(imports.map(tilesOf), world && tilesOf(world)).regionsAt(point);
  return { regions, whole };
}

const openRegionTile = (bytes: Uint8Array) => new RegionTile(bytes);
const weightOf = ({ weight }: RegionTile) => weight;
