import { Malformed, ProtobufReader } from "../../../core/geo/bytes/protobuf.ts";
import { Block, ElementFields, GROUP_DENSE, GROUP_NODES, GROUP_RELATIONS, GROUP_WAYS, type Packed } from "./block.ts";
import { NO_PLACE, type OsmMember, type OsmNode, type OsmRelation, type OsmWay, type Tags } from "./element.ts";
import { lineOf } from "./places.ts";
import type { Selection } from "./selection.ts";

/** Called with each wanted element; a kind without a handler is not decoded. */
export interface ElementHandlers {
  node?(node: OsmNode): void;
  way?(way: OsmWay): void;
  relation?(relation: OsmRelation): void;
}

const MEMBER_TYPES = ["node", "way", "relation"] as const;

/** Hands every wanted element of an uncompressed PrimitiveBlock to the handlers, in the order of the file. */
export function decodeBlock(bytes: Uint8Array, handlers: ElementHandlers, selection: Selection): void {
  const block = new Block(bytes);
  const nodes = handlers.node && block.matcher(selection.nodes);
  const ways = handlers.way && block.matcher(selection.ways);
  const relations = handlers.relation && block.matcher(selection.relations);
  for (const [start, end] of block.groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      const key = group.varint();
      const kind = key >> 3;
      if ((key & 7) !== 2) {
        group.skip(key & 7);
        continue;
      }
      const from = group.field();
      const to = group.at;
      if (kind === GROUP_DENSE) {
        if (handlers.node && nodes && !nodes.none)
          decodeDense(block, new ProtobufReader(bytes, from, to), handlers.node, nodes);
      } else if (kind === GROUP_WAYS) {
        if (!handlers.way || !ways || ways.none || !ways.mayMatch(bytes, from, to)) continue;
        const fields = new ElementFields(kind, new ProtobufReader(bytes, from, to));
        if (fields.matched(ways)) handlers.way(wayOf(block, fields));
      } else if (kind === GROUP_RELATIONS) {
        if (!handlers.relation || !relations || relations.none) continue;
        const fields = new ElementFields(kind, new ProtobufReader(bytes, from, to));
        if (fields.matched(relations)) handlers.relation(relationOf(block, fields));
      } else if (kind === GROUP_NODES) {
        if (!handlers.node || !nodes || nodes.none) continue;
        const fields = new ElementFields(kind, new ProtobufReader(bytes, from, to));
        if (fields.matched(nodes)) handlers.node(nodeOf(block, fields));
      }
    }
  }
}

function tagsOf(block: Block, keys: Packed, values: Packed): Tags {
  const tags: Record<string, string> = {};
  if (keys && values) while (keys.more) tags[block.string(keys.varint())] = block.string(values.varint());
  return tags;
}

function nodeOf(block: Block, fields: ElementFields): OsmNode {
  return {
    type: "node",
    id: fields.id,
    latitude: block.latitudeE7(fields.latitude) / 1e7,
    longitude: block.longitudeE7(fields.longitude) / 1e7,
    tags: tagsOf(block, fields.keys, fields.values),
  };
}

function wayOf(block: Block, fields: ElementFields): OsmWay {
  const refs: number[] = [];
  const list = fields.list8;
  let ref = 0;
  if (list) {
    while (list.more) {
      ref += list.signed();
      refs.push(ref);
    }
  }
  const line = fields.places ? lineOf(fields.places, refs.length) : placesOnWay(block, fields, refs.length);
  return { type: "way", id: fields.id, refs, tags: tagsOf(block, fields.keys, fields.values), line };
}

/** LocationsOnWays: latitudes and longitudes as deltas, a pair per ref; where osmium had none, what is no place on Earth. */
function placesOnWay(block: Block, { list9, list10 }: ElementFields, count: number): Int32Array | undefined {
  if (!list9 || !list10) return undefined;
  const line = new Int32Array(2 * count).fill(NO_PLACE);
  let [latitude, longitude] = [0, 0];
  for (let at = 0; at < line.length && list9.more && list10.more; at += 2) {
    latitude += list9.signed();
    longitude += list10.signed();
    line[at] = block.longitudeE7(longitude);
    line[at + 1] = block.latitudeE7(latitude);
  }
  return line;
}

function relationOf(block: Block, fields: ElementFields): OsmRelation {
  const members: OsmMember[] = [];
  const { list8: roles, list9: ids, list10: types } = fields;
  let ref = 0;
  if (roles && ids && types) {
    while (ids.more) {
      ref += ids.signed();
      const type = MEMBER_TYPES[types.varint()];
      if (!type) throw new Malformed("a member of a type that does not exist");
      members.push({ type, ref, role: block.string(roles.varint()) });
    }
  }
  return { type: "relation", id: fields.id, members, tags: tagsOf(block, fields.keys, fields.values) };
}

/** The packed columns of a DenseNodes message: {1: ids, 8: latitudes, 9: longitudes, 10: key, value, …, 0 per node}. */
export function denseColumns(message: ProtobufReader): {
  ids: Packed;
  latitudes: Packed;
  longitudes: Packed;
  tags: Packed;
} {
  const columns: { ids: Packed; latitudes: Packed; longitudes: Packed; tags: Packed } = {
    ids: undefined,
    latitudes: undefined,
    longitudes: undefined,
    tags: undefined,
  };
  while (message.more) {
    const key = message.varint();
    if (key === 10) columns.ids = message.message();
    else if (key === 66) columns.latitudes = message.message();
    else if (key === 74) columns.longitudes = message.message();
    else if (key === 82) columns.tags = message.message();
    else message.skip(key & 7);
  }
  return columns;
}

function decodeDense(
  block: Block,
  message: ProtobufReader,
  handler: (node: OsmNode) => void,
  matcher: ReturnType<Block["matcher"]>,
): void {
  const { ids, latitudes, longitudes, tags } = denseColumns(message);
  if (!ids || !latitudes || !longitudes) return;
  let id = 0;
  let latitude = 0;
  let longitude = 0;
  const pairs: number[] = [];
  while (ids.more) {
    id += ids.signed();
    latitude += latitudes.signed();
    longitude += longitudes.signed();
    pairs.length = 0;
    let wanted = matcher.all;
    while (tags?.more) {
      const key = tags.varint();
      if (key === 0) break;
      const value = tags.varint();
      pairs.push(key, value);
      if (!wanted) wanted = matcher.matches(key, value);
    }
    if (!wanted) continue;
    const named: Record<string, string> = {};
    for (let i = 0; i < pairs.length; i += 2) named[block.string(pairs[i])] = block.string(pairs[i + 1]);
    handler({
      type: "node",
      id,
      latitude: block.latitudeE7(latitude) / 1e7,
      longitude: block.longitudeE7(longitude) / 1e7,
      tags: named,
    });
  }
}
