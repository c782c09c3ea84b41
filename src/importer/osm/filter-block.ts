import {
  Block,
  ElementFields,
  GROUP_DENSE,
  GROUP_NODES,
  GROUP_RELATIONS,
  GROUP_WAYS,
  type TagMatcher,
} from "./block.ts";
import { denseColumns } from "./decode-block.ts";
import { ProtobufReader, ProtobufWriter } from "./protobuf.ts";
import type { Selection } from "./selection.ts";

const NOTHING = new Uint8Array(0);

/**
 * A PrimitiveBlock reduced to its wanted elements, again a PrimitiveBlock; empty when nothing is wanted. Messages are copied
 * as they are (only dense nodes are delta-coded anew) and strings nobody uses become empty, so that numbers into the table
 * stay true. The result owns its memory and may be handed to another thread.
 */
export function filterBlock(bytes: Uint8Array, selection: Selection): Uint8Array<ArrayBuffer> {
  if (selection.nodes === true && selection.ways === true && selection.relations === true) return new Uint8Array(bytes);
  const block = new Block(bytes);
  const nodes = block.matcher(selection.nodes);
  const ways = block.matcher(selection.ways);
  const relations = block.matcher(selection.relations);
  if (nodes.none && ways.none && relations.none) return new Uint8Array(0);

  const used = new Uint8Array(block.stringCount);
  const kept = new ProtobufWriter();
  for (const [start, end] of block.groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      const key = group.varint();
      const kind = key >> 3;
      if ((key & 7) !== 2) {
        group.skip(key & 7);
        continue;
      }
      const message = group.message();
      if (kind === GROUP_DENSE) {
        if (!nodes.none) keepDense(message, nodes, used, kept);
        continue;
      }
      const matcher =
        kind === GROUP_WAYS ? ways : kind === GROUP_RELATIONS ? relations : kind === GROUP_NODES ? nodes : undefined;
      if (!matcher || matcher.none) continue;
      const whole = bytes.subarray(message.position, message.end);
      const fields = new ElementFields(kind, message);
      if (!fields.matched(matcher)) continue;
      markStrings(fields, kind, used);
      kept.bytesField(kind, whole);
    }
  }
  if (kept.length === 0) return new Uint8Array(0);
  return assemble(block, used, kept.finish());
}

function markStrings(fields: ElementFields, kind: number, used: Uint8Array): void {
  const { keys, values, list8 } = fields;
  if (keys) while (keys.more) used[keys.varint()] = 1;
  if (values) while (values.more) used[values.varint()] = 1;
  if (kind === GROUP_RELATIONS && list8) while (list8.more) used[list8.varint()] = 1;
}

function keepDense(message: ProtobufReader, matcher: TagMatcher, used: Uint8Array, kept: ProtobufWriter): void {
  const { ids, latitudes, longitudes, tags } = denseColumns(message);
  if (!ids || !latitudes || !longitudes) return;
  const keptIds: number[] = [];
  const keptLatitudes: number[] = [];
  const keptLongitudes: number[] = [];
  const keptTags: number[] = [];
  let id = 0;
  let latitude = 0;
  let longitude = 0;
  while (ids.more) {
    id += ids.signed();
    latitude += latitudes.signed();
    longitude += longitudes.signed();
    const before = keptTags.length;
    let wanted = matcher.all;
    while (tags?.more) {
      const key = tags.varint();
      if (key === 0) break;
      const value = tags.varint();
      keptTags.push(key, value);
      if (!wanted) wanted = matcher.matches(key, value);
    }
    if (!wanted) {
      keptTags.length = before;
      continue;
    }
    for (let i = before; i < keptTags.length; i++) used[keptTags[i]] = 1;
    keptTags.push(0);
    keptIds.push(id);
    keptLatitudes.push(latitude);
    keptLongitudes.push(longitude);
  }
  if (keptIds.length === 0) return;
  const dense = new ProtobufWriter();
  dense.deltaField(1, keptIds);
  dense.deltaField(8, keptLatitudes);
  dense.deltaField(9, keptLongitudes);
  dense.packedField(10, keptTags);
  kept.bytesField(GROUP_DENSE, dense.finish());
}

function assemble(block: Block, used: Uint8Array, group: Uint8Array): Uint8Array<ArrayBuffer> {
  const strings = new ProtobufWriter();
  for (let i = 0; i < block.stringCount; i++) strings.bytesField(1, used[i] ? block.stringBytes(i) : NOTHING);
  const out = new ProtobufWriter();
  out.bytesField(1, strings.finish());
  out.bytesField(2, group);
  for (const [start, end] of block.scale) out.raw(block.bytes.subarray(start, end));
  return new Uint8Array(out.finish());
}
