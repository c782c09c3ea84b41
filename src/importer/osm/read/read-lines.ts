import type { Progress } from "../../common/progress.ts";
import { BlockWriter, readBlocks, type StoreIndex } from "../store/block-store.ts";
import { readChunks } from "../store/chunk-file.ts";
import type { CachedLines } from "./cached-results.ts";
import { type JobResult, movesOf, type WayJob } from "./jobs.ts";
import type { Reading } from "./pass.ts";
import { type NodesOfRange, placesFile } from "./read-nodes.ts";
import type { WayRefs } from "./read-ways.ts";

interface WaysWithLines {
  index: StoreIndex;
  /** Refs of all ways, and how many of them no extract has. */
  refs: number;
  missing: number;
}

/** The store of ways once more, each way with the places of its nodes. */
export async function joinLines(
  { work, pool, known }: Reading,
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
    const take = async ({ blocks, refs, missing }: CachedLines) => {
      for (const block of blocks) await writer.append(block);
      total.refs += refs;
      total.missing += missing;
    };
    const { order = index.blocks.map((_, block) => -1 - block) } = ways;
    for (const blob of order) {
      if (known && blob >= 0) {
        await take(known.lines(blob));
        continue;
      }
      const { blocks = [], refs = 0, missing = 0 } = (await results.next()).value as JobResult;
      await take({ blocks, refs, missing });
      if (ways.order) known?.keepLines(-1 - blob, { blocks, refs, missing });
      progress.advance(per);
    }
    await results.return(undefined);
  } finally {
    await Promise.all(places.map((one) => one.return(undefined)));
    await writer.close();
  }
  return { index: writer.index, ...total };
}
