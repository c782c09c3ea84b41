import { decodeCellList } from "../../core/geo/cells/cell-list.ts";
import { withNeighbours } from "../../core/geo/cells/cell-neighbourhood.ts";
import { cellReach } from "../../core/geo/cells/cell-tree.ts";
import { cellAt, type PackedCell } from "../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import { countryName, flagOf, idOfRegion, type PointRegions, type Region } from "../../core/regions/region.ts";
import {
  cellOfKey,
  IMPORT_TILES,
  RegionIndex,
  TILE_LIST_KEY,
  type TileReader,
  tileKey,
  WORLD_TILES,
} from "../../core/regions/region-index.ts";
import { RegionTile } from "../../core/regions/region-tile.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";
import { nearestPostalCode } from "./postal-codes.ts";
import type { BuildSource } from "./r2-source.ts";

export const REGIONS_LAYER = "regions";

/** All regions that contain a point, as far as they could be read, with a postal code; {} without geodata. */
export async function everyRegionAt(geodata: Geodata, point: Coordinate): Promise<PointRegions> {
  return withPostalCode(geodata, point, (await regionsAt(geodata, point))?.regions ?? {});
}

/** The regions of a point with the postal code whose center is nearest, unless they have one. */
export async function withPostalCode(
  geodata: Geodata,
  point: Coordinate,
  regions: PointRegions,
): Promise<PointRegions> {
  if (regions.postalCode) return regions;
  const code = await nearestPostalCode(geodata, point, regions.country?.code ?? "");
  return code === undefined ? regions : { ...regions, postalCode: { code, name: code } };
}

interface RegionsFound {
  /** Shared between callers: don't change it. */
  regions: PointRegions;
  /** False if something could not be read: then the point may be in regions that are missing here. */
  whole: boolean;
}

/** All regions that contain a point; undefined without geodata. */
export async function regionsAt(geodata: Geodata, point: Coordinate): Promise<RegionsFound | undefined> {
  const { world } = geodata;
  const imports = geodata.at(point, REGIONS_LAYER);
  if (!world && imports.length === 0) return undefined;
  let whole = true;
  const tilesOf = tilesReader(geodata, () => {
    whole = false;
  });
  const regions = await new RegionIndex(imports.map(tilesOf), world && tilesOf(world)).regionsAt(point);
  return { regions, whole };
}

/** The regions with these _ids in the tiles around a point: those that a device there has probably come from. */
export async function regionsAround(geodata: Geodata, point: Coordinate, ids: ReadonlySet<string>): Promise<Tracked[]> {
  const { world } = geodata;
  const tilesOf = tilesReader(geodata, () => {});
  const tiles = await Promise.all([
    ...geodata.at(point, REGIONS_LAYER).map((source) => tilesOf(source)(tileKey(cellAt(point, IMPORT_TILES)))),
    world && tilesOf(world)(tileKey(cellAt(point, WORLD_TILES))),
  ]);
  const found = new Map<string, Tracked>();
  for (const { kind, code, name, country, dma } of tiles.flatMap((tile) => tile?.regions ?? [])) {
    const own = kind === "country" ? code : country;
    add({ type: "country", code: own, name: countryName(own), flag: flagOf(own) }, own);
    if (kind === "state" || kind === "postalCode") add({ type: kind, code, name }, own);
    if (dma) add({ type: "dma", ...dma }, own);
  }
  return [...found.values()];

  function add(region: Omit<Tracked, "_id">, country: string): void {
    if (country === "") return;
    const _id = idOfRegion(region.type, country, region);
    if (ids.has(_id)) found.set(_id, { _id, ...region });
  }
}

/** A region as tracking shows it. */
interface Tracked {
  _id: string;
  type: "country" | "state" | "dma" | "postalCode";
  code: string;
  name: string;
  flag?: string;
}

/**
 * Reads the tiles of a build.
 * @param missing called if one can't be read
 */
function tilesReader(geodata: Geodata, missing: () => void): (source: BuildSource) => TileReader {
  const leftOut = (what: string) => {
    missing();
    geodata.leftOut(what);
  };
  return (source) => {
    const tiles = doingWithout(geodata, source, REGIONS_LAYER, leftOut);
    return (key) => {
      const required = async () =>
        (await source.cached(TILE_LIST_KEY, decodeCellList, { required: source.hasLists }))?.has(cellOfKey(key));
      return tiles.cached(key, openRegionTile, { weight: weightOf, required });
    };
  };
}

/**
 * Radius around a point within which the tiles of imports, and of the world base data, certainly contain every border
 * [m]: most of a cell's edge.
 */
const IMPORT_REACH = 15_000;
/** Maximum measured distance to a border [m]. */
export const MAX_BORDER_DISTANCE = 250_000;

/**
 * The distance from a point to the land border of its country or state [m]; at most MAX_BORDER_DISTANCE.
 * undefined without geodata, or if not all could be read.
 */
export async function distanceToBorder(
  geodata: Geodata,
  point: Coordinate,
  wanted: Pick<Region, "kind" | "code" | "country">,
): Promise<number | undefined> {
  const { world } = geodata;
  let whole = true;
  const tilesOf = tilesReader(geodata, () => {
    whole = false;
  });
  const isIt = ({ kind, code, country }: Region) =>
    kind === wanted.kind && code === wanted.code && (kind === "country" || country === wanted.country);
  const nearestIn = async (sourcesOf: (cell: PackedCell) => readonly BuildSource[], resolution: number) => {
    const cells = withNeighbours(cellAt(point, resolution));
    const tiles = await Promise.all(
      cells.flatMap((cell) => sourcesOf(cell).map((source) => tilesOf(source)(tileKey(cell)))),
    );
    const known = tiles.filter((tile) => tile !== undefined);
    const borders = known.flatMap((tile) => tile.nearestBorder(point, isIt) ?? []);
    const best = Math.min(...borders.map(({ rank }) => rank));
    const least = Math.min(...borders.filter(({ rank }) => rank === best).map(({ distance }) => distance));
    return { isKnown: known.length > 0, least };
  };
  const near = geodata.at(point, REGIONS_LAYER);
  const importsOf = (cell: PackedCell) => [...new Set([...near, ...geodata.at(cellReach(cell).center, REGIONS_LAYER)])];
  const fine = await nearestIn(importsOf, IMPORT_TILES);
  if (whole && fine.least <= IMPORT_REACH) return fine.least;
  const wide = world ? await nearestIn(() => [world], WORLD_TILES) : fine;
  if (!whole || !(wide.isKnown || fine.isKnown)) return undefined;
  // A border that the imports don't have nearby is not nearer in the coarser outlines of the world base data.
  return Math.min(
    MAX_BORDER_DISTANCE,
    fine.isKnown ? Math.max(IMPORT_REACH, Math.min(wide.least, fine.least)) : wide.least,
  );
}

const openRegionTile = (bytes: Uint8Array) => new RegionTile(bytes);
const weightOf = ({ weight }: RegionTile) => weight;
