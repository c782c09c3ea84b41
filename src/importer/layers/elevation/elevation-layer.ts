import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import sharp from "sharp";
import { blockOf, ELEVATION_VERSION, encodeBlock } from "../../../core/elevation/block.ts";
import {
  BLOCKS_PER_DEGREE,
  blockAt,
  blockKey,
  columnsOf,
  columnsOfOverview,
  cornerOf,
  OVERVIEW_BLOCKS,
  overviewKey,
  ROWS,
} from "../../../core/elevation/grid.ts";
import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { project } from "../../../core/maps/base/view.ts";
import { ImportError } from "../../common/import-error.ts";
import type { Bounds, Layer, LayerOutput, LayerResources } from "../../frame/layer.ts";
import { type ElevationPlan, tileFile } from "../../sources/elevation-tiles.ts";

/** Terrarium: elevation = red × 256 + green + blue / 256 − 32,768 [m] (Tilezen, Joerd, "Terrain tile formats"). */
const OFFSET_METERS = 32_768;
/** The lowest and the highest ground, with room: the Dead Sea's shore is at −430 m, Everest at 8,849. */
const [MIN_METERS, MAX_METERS] = [-500, 9000];
/** Red, green, blue. */
const CHANNELS = 3;
/** Decoded tiles in memory: more than two rows of tiles under a row of blocks, for areas up to 20 tiles wide. */
const MAX_TILES = 64;

/**
 * Elevations of the ground as their own build. The images of a plan (sources/elevation-tiles.ts) are sampled on the grid of
 * the layer, block by block.
 */
export const elevationLayer: Layer = {
  name: "elevation",
  formatVersion: ELEVATION_VERSION,
  summary: "elevations of the ground",
  reads: {},
  files: ["elevation"],
  async build({ resources, files }, out, progress) {
    if (files.elevation === undefined) return;
    const plan = JSON.parse(await readFile(files.elevation, "utf8")) as ElevationPlan;
    const tiles = new Tiles(plan, dirname(files.elevation));
    const [west, south, east, north] = plan.bounds;
    const inside = 0.5 / 3600;
    const first = blockAt({ latitude: south + inside, longitude: west + inside });
    const last = blockAt({ latitude: north - inside, longitude: east - inside });
    progress.expect((last.row - first.row + 1) * (last.column - first.column + 1), "blocks");
    for (let { row } = first; row <= last.row; row++) {
      await resources.step(`row ${row}`, async () => {
        for (let { column } = first; column <= last.column; column++) {
          const id = { row, column };
          const at = (x: number, y: number) => tiles.at(x, y);
          const meters = await sample(cornerOf(id), 1 / BLOCKS_PER_DEGREE, columnsOf(id), at, plan.bounds);
          if (!meters) out.count("blocks without a value");
          else {
            await out.write(blockKey(id), encodeBlock(blockOf(id, meters), deflate));
            out.count("blocks");
          }
          progress.advance();
        }
      });
    }
    await writeOverviews(plan, tiles, resources, out);
    out.area(plan.bounds);
    out.source({
      name: `Elevation: ${plan.name}`,
      url: "",
      licence: "the operator's own",
      ...(plan.attribution !== undefined && { attribution: plan.attribution }),
    });
  },
};

/** Blocks for maps of large areas. */
async function writeOverviews(
  plan: ElevationPlan,
  tiles: Tiles,
  resources: LayerResources,
  out: LayerOutput,
): Promise<void> {
  const [west, south, east, north] = plan.bounds;
  const side = OVERVIEW_BLOCKS / BLOCKS_PER_DEGREE;
  // Bounds are multiples of a tenth, up to rounding.
  const first = { row: Math.floor((south + 90) / side + 1e-9), column: Math.floor((west + 180) / side + 1e-9) };
  const last = { row: Math.ceil((north + 90) / side - 1e-9) - 1, column: Math.ceil((east + 180) / side - 1e-9) - 1 };
  for (let { row } = first; row <= last.row; row++) {
    await resources.step(`overview row ${row}`, async () => {
      for (let { column } = first; column <= last.column; column++) {
        const id = { row, column };
        const columns = columnsOfOverview(id);
        const corner = { latitude: row * side - 90, longitude: column * side - 180 };
        const meters = await sample(corner, side, columns, overviewOf(tiles, side / (ROWS - 1)), plan.bounds);
        if (!meters) continue;
        await out.write(overviewKey(id), encodeBlock(blockOf(id, meters, columns), deflate));
        out.count("overview blocks");
      }
    });
  }
}

const deflate = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 6 });

/** Elevation of a point by its place in the Mercator plane, 0 to 1. */
type ElevationAt = (x: number, y: number) => number | Promise<number>;

/** The mean of four points around a sample of an overview, so that it is one of its surroundings. @param spacing [degrees] */
function overviewOf(tiles: Tiles, spacing: number): ElevationAt {
  const off = spacing / 4 / 360;
  return async (x, y) => {
    let sum = 0;
    for (const dx of [-off, off])
      for (const dy of [-off, off]) {
        const here = tiles.at(x + dx, y + dy);
        sum += here instanceof Promise ? await here : here;
      }
    return sum / 4;
  };
}

