import { Malformed, ProtobufReader, ProtobufWriter } from "../../../core/geo/bytes/protobuf.ts";
import { Block, ElementFields, GROUP_WAYS, PLACES_KEY } from "../pbf/block.ts";
import { NO_PLACE } from "../pbf/element.ts";
import type { FilteredBlock } from "../pbf/filter-block.ts";
import { PlaceReader, PlaceWriter } from "../pbf/places.ts";
import type { IdSet } from "../store/id-set.ts";
import { NO_LOCATION, type SharedLocations } from "./locations.ts";
import type { NodeRanges } from "./node-ranges.ts";

/**
 * How ways come by their coordinates without the places of all nodes in memory. For each block of ways and each range
 * of nodes (node-ranges.ts) there is a chunk of the block's refs that are in the range, in the order of the block:
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
const GROUP = new ProtobufWriter();
const STRINGS = new ProtobufWriter();
const WAY = new ProtobufWriter();
const LIST = new ProtobufWriter();
const NOTHING = new Uint8Array(0);
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
    return this.#chunks.map((chunk) => chunk.finish());
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
  return { places: PLACES.finish(), refs };
}

interface WithLines {
  /** Blocks of some hundred ways each (`endsBlock`). */
  blocks: FilteredBlock[];
  /** Refs of the ways, and how many of them no extract has. */
  refs: number;
  missing: number;
}

/** About so many ways make a block of the store. */
const WAYS = 512;

/**
 * Whether a block ends behind this way: the id says it, so that a way that is put in, or taken out, moves no border but its own, and an
 * update finds most blocks as they were. Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
 */
const endsBlock = (id: number): boolean => Math.imul(id % 2 ** 31, 0x9e3779b1) >>> 0 < 2 ** 32 / WAYS;

/** A block of ways in blocks, each way with the places of its nodes in its own field (PLACES_KEY). */
export function withLines(bytes: Uint8Array, chunks: readonly Uint8Array[], ranges: NodeRanges): WithLines {
  const places = chunks.map((chunk) => new PlaceReader(new ProtobufReader(chunk)));
  const line = PLACES;
  const result = { refs: 0, missing: 0 };
  const block = new Block(bytes);
  const out = new WayBlocks(block);
  for (const [start, end] of block.groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      const key = group.varint();
      if (key !== GROUP_WAYS * 8 + 2) {
        group.skip(key & 7);
        continue;
      }
      const way = new ElementFields(GROUP_WAYS, group.message());
      line.clear();
      const refs = way.list8 && bytes.subarray(way.list8.at, way.list8.end);
      let ref = 0;
      while (way.list8?.more) {
        ref += way.list8.signed();
        const next = places[ranges.rangeOf(ref)];
        next.next();
        line.add(next.longitude, next.latitude);
        result.refs++;
        if (next.longitude === NO_PLACE) result.missing++;
      }
      out.add(way, refs, line.view());
    }
  }
  if (places.some(({ more }) => more)) throw new Malformed("more places than nodes of ways");
  return { blocks: out.finish(), ...result };
}

/** Ways of one block go into several, each with the strings that its own ways use. */
class WayBlocks {
  readonly #from: Block;
  readonly #blocks: FilteredBlock[] = [];
  /** By string of the block they come from: which string of the block in progress it is, 0 where it has none yet. */
  readonly #numbers: Int32Array;
  #strings: number[] = [];
  #open = { count: 0, first: 0, last: 0, ascending: true };

  constructor(from: Block) {
    this.#from = from;
    this.#numbers = new Int32Array(from.stringCount);
    GROUP.clear();
  }

  add({ id, keys, values }: ElementFields, refs: Uint8Array | undefined, places: Uint8Array): void {
    const open = this.#open;
    if (open.count++ === 0) open.first = id;
    else if (id <= open.last) open.ascending = false;
    open.last = id;
    WAY.clear();
    WAY.varintField(1, id);
    this.#renumbered(2, keys);
    this.#renumbered(3, values);
    if (refs) WAY.bytesField(8, refs);
    WAY.varint(PLACES_KEY);
    WAY.bytes(places);
    GROUP.bytesField(GROUP_WAYS, WAY.view());
    if (endsBlock(id)) this.#close();
  }

  finish(): FilteredBlock[] {
    if (this.#open.count > 0) this.#close();
    return this.#blocks;
  }

  #renumbered(field: number, strings: ProtobufReader | undefined): void {
    if (!strings) return;
    LIST.clear();
    while (strings.more) {
      const string = strings.varint();
      if (!(string < this.#numbers.length)) throw new Malformed("a string that is not in its table");
      if (this.#numbers[string] === 0) this.#numbers[string] = this.#strings.push(string);
      LIST.varint(this.#numbers[string]);
    }
    if (LIST.length > 0) WAY.bytesField(field, LIST.view());
  }

  #close(): void {
    STRINGS.clear();
    // String 0 is none.
    STRINGS.bytesField(1, NOTHING);
    for (const string of this.#strings) {
      STRINGS.bytesField(1, this.#from.stringBytes(string));
      this.#numbers[string] = 0;
    }
    BLOCK.clear();
    BLOCK.bytesField(1, STRINGS.view());
    BLOCK.bytesField(2, GROUP.view());
    this.#blocks.push({ ...this.#open, block: BLOCK.finish() });
    GROUP.clear();
    this.#strings = [];
    this.#open = { count: 0, first: 0, last: 0, ascending: true };
  }
}
