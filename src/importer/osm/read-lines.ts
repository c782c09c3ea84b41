import type { Progress } from "../progress.ts";
import { BlockWriter, readBlocks, type StoreIndex } from "./block-store.ts";
import { readChunks } from "./chunk-file.ts";
import { movesOf, type WayJob } from "./jobs.ts";
import type { Reading } from "./pass.ts";
import { type NodesOfRange, placesFile } from "./read-nodes.ts";
import type { WayRefs } from "./read-ways.ts";

export interface WaysWithLines {
  index: StoreIndex;
  /** Refs of all ways, and how many of them no extract has. */
  refs: number;
  missing: number;
}

/** The store of ways once more, each way with the places of its nodes. */
export async function joinLines(
  { work, pool }: Reading,
  ways: WayRefs,
  ranges: readonly NodesOfRange[],
  progress: Progress,
): Promise<WaysWithLines> {
  const { starts, index } = ways;
  const writer = await BlockWriter.create(work.folder, "lines.blocks");
  progress.expect(index.count, "ways");
  const total = { refs: 0, missing: 0 };
  const places = ranges.map(({ chunks }, range) => readChunks(work.path(placesFile(range)), chunks));
  try {
    const per = index.blocks.length > 0 ? index.count / index.blocks.length : 0;
    const results = pool.inOrder(
      readBlocks(work.folder, index),
      async (block): Promise<WayJob> => {
        const chunks = await Promise.all(
          places.map(async (one) => (await one.next()).value as Uint8Array<ArrayBuffer>),
        );
        return { job: "lines", block, chunks, starts };
      },
      movesOf,
    );
    for await (const { block, refs = 0, missing = 0 } of results) {
      // What is in the blocks is what was in those of the store; only where they lie is new.
      await writer.append({ block, count: 1, first: 0, last: 0, ascending: true });
      total.refs += refs;
      total.missing += missing;
      progress.advance(per);
    }
  } finally {
    await Promise.all(places.map((one) => one.return(undefined)));
    await writer.close();
  }
  return { index: { ...index, file: writer.index.file, blocks: writer.index.blocks }, ...total };
}
