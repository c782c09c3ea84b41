import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { ExternalSort } from "../../sort/external-sort.ts";
import { decodeBlock } from "../pbf/decode-block.ts";
import type { OsmElement } from "../pbf/element.ts";
import type { FilteredBlock } from "../pbf/filter-block.ts";
import type { Selection } from "../pbf/selection.ts";
import { encodeBlock } from "../pbf/write-pbf.ts";

/**
 * Elements of one kind on disk: uncompressed PrimitiveBlocks one after the other. Where each begins is stored in a separate list,
 * as plain data for the work folder's state.
 */
export interface StoreIndex {
  /** Name of the file in the work folder. */
  file: string;
  blocks: { offset: number; length: number }[];
  count: number;
  /** Ids rise from block to block and within each. */
  sorted: boolean;
  /** The first id and the last. */
  first: number;
  last: number;
}

export type ElementKind = "nodes" | "ways" | "relations";

/** The index of a store that holds nothing. */
export const emptyIndex = (file: string): StoreIndex => ({
  file,
  blocks: [],
  count: 0,
  sorted: true,
  first: 0,
  last: 0,
});

export class BlockWriter {
  readonly index: StoreIndex;
  readonly #file: FileHandle;
  #offset = 0;

  private constructor(name: string, file: FileHandle) {
    this.index = emptyIndex(name);
    this.#file = file;
  }

  static async create(folder: string, name: string): Promise<BlockWriter> {
    return new BlockWriter(name, await open(join(folder, name), "w"));
  }

  /**
   * Goes on after what an index says of the file; what else an interruption left there goes. Its own index holds what
   * is new (`joinIndexes`).
   */
  static async after(folder: string, index: StoreIndex): Promise<BlockWriter> {
    const file = await open(join(folder, index.file), index.blocks.length > 0 ? "r+" : "w");
    const writer = new BlockWriter(index.file, file);
    const last = index.blocks.at(-1);
    writer.#offset = last ? last.offset + last.length : 0;
    await file.truncate(writer.#offset);
    return writer;
  }

  async append({ block, count, first, last, ascending }: FilteredBlock): Promise<void> {
    if (count === 0) return;
    for (let done = 0; done < block.length; ) {
      const { bytesWritten } = await this.#file.write(block, done, block.length - done, this.#offset + done);
      done += bytesWritten;
    }
    const { index } = this;
    index.blocks.push({ offset: this.#offset, length: block.length });
    index.sorted &&= ascending && (index.count === 0 || first > index.last);
    if (index.count === 0) index.first = first;
    index.last = last;
    index.count += count;
    this.#offset += block.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Two parts of one file as one. */
export function joinIndexes(a: StoreIndex, b: StoreIndex): StoreIndex {
  if (a.count === 0 || b.count === 0) return a.count === 0 ? b : a;
  return {
    file: a.file,
    blocks: [...a.blocks, ...b.blocks],
    count: a.count + b.count,
    sorted: a.sorted && b.sorted && b.first > a.last,
    first: a.first,
    last: b.last,
  };
}

/** The blocks of a store in order. */
export const readBlocks = (folder: string, { file, blocks }: StoreIndex): AsyncGenerator<Uint8Array<ArrayBuffer>> =>
  blocksOf(join(folder, file), blocks);

/** Blocks that are side by side are read together [bytes]. */
const READ_AT_ONCE = 1 << 20;

/** Blocks of a file in order; the next are read while the caller works on one. Each is in its own memory. */
export async function* blocksOf(
  path: string,
  blocks: readonly { offset: number; length: number }[],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (blocks.length === 0) return;
  const file = await open(path);
  try {
    const read = async (first: number, end: number) => {
      const { offset } = blocks[first];
      const last = blocks[end - 1];
      const bytes = new Uint8Array(last.offset + last.length - offset);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      if (bytesRead !== bytes.length) throw new Error(`${path} is shorter than its index says`);
      return bytes;
    };
    const readFrom = (first: number) => {
      const end = endOfRead(blocks, first);
      const bytes = read(first, end);
      bytes.catch(() => undefined);
      return { first, end, bytes };
    };
    let next = readFrom(0);
    while (next.first < blocks.length) {
      const { first, end } = next;
      const bytes = await next.bytes;
      next = end < blocks.length ? readFrom(end) : { first: end, end, bytes: next.bytes };
      if (end === first + 1) yield bytes;
      else
        for (let i = first; i < end; i++) {
          const start = blocks[i].offset - blocks[first].offset;
          yield bytes.slice(start, start + blocks[i].length);
        }
    }
    await next.bytes;
  } finally {
    await file.close();
  }
}

/** After the blocks that are read together, from one on. */
function endOfRead(blocks: readonly { offset: number; length: number }[], first: number): number {
  const start = blocks[first].offset;
  let end = first + 1;
  for (; end < blocks.length; end++) {
    const { offset, length } = blocks[end];
    const before = blocks[end - 1];
    if (offset !== before.offset + before.length || offset + length - start > READ_AT_ONCE) break;
  }
  return end;
}

const BLOCK = 8000;

/**
 * Sorts a store by id and drops duplicates; of two elements with the same id the later one stays. Each element travels
 * as its own block, so that it carries its strings. The result is another file: until that is remembered, the
 * first is what an interrupted import continues with.
 */
export async function sortStore(
  folder: string,
  index: StoreIndex,
  kind: ElementKind,
  memory: number,
): Promise<StoreIndex> {
  const sort = new ExternalSort({ path: join(folder, `${kind}.sort`), memory });
  const writer = await BlockWriter.create(folder, `sorted-${kind}.blocks`);
  try {
    for await (const bytes of readBlocks(folder, index)) {
      forEachElement(bytes, kind, (element) => sort.add(element.id, encodeBlock([element])));
    }
    let batch: OsmElement[] = [];
    const flush = async () => {
      const part = batch;
      batch = [];
      if (part.length === 0) return;
      const [first, last] = [part[0].id, part[part.length - 1].id];
      const block = new Uint8Array(encodeBlock(part));
      await writer.append({ block, count: part.length, first, last, ascending: true });
    };
    for (const { bytes, start, end } of sort.sorted()) {
      forEachElement(bytes.subarray(start, end), kind, (element) => {
        if (batch.at(-1)?.id === element.id) batch.pop();
        batch.push(element);
      });
      // The last one waits: a later version of it may follow.
      if (batch.length > BLOCK) {
        const last = batch.pop() as OsmElement;
        await flush();
        batch.push(last);
      }
    }
    await flush();
  } finally {
    sort.close();
    await writer.close();
  }
  return writer.index;
}

function forEachElement(bytes: Uint8Array, kind: ElementKind, visit: (element: OsmElement) => void): void {
  const everything: Selection = { [kind]: true };
  decodeBlock(bytes, { node: visit, way: visit, relation: visit }, everything);
}
