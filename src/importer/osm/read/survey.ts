import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { ImportError } from "../../common/import-error.ts";
import type { Progress } from "../../common/progress.ts";
import { ExternalSort } from "../../sort/external-sort.ts";
import { decodeBlock } from "../pbf/decode-block.ts";
import type { OsmRelation } from "../pbf/element.ts";
import type { Selection } from "../pbf/selection.ts";
import { type ElementKind, type StoreIndex, sortStore } from "../store/block-store.ts";
import { checkId } from "../store/id-set.ts";
import { SparseIds } from "../store/sparse-ids.ts";
import type { ElementCounts } from "./jobs.ts";
import { NodeCensus } from "./node-ranges.ts";
import { expectBytes, type Reading, readPass } from "./pass.ts";

/** Result of the first pass. */
export interface Survey {
  counts: ElementCounts;
  relations: StoreIndex;
  /** Per extract. */
  files: FileSurvey[];
}

interface FileSurvey {
  /** Per blob: which kinds it holds, as bits. */
  kinds: number[];
  /** Per blob: the smallest and the largest id of its nodes, [0, −1] for none. */
  nodes: [min: number, max: number][];
  ways: [min: number, max: number][];
  /** Nodes come before ways, and those before relations, and the ids of nodes only rise. */
  sorted: boolean;
}

/** Bits of what a blob holds. */
const HOLDS = { nodes: 1, ways: 2, relations: 4 };

export const holds = (survey: Survey, kind: ElementKind, file: number, blob: number): boolean =>
  (survey.files[file].kinds[blob] & HOLDS[kind]) !== 0;

/**
 * The first pass: what every blob holds; the wanted relations; which ways are their members (`members.ids`); how the
 * ids of nodes are spread (`node-spread.bin`).
 */
export async function surveyRelations(reading: Reading, selection: Selection, progress: Progress): Promise<Survey> {
  const members = new ExternalSort({ path: reading.work.path("members.sort"), memory: reading.memory / 4 });
  const census = new NodeCensus();
  const counts: ElementCounts = { nodes: 0, ways: 0, relations: 0 };
  const files = reading.files.map((): FileSurvey => ({ kinds: [], nodes: [], ways: [], sorted: true }));
  const order = reading.files.map(() => ({ kind: 0, id: -1 }));
  expectBytes(reading, progress);
  let relations: StoreIndex;
  try {
    relations = await readPass(reading, {
      kind: "relations",
      wants: () => true,
      toJob: (blob) => ({ ...blob, job: "survey", relations: selection.relations ?? [] }),
      known: reading.known?.survey(),
      see({ counts: found = { nodes: 0, ways: 0, relations: 0 }, span, ids, count, block }, file, { length, offset }) {
        const here = files[file];
        let kinds = 0;
        for (const kind of ["nodes", "ways", "relations"] as const) {
          counts[kind] += found[kind];
          if (found[kind] === 0) continue;
          kinds |= HOLDS[kind];
          if (HOLDS[kind] < order[file].kind) here.sorted = false;
          order[file].kind = HOLDS[kind];
        }
        here.kinds.push(kinds);
        here.nodes.push(span ? [span.min, span.max] : [0, -1]);
        here.ways.push(ids?.ways ?? [0, -1]);
        if (span) {
          census.add(span.spread);
          if (!span.ascending || span.min <= order[file].id) here.sorted = false;
          order[file].id = span.max;
        }
        if (count > 0) {
          const where = `${basename(reading.files[file].path)}, blob at byte ${offset}`;
          takeWays(block, where, (ref) => members.add(ref, NO_BYTES));
        }
        progress.advance(length);
      },
    });
    await writeFile(reading.work.path("members.ids"), SparseIds.of(members.sorted(), members.count).encode());
  } finally {
    members.close();
  }
  await writeFile(reading.work.path("node-spread.bin"), new Uint8Array(census.spread().buffer));
  return { counts, relations: await sorted(reading, relations, "relations"), files };
}

/** The spread of node ids, for `cutRanges`. */
export async function nodeSpread({ work }: Reading): Promise<Float64Array> {
  return new Float64Array(new Uint8Array(await readFile(work.path("node-spread.bin"))).buffer);
}

/** Half of the memory: what sorts next to it holds the other. */
export const sorted = (reading: Reading, index: StoreIndex, kind: ElementKind): StoreIndex | Promise<StoreIndex> =>
  index.sorted ? index : sortStore(reading.work.folder, index, kind, reading.memory / 2);

const NO_BYTES = new Uint8Array(0);

function takeWays(block: Uint8Array, where: string, take: (ref: number) => void): void {
  const relation = ({ members }: OsmRelation) => {
    for (const { type, ref } of members) {
      checkId(ref);
      if (type === "way") take(ref);
    }
  };
  try {
    decodeBlock(block, { relation }, { relations: true });
  } catch (error) {
    throw error instanceof ImportError ? new ImportError(`${where}: relation. ${error.message}`) : error;
  }
}
