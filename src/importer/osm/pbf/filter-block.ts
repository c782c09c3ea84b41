import { ProtobufReader, ProtobufWriter } from "../../../core/geo/bytes/protobuf.ts";
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
import type { Selection } from "./selection.ts";

interface FilterHooks {
  /** Keeps a way that no tag asks for. */
  alsoWay?(id: number): boolean;
  /** Sees every way that is kept; its refs are deltas, to be read from where they are. */
  onWay?(id: number, refs: ProtobufReader | undefined): void;
  /** Leaves out a node that a tag asks for; called after `onNode`. */
  isNode?(id: number): boolean;
  /** Sees every node first, kept or not [1e-7 degrees]. */
  onNode?(id: number, latitudeE7: number, longitudeE7: number): void;
}

/** A block reduced, and what is in it. */
export interface FilteredBlock {
  /** A PrimitiveBlock that owns its memory (it may go to another thread); empty when nothing is wanted. */
  block: Uint8Array<ArrayBuffer>;
  /** The kept elements: how many, the id of the first and the last, and whether ids only rise. */
  count: number;
  first: number;
  last: number;
  ascending: boolean;
}

/**
 * A PrimitiveBlock reduced to its wanted elements. Messages are copied as they are (only dense nodes are delta-coded
 * again) and strings no one uses become empty, so that indices into the table stay valid.
 */
export function filterBlock(bytes: Uint8Array, selection: Selection, hooks: FilterHooks = {}): FilteredBlock {
  const block = new Block(bytes);
  const matchers = {
    nodes: block.matcher(selection.nodes),
    ways: block.matcher(selection.ways),
    relations: block.matcher(selection.relations),
  };
  const out = new Keeper(block.stringCount);
  for (const [start, end] of block.groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      const key = group.varint();
      if ((key & 7) !== 2) {
        group.skip(key & 7);
        continue;
      }
      const kind = key >> 3;
      const message = group.message();
      if (kind === GROUP_DENSE) {
        if (!matchers.nodes.none || hooks.onNode) filterDense(block, message, matchers.nodes, out, hooks);
      } else if (kind === GROUP_WAYS) {
        if (!matchers.ways.none || hooks.alsoWay) filterMessage(kind, message, matchers.ways, out, hooks);
      } else if (kind === GROUP_RELATIONS) {
        if (!matchers.relations.none) filterMessage(kind, message, matchers.relations, out);
      } else if (kind === GROUP_NODES && (!matchers.nodes.none || hooks.onNode)) {
        if (hooks.onNode) {
          const { id, latitude, longitude } = new ElementFields(kind, message);
          hooks.onNode(id, block.latitudeE7(latitude), block.longitudeE7(longitude));
        }
        filterMessage(kind, message, matchers.nodes, out, hooks);
      }
    }
  }
  return { ...out.summary, block: out.summary.count > 0 ? out.assemble(block) : new Uint8Array(0) };
}

/** Used again for every block: what they grow to would else be garbage, block after block. */
const GROUP = new ProtobufWriter();
const STRINGS = new ProtobufWriter();
const OUT = new ProtobufWriter();

/** Collects what is kept. There is one at a time. */
class Keeper {
  readonly summary = { count: 0, first: 0, last: 0, ascending: true };
  readonly group = GROUP;
  readonly #used: Uint8Array;

  constructor(stringCount: number) {
    GROUP.clear();
    this.#used = new Uint8Array(stringCount);
  }

  note(id: number): void {
    const { summary } = this;
    if (summary.count++ === 0) summary.first = id;
    else if (id <= summary.last) summary.ascending = false;
    summary.last = id;
  }

  use(string: number): void {
    this.#used[string] = 1;
  }

  useAll(strings: ProtobufReader | undefined): void {
    if (strings) while (strings.more) this.#used[strings.varint()] = 1;
  }

  assemble(block: Block): Uint8Array<ArrayBuffer> {
    const nothing = new Uint8Array(0);
    STRINGS.clear();
    OUT.clear();
    for (let i = 0; i < block.stringCount; i++) STRINGS.bytesField(1, this.#used[i] ? block.stringBytes(i) : nothing);
    OUT.bytesField(1, STRINGS.view());
    OUT.bytesField(2, this.group.view());
    for (const [start, end] of block.scale) OUT.raw(block.bytes.subarray(start, end));
    return OUT.finish();
  }
}

/** Keeps a Node, Way or Relation message when it is wanted. */
function filterMessage(
  kind: number,
  message: ProtobufReader,
  matcher: TagMatcher,
  out: Keeper,
  hooks: FilterHooks = {},
): void {
  const fields = new ElementFields(kind, message);
  if (!fields.matched(matcher) && !(kind === GROUP_WAYS && hooks.alsoWay?.(fields.id))) return;
  if (kind === GROUP_NODES && hooks.isNode?.(fields.id) === false) return;
  out.note(fields.id);
  out.useAll(fields.keys);
  out.useAll(fields.values);
  out.group.bytesField(kind, message.bytes.subarray(message.at, message.end));
  if (kind === GROUP_WAYS) hooks.onWay?.(fields.id, fields.list8);
  else if (kind === GROUP_RELATIONS) out.useAll(fields.list8);
}

function filterDense(
  block: Block,
  message: ProtobufReader,
  matcher: TagMatcher,
  out: Keeper,
  hooks: FilterHooks,
): void {
  const { ids, latitudes, longitudes, tags } = denseColumns(message);
  if (!ids || !latitudes || !longitudes) return;
  const kept = { ids: [] as number[], latitudes: [] as number[], longitudes: [] as number[], tags: [] as number[] };
  let id = 0;
  let latitude = 0;
  let longitude = 0;
  while (ids.more) {
    id += ids.signed();
    latitude += latitudes.signed();
    longitude += longitudes.signed();
    hooks.onNode?.(id, block.latitudeE7(latitude), block.longitudeE7(longitude));
    if (matcher.none) continue;
    const before = kept.tags.length;
    let wanted = matcher.all;
    while (tags?.more) {
      const key = tags.varint();
      if (key === 0) break;
      const value = tags.varint();
      kept.tags.push(key, value);
      if (!wanted) wanted = matcher.matches(key, value);
    }
    if (!wanted || hooks.isNode?.(id) === false) {
      kept.tags.length = before;
      continue;
    }
    for (let i = before; i < kept.tags.length; i++) out.use(kept.tags[i]);
    kept.tags.push(0);
    kept.ids.push(id);
    kept.latitudes.push(latitude);
    kept.longitudes.push(longitude);
    out.note(id);
  }
  if (kept.ids.length === 0) return;
  out.group.messageField(GROUP_DENSE, (dense) => {
    dense.deltaField(1, kept.ids);
    dense.deltaField(8, kept.latitudes);
    dense.deltaField(9, kept.longitudes);
    dense.packedField(10, kept.tags);
  });
}
