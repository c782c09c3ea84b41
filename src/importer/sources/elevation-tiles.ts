import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { PMTiles, type RangeResponse, type Source, TileType } from "pmtiles";
import { BLOCKS_PER_DEGREE, MAX_LATITUDE } from "../../core/elevation/grid.ts";
import type { Bounds } from "../../core/geo/builds/manifest.ts";
import { RADIANS } from "../../core/geo/distance.ts";
import { project } from "../../core/maps/base/view.ts";
import { ImportError } from "../common/import-error.ts";
import { systemReason } from "../common/system-reason.ts";
import { writeFully } from "../common/write-fully.ts";
import { amount, type Reporter } from "../report/reporter.ts";
import { fetchPart, isUrl } from "./download.ts";

/** The ground's resolution at the zoom that is read, at most [m]: that of the grid of the layer. */
const MAX_PIXEL_METERS = 32;
/** Length of the equator in the Mercator projection [m]. */
const EQUATOR_METERS = 40_075_016.7;
/** Side of a tile of Mapterhorn, and of most others [pixels]. A source of 256 pixels is read one zoom deeper. */
const DEFAULT_TILE_PIXELS = 512;
/** Tiles that are fetched at a time. */
const AT_ONCE = 6;
/** Of a credit line [characters]. */
const MAX_CREDIT_CHARACTERS = 200;
/** Of the archive's name, in the name of the plan. */
const MAX_STEM_CHARACTERS = 60;
/** Zooms of web maps end here. */
const MAX_ZOOM = 16;

/** What is read of an archive of terrarium tiles, as JSON in a file next to the tiles. */
export interface ElevationPlan {
  version: 1;
  /** Of the archive. */
  name: string;
  /** Whole blocks of the grid. */
  bounds: Bounds;
  zoom: number;
  attribution?: string;
  /** "x/y" → beginning of the SHA-256 of the image, in order. */
  tiles: Record<string, string>;
}

interface ElevationSource {
  /** A path, or a URL. */
  source: string;
  /** The area to import [degrees]. */
  bounds: Bounds;
  cache: string;
  reporter: Reporter;
  /** Plain http too: for tests against a server on this machine. */
  allowHttp?: boolean;
}

/**
 * Reads the tiles of an area from a PMTiles archive of elevations in the terrarium encoding (Mapterhorn and others), of any
 * size, by ranges. Tiles are kept one by one, so an interrupted run continues.
 *
 * @returns the path of the plan
 * @throws ImportError
 */
export async function fetchElevations({
  source,
  bounds,
  cache,
  reporter,
  allowHttp,
}: ElevationSource): Promise<string> {
  const area = wholeBlocks(bounds);
  const part = isUrl(source) ? new UrlSource(source, allowHttp) : await FilePart.open(source);
  try {
    return await fetchFrom(new PMTiles(part), area, { source, cache, reporter });
  } finally {
    await part.close?.();
  }
}

