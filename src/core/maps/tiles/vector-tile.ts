import type { ProtobufReader } from "../../geo/bytes/protobuf.ts";
import { CLOSE_PATH, LINE_TO, MOVE_TO, type OpenLayer, openFeature, openLayers, POINT, type Value } from "./mvt.ts";

/**
 * Vector tiles decoded into flat arrays: a layer's points are in one Int32Array, so that a tile kept in memory costs
 * little more than its bytes and drawing it allocates nothing per point.
 */
type TagValue = Value;

export interface Feature {
  /** 1 point, 2 line, 3 polygon. */
  type: number;
  tags: Record<string, TagValue>;
  /** Its parts are `layer.ends[first..last)`: a line, a ring or a group of points each. */
  first: number;
  last: number;
}

export interface Layer {
  name: string;
  /** Units along a tile's side; y goes down. */
  extent: number;
  features: Feature[];
  /** x, y of all points one after the other [tile units]. */
  points: Int32Array;
  /** Of each part, the index after its last point (counted in points); a part begins where the previous one ends. */
  ends: Uint32Array;
}

export type Tile = Map<string, Layer>;

/** Decodes a tile; throws if it is not a vector tile. `wanted`: only these layers. */
export function readTile(bytes: Uint8Array, wanted?: ReadonlySet<string>): Tile {
  const layers = openLayers(bytes, wanted && ((name) => wanted.has(name)));
  return new Map(layers.map((layer) => [layer.name, readLayer(layer)]));
}

/** So many matches with layers of styles are noted with a tile at most (style/matching-features.ts), 4 bytes each. */
export const MATCHES_PER_FEATURE = 6;

/** Size of a decoded tile in bytes, for caches. */
export function tileWeight(tile: Tile): number {
  let weight = 200;
  for (const { points, ends, features } of tile.values())
    weight += points.byteLength + ends.byteLength + features.length * (150 + 4 * MATCHES_PER_FEATURE);
  return weight;
}

/** Points and ends of parts as they are read; and the number of each. */
interface Flat {
  points: Int32Array;
  ends: Uint32Array;
  pointCount: number;
  partCount: number;
}

function readLayer(layer: OpenLayer): Layer {
  let bytes = 0;
  for (const { at, end } of layer.features) bytes += end - at;
  // A point takes at least two bytes, a part at least three.
  const flat = { points: new Int32Array(bytes), ends: new Uint32Array(bytes / 3 + 1), pointCount: 0, partCount: 0 };
  const features = layer.features.map((message): Feature => {
    const { type, properties, end } = openFeature(message, layer);
    const first = flat.partCount;
    readGeometry(message, end, type, flat);
    return { type, tags: properties, first, last: flat.partCount };
  });
  return {
    name: layer.name,
    extent: layer.extent,
    features,
    points: flat.points.slice(0, flat.pointCount * 2),
    ends: flat.ends.slice(0, flat.partCount),
  };
}

function readGeometry(commands: ProtobufReader, end: number, type: number, flat: Flat): void {
  const { points, ends } = flat;
  let x = 0;
  let y = 0;
  let n = flat.pointCount;
  let began = n;
  while (commands.at < end) {
    const command = commands.varint();
    const id = command & 7;
    if (id === CLOSE_PATH) continue;
    if (id !== MOVE_TO && id !== LINE_TO) throw new Error(`A vector tile has the geometry command ${id}.`);
    if (id === MOVE_TO && type !== POINT && n > began) {
      ends[flat.partCount++] = n;
      began = n;
    }
    for (let left = command >> 3; left > 0; left--) {
      const dx = commands.varint();
      const dy = commands.varint();
      x += (dx >> 1) ^ -(dx & 1);
      y += (dy >> 1) ^ -(dy & 1);
      points[2 * n] = x;
      points[2 * n + 1] = y;
      n++;
    }
  }
  if (n > began) ends[flat.partCount++] = n;
  flat.pointCount = n;
}
