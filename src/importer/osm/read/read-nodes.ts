import type { Progress } from "../../common/progress.ts";
import type { Selection } from "../pbf/selection.ts";
import { emptyIndex, joinIndexes, type StoreIndex } from "../store/block-store.ts";
import { ChunkWriter, readChunks } from "../store/chunk-file.ts";
import { type IdSet, IdSetBuilder } from "../store/id-set.ts";
import { IdPages } from "./cached-reading.ts";
import { type CellBox, CellCounter } from "./content-areas.ts";
import { noLocations, type SharedLocations } from "./locations.ts";
import { nodesWithin } from "./node-ranges.ts";
import { type Reading, readPass } from "./pass.ts";
import { rangesOf, refsFile, type WayRefs } from "./read-ways.ts";
import { holds, nodeSpread, type Survey } from "./survey.ts";
import { eachRef } from "./way-lines.ts";

/** Result for one range of nodes. */
export interface NodesOfRange {
  /** New blocks in the store. */
  index: StoreIndex;
  /** Where the nodes are, per extract. */
  cells: CellBox[][];
  /** For each block of ways: bytes of its chunk in `places-RANGE.bin`. */
  chunks: number[];
}

export const placesFile = (range: number) => `places-${range}.bin`;

/**
 * The third pass, over the nodes of one range: the wanted ones; and where those are that ways need, in the order in which
 * they need them.
 */
export async function readNodes(
  reading: Reading,
  { nodes = [] }: Selection,
  survey: Survey,
  ways: WayRefs,
  range: number,
  before: readonly NodesOfRange[],
  progress: Progress,
): Promise<NodesOfRange> {
  const [low, high] = rangesOf(ways).reach(range);
  const pages = new IdPages();
  const known = reading.known?.nodes([low, high], (blob) => pages.meets(...survey.files[0].nodes[blob]));
  const needed = await neededNodes(reading, ways, range, known && pages);
  const locations = noLocations(needed.set.size);
  progress.expect(nodesWithin(await nodeSpread(reading), low, high) + needed.refs, "places");
  const counters = reading.files.map(() => new CellCounter());
  const index = await readPass(reading, {
    kind: "nodes",
    after: before.map((one) => one.index).reduce(joinIndexes, emptyIndex("nodes.blocks")),
    wants(file, blob) {
      const [min, max] = survey.files[file].nodes[blob];
      return holds(survey, "nodes", file, blob) && max >= low && min < high;
    },
    toJob: (blob) => ({
      ...blob,
      job: "nodes",
      nodes,
      reach: [low, high],
      needed: needed.set.arrays,
      locations,
    }),
    known,
    see({ cells = [], counts }, file) {
      counters[file].join(cells);
      progress.advance(counts?.nodes);
    },
  });
  const cells = counters.map((counter) => counter.cells);
  return { index, cells, chunks: await writePlaces(reading, ways, range, needed.set, locations, progress) };
}

/** The nodes of a range that ways need, and how many refs name them. */
async function neededNodes(
  { work }: Reading,
  { chunks }: WayRefs,
  range: number,
  pages: IdPages | undefined,
): Promise<{ set: IdSet; refs: number }> {
  const builder = new IdSetBuilder();
  let refs = 0;
  for await (const chunk of readChunks(work.path(refsFile(range)), chunks[range])) {
    eachRef(chunk, (ref) => {
      builder.add(ref);
      pages?.add(ref);
      refs++;
    });
  }
  return { set: builder.freeze(), refs };
}

async function writePlaces(
  { work, pool }: Reading,
  { chunks }: WayRefs,
  range: number,
  needed: IdSet,
  locations: SharedLocations,
  progress: Progress,
): Promise<number[]> {
  const writer = await ChunkWriter.create(work.path(placesFile(range)));
  try {
    const results = pool.inOrder(
      readChunks(work.path(refsFile(range)), chunks[range]),
      (chunk) => ({ job: "places", chunk, needed: needed.arrays, locations }),
      (job) => ("chunk" in job ? [job.chunk.buffer] : []),
    );
    for await (const { chunks: [places] = [], refs } of results) {
      await writer.append(places);
      progress.advance(refs);
    }
  } finally {
    await writer.close();
  }
  return writer.lengths;
}
