import { open, rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { ProtobufWriter } from "../../../core/geo/bytes/protobuf.ts";
import { GROUP_DENSE, GROUP_RELATIONS, GROUP_WAYS } from "./block.ts";
import type { OsmElement, OsmNode, OsmRelation, OsmWay, Tags } from "./element.ts";

const deflateAsync = promisify(deflate);
/** As osmium and Osmosis: at most 8,000 elements in a block, of one kind. */
const BLOCK_SIZE = 8000;
const MEMBER_TYPES = { node: 0, way: 1, relation: 2 } as const;
const ORDER = { node: 0, way: 1, relation: 2 } as const;

interface WriteOptions {
  /** [west, south, east, north] in degrees for the header. */
  bounds?: readonly [number, number, number, number];
  writingProgram?: string;
  /** Of the data [seconds since 1970], and where its changes come from. */
  timestamp?: number;
  sequence?: number;
  replicationUrl?: string;
  /** Elements come in the order of their kind and id. */
  sorted?: boolean;
}

/**
 * Writes a valid .osm.pbf (dense nodes, zlib, 1e-7 degrees) from elements as they come, holding one block in memory.
 * They must come as such files are sorted: nodes, ways, relations, each by ascending id; the header then says so
 * (`Sort.Type_then_ID`). The file appears under its name only when it is complete. Same elements, same bytes.
 */
export async function writePbf(
  path: string,
  elements: Iterable<OsmElement> | AsyncIterable<OsmElement>,
  options: WriteOptions = {},
): Promise<void> {
  const partial = `${path}.part`;
  const file = await open(partial, "w");
  // One block is compressed and written while the next is encoded.
  let writing: Promise<void> = Promise.resolve();
  const put = async (type: string, content: Uint8Array) => {
    const framed = frame(type, content);
    await writing;
    writing = framed.then((bytes) => file.writeFile(bytes));
    writing.catch(() => undefined);
  };
  try {
    await put("OSMHeader", headerBlock(options));
    let batch: OsmElement[] = [];
    let last: OsmElement | undefined;
    for await (const element of elements) {
      if (last && !follows(last, element)) {
        throw new Error(`${element.type} ${element.id} comes after ${last.type} ${last.id}: elements must be sorted`);
      }
      if (batch.length === BLOCK_SIZE || (last && last.type !== element.type)) {
        await put("OSMData", encodeBlock(batch));
        batch = [];
      }
      batch.push(element);
      last = element;
    }
    if (batch.length > 0) await put("OSMData", encodeBlock(batch));
    await writing;
    await file.close();
    await rename(partial, path);
  } catch (error) {
    await writing.catch(() => undefined);
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
}

function follows(before: OsmElement, after: OsmElement): boolean {
  return before.type === after.type ? before.id < after.id : ORDER[before.type] < ORDER[after.type];
}

async function frame(type: string, content: Uint8Array): Promise<Uint8Array> {
  const blob = new ProtobufWriter();
  blob.varintField(2, content.length);
  blob.bytesField(3, await deflateAsync(content));
  return frameBlob(type, blob.view());
}

/** A Blob as it is in a file. */
export function frameBlob(type: string, blob: Uint8Array): Uint8Array {
  const header = new ProtobufWriter();
  header.textField(1, type);
  header.varintField(3, blob.length);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header.view(), blob]);
}

/** The header of a file, framed. */
export const frameHeader = (options: WriteOptions): Promise<Uint8Array> => frame("OSMHeader", headerBlock(options));
/** A block of elements, framed. */
export const frameBlock = (block: Uint8Array): Promise<Uint8Array> => frame("OSMData", block);

