import { open, rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { GROUP_DENSE, GROUP_RELATIONS, GROUP_WAYS } from "./block.ts";
import type { OsmElement, OsmNode, OsmRelation, OsmWay, Tags } from "./element.ts";
import { ProtobufWriter } from "./protobuf.ts";

const deflateAsync = promisify(deflate);
/** As osmium and Osmosis: at most 8,000 elements in a block, of one kind. */
const BLOCK_SIZE = 8000;
const MEMBER_TYPES = { node: 0, way: 1, relation: 2 } as const;
const ORDER = { node: 0, way: 1, relation: 2 } as const;

export interface WriteOptions {
  /** [west, south, east, north] in degrees for the header. */
  bounds?: readonly [number, number, number, number];
  writingProgram?: string;
}

/**
 * Writes a valid .osm.pbf (dense nodes, zlib, 1e-7 degrees) from elements as they come, holding one block in memory. They
 * must come as such files are sorted: nodes, ways, relations, each by ascending id; the header then says so
 * (`Sort.Type_then_ID`). The file appears under its name only when it is whole. Same elements, same bytes.
 */
export async function writePbf(
  path: string,
  elements: Iterable<OsmElement> | AsyncIterable<OsmElement>,
  options: WriteOptions = {},
): Promise<void> {
  const partial = `${path}.part`;
  const file = await open(partial, "w");
  const put = async (type: string, content: Uint8Array) => file.writeFile(await frame(type, content));
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
    await file.close();
    await rename(partial, path);
  } catch (error) {
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
  const header = new ProtobufWriter();
  header.textField(1, type);
  header.varintField(3, blob.length);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header.finish(), blob.finish()]);
}

function headerBlock({ bounds, writingProgram = "graticule" }: WriteOptions): Uint8Array {
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
    out.bytesField(1, box.finish());
  }
  out.textField(4, "OsmSchema-V0.6");
  out.textField(4, "DenseNodes");
  out.textField(5, "Sort.Type_then_ID");
  out.textField(16, writingProgram);
  return out.finish();
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
    return out.finish();
  }
}

/** Elements of one kind → an uncompressed PrimitiveBlock. */
export function encodeBlock(elements: readonly OsmElement[]): Uint8Array {
  const strings = new StringTable();
  const group = new ProtobufWriter();
  if (elements[0].type === "node") group.bytesField(GROUP_DENSE, encodeDense(elements as readonly OsmNode[], strings));
  for (const element of elements) {
    if (element.type === "way") group.bytesField(GROUP_WAYS, encodeWay(element, strings));
    if (element.type === "relation") group.bytesField(GROUP_RELATIONS, encodeRelation(element, strings));
  }
  const out = new ProtobufWriter();
  out.bytesField(1, strings.encode());
  out.bytesField(2, group.finish());
  return out.finish();
}

function encodeDense(nodes: readonly OsmNode[], strings: StringTable): Uint8Array {
  const tags: number[] = [];
  for (const node of nodes) {
    for (const [key, value] of Object.entries(node.tags)) tags.push(strings.number(key), strings.number(value));
    tags.push(0);
  }
  const out = new ProtobufWriter();
  out.deltaField(
    1,
    nodes.map((node) => node.id),
  );
  out.deltaField(
    8,
    nodes.map((node) => Math.round(node.latitude * 1e7)),
  );
  out.deltaField(
    9,
    nodes.map((node) => Math.round(node.longitude * 1e7)),
  );
  if (tags.length > nodes.length) out.packedField(10, tags);
  return out.finish();
}

function encodeTags(out: ProtobufWriter, tags: Tags, strings: StringTable): void {
  const entries = Object.entries(tags);
  out.packedField(
    2,
    entries.map(([key]) => strings.number(key)),
  );
  out.packedField(
    3,
    entries.map(([, value]) => strings.number(value)),
  );
}

function encodeWay(way: OsmWay, strings: StringTable): Uint8Array {
  const out = new ProtobufWriter();
  out.varintField(1, way.id);
  encodeTags(out, way.tags, strings);
  out.deltaField(8, way.refs);
  return out.finish();
}

function encodeRelation(relation: OsmRelation, strings: StringTable): Uint8Array {
  const out = new ProtobufWriter();
  out.varintField(1, relation.id);
  encodeTags(out, relation.tags, strings);
  out.packedField(
    8,
    relation.members.map((member) => strings.number(member.role)),
  );
  out.deltaField(
    9,
    relation.members.map((member) => member.ref),
  );
  out.packedField(
    10,
    relation.members.map((member) => MEMBER_TYPES[member.type]),
  );
  return out.finish();
}
