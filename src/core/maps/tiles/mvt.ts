import { ProtobufReader, ProtobufWriter } from "../../geo/bytes/protobuf.ts";

/**
 * Mapbox Vector Tiles 2.1 (github.com/mapbox/vector-tile-spec). Coordinates are integers from the tile's north-western
 * corner, y to the south, 0 … extent inside the tile, beyond it in the buffer.
 */
export type Value = string | number | boolean;
export type Properties = Readonly<Record<string, Value>>;

export const POINT = 1;
export const LINE = 2;
export const POLYGON = 3;

export interface TileFeature {
  type: typeof POINT | typeof LINE | typeof POLYGON;
  properties: Properties;
  /**
   * Flat lists x, y, x, y …: one list with all points; one per line; one per ring without repeating its first corner,
   * an outer ring (positive area, clockwise on the screen) before the holes in it (negative).
   */
  parts: readonly (readonly number[])[];
}

export interface TileLayer {
  name: string;
  extent: number;
  features: TileFeature[];
}

/** The layers of a tile. @throws RangeError when the bytes are cut off */
export function decodeTile(bytes: Uint8Array, wanted?: (layer: string) => boolean): TileLayer[] {
  return openLayers(bytes, wanted).map((layer) => ({
    name: layer.name,
    extent: layer.extent,
    features: layer.features.map((feature) => decodeFeature(feature, layer)),
  }));
}

/** A layer whose features are still bytes. */
export interface OpenLayer {
  name: string;
  extent: number;
  keys: string[];
  values: Value[];
  features: ProtobufReader[];
}

/**
 * The layers of a tile, for code that reads their features itself (`openFeature`). @throws RangeError when the bytes
 * are cut off
 */
export function openLayers(bytes: Uint8Array, wanted: (layer: string) => boolean = () => true): OpenLayer[] {
  const layers: OpenLayer[] = [];
  const tile = new ProtobufReader(bytes);
  while (tile.more) {
    const key = tile.varint();
    if (key !== 26) {
      tile.skip(key & 7);
      continue;
    }
    const message = tile.message();
    if (wanted(summaryOf(message).name)) layers.push(openLayer(message));
  }
  return layers;
}

/** The names of a tile's layers that have features; nothing else is decoded. @throws RangeError when the bytes are cut off */
export function layerNames(bytes: Uint8Array): string[] {
  const names: string[] = [];
  const tile = new ProtobufReader(bytes);
  while (tile.more) {
    const key = tile.varint();
    if (key !== 26) tile.skip(key & 7);
    else {
      const { name, hasFeatures } = summaryOf(tile.message());
      if (hasFeatures) names.push(name);
    }
  }
  return names;
}

/** The name of a layer and whether it has features, which are the first fields in most tiles. The reader stays where it is. */
function summaryOf({ bytes, at, end }: ProtobufReader): { name: string; hasFeatures: boolean } {
  const message = new ProtobufReader(bytes, at, end);
  let name: string | undefined;
  let hasFeatures = false;
  while (message.more && !(name !== undefined && hasFeatures)) {
    const key = message.varint();
    if (key === 10) name = message.text();
    else message.skip(key & 7);
    hasFeatures ||= key === 18;
  }
  return { name: name ?? "", hasFeatures };
}

function openLayer(message: ProtobufReader): OpenLayer {
  const layer: OpenLayer = { name: "", extent: 4096, keys: [], values: [], features: [] };
  while (message.more) {
    const key = message.varint();
    if (key === 10) layer.name = message.text();
    else if (key === 18) layer.features.push(message.message());
    else if (key === 26) layer.keys.push(message.text());
    else if (key === 34) layer.values.push(decodeValue(message.message()));
    else if (key === 40) layer.extent = message.varint();
    else message.skip(key & 7);
  }
  return layer;
}

function decodeValue(message: ProtobufReader): Value {
  let value: Value = "";
  while (message.more) {
    const key = message.varint();
    if (key === 10) value = message.text();
    else if (key === 21) value = message.float(4);
    else if (key === 25) value = message.float(8);
    else if (key === 32 || key === 40) value = message.varint();
    else if (key === 48) value = message.signed();
    else if (key === 56) value = message.varint() !== 0;
    else message.skip(key & 7);
  }
  return value;
}

interface OpenFeature {
  type: number;
  properties: Record<string, Value>;
  /** End of its geometry: the commands of the specification's section 4.3, where the reader is positioned. */
  end: number;
}

