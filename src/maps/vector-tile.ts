/**
 * Mapbox Vector Tiles 2.1, read into flat arrays: a layer's points lie in one Int32Array, so that a tile kept in memory
 * costs little more than its bytes and drawing it allocates nothing per point.
 */
export type TagValue = string | number | boolean;

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
  /** Of each part, the index behind its last point (counted in points); a part begins where the one before it ends. */
  ends: Uint32Array;
}

export type Tile = Map<string, Layer>;

const utf8 = new TextDecoder();

/** Decodes a tile; throws on what is no vector tile. `wanted`: only these layers. */
export function readTile(bytes: Uint8Array, wanted?: ReadonlySet<string>): Tile {
  const tile: Tile = new Map();
  const reader = new Reader(bytes);
  while (reader.at < bytes.length) {
    const key = reader.varint();
    if (key !== 26) {
      reader.skip(key & 7);
      continue;
    }
    const end = reader.end();
    const layer = readLayer(reader, end, wanted);
    if (layer) tile.set(layer.name, layer);
    reader.at = end;
  }
  return tile;
}

/** Bytes a decoded tile holds, for caches. */
export function tileWeight(tile: Tile): number {
  let weight = 200;
  for (const { points, ends, features } of tile.values())
    weight += points.byteLength + ends.byteLength + features.length * 150;
  return weight;
}

function readLayer(reader: Reader, end: number, wanted?: ReadonlySet<string>): Layer | undefined {
  const start = reader.at;
  const keys: string[] = [];
  const values: TagValue[] = [];
  const spans: number[] = [];
  let name = "";
  let extent = 4096;
  let geometryBytes = 0;
  reader.at = start;
  while (reader.at < end) {
    const key = reader.varint();
    if (key === 10) name = reader.text();
    else if (key === 18) {
      const to = reader.end();
      spans.push(reader.at, to);
      geometryBytes += to - reader.at;
      reader.at = to;
    } else if (key === 26) keys.push(reader.text());
    else if (key === 34) values.push(readValue(reader));
    else if (key === 40) extent = reader.varint();
    else reader.skip(key & 7);
  }
  if (wanted && !wanted.has(name)) return undefined;
  // A point takes at least two bytes, a part at least three.
  const layer = { points: new Int32Array(geometryBytes), ends: new Uint32Array(geometryBytes / 3 + 1) };
  const size = { points: 0, parts: 0 };
  const features: Feature[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    reader.at = spans[i];
    features.push(readFeature(reader, spans[i + 1], keys, values, layer, size));
  }
  return {
    name,
    extent,
    features,
    points: layer.points.slice(0, size.points * 2),
    ends: layer.ends.slice(0, size.parts),
  };
}

function readValue(reader: Reader): TagValue {
  const end = reader.end();
  let value: TagValue = "";
  while (reader.at < end) {
    const key = reader.varint();
    switch (key >> 3) {
      case 1:
        value = reader.text();
        break;
      case 2:
        value = reader.view.getFloat32(reader.at, true);
        reader.at += 4;
        break;
      case 3:
        value = reader.view.getFloat64(reader.at, true);
        reader.at += 8;
        break;
      case 4:
      case 5:
        value = reader.varint();
        break;
      case 6: {
        const n = reader.varint();
        value = n % 2 === 1 ? -(n + 1) / 2 : n / 2;
        break;
      }
      case 7:
        value = reader.varint() !== 0;
        break;
      default:
        reader.skip(key & 7);
    }
  }
  return value;
}

function readFeature(
  reader: Reader,
  end: number,
  keys: readonly string[],
  values: readonly TagValue[],
  layer: { points: Int32Array; ends: Uint32Array },
  size: { points: number; parts: number },
): Feature {
  const tags: Record<string, TagValue> = {};
  let type = 0;
  const first = size.parts;
  let from = 0;
  let to = 0;
  while (reader.at < end) {
    const key = reader.varint();
    if (key === 18) {
      const last = reader.end();
      while (reader.at < last) {
        const name = keys[reader.varint()];
        tags[name] = values[reader.varint()];
      }
    } else if (key === 24) type = reader.varint();
    else if (key === 34) {
      to = reader.end();
      from = reader.at;
      reader.at = to;
    } else reader.skip(key & 7);
  }
  if (to > from) readGeometry(reader, from, to, type, layer, size);
  reader.at = end;
  return { type, tags, first, last: size.parts };
}

/** Command integers of the specification, section 4.3: 1 move to, 2 line to, 7 close path. */
function readGeometry(
  reader: Reader,
  from: number,
  to: number,
  type: number,
  { points, ends }: { points: Int32Array; ends: Uint32Array },
  size: { points: number; parts: number },
): void {
  reader.at = from;
  let x = 0;
  let y = 0;
  let n = size.points;
  let began = n;
  while (reader.at < to) {
    const command = reader.varint();
    const id = command & 7;
    if (id === 7) continue;
    if (id !== 1 && id !== 2) throw new Error(`A vector tile has the geometry command ${id}.`);
    if (id === 1 && type !== 1 && n > began) {
      ends[size.parts++] = n;
      began = n;
    }
    for (let left = command >> 3; left > 0; left--) {
      const dx = reader.varint();
      const dy = reader.varint();
      x += (dx >> 1) ^ -(dx & 1);
      y += (dy >> 1) ^ -(dy & 1);
      points[2 * n] = x;
      points[2 * n + 1] = y;
      n++;
    }
  }
  if (n > began) ends[size.parts++] = n;
  size.points = n;
}

/** Protocol buffers, as much as is needed here. */
class Reader {
  at = 0;
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      if (this.at >= bytes.length) throw new Error("A vector tile ends in the middle of a number.");
      byte = bytes[this.at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }

  /** Where the length-delimited field that begins here ends. */
  end(): number {
    const length = this.varint();
    const end = this.at + length;
    if (!(end <= this.bytes.length)) throw new Error("A vector tile is cut off.");
    return end;
  }

  text(): string {
    const end = this.end();
    const value = utf8.decode(this.bytes.subarray(this.at, end));
    this.at = end;
    return value;
  }

  skip(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 1) this.at += 8;
    else if (wire === 2) this.at = this.end();
    else if (wire === 5) this.at += 4;
    else throw new Error(`A vector tile has a field of wire type ${wire}.`);
  }
}