/** The samples of a block [m], NaN where unknown or outside the bounds; undefined if all are. @param side [degrees] */
async function sample(
  corner: Coordinate,
  side: number,
  columns: number,
  at: ElevationAt,
  [west, south, east, north]: Bounds,
): Promise<Float64Array | undefined> {
  const meters = new Float64Array(ROWS * columns).fill(Number.NaN);
  let isKnown = false;
  const edge = 1e-9;
  for (let row = 0; row < ROWS; row++) {
    const latitude = corner.latitude + (row / (ROWS - 1)) * side;
    if (latitude < south - edge || latitude > north + edge) continue;
    const y = project({ latitude, longitude: 0 })[1];
    for (let column = 0; column < columns; column++) {
      const longitude = corner.longitude + (column / (columns - 1)) * side;
      if (longitude < west - edge || longitude > east + edge) continue;
      const here = at((longitude + 180) / 360, y);
      const value = here instanceof Promise ? await here : here;
      meters[row * columns + column] = value;
      isKnown ||= !Number.isNaN(value);
    }
  }
  return isKnown ? meters : undefined;
}

const metersAt = (pixels: Uint8Array, at: number) =>
  pixels[at] * 256 + pixels[at + 1] + pixels[at + 2] / 256 - OFFSET_METERS;

/** The first value that is no elevation; black is how archives write that there is none. */
function firstImpossible(pixels: Uint8Array): number | undefined {
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const meters = metersAt(pixels, at);
    if ((meters < MIN_METERS && meters !== -OFFSET_METERS) || meters > MAX_METERS) return meters;
  }
  return undefined;
}

interface Tile {
  side: number;
  /** Red, green, blue of each pixel. */
  pixels: Uint8Array;
}

/** Images of a plan, decoded when they are needed. */
class Tiles {
  readonly #plan: ElevationPlan;
  readonly #folder: string;
  readonly #count: number;
  /** null: the archive has no such tile. */
  readonly #decoded = new BoundedMap<number, Tile | null>(MAX_TILES);
  /** Side of a tile, known from the first [pixels]. */
  #side: number | undefined;

  constructor(plan: ElevationPlan, folder: string) {
    this.#plan = plan;
    this.#folder = folder;
    this.#count = 2 ** plan.zoom;
  }

  /** Between the centers of the four pixels around a point, x and y from 0 to 1 [m]; NaN if one of them is unknown. */
  at(x: number, y: number): number | Promise<number> {
    const side = this.#side;
    if (side === undefined) return this.#learnSide().then(() => this.at(x, y));
    const size = this.#count * side;
    const [left, top] = [x * size - 0.5, y * size - 0.5];
    const [column, row] = [Math.floor(left), Math.floor(top)];
    const values = [0, 0, 0, 0];
    for (let i = 0; i < 4; i++) {
      const px = (((column + (i & 1)) % size) + size) % size;
      const py = Math.max(0, Math.min(size - 1, row + (i >> 1)));
      const [tx, ty] = [Math.floor(px / side), Math.floor(py / side)];
      const tile = this.#decoded.get(ty * this.#count + tx);
      if (tile === undefined) return this.#decode(tx, ty).then(() => this.at(x, y));
      if (tile === null) return Number.NaN;
      const at = CHANNELS * ((py - ty * side) * side + (px - tx * side));
      values[i] = metersAt(tile.pixels, at);
      if (values[i] === -OFFSET_METERS) return Number.NaN;
    }
    const [right, down] = [left - column, top - row];
    const upper = values[0] + (values[1] - values[0]) * right;
    const lower = values[2] + (values[3] - values[2]) * right;
    return upper + (lower - upper) * down;
  }

  async #learnSide(): Promise<void> {
    const [x, y] = Object.keys(this.#plan.tiles)[0].split("/").map(Number);
    this.#side = (await this.#decode(x, y))?.side;
  }

  async #decode(x: number, y: number): Promise<Tile | null> {
    const name = `${x}/${y}`;
    const tile = Object.hasOwn(this.#plan.tiles, name) ? await this.#read(name) : null;
    this.#decoded.set(y * this.#count + x, tile);
    return tile;
  }

  async #read(name: string): Promise<Tile> {
    const { zoom } = this.#plan;
    const wrong = (why: string) => new ImportError(`${this.#plan.name}, tile ${zoom}/${name}: ${why}.`);
    const bytes = await readFile(join(this.#folder, tileFile(zoom, name)));
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw wrong("the image cannot be read");
      });
    if (info.channels !== CHANNELS || info.width !== info.height || info.width !== (this.#side ?? info.width))
      throw wrong(`the image has ${info.width} × ${info.height} pixels and ${info.channels} channels`);
    const found = firstImpossible(data);
    if (found !== undefined)
      throw wrong(
        `a value of ${found.toLocaleString("en-US")} m is no elevation (${MIN_METERS} to ${MAX_METERS.toLocaleString("en-US")} m). The archive has another encoding than terrarium, or holds pictures`,
      );
    return { side: info.width, pixels: data };
  }
}
