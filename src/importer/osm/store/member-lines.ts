import { closeSync, openSync, readSync } from "node:fs";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProtobufReader, ProtobufWriter } from "../../../core/geo/bytes/protobuf.ts";
import type { Progress } from "../../common/progress.ts";
import { ExternalSort } from "../../sort/external-sort.ts";
import { Block, ElementFields, GROUP_WAYS } from "../pbf/block.ts";
import { decodeBlock } from "../pbf/decode-block.ts";
import type { MemberLine, OsmRelation } from "../pbf/element.ts";
import { lineOf } from "../pbf/places.ts";
import { readBlocks, type StoreIndex } from "./block-store.ts";
import type { SparseIds } from "./sparse-ids.ts";

/**
 * The lines of the member ways of all relations on disk, relation by relation, each read when it is asked for:
 *
 *     member-lines.bin      per member way that an extract has: its place among the way members · length of refs · refs
 *                           · length of places · places; numbers as varints, refs and places as in the store of ways
 *     member-lines.index    relation ids, then where each begins and where the last ends [float64]
 */
const FILE = "member-lines.bin";
const INDEX = "member-lines.index";

/**
 * Writes them by sorting and joining: (way, member) sorted by way meets the ways, and what comes of it is sorted back
 * into the order of the relations.
 */
export async function joinMembers(
  folder: string,
  { relations, ways, members }: { relations: StoreIndex; ways: StoreIndex; members: SparseIds },
  memory: number,
  progress: Progress,
): Promise<{ members: number }> {
  const byWay = new ExternalSort({ path: join(folder, "members.by-way"), memory: memory / 2 });
  const byRelation = new ExternalSort({ path: join(folder, "members.by-relation"), memory: memory / 2 });
  try {
    const { ids, firsts } = await listMembers(folder, relations, byWay);
    progress.expect(byWay.count + ways.count, "members");
    if (byWay.count > 0) await joinWays(folder, ways, members, byWay, byRelation, progress);
    await writeLines(folder, ids, firsts, byRelation, progress);
    return { members: byRelation.count };
  } finally {
    byWay.close();
    byRelation.close();
  }
}

/** Adds each way member to the sort, with its number among all of them; returns where each relation's begin. */
async function listMembers(folder: string, relations: StoreIndex, byWay: ExternalSort) {
  const ids: number[] = [];
  const firsts: number[] = [];
  const number = new ProtobufWriter();
  let count = 0;
  const relation = ({ id, members }: OsmRelation) => {
    ids.push(id);
    firsts.push(count);
    for (const { type, ref } of members) {
      if (type !== "way") continue;
      number.clear();
      number.varint(count++);
      byWay.add(ref, number.view());
    }
  };
  for await (const bytes of readBlocks(folder, relations)) decodeBlock(bytes, { relation }, { relations: true });
  firsts.push(count);
  return { ids, firsts };
}

/** Ways and members, both by ascending way: each member gets the refs and places of its way. */
async function joinWays(
  folder: string,
  ways: StoreIndex,
  members: SparseIds,
  byWay: ExternalSort,
  byRelation: ExternalSort,
  progress: Progress,
): Promise<void> {
  const wanted = byWay.sorted();
  let next = wanted.next();
  const content = new ProtobufWriter();
  const nothing = new Uint8Array(0);
  for await (const bytes of readBlocks(folder, ways)) {
    let seen = 0;
    for (const [start, end] of new Block(bytes).groups) {
      const group = new ProtobufReader(bytes, start, end);
      while (group.more) {
        const key = group.varint();
        if (key !== GROUP_WAYS * 8 + 2) {
          group.skip(key & 7);
          continue;
        }
        seen++;
        const way = new ElementFields(GROUP_WAYS, group.message());
        // A way without nodes is as good as none.
        if (!way.list8 || !members.has(way.id)) continue;
        // Members that no extract has are passed over.
        while (!next.done && next.value.key < way.id) next = wanted.next();
        if (next.done || next.value.key !== way.id) continue;
        content.clear();
        for (const list of [way.list8, way.places]) {
          content.bytes(list ? bytes.subarray(list.at, list.end) : nothing);
        }
        const found = content.view();
        for (; !next.done && next.value.key === way.id; next = wanted.next()) {
          byRelation.add(new ProtobufReader(next.value.bytes, next.value.start, next.value.end).varint(), found);
        }
      }
    }
    progress.advance(seen);
  }
}

