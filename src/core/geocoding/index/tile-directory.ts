import { beginObject, openVersions } from "../../geo/bytes/bytes.ts";
import { cellsTouching } from "../../geo/cells/cell-neighbourhood.ts";
import { cellReach } from "../../geo/cells/cell-tree.ts";
import { ancestorOf, type PackedCell, resolutionOf } from "../../geo/cells/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import { ADDRESSES_VERSION, ADDRESSES_VERSIONS, GRID } from "../entry/entry.ts";
import { COARSEST_TILE, FINEST_TILE } from "./layout.ts";

/**
 * Where the tiles of a build are. A list of all of them grows with the country, so each H3 cell of resolution 2 (some
 * 87,000 km²) has a list of its own, with every tile that a search from anywhere in it can reach: one read, of at most
 * some 30 KB where Germany is densest. A tile at the edge is in several lists.
 */
export const AREA_RESOLUTION = 2;
/** The radius [m] up to which the lists are complete. */
const TILE_REACH = 40_000;
const MAGIC = "GADT";

/** The tiles in the list of each area, by area; tiles are numbered by their position in `cells`. */
export function areasOfTiles(cells: readonly PackedCell[]): Map<PackedCell, number[]> {
  const areas = new Map<PackedCell, number[]>();
  for (const [tile, cell] of cells.entries()) {
    const { center, radius } = cellReach(cell);
    for (const area of cellsTouching(center, Math.ceil(radius) + 2 + TILE_REACH, AREA_RESOLUTION)) {
      const known = areas.get(area);
      if (known) known.push(tile);
      else areas.set(area, [tile]);
    }
  }
  return new Map([...areas].sort(([a], [b]) => a - b));
}

/**
 * addresses/tiles/<area>: "GADT", u32 version, number of tiles, then by ascending cell, each less the one before:
 * packed cell (geo/cells/cells.ts), latitude and longitude (signed) [1e-5 degrees] of the center of a circle around its
 * content; and of each its number and the circle's radius [m].
 */
export function encodeDirectory(cells: readonly PackedCell[], tiles: Iterable<number> = cells.keys()): Uint8Array {
  const out = beginObject(MAGIC, ADDRESSES_VERSION);
  const byCell = [...tiles].sort((a, b) => cells[a] - cells[b]);
  out.unsigned(byCell.length);
  let [last, lat, lon] = [0, 0, 0];
  for (const tile of byCell) {
    const { center, radius } = cellReach(cells[tile]);
    const [y, x] = [Math.round(center.latitude * GRID), Math.round(center.longitude * GRID)];
    out.unsigned(cells[tile] - last);
    out.signed(y - lat);
    out.signed(x - lon);
    out.unsigned(tile);
    out.unsigned(Math.ceil(radius) + 2);
    [last, lat, lon] = [cells[tile], y, x];
  }
  return out.finish();
}

export interface NearTile {
  tile: number;
  /** No entry of the tile is nearer than this [m]. */
  distance: number;
}

/** The tiles of one area, or of a whole build of version 2 (where tiles stood in the order of their numbers). */
export class TileDirectory {
  readonly cells: Float64Array;
  readonly tiles: Uint32Array;
  readonly #latitudes: Float64Array;
  readonly #longitudes: Float64Array;
  readonly #radii: Float64Array;
  readonly #largest: number;
  #places: Map<PackedCell, number> | undefined;

  constructor(bytes: Uint8Array) {
    const { reader, version } = openVersions(bytes, MAGIC, ADDRESSES_VERSIONS, "a list of address tiles");
    const count = reader.unsigned();
    if (5 * count > bytes.length) throw new Error("a list of address tiles is cut short");
    this.cells = new Float64Array(count);
    this.tiles = new Uint32Array(count);
    this.#latitudes = new Float64Array(count);
    this.#longitudes = new Float64Array(count);
    this.#radii = new Float64Array(count);
    const differences = version > 2;
    let [cell, lat, lon] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      if (!differences) [cell, lat, lon] = [0, 0, 0];
      cell += reader.unsigned();
      lat += reader.signed();
      lon += reader.signed();
      this.cells[i] = cell;
      this.#latitudes[i] = lat / GRID;
      this.#longitudes[i] = lon / GRID;
      this.tiles[i] = differences ? reader.unsigned() : i;
      this.#radii[i] = reader.unsigned();
    }
    this.#largest = this.#radii.reduce((most, radius) => Math.max(most, radius), 0);
  }

  /** Its size in memory [bytes]. */
  get weight(): number {
    return 36 * this.cells.length;
  }

  /** The tile that a cell belongs to, if there is one. */
  tileOf(cell: PackedCell): number | undefined {
    this.#places ??= new Map(Array.from(this.cells, (own, i) => [own, i]));
    for (let resolution = COARSEST_TILE; resolution <= Math.min(FINEST_TILE, resolutionOf(cell)); resolution++) {
      const place = this.#places.get(ancestorOf(cell, resolution));
      if (place !== undefined) return this.tiles[place];
    }
    return undefined;
  }

  /** From a point to the middle of a tile [m]; only of a build of version 2, whose list has every tile by its number. */
  distance(tile: number, { latitude, longitude }: Coordinate): number {
    return haversine(latitude, longitude, this.#latitudes[tile], this.#longitudes[tile]);
  }

  /** Tiles that reach into a circle, nearest first, at most `most`. */
  near({ latitude, longitude }: Coordinate, radius: number, most: number): NearTile[] {
    const found: (NearTile & { toCentre: number })[] = [];
    // One degree of latitude is 111 km: many tiles are too far away by latitude alone.
    const reach = (radius + this.#largest) / 111_000;
    const far =
      (radius + 2 * this.#largest) /
      (111_000 * Math.max(0.01, Math.cos(((Math.abs(latitude) + reach) * Math.PI) / 180)));
    for (let i = 0; i < this.tiles.length; i++) {
      if (Math.abs(this.#latitudes[i] - latitude) > reach) continue;
      const aside = Math.abs(this.#longitudes[i] - longitude);
      if (Math.min(aside, 360 - aside) > far) continue;
      const maxDistance = radius + this.#radii[i];
      const toCentre = haversine(latitude, longitude, this.#latitudes[i], this.#longitudes[i]);
      if (toCentre <= maxDistance)
        found.push({ tile: this.tiles[i], distance: Math.max(0, toCentre - this.#radii[i]), toCentre });
    }
    return found.sort((a, b) => a.distance - b.distance || a.toCentre - b.toCentre || a.tile - b.tile).slice(0, most);
  }
}
