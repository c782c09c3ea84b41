import { type FileHandle, open, rename } from "node:fs/promises";
import { decodeBlock } from "./decode-block.ts";
import type { OsmElement } from "./element.ts";
import type { FilteredBlock } from "./filter-block.ts";
import type { Selection } from "./selection.ts";
import { encodeBlock } from "./write-pbf.ts";

/**
 * Elements of one kind on disk: uncompressed PrimitiveBlocks one after the other. Where each begins is kept beside it,
 * as plain data for the work folder's state.
 */
export interface StoreIndex {
  blocks: { offset: number; length: number }[];
  count: number;
  /** Ids rise from block to block and within each. */
  sorted: boolean;
  last: number;
}

export type ElementKind = "nodes" | "ways" | "relations";

export class BlockWriter {
  readonly index: StoreIndex = { blocks: [], count: 0, sorted: true, last: Number.NEGATIVE_INFINITY };
  readonly #file: FileHandle;
  #offset = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<BlockWriter> {
    return new BlockWriter(await open(path, "w"));
  }

  async append({ block, count, first, last, ascending }: FilteredBlock): Promise<void> {
    if (count === 0) return;
    await this.#file.writeFile(block);
    const { index } = this;
    index.blocks.push({ offset: this.#offset, length: block.length });
    index.sorted &&= ascending && first > index.last;
    index.last = last;
    index.count += count;
    this.#offset += block.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** The blocks in order; the next is read while the caller works on one. */
export async function* readBlocks(path: string, index: StoreIndex): AsyncGenerator<Uint8Array> {
  if (index.blocks.length === 0) return;
  const file = await open(path);
  try {
    const read = async (i: number) => {
      const { offset, length } = index.blocks[i];
      const bytes = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      if (bytesRead !== length) throw new Error(`${path} is shorter than its index says`);
      return bytes;
    };
    let next = read(0);
    for (let i = 0; i < index.blocks.length; i++) {
      const bytes = await next;
      if (i + 1 < index.blocks.length) {
        next = read(i + 1);
        next.catch(() => undefined);
      }
      yield bytes;
    }
    await next;
  } finally {
    await file.close();
  }
}

/** Elements held in memory at a time while sorting. */
const BUCKET = 100_000;
const BLOCK = 8000;

/**
 * Sorts a store by id and drops duplicates; of two elements with the same id the later one stays. Two passes: the ids
 * alone, to find ranges of about 100,000, then per range the elements of the blocks that reach into it. Sorted extracts
 * of neighbouring areas overlap little in each range, so this is close to a merge.
 */
export async function sortStore(path: string, index: StoreIndex, kind: ElementKind): Promise<StoreIndex> {
  const ids = new Float64Array(index.count);
  const ranges: [min: number, max: number][] = [];
  let at = 0;
  for await (const bytes of readBlocks(path, index)) {
    const range: [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    forEachElement(bytes, kind, ({ id }) => {
      ids[at++] = id;
      range[0] = Math.min(range[0], id);
      range[1] = Math.max(range[1], id);
    });
    ranges.push(range);
  }
  ids.sort();

  const writer = await BlockWriter.create(`${path}.sorted`);
  for (let start = 0; start < ids.length; ) {
    // A range ends where an id ends, so that duplicates stay together.
    let end = Math.min(start + BUCKET, ids.length);
    while (end < ids.length && ids[end] === ids[end - 1]) end++;
    const [low, high] = [ids[start], ids[end - 1]];
    const found = new Map<number, OsmElement>();
    const reaching = index.blocks.filter((_, i) => ranges[i][0] <= high && ranges[i][1] >= low);
    for await (const bytes of readBlocks(path, { ...index, blocks: reaching })) {
      forEachElement(bytes, kind, (element) => {
        if (element.id >= low && element.id <= high) found.set(element.id, element);
      });
    }
    const elements = [...found.values()].sort((a, b) => a.id - b.id);
    for (let i = 0; i < elements.length; i += BLOCK) {
      const part = elements.slice(i, i + BLOCK);
      const [first, last] = [part[0].id, part[part.length - 1].id];
      await writer.append({
        block: new Uint8Array(encodeBlock(part)),
        count: part.length,
        first,
        last,
        ascending: true,
      });
    }
    start = end;
  }
  await writer.close();
  await rename(`${path}.sorted`, path);
  return writer.index;
}

function forEachElement(bytes: Uint8Array, kind: ElementKind, visit: (element: OsmElement) => void): void {
  const everything: Selection = { [kind]: true };
  decodeBlock(bytes, { node: visit, way: visit, relation: visit }, everything);
}
