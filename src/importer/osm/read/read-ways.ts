import type { Progress } from "../../common/progress.ts";
import type { Selection } from "../pbf/selection.ts";
import type { StoreIndex } from "../store/block-store.ts";
import { ChunkWriter } from "../store/chunk-file.ts";
import type { SparseIds } from "../store/sparse-ids.ts";
import type { JobResult } from "./jobs.ts";
import { cutRanges, NodeRanges } from "./node-ranges.ts";
import { overBlocks, type Reading, readPass } from "./pass.ts";
import { holds, nodeSpread, type Survey, sorted } from "./survey.ts";

/** Result of the pass over the ways: the store, and the refs of its blocks by range of nodes (way-lines.ts). */
export interface WayRefs {
  index: StoreIndex;
  /** First id of each range of nodes. */
  starts: number[];
  /** Per range, for each block of the store: bytes of its chunk in `refs-RANGE.bin`. */
  chunks: number[][];
  /**
   * In the order of their ids: blobs whose lines are known, and, as −1 − blob, those that the blocks of the store come from. Absent
   * where nothing is kept.
   */
  order?: number[];
}

/** Of the memory, what the places of one range of nodes and the set that ranks them may take. */
const FOR_PLACES = 1 / 2;

/** The second pass: the wanted ways and the member ways of relations; and which nodes each block of them needs. */
export async function readWays(
  reading: Reading,
  selection: Selection,
  survey: Survey,
  members: SparseIds,
  progress: Progress,
): Promise<WayRefs> {
  const { starts } = cutRanges(await nodeSpread(reading), reading.memory * FOR_PLACES);
  const chunks = await RefFiles.create(reading, starts);
  progress.expect(survey.counts.ways, "ways");
  let index: StoreIndex;
  const known = reading.known?.ways({ spans: survey.files[0].ways, members, starts });
  const order: number[] = [];
  let last = -1;
  let ascending = true;
  try {
    index = await readPass(reading, {
      kind: "ways",
      wants: (file, blob) => holds(survey, "ways", file, blob),
      toJob: (blob) => ({ ...blob, job: "ways", ways: selection.ways ?? [], members: members.arrays, starts }),
      known,
      async see(result, _file, _place, blob) {
        if (result.count > 0) await chunks.append(result);
        const { count, first, last: end } = result.elsewhere ?? result;
        if (count > 0) {
          order.push(result.elsewhere ? blob : -1 - blob);
          ascending &&= result.ascending && first > last;
          last = end;
        }
        progress.advance(result.counts?.ways);
      },
    });
  } finally {
    await chunks.close();
  }
  if (known && !ascending) return readWays({ ...reading, known: undefined }, selection, survey, members, progress);
  if (index.sorted) return { index, starts: [...starts], chunks: chunks.lengths, ...(known && { order }) };
  const inOrder = await sorted(reading, index, "ways");
  return { index: inOrder, starts: [...starts], chunks: await refsOfStore(reading, inOrder, starts) };
}

/** The chunks of refs of a store that was sorted after the pass. */
async function refsOfStore(reading: Reading, index: StoreIndex, starts: readonly number[]): Promise<number[][]> {
  const chunks = await RefFiles.create(reading, starts);
  try {
    await overBlocks(
      reading,
      index,
      (block) => ({ job: "refs", block, starts }),
      (result) => chunks.append(result),
    );
  } finally {
    await chunks.close();
  }
  return chunks.lengths;
}

export const refsFile = (range: number) => `refs-${range}.bin`;

/** A file of refs per range of nodes. */
class RefFiles {
  readonly #files: ChunkWriter[];

  private constructor(files: ChunkWriter[]) {
    this.#files = files;
  }

  static async create({ work }: Reading, starts: readonly number[]): Promise<RefFiles> {
    return new RefFiles(await Promise.all(starts.map((_, range) => ChunkWriter.create(work.path(refsFile(range))))));
  }

  get lengths(): number[][] {
    return this.#files.map(({ lengths }) => lengths);
  }

  async append({ chunks = [] }: JobResult): Promise<void> {
    for (const [range, file] of this.#files.entries()) await file.append(chunks[range]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }
}

export const rangesOf = ({ starts }: WayRefs) => new NodeRanges(starts);
