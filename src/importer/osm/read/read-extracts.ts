import { readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { ThreadPool } from "../../threads/thread-pool.ts";
import { BlobFile } from "../pbf/blob-file.ts";
import type { Selection } from "../pbf/selection.ts";
import { emptyIndex, joinIndexes, type StoreIndex } from "../store/block-store.ts";
import { joinMembers, MemberLines } from "../store/member-lines.ts";
import { SparseIds } from "../store/sparse-ids.ts";
import { CachedReading, type PreviousReading } from "./cached-reading.ts";
import { contentOf } from "./content-areas.ts";
import { type ElementCounts, JOBS, type Job, type JobResult, threadsFor } from "./jobs.ts";
import { farNote, leaveOutFar } from "./leave-out-far.ts";
import type { Reading, ReadingFolder } from "./pass.ts";
import { joinLines } from "./read-lines.ts";
import { type NodesOfRange, placesFile, readNodes } from "./read-nodes.ts";
import { readWays, refsFile, type WayRefs } from "./read-ways.ts";
import { sorted, surveyRelations } from "./survey.ts";

export interface Extract {
  /** The file name without its folder. */
  readonly name: string;
  /** From the header of the file, otherwise the box around its nodes. */
  readonly bounds: Bounds;
  /** Parts of it with hundreds of kilometers of nothing between them; else the box itself. */
  readonly areas: readonly Bounds[];
  /** Age of the OSM data [ISO 8601], if the file has it. */
  readonly timestamp?: string;
}

/** The selected elements of all extracts: sorted, each element once, ways with the places of their nodes. */
export interface ElementStore {
  folder: string;
  extracts: readonly Extract[];
  /** All elements of the extracts, wanted or not; elements in two extracts count twice. */
  counts: ElementCounts;
  nodes: StoreIndex;
  ways: StoreIndex;
  relations: StoreIndex;
  /** Ways that are members of wanted relations. */
  members: SparseIds;
  /** Their lines, relation by relation. */
  memberLines: MemberLines;
  /** Problems of the extracts and how they were handled: lines for the operator. */
  notes: readonly string[];
}

/** A store for builds that read no extract. */
export function emptyStore(folder: string): ElementStore {
  return {
    folder,
    extracts: [],
    counts: { nodes: 0, ways: 0, relations: 0 },
    nodes: emptyIndex(""),
    ways: emptyIndex(""),
    relations: emptyIndex(""),
    members: SparseIds.of([], 0),
    memberLines: MemberLines.none(),
    notes: [],
  };
}

export interface ReadOptions {
  /** Bytes that reading may hold besides the program itself. */
  memory?: number;
  /** At most so many; one per core when not given. */
  threads?: number;
  /** Bytes of PBF from which on threads are worth their start. */
  threadsFrom?: number;
  /** Cached results for the same extract; there is no cache for several extracts. */
  before?: PreviousReading | undefined;
}

/** The phases of the work folder that reading runs through, in order; of some there are parts ("nodes: 2 of 5"). */
export const READING = ["relations", "ways", "nodes", "lines", "outlines"] as const;

/** What `readExtracts` must at least be given, for so much data [bytes]. */
export function minMemoryOfReading({ nodes, ways, relations }: ElementCounts): number {
  // Of each blob (8,000 elements) where it is and what it holds; members of relations, one way in ten, in two bytes each,
  // twice while they are stored; of relations where their lines begin.
  return MIN_MEMORY_BYTES + ((nodes + ways + relations) / 8000) * 200 + 0.5 * ways + 40 * relations;
}

/** A few blobs and blocks of the largest size in transit, and two small sorts. */
const MIN_MEMORY_BYTES = 48e6;

/** Of the memory, what the heaps of all threads may take: they hold a blob at a time, so mostly the least there is. */
const FOR_HEAPS = 1 / 4;

const DEFAULT_MEMORY = 512 * 1024 * 1024;

/**
 * Reads the extracts in three passes, so that only what is needed is ever held, and joins what they found:
 *
 *     relations  what every blob holds; the wanted relations; hence which ways are their members
 *     ways       the wanted ones and those members; hence which nodes are needed, by ranges of ids
 *     nodes      the wanted ones; and where the needed ones are: a range at a time, 8 bytes each
 *     lines      ways with the places of their nodes
 *     outlines   relations with the lines of their ways
 *
 * Each is a phase of the work folder (a separate one for each range of nodes): one that was finished before an interruption
 * is not done again. `memory` decides how many ranges there are, and nothing of what comes out.
 */
export async function readExtracts(
  paths: readonly string[],
  selection: Selection,
  work: ReadingFolder,
  options: ReadOptions = {},
): Promise<ElementStore> {
  const files = await Promise.all(paths.map((path) => BlobFile.open(path)));
  const { memory = DEFAULT_MEMORY } = options;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const threads = threadsFor(bytes, options.threads, options.threadsFrom);
  const pool = new ThreadPool<Job, JobResult>(threads, JOBS, { heap: memory * FOR_HEAPS });
  try {
    const { before } = options;
    const known = before && files.length === 1 ? await CachedReading.of(before, selection, files[0]) : undefined;
    return await readAll({ files, pool, work, memory, known }, selection);
  } finally {
    await pool.close();
    await Promise.all(files.map((file) => file.close()));
  }
}

async function readAll(reading: Reading, selection: Selection): Promise<ElementStore> {
  const { work, files } = reading;
  const { folder } = work;
  const survey = await work.phase("relations", (progress) => surveyRelations(reading, selection, progress));
  const { relations, counts } = survey;
  const members = SparseIds.decode(await readFile(work.path("members.ids")));
  const ways = await work.phase("ways", (progress) => readWays(reading, selection, survey, members, progress));
  // After an interruption the lines are asked for, and the ways are not.
  if (ways.order) reading.known?.ways({ spans: survey.files[0].ways, members, starts: ways.starts }).name(ways.order);
  const ranges: NodesOfRange[] = [];
  for (const range of ways.starts.keys()) {
    const name = ways.starts.length === 1 ? "nodes" : `nodes: ${range + 1} of ${ways.starts.length}`;
    ranges.push(
      await work.phase(name, (progress) => readNodes(reading, selection, survey, ways, range, ranges, progress)),
    );
  }
  const asRead = ranges.map(({ index }) => index).reduce(joinIndexes);
  const nodes = asRead.sorted ? asRead : await work.phase("nodes: sort", async () => sorted(reading, asRead, "nodes"));
  const lines = await work.phase("lines", (progress) => joinLines(reading, ways, ranges, progress));
  await removeParts(reading, ways, [nodes, relations]);
  const content = contentOf(files.map((_, i) => ranges.flatMap(({ cells }) => cells[i])));
  const near = await nearStores(reading, { nodes, ways: lines.index }, content.clusters);
  await work.phase("outlines", (progress) =>
    joinMembers(folder, { relations, ways: near.ways, members }, reading.memory, progress),
  );
  const areas = files.map(({ path, header }, i) => areaOf(basename(path), header.bounds, content.files[i].bounds));
  return {
    folder,
    extracts: files.map((file, i) => ({
      name: basename(file.path),
      bounds: areas[i].bounds,
      areas: within(content.files[i].areas, areas[i].bounds),
      ...(file.header.timestamp && { timestamp: new Date(file.header.timestamp * 1000).toISOString() }),
    })),
    counts,
    nodes: near.nodes,
    ways: near.ways,
    relations,
    members,
    memberLines: await MemberLines.open(folder),
    notes: [
      ...areas.flatMap(({ note = [] }) => note),
      ...near.notes,
      ...survey.files.flatMap(({ sorted: isSorted }, i) =>
        isSorted
          ? []
          : `${basename(files[i].path)} is not sorted by kind and id, so reading it takes longer (osmium sort would help).`,
      ),
      ...(lines.missing > 0
        ? [
            `${lines.missing} of the ${lines.refs} nodes that ways name are not in the extracts: lines end or are cut short there.`,
          ]
        : []),
    ],
  };
}

/** The stores without what is far from everything else: such a line would be drawn across half of the Earth. */
async function nearStores(
  reading: Reading,
  stores: { nodes: StoreIndex; ways: StoreIndex },
  clusters: Uint16Array<SharedArrayBuffer> | undefined,
): Promise<{ nodes: StoreIndex; ways: StoreIndex; notes: string[] }> {
  if (!clusters) return { ...stores, notes: [] };
  const { work } = reading;
  const leaveOut = (kind: "nodes" | "ways") =>
    work.phase(`lines: far ${kind}`, (progress) => leaveOutFar(reading, kind, stores[kind], clusters, progress));
  const [nodes, ways] = [await leaveOut("nodes"), await leaveOut("ways")];
  for (const kind of ["nodes", "ways"] as const) await rm(work.path(stores[kind].file), { force: true });
  return { nodes: nodes.index, ways: ways.index, notes: farNote([nodes, ways]) };
}

/** Removes the inputs of the lines, which are not needed once the lines are remembered. */
async function removeParts(
  { work }: Reading,
  { index, starts }: WayRefs,
  stores: readonly StoreIndex[],
): Promise<void> {
  // A store that was sorted is in another file than the one it was read into.
  const kept = stores.map(({ file }) => file);
  const asRead = ["nodes.blocks", "relations.blocks"].filter((name) => !kept.includes(name));
  const parts = [
    index.file,
    "ways.blocks",
    ...asRead,
    ...starts.flatMap((_, range) => [refsFile(range), placesFile(range)]),
  ];
  await Promise.all(parts.map((name) => rm(work.path(name), { force: true })));
}

/**
 * The area an extract covers. Headers name the box that was cut out, but some say nonsense (half the Earth), and the
 * nodes reach beyond it where whole ways were kept: what both agree on.
 */
export function areaOf(
  name: string,
  header: Bounds | undefined,
  nodes: Bounds | undefined,
): { bounds: Bounds; note?: string[] } {
  if (!nodes) return { bounds: header ?? [0, 0, 0, 0] };
  if (!header) return { bounds: nodes };
  // One of them is across the 180th meridian.
  if (header[0] > header[2]) return { bounds: header };
  if (nodes[0] > nodes[2]) return { bounds: nodes };
  const both: Bounds = [
    Math.max(header[0], nodes[0]),
    Math.max(header[1], nodes[1]),
    Math.min(header[2], nodes[2]),
    Math.min(header[3], nodes[3]),
  ];
  const said = `The header of ${name} (byte 0) says it covers ${shown(header)}`;
  if (!(both[0] < both[2] && both[1] < both[3])) {
    return { bounds: nodes, note: [`${said}, but its nodes lie elsewhere; it is taken to cover ${shown(nodes)}.`] };
  }
  if (sizeOf(header) < TOO_LARGE * sizeOf(both)) return { bounds: both };
  return { bounds: both, note: [`${said}, but its nodes fill ${shown(both)} only; it is taken to cover that.`] };
}

/** Boxes cut to the area of the extract; that area where nothing is left, or where it crosses the 180th meridian. */
function within(areas: readonly Bounds[], bounds: Bounds): Bounds[] {
  if (areas.length < 2 || bounds[0] > bounds[2]) return areas.length < 2 ? [bounds] : [...areas];
  const cut = areas.flatMap(([west, south, east, north]): Bounds[] => {
    const rows = [Math.max(south, bounds[1]), Math.min(north, bounds[3])] as const;
    if (rows[0] > rows[1]) return [];
    if (west > east) return [[west, rows[0], east, rows[1]]];
    const columns = [Math.max(west, bounds[0]), Math.min(east, bounds[2])] as const;
    return columns[0] > columns[1] ? [] : [[columns[0], rows[0], columns[1], rows[1]]];
  });
  return cut.length > 0 ? cut : [bounds];
}

/** A header's box so many times the size of what it holds is wrong; a coast or a desert leaves less empty. */
const TOO_LARGE = 100;

const sizeOf = ([west, south, east, north]: Bounds) => (east - west) * (north - south);
const shown = (box: Bounds) => `[${box.map((degrees) => Number(degrees.toFixed(4))).join(", ")}]`;