async function fetchFrom(
  archive: PMTiles,
  area: Bounds,
  { source, cache, reporter }: Omit<ElevationSource, "bounds" | "allowHttp">,
): Promise<string> {
  const { zoom, attribution } = await examine(archive, area, source);
  const name = basename(source.replace(/[?#].*$/, ""));
  const folder = join(cache, "elevation", createHash("sha256").update(`${source}\n${zoom}`).digest("hex").slice(0, 16));
  await mkdir(folder, { recursive: true });
  const wanted = tilesOf(area, zoom);
  reporter.say(
    `${name}: ${amount(wanted.length, "tiles")} of zoom ${zoom}, usually ${amount(wanted.length * 150_000, "B")} to read. They are kept in ${folder}.`,
  );
  const progress = reporter.begin("elevation tiles");
  progress.expect(wanted.length, "tiles");
  const found = new Map<string, string>();
  let next = 0;
  const work = async () => {
    while (next < wanted.length) {
      const tile = wanted[next++];
      const bytes = await fetchTile(archive, tile, zoom, folder, source);
      if (bytes) found.set(tile.join("/"), createHash("sha256").update(bytes).digest("hex").slice(0, 16));
      progress.advance();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  progress.end();
  if (found.size === 0) throw new ImportError(`${name} has no elevations in this area.`);
  const plan: ElevationPlan = {
    version: 1,
    name,
    bounds: area,
    zoom,
    ...(attribution !== undefined && { attribution }),
    tiles: Object.fromEntries(wanted.flatMap((tile) => entryOf(tile.join("/"), found))),
  };
  const text = JSON.stringify(plan);
  // Lists of builds show this name.
  const stem = name
    .replace(/\.pmtiles$/, "")
    .replace(/[^\w.-]+/g, "-")
    .slice(0, MAX_STEM_CHARACTERS);
  const path = join(folder, `${stem}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.json`);
  await writeFile(path, text);
  return path;
}

const entryOf = (tile: string, found: ReadonlyMap<string, string>): [string, string][] => {
  const digest = found.get(tile);
  return digest === undefined ? [] : [[tile, digest]];
};

/** Where a tile of a plan is kept, next to the plan. */
export const tileFile = (zoom: number, tile: string): string => `${zoom}-${tile.replace("/", "-")}`;

/** The area extended to whole blocks. @throws ImportError if it is none */
function wholeBlocks([west, south, east, north]: Bounds): Bounds {
  if (!(west < east && south < north))
    throw new ImportError("--bbox must be west,south,east,north, with west < east and south < north.");
  const out = (degrees: number) => Math.floor(degrees * BLOCKS_PER_DEGREE + 1e-9) / BLOCKS_PER_DEGREE;
  const high = (degrees: number) => Math.ceil(degrees * BLOCKS_PER_DEGREE - 1e-9) / BLOCKS_PER_DEGREE;
  return [
    Math.max(-180, out(west)),
    Math.max(-MAX_LATITUDE, out(south)),
    Math.min(180, high(east)),
    Math.min(MAX_LATITUDE, high(north)),
  ];
}

async function examine(
  archive: PMTiles,
  area: Bounds,
  source: string,
): Promise<{ zoom: number; attribution?: string }> {
  const header = await archive.getHeader().catch((error: unknown) => {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${source} is no PMTiles archive, or a damaged one.`);
  });
  if (header.tileType !== TileType.Webp && header.tileType !== TileType.Png)
    throw new ImportError(`${source} has no images. Elevations must be terrarium tiles, as WebP or PNG.`);
  const [west, south, east, north] = area;
  if (header.maxLon <= west || header.minLon >= east || header.maxLat <= south || header.minLat >= north)
    throw new ImportError(
      `${source} covers ${[header.minLon, header.minLat, header.maxLon, header.maxLat].join(",")}, not this area.`,
    );
  const metadata = (await archive.getMetadata().catch(() => undefined)) as Record<string, unknown> | undefined;
  const encoding = metadata?.encoding;
  if (typeof encoding === "string" && encoding !== "terrarium")
    throw new ImportError(`${source} has the encoding "${encoding}". Only terrarium can be read.`);
  const nearest = south > 0 ? south : north < 0 ? -north : 0;
  const side = EQUATOR_METERS * Math.cos(nearest * RADIANS);
  const zoom = Math.ceil(Math.log2(side / (DEFAULT_TILE_PIXELS * MAX_PIXEL_METERS)));
  const credit = typeof metadata?.attribution === "string" ? plainText(metadata.attribution) : "";
  return {
    zoom: Math.max(header.minZoom, Math.min(header.maxZoom, zoom, MAX_ZOOM)),
    ...(credit !== "" && { attribution: credit }),
  };
}

/** A credit line without its markup. */
function plainText(html: string): string {
  return html
    .slice(0, 10 * MAX_CREDIT_CHARACTERS)
    .replace(/<[^<>]*>/g, "")
    .replaceAll("&copy;", "©")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_CREDIT_CHARACTERS);
}

/** Tiles that touch an area, with a pixel around it. */
function tilesOf([west, south, east, north]: Bounds, zoom: number): [x: number, y: number][] {
  const count = 2 ** zoom;
  const pixel = 1 / DEFAULT_TILE_PIXELS;
  const column = (longitude: number, by: number) => Math.floor(((longitude + 180) / 360) * count + by);
  const row = (latitude: number, by: number) => Math.floor(project({ latitude, longitude: 0 })[1] * count + by);
  const tiles: [number, number][] = [];
  for (let y = Math.max(0, row(north, -pixel)); y <= Math.min(count - 1, row(south, pixel)); y++)
    for (let x = Math.max(0, column(west, -pixel)); x <= Math.min(count - 1, column(east, pixel)); x++)
      tiles.push([x, y]);
  return tiles;
}

async function fetchTile(
  archive: PMTiles,
  [x, y]: [number, number],
  zoom: number,
  folder: string,
  source: string,
): Promise<Uint8Array | undefined> {
  const path = join(folder, tileFile(zoom, `${x}/${y}`));
  const kept = await readFile(path).catch(() => undefined);
  // An empty file: the archive has no such tile.
  if (kept) return kept.length > 0 ? kept : undefined;
  const tile = await archive.getZxy(zoom, x, y).catch((error: unknown) => {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${source}, tile ${zoom}/${x}/${y} is damaged or cut off. Download the archive again.`);
  });
  const bytes = new Uint8Array(tile?.data ?? new ArrayBuffer(0));
  const file = await open(`${path}.part`, "w");
  try {
    await writeFully(file, [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)], 0);
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
  return bytes.length > 0 ? bytes : undefined;
}

/** An archive on a server: all parts must be of the version of the first. */
class UrlSource implements Source {
  readonly close?: undefined;
  readonly #url: string;
  readonly #allowHttp: boolean | undefined;
  #validator: string | undefined;

  constructor(url: string, allowHttp: boolean | undefined) {
    this.#url = url;
    this.#allowHttp = allowHttp;
  }

  getKey(): string {
    return this.#url;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const { bytes, validator } = await fetchPart(
      this.#url,
      { offset, length },
      {
        ...(this.#validator !== undefined && { validator: this.#validator }),
        ...(this.#allowHttp !== undefined && { allowHttp: this.#allowHttp }),
      },
    );
    this.#validator ??= validator;
    return { data: bytes.buffer };
  }
}

class FilePart implements Source {
  readonly #path: string;
  readonly #file: Awaited<ReturnType<typeof open>>;

  private constructor(path: string, file: Awaited<ReturnType<typeof open>>) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<FilePart> {
    try {
      if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
      return new FilePart(path, await open(path, "r"));
    } catch (error) {
      throw new ImportError(`Cannot read ${path}: ${systemReason(error)}.`);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  getKey(): string {
    return this.#path;
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const { bytesRead, buffer } = await this.#file.read(new Uint8Array(length), 0, length, offset);
    return { data: buffer.buffer.slice(0, bytesRead) };
  }
}
