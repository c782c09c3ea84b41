import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Bounds, Extract } from "../layer.ts";
import type { Progress } from "../progress.ts";
import { ThreadPool } from "../threads/thread-pool.ts";
import type { WorkFolder } from "../work-folder.ts";
import { BlobFile } from "./blob-file.ts";
import { BlockWriter, type ElementKind, type StoreIndex, sortStore } from "./block-store.ts";
import { decodeBlock } from "./decode-block.ts";
import { IdSet, IdSetBuilder } from "./id-set.ts";
import { blobOf, type ElementCounts, JOBS, type Job, type JobResult, threadsFor } from "./jobs.ts";
import { loadLocations, NodeLocations, saveLocations } from "./locations.ts";
import type { Selection } from "./selection.ts";

/** What the layers asked for out of all extracts: sorted, each element once, with the places of all nodes it needs. */
export interface ElementStore {
  folder: string;
  extracts: readonly Extract[];
  /** All elements of the extracts, wanted or not; elements in two extracts count twice. */
  counts: ElementCounts;
  nodes: StoreIndex;
  ways: StoreIndex;
  relations: StoreIndex;
  /** Ways that are members of wanted relations. */
  members: IdSet;
  locations: NodeLocations;
}

/** A store for builds that read no extract. */
export function emptyStore(folder: string): ElementStore {
  const nothing: StoreIndex = { blocks: [], count: 0, sorted: true, last: 0 };
  const none = new IdSetBuilder().freeze();
  return {
    folder,
    extracts: [],
    counts: { nodes: 0, ways: 0, relations: 0 },
    nodes: nothing,
    ways: nothing,
    relations: nothing,
    members: none,
    locations: new NodeLocations(none),
  };
}

/** Bits of what a blob holds. */
const HOLDS = { nodes: 1, ways: 2, relations: 4 };

interface Survey {
  counts: ElementCounts;
  relations: StoreIndex;
  /** Per extract and blob: which kinds it holds. */
  kinds: number[][];
}

/**
 * Reads the extracts in three passes, so that only what is needed is ever held:
 *
 *     relations  what every blob holds; the wanted relations; hence which ways and nodes are their members
 *     ways       the wanted ones and those members; hence which nodes are needed
 *     nodes      the wanted ones; and where the needed ones are: 8 bytes each
 *
 * Each pass is a phase of the work folder: one that was finished before an interruption is not done again.
 */
export async function readExtracts(
  paths: readonly string[],
  selection: Selection,
  work: WorkFolder,
): Promise<ElementStore> {
  const files = await Promise.all(paths.map((path) => BlobFile.open(path)));
  const pool = new ThreadPool<Job, JobResult>(threadsFor(files.reduce((sum, { size }) => sum + size, 0)), JOBS);
  const pass = new Pass(files, pool, work);
  try {
    const survey = await work.phase("relations", (progress) => surveyRelations(pass, selection, progress));
    const members = IdSet.decode(await readFile(work.path("members.ids")));
    const ways = await work.phase("ways", (progress) => readWays(pass, selection, survey, members, progress));
    const needed = IdSet.decode(await readFile(work.path("needed.ids")));
    const nodes = await work.phase("nodes", (progress) => readNodes(pass, selection, survey, needed, progress));
    return {
      folder: work.folder,
      extracts: files.map((file, i) => ({
        name: basename(file.path),
        bounds: boundsOf(file.header.bounds, nodes.boxes[i]),
        ...(file.header.timestamp && { timestamp: new Date(file.header.timestamp * 1000).toISOString() }),
      })),
      counts: survey.counts,
      nodes: nodes.nodes,
      ways,
      relations: survey.relations,
      members,
      locations: new NodeLocations(needed, await loadLocations(work.path("locations.bin"), needed.size)),
    };
  } finally {
    await pool.close();
    await Promise.all(files.map((file) => file.close()));
  }
}

/** One pass over the blobs of all extracts that hold a kind of element. */
class Pass {
  readonly files: readonly BlobFile[];
  readonly #pool: ThreadPool<Job, JobResult>;
  readonly #work: WorkFolder;

  constructor(files: readonly BlobFile[], pool: ThreadPool<Job, JobResult>, work: WorkFolder) {
    this.files = files;
    this.#pool = pool;
    this.#work = work;
  }