async function writeLines(
  folder: string,
  ids: readonly number[],
  firsts: readonly number[],
  byRelation: ExternalSort,
  progress: Progress,
): Promise<void> {
  const file = await open(join(folder, FILE), "w");
  const starts = new Float64Array(ids.length + 1);
  const out = new ProtobufWriter();
  let written = 0;
  let relation = 0;
  const flush = async () => {
    await file.writeFile(out.view());
    written += out.length;
    out.clear();
  };
  try {
    for (const { key, bytes, start, end } of byRelation.sorted()) {
      while (key >= firsts[relation + 1]) starts[++relation] = written + out.length;
      out.varint(key - firsts[relation]);
      out.raw(bytes.subarray(start, end));
      progress.advance();
      if (out.length > WINDOW) await flush();
    }
    await flush();
    while (relation < ids.length) starts[++relation] = written;
  } finally {
    await file.close();
  }
  const index = new Float64Array(2 * ids.length + 1);
  index.set(ids);
  index.set(starts, ids.length);
  await writeFile(join(folder, INDEX), new Uint8Array(index.buffer));
}

/** Read at a time: who asks for one relation mostly asks for the next. */
const WINDOW = 1 << 20;

/** Reads them again, at any time and in any order. Memory: 16 bytes per relation, and a window of the file. */
export class MemberLines {
  readonly #path: string;
  readonly #ids: Float64Array;
  readonly #starts: Float64Array;
  #window = new Uint8Array(0);
  #windowStart = 0;

  private constructor(path: string, index: Float64Array) {
    this.#path = path;
    const count = (index.length - 1) / 2;
    this.#ids = index.subarray(0, count);
    this.#starts = index.subarray(count);
  }

  static async open(folder: string): Promise<MemberLines> {
    const bytes = new Uint8Array(await readFile(join(folder, INDEX)));
    return new MemberLines(join(folder, FILE), new Float64Array(bytes.buffer));
  }

  /** None at all, for builds without extracts. */
  static none(): MemberLines {
    return new MemberLines("", new Float64Array(1));
  }

  /** The relation's member ways that an extract has, in the order of its members. */
  *of(relation: OsmRelation): Generator<MemberLine, void, undefined> {
    const place = this.#find(relation.id);
    if (place < 0) return;
    const reader = this.#read(this.#starts[place], this.#starts[place + 1]);
    let member = -1;
    let wayMembers = -1;
    while (reader.more) {
      const number = reader.varint();
      while (wayMembers < number) if (relation.members[++member].type === "way") wayMembers++;
      const refs = refsOf(reader.message());
      yield { id: relation.members[member].ref, member, refs, line: lineOf(reader.message(), refs.length) };
    }
  }

  #find(id: number): number {
    let low = 0;
    let high = this.#ids.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle] === id) return middle;
      if (this.#ids[middle] < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #read(start: number, end: number): ProtobufReader {
    if (start < this.#windowStart || end > this.#windowStart + this.#window.length) {
      const total = this.#starts[this.#starts.length - 1];
      this.#window = new Uint8Array(Math.max(end - start, Math.min(WINDOW, total - start)));
      this.#windowStart = start;
      const file = openSync(this.#path, "r");
      try {
        for (let done = 0; done < this.#window.length; ) {
          const read = readSync(file, this.#window, done, this.#window.length - done, start + done);
          if (read === 0) throw new Error(`${this.#path} is shorter than its index says`);
          done += read;
        }
      } finally {
        closeSync(file);
      }
    }
    return new ProtobufReader(this.#window, start - this.#windowStart, end - this.#windowStart);
  }
}

function refsOf(list: ProtobufReader): number[] {
  const refs: number[] = [];
  let ref = 0;
  while (list.more) {
    ref += list.signed();
    refs.push(ref);
  }
  return refs;
}