/** A feature, and its reader moved to its geometry. */
export function openFeature(message: ProtobufReader, { keys, values }: OpenLayer): OpenFeature {
  const properties: Record<string, Value> = {};
  let type = 0;
  let start = 0;
  let end = 0;
  while (message.more) {
    const key = message.varint();
    if (key === 18) {
      const last = message.fieldEnd();
      while (message.at < last) {
        const name = keys[message.varint()];
        properties[name] = values[message.varint()];
      }
    } else if (key === 24) type = message.varint();
    else if (key === 34) {
      end = message.fieldEnd();
      start = message.at;
      message.at = end;
    } else message.skip(key & 7);
  }
  message.at = start;
  return { type, properties, end };
}

function decodeFeature(message: ProtobufReader, layer: OpenLayer): TileFeature {
  const { type, properties, end } = openFeature(message, layer);
  const parts = decodeGeometry(message, end);
  return { type: type as TileFeature["type"], properties, parts: type === POINT ? [parts.flat()] : parts };
}

export const MOVE_TO = 1;
export const LINE_TO = 2;
export const CLOSE_PATH = 7;

function decodeGeometry(commands: ProtobufReader, end: number): number[][] {
  const parts: number[][] = [];
  let part: number[] = [];
  let x = 0;
  let y = 0;
  while (commands.at < end) {
    const command = commands.varint();
    if ((command & 7) === CLOSE_PATH) continue;
    for (let i = command >> 3; i > 0; i--) {
      x += commands.signed();
      y += commands.signed();
      if ((command & 7) === MOVE_TO) {
        part = [];
        parts.push(part);
      }
      part.push(x, y);
    }
  }
  return parts;
}

/** A tile's bytes. Layers without features are left out; the same layers give the same bytes. */
export function encodeTile(layers: readonly TileLayer[]): Uint8Array {
  const tile = new ProtobufWriter();
  for (const layer of layers) if (layer.features.length > 0) tile.bytesField(3, encodeLayer(layer));
  return tile.finish();
}

/** Made once: tiles have many layers, and most are small. */
const LAYER = new ProtobufWriter();
const FEATURE = new ProtobufWriter();
const PACKED = new ProtobufWriter();

/** Returns a view that is valid until the next layer is encoded. */
function encodeLayer({ name, extent, features }: TileLayer): Uint8Array {
  const [layer, feature, packed] = [LAYER, FEATURE, PACKED];
  layer.clear();
  layer.textField(1, name);
  const keys = new Map<string, number>();
  const values = new Map<Value, number>();
  const numbered = <T>(map: Map<T, number>, item: T) => {
    let number = map.get(item);
    if (number === undefined) {
      number = map.size;
      map.set(item, number);
    }
    return number;
  };
  for (const { type, properties, parts } of features) {
    feature.clear();
    packed.clear();
    for (const key in properties) packed.varint(numbered(keys, key)).varint(numbered(values, properties[key]));
    feature.bytesField(2, packed.view());
    feature.key(3, 0).varint(type);
    packed.clear();
    encodeGeometry(packed, type, parts);
    feature.bytesField(4, packed.view());
    layer.bytesField(2, feature.view());
  }
  for (const key of keys.keys()) layer.textField(3, key);
  for (const value of values.keys()) {
    packed.clear();
    encodeValue(packed, value);
    layer.bytesField(4, packed.view());
  }
  layer.key(5, 0).varint(extent);
  layer.key(15, 0).varint(2);
  return layer.view();
}

function encodeValue(message: ProtobufWriter, value: Value): void {
  if (typeof value === "string") message.textField(1, value);
  else if (typeof value === "boolean") message.key(7, 0).varint(value ? 1 : 0);
  else if (!Number.isSafeInteger(value)) message.doubleField(3, value);
  else if (value >= 0) message.key(5, 0).varint(value);
  else message.key(6, 0).signed(value);
}

function encodeGeometry(out: ProtobufWriter, type: TileFeature["type"], parts: TileFeature["parts"]): void {
  let x = 0;
  let y = 0;
  for (const part of parts) {
    const { length } = part;
    if (type === POINT) out.varint(length * 4 + MOVE_TO).pairs(part, 0, length, x, y);
    else {
      out.varint(8 + MOVE_TO).pairs(part, 0, 2, x, y);
      out.varint((length - 2) * 4 + LINE_TO).pairs(part, 2, length, part[0], part[1]);
      if (type === POLYGON) out.varint(8 + CLOSE_PATH);
    }
    x = part[length - 2];
    y = part[length - 1];
  }
}

/** Twice a ring's area, positive when it runs clockwise on the screen. */
export function ringArea(ring: readonly number[]): number {
  let area = 0;
  let x = ring[ring.length - 2];
  let y = ring[ring.length - 1];
  for (let i = 0; i < ring.length; i += 2) {
    area += x * ring[i + 1] - ring[i] * y;
    x = ring[i];
    y = ring[i + 1];
  }
  return area;
}
