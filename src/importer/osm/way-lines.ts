import { GROUP_WAYS, PLACES_KEY } from "./block.ts";
import { NO_PLACE } from "./element.ts";
import type { IdSet } from "./id-set.ts";
import { NO_LOCATION, type SharedLocations } from "./locations.ts";
import type { NodeRanges } from "./node-ranges.ts";
import { PlaceReader, PlaceWriter } from "./places.ts";
import { Malformed, ProtobufReader, ProtobufWriter } from "./protobuf.ts";

/**
 * How ways come by their coordinates without the places of all nodes in memory. For each block of ways and each range
 * of nodes (node-ranges.ts) there is a chunk of the block's refs that lie in the range, in the order of the block:
 *
 *     block   way 7: 3 905 4    way 8: 905 12        ranges 0–899 and 900–
 *     refs    [3 4 12]  [905 905]                    written with the block
 *     places  [p3 p4 p12]  [p905 p905]               when the range's nodes have been read: same order, so no names
 *     lines   way 7: p3 p905 p4    way 8: p905 p12   each ref takes the next place of its range's chunk
 *
 * Nothing is sorted: what goes apart by range in the order of the ways comes together again in the same order. These are
 * the three steps, as threads do them.
 */

/** Used again for every block: what they grow to would else be garbage, block after block. */
const PLACES = new PlaceWriter();
const BLOCK = new ProtobufWriter();
const CHUNKS: ProtobufWriter[] = [];

/** Refs of a block by range: steps between ids as zigzag varints, a chunk per range. */
export class RefWriter {
  readonly #ranges: NodeRanges;
  readonly #chunks: ProtobufWriter[];
  readonly #last: number[];

  /** There is one at a time. */
  constructor(ranges: NodeRanges) {
    this.#ranges = ranges;
    while (CHUNKS.length < ranges.count) CHUNKS.push(new ProtobufWriter());
    this.#chunks = CHUNKS.slice(0, ranges.count);
    for (const chunk of this.#chunks) chunk.clear();
    this.#last = ranges.starts.map(() => 0);
  }

  add(ref: number): void {
    const range = this.#ranges.rangeOf(ref);
    this.#chunks[range].signed(ref - this.#last[range]);
    this.#last[range] = ref;
  }

  finish(): Uint8Array<ArrayBuffer>[] {
    return this.#chunks.map((chunk) => new Uint8Array(chunk.finish()));
  }
}

/** Every ref of a chunk. */
export function eachRef(chunk: Uint8Array, visit: (ref: number) => void): void {
  const reader = new ProtobufReader(chunk);
  let ref = 0;
  while (reader.more) {
    ref += reader.signed();
    visit(ref);
  }
}

/** The chunk of places for a chunk of refs. */
export function placesOf(
  chunk: Uint8Array,
  needed: IdSet,
  { latitudes, longitudes }: SharedLocations,
): { places: Uint8Array<ArrayBuffer>; refs: number } {
  PLACES.clear();
  let refs = 0;
  eachRef(chunk, (ref) => {
    refs++;
    const rank = needed.rank(ref);
    const known = rank >= 0 && latitudes[rank] !== NO_LOCATION;
    PLACES.add(known ? longitudes[rank] : NO_PLACE, known ? latitudes[rank] : NO_PLACE);
  });
  return { places: new Uint8Array(PLACES.finish()), refs };
}

export interface BlockWithLines {
  block: Uint8Array<ArrayBuffer>;
  /** Refs of the block, and how many of them no extract has. */
  refs: number;
  missing: number;
}

/** A block of ways, each with the places of its nodes in a field of its own (PLACES_KEY). */
export function withLines(bytes: Uint8Array, chunks: readonly Uint8Array[], ranges: NodeRanges): BlockWithLines {
  const places = chunks.map((chunk) => new PlaceReader(new ProtobufReader(chunk)));
  const line = PLACES;
  const result = { refs: 0, missing: 0 };
  const addWay = (way: ProtobufReader, out: ProtobufWriter) => {
    line.clear();
    const refs = refsOf(way);
    let ref = 0;
    while (refs?.more) {
      ref += refs.signed();
      const next = places[ranges.rangeOf(ref)];
      next.next();
      line.add(next.longitude, next.latitude);
      result.refs++;
      if (next.longitude === NO_PLACE) result.missing++;
    }
    const field = line.finish();
    out.varint(GROUP_WAYS * 8 + 2);
    out.varint(way.end - way.position + varintSize(PLACES_KEY) + varintSize(field.length) + field.length);
    out.raw(way.bytes.subarray(way.position, way.end));
    out.varint(PLACES_KEY);
    out.varint(field.length);
    out.raw(field);
  };
  BLOCK.clear();
  copyFields(new ProtobufReader(bytes), BLOCK, 18, (group) => {
    BLOCK.messageField(2, (inner) => copyFields(group, inner, GROUP_WAYS * 8 + 2, (way) => addWay(way, inner)));
  });
  if (places.some(({ more }) => more)) throw new Malformed("more places than nodes of ways");
  return { block: new Uint8Array(BLOCK.finish()), ...result };
}

/** Copies the fields of a message as they are; those with the given key are handed over instead. */
function copyFields(
  from: ProtobufReader,
  out: ProtobufWriter,
  replaced: number,
  replace: (field: ProtobufReader) => void,
): void {
  while (from.more) {
    const start = from.position;
    const key = from.varint();
    if (key === replaced) replace(from.message());
    else {
      from.skip(key & 7);
      out.raw(from.bytes.subarray(start, from.position));
    }
  }
}

/** The packed refs of a Way message, which stays where it is. */
function refsOf(way: ProtobufReader): ProtobufReader | undefined {
  const reader = new ProtobufReader(way.bytes, way.position, way.end);
  let refs: ProtobufReader | undefined;
  while (reader.more) {
    const key = reader.varint();
    if (key === 66) refs = reader.message();
    else reader.skip(key & 7);
  }
  return refs;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
  return size;
}