  /** Runs the job on every blob, stores what it keeps, and hands the result to `see`, all in the order of the files. */
  async run(
    kind: ElementKind,
    progress: Progress,
    survey: Survey | undefined,
    job: (blob: { path: string; offset: number; blob: Uint8Array<ArrayBuffer> }) => Job,
    see: (result: JobResult, file: number) => void,
  ): Promise<StoreIndex> {
    const path = this.#work.path(`${kind}.blocks`);
    const writer = await BlockWriter.create(path);
    const wanted = (file: number) =>
      this.files[file].blobs.filter((_, i) => !survey || survey.kinds[file][i] & HOLDS[kind]);
    // How many elements there are is known after the first pass; until then bytes tell how far it is.
    if (survey) progress.expect(survey.counts[kind], kind);
    else {
      progress.expect(
        this.files.reduce((sum, { size }) => sum + size, 0),
        "B",
      );
    }
    try {
      // One extract after the other: where two have the same element, the later one counts.
      for (const [number, file] of this.files.entries()) {
        const places = wanted(number);
        let at = 0;
        const results = this.#pool.inOrder(
          places,
          async (place) => job({ path: file.path, offset: place.offset, blob: await file.readBlob(place) }),
          blobOf,
        );
        for await (const result of results) {
          see(result, number);
          await writer.append(result);
          progress.advance(survey ? result.counts?.[kind] : places[at].length);
          at++;
        }
      }
    } finally {
      await writer.close();
    }
    return writer.index.sorted ? writer.index : sortStore(path, writer.index, kind);
  }

  load(name: string): Promise<Uint8Array> {
    return readFile(this.#work.path(name));
  }

  save(name: string, write: (path: string) => Promise<void>): Promise<void> {
    return write(this.#work.path(name));
  }
}

async function surveyRelations(pass: Pass, selection: Selection, progress: Progress): Promise<Survey> {
  const members = new IdSetBuilder();
  const nodes = new IdSetBuilder();
  const counts: ElementCounts = { nodes: 0, ways: 0, relations: 0 };
  const kinds: number[][] = pass.files.map(() => []);
  const relations = await pass.run(
    "relations",
    progress,
    undefined,
    (blob) => ({ ...blob, job: "survey", relations: selection.relations ?? [] }),
    (result, file) => {
      const found = result.counts ?? { nodes: 0, ways: 0, relations: 0 };
      counts.nodes += found.nodes;
      counts.ways += found.ways;
      counts.relations += found.relations;
      kinds[file].push(
        (found.nodes > 0 ? HOLDS.nodes : 0) |
          (found.ways > 0 ? HOLDS.ways : 0) |
          (found.relations > 0 ? HOLDS.relations : 0),
      );
      if (result.count === 0) return;
      const relation = ({ members: list }: { members: readonly { type: string; ref: number }[] }) => {
        for (const { type, ref } of list) {
          if (type === "way") members.add(ref);
          else if (type === "node") nodes.add(ref);
        }
      };
      decodeBlock(result.block, { relation }, { relations: true });
    },
  );
  await pass.save("members.ids", (path) => writeFile(path, members.freeze().encode()));
  await pass.save("member-nodes.ids", (path) => writeFile(path, nodes.freeze().encode()));
  return { counts, relations, kinds };
}

async function readWays(
  pass: Pass,
  selection: Selection,
  survey: Survey,
  members: IdSet,
  progress: Progress,
): Promise<StoreIndex> {
  const needed = IdSetBuilder.from(await pass.load("member-nodes.ids"));
  const index = await pass.run(
    "ways",
    progress,
    survey,
    (blob) => ({ ...blob, job: "ways", ways: selection.ways ?? [], members: members.arrays }),
    ({ refs }) => {
      if (refs) for (const ref of refs) needed.add(ref);
    },
  );
  await pass.save("needed.ids", (path) => writeFile(path, needed.freeze().encode()));
  return index;
}

async function readNodes(
  pass: Pass,
  selection: Selection,
  survey: Survey,
  needed: IdSet,
  progress: Progress,
): Promise<{ nodes: StoreIndex; boxes: Bounds[] }> {
  const { arrays } = new NodeLocations(needed);
  const boxes = pass.files.map((): [number, number, number, number] => [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]);
  const nodes = await pass.run(
    "nodes",
    progress,
    survey,
    (blob) => ({ ...blob, job: "nodes", nodes: selection.nodes ?? [], needed: needed.arrays, locations: arrays }),
    ({ box }, file) => {
      if (!box) return;
      const whole = boxes[file];
      whole[0] = Math.min(whole[0], box[0]);
      whole[1] = Math.min(whole[1], box[1]);
      whole[2] = Math.max(whole[2], box[2]);
      whole[3] = Math.max(whole[3], box[3]);
    },
  );
  await pass.save("locations.bin", (path) => saveLocations(path, arrays));
  return { nodes, boxes: boxes.map(([w, s, e, n]): Bounds => [w / 1e7, s / 1e7, e / 1e7, n / 1e7]) };
}

/**
 * The area an extract covers. Headers name the box that was cut out, but some say nonsense (half the Earth), and the
 * nodes reach beyond it where whole ways were kept: what both agree on. Only the header can tell of a box across the
 * 180th meridian.
 */
function boundsOf(header: Bounds | undefined, nodes: Bounds): Bounds {
  if (!Number.isFinite(nodes[0])) return header ?? [0, 0, 0, 0];
  if (!header) return nodes;
  if (header[0] > header[2]) return header;
  const both: Bounds = [
    Math.max(header[0], nodes[0]),
    Math.max(header[1], nodes[1]),
    Math.min(header[2], nodes[2]),
    Math.min(header[3], nodes[3]),
  ];
  return both[0] < both[2] && both[1] < both[3] ? both : nodes;
}