function headerBlock(options: WriteOptions): Uint8Array {
  const { bounds, writingProgram = "graticule", timestamp, sequence, replicationUrl, sorted = true } = options;
  const out = new ProtobufWriter();
  if (bounds) {
    const [west, south, east, north] = bounds;
    const box = new ProtobufWriter();
    for (const [field, degrees] of [
      [1, west],
      [2, east],
      [3, north],
      [4, south],
    ]) {
      box.signedField(field, Math.round(degrees * 1e7) * 100);
    }
    out.bytesField(1, box.view());
  }
  out.textField(4, "OsmSchema-V0.6");
  out.textField(4, "DenseNodes");
  if (sorted) out.textField(5, "Sort.Type_then_ID");
  out.textField(16, writingProgram);
  if (timestamp !== undefined) out.varintField(32, timestamp);
  if (sequence !== undefined) out.varintField(33, sequence);
  if (replicationUrl !== undefined) out.textField(34, replicationUrl);
  return out.view();
}

/** The strings of a block by number; number 0 is never used, because dense nodes end their tags with it. */
class StringTable {
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const next = this.#numbers.size + 1;
    this.#numbers.set(text, next);
    return next;
  }

  encode(): Uint8Array {
    const out = new ProtobufWriter();
    out.textField(1, "");
    for (const text of this.#numbers.keys()) out.textField(1, text);
    return out.view();
  }
}

/** Elements of one kind, with their versions where they are known (0: not) → an uncompressed PrimitiveBlock. */
export function encodeBlock(elements: readonly OsmElement[], versions?: readonly number[]): Uint8Array {
  const strings = new StringTable();
  const group = new ProtobufWriter();
  if (elements[0].type === "node") {
    group.messageField(GROUP_DENSE, (out) => encodeDense(out, elements as readonly OsmNode[], strings, versions));
  }
  for (const [i, element] of elements.entries()) {
    const version = versions?.[i] ?? 0;
    if (element.type === "way") group.messageField(GROUP_WAYS, (out) => encodeWay(out, element, strings, version));
    if (element.type === "relation")
      group.messageField(GROUP_RELATIONS, (out) => encodeRelation(out, element, strings, version));
  }
  const out = new ProtobufWriter();
  out.bytesField(1, strings.encode());
  out.bytesField(2, group.view());
  return out.view();
}

function encodeDense(
  out: ProtobufWriter,
  nodes: readonly OsmNode[],
  strings: StringTable,
  versions: readonly number[] = [],
): void {
  const ids: number[] = [];
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  const tags: number[] = [];
  for (const { id, latitude, longitude, tags: own } of nodes) {
    ids.push(id);
    latitudes.push(Math.round(latitude * 1e7));
    longitudes.push(Math.round(longitude * 1e7));
    for (const key in own) tags.push(strings.number(key), strings.number(own[key]));
    tags.push(0);
  }
  out.deltaField(1, ids);
  if (versions.some((version) => version > 0)) out.messageField(5, (info) => info.packedField(1, versions));
  out.deltaField(8, latitudes);
  out.deltaField(9, longitudes);
  if (tags.length > nodes.length) out.packedField(10, tags);
}

function encodeTags(out: ProtobufWriter, tags: Tags, strings: StringTable): void {
  const keys: number[] = [];
  const values: number[] = [];
  for (const key in tags) {
    keys.push(strings.number(key));
    values.push(strings.number(tags[key]));
  }
  out.packedField(2, keys);
  out.packedField(3, values);
}

function encodeVersion(out: ProtobufWriter, version: number): void {
  if (version > 0) out.messageField(4, (info) => info.varintField(1, version));
}

function encodeWay(out: ProtobufWriter, way: OsmWay, strings: StringTable, version: number): void {
  out.varintField(1, way.id);
  encodeTags(out, way.tags, strings);
  encodeVersion(out, version);
  out.deltaField(8, way.refs);
}

function encodeRelation(out: ProtobufWriter, relation: OsmRelation, strings: StringTable, version: number): void {
  out.varintField(1, relation.id);
  encodeTags(out, relation.tags, strings);
  encodeVersion(out, version);
  const roles: number[] = [];
  const refs: number[] = [];
  const types: number[] = [];
  for (const { role, ref, type } of relation.members) {
    roles.push(strings.number(role));
    refs.push(ref);
    types.push(MEMBER_TYPES[type]);
  }
  out.packedField(8, roles);
  out.deltaField(9, refs);
  out.packedField(10, types);
}
