import { ByteWriter } from "../../geo/bytes/bytes.ts";
import { cellAt } from "../../geo/cells/cells.ts";
import { openObject, withHeader } from "../graph/object.ts";
import { deflate, readEdges, writeEdges } from "./contribution.ts";
import { type EdgeKey, startOfKey } from "./edge-key.ts";
import { addSums, type EdgeHour, type EdgeSums } from "./edge-sums.ts";

const WEEK_TILE_MAGIC = "GRLW";
const WEEK_TILE_VERSION = 1;

/**
 * What all devices contributed to the edges of one tile in one week:
 *
 *     header      as all routing objects (graph/object.ts), magic GRLW
 *     edges       as in a contribution (contribution.ts); of each hour:
 *       count     u         [1e-2 traversals]
 *       logs      s         sum of the logarithms of the pace [1e-3]
 *       squares   u         [1e-3]
 *       waits     u         [1e-3 s/m]
 *       devices   u, u …    number, and hashes of distinct devices (48 bits), at most 20
 *
 * Hashes are needed until weeks are merged, because a device counts once in all of them. The objects are never published.
 */
export async function writeWeekTile(sums: EdgeSums): Promise<Uint8Array> {
  const out = new ByteWriter();
  writeEdges(out, sums, (hour: EdgeHour) => {
    out.unsigned(Math.round(hour.count * 100));
    out.signed(Math.round(hour.logs * SCALE));
    out.unsigned(Math.round(hour.squares * SCALE));
    out.unsigned(Math.round(hour.waits * SCALE));
    out.unsigned(hour.devices.length);
    for (const device of hour.devices) out.unsigned(device);
  });
  return withHeader(WEEK_TILE_MAGIC, WEEK_TILE_VERSION, await deflate(out.finish()));
}

export async function readWeekTile(bytes: Uint8Array): Promise<EdgeSums> {
  const reader = await openObject(bytes, WEEK_TILE_MAGIC, WEEK_TILE_VERSION);
  const sums: EdgeSums = new Map();
  readEdges(reader, (key, hour) => {
    const count = reader.unsigned() / 100;
    const logs = reader.signed() / SCALE;
    const squares = reader.unsigned() / SCALE;
    const waits = reader.unsigned() / SCALE;
    const devices = Array.from({ length: reader.unsigned() }, () => reader.unsigned());
    const own = sums.get(key);
    const one = { hour, count, logs, squares, waits, devices };
    if (own) own.push(one);
    else sums.set(key, [one]);
  });
  return sums;
}

const SCALE = 1000;

/** H3 resolution of the tiles: about 250 km², a town. */
const TILE_RESOLUTION = 5;

export function tileOfEdge(key: EdgeKey): string {
  return String(cellAt(startOfKey(key), TILE_RESOLUTION));
}

/** Edges by tile. */
export function byTile(sums: EdgeSums): Map<string, EdgeSums> {
  const tiles = new Map<string, EdgeSums>();
  for (const [key, hours] of sums) {
    const tile = tileOfEdge(key);
    let own = tiles.get(tile);
    if (!own) {
      own = new Map();
      tiles.set(tile, own);
    }
    own.set(key, hours);
  }
  return tiles;
}

/** Weeks older than this count nothing, and are deleted. */
export const MAX_WEEKS = 12;
/** After so many weeks a traversal counts half. */
const HALF_LIFE_WEEKS = 4;

const weightOfWeek = (week: number, latest: number): number => 0.5 ** ((latest - week) / HALF_LIFE_WEEKS);

/** The weeks of a tile as one. */
export function mergeWeeks(weeks: Iterable<readonly [week: number, sums: EdgeSums]>, latest: number): EdgeSums {
  const merged: EdgeSums = new Map();
  for (const [week, sums] of weeks) addSums(merged, sums, weightOfWeek(week, latest));
  return merged;
}
