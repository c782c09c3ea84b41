import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { Malformed, ProtobufReader } from "../../../core/geo/bytes/protobuf.ts";
import { ImportError } from "../../common/import-error.ts";
import { damaged, unpackBlob } from "../pbf/blob-file.ts";
import { Block, ElementFields, GROUP_DENSE, GROUP_NODES, GROUP_RELATIONS, GROUP_WAYS } from "../pbf/block.ts";
import { denseColumns } from "../pbf/decode-block.ts";
import { type FilteredBlock, filterBlock } from "../pbf/filter-block.ts";
import type { Selection, TagSelection } from "../pbf/selection.ts";
import { checkId, IdSet, type IdSetArrays } from "../store/id-set.ts";
import { type SparseIdArrays, SparseIds } from "../store/sparse-ids.ts";
import { type CellBox, CellCounter } from "./content-areas.ts";
import { type FarElement, withoutFar } from "./far-elements.ts";
import type { SharedLocations } from "./locations.ts";
import { NodeCensus, NodeRanges } from "./node-ranges.ts";
import { placesOf, RefWriter, withLines } from "./way-lines.ts";

/** A blob for a thread. */
export interface BlobJob {
  path: string;
  /** Position of the blob in the file [bytes], for the error message when it is damaged. */
  offset: number;
  blob: Uint8Array<ArrayBuffer>;
}

/** Jobs for a blob of an extract. */
type ReadJob = BlobJob &
  (
    | { job: "filter"; selection: Selection }
    /** Count everything, keep the wanted relations. */
    | { job: "survey"; relations: TagSelection }
    /** Keep the wanted ways and the members of relations, and report which nodes they need, by range. */
    | { job: "ways"; ways: TagSelection; members: SparseIdArrays; starts: readonly number[] }
    /** Of a range of nodes: keep the wanted ones, and write down where the needed ones are. */
    | {
        job: "nodes";
        nodes: TagSelection;
        reach: readonly [low: number, high: number];
        needed: IdSetArrays;
        locations: SharedLocations;
      }
  );

/** Jobs for blocks of the store: of ways (way-lines.ts), and of nodes and ways (far-elements.ts). */
export type WayJob =
  | { job: "refs"; block: Uint8Array<ArrayBuffer>; starts: readonly number[] }
  | { job: "places"; chunk: Uint8Array<ArrayBuffer>; needed: IdSetArrays; locations: SharedLocations }
  | { job: "lines"; block: Uint8Array<ArrayBuffer>; chunks: Uint8Array<ArrayBuffer>[]; starts: readonly number[] }
  | { job: "far"; kind: "nodes" | "ways"; block: Uint8Array<ArrayBuffer>; clusters: Uint16Array<SharedArrayBuffer> };

export type Job = ReadJob | WayJob;

export interface ElementCounts {
  nodes: number;
  ways: number;
  relations: number;
}

/** How the nodes of a blob are numbered. */
interface NodeSpan {
  min: number;
  max: number;
  ascending: boolean;
  /** For NodeCensus. */
  spread: Float64Array<ArrayBuffer>;
}

/** The smallest and the largest id of each kind that a blob holds. */
export type IdSpans = Partial<Record<"nodes" | "ways" | "relations", [min: number, max: number]>>;

export interface JobResult extends FilteredBlock {
  /** survey, ways, nodes: how many elements of each kind the blob holds (nodes: in the range). */
  counts?: ElementCounts;
  /** survey: of a blob that holds nodes. */
  span?: NodeSpan;
  /** survey: of all that it holds. */
  ids?: IdSpans;
  /** Ways that are in no block, as they are known from the previous import (cached-reading.ts). */
  elsewhere?: Pick<FilteredBlock, "count" | "first" | "last">;
  /** ways, refs, places: chunks by range. */
  chunks?: Uint8Array<ArrayBuffer>[];
  /** nodes: where they are. */
  cells?: CellBox[];
  /** lines: what the block was cut into; `block` is empty. */
  blocks?: FilteredBlock[];
  /** places, lines: refs of the ways; lines: how many of them no extract has. */
  refs?: number;
  missing?: number;
  /** far: what was left out of the block. */
  far?: FarElement[];
}

/** The module of the threads that read extracts (ThreadPool). */
export const JOBS = new URL(import.meta.url);

/** Below this many bytes of PBF, starting threads takes longer than what they save. */
const MIN_BYTES_FOR_THREADS = 5_000_000;

/** How many threads to read so many bytes of PBF with: one per core, or none for what a single thread reads sooner. */
export const threadsFor = (bytes: number, atMost = availableParallelism(), from = MIN_BYTES_FOR_THREADS): number =>
  bytes < from ? 0 : atMost;

/** Runs one job; the same code in a thread and, with no threads, in place. */
export function run(job: Job): JobResult {
  if (job.job === "refs") return { ...NOTHING, chunks: refsOfBlock(job.block, new NodeRanges(job.starts)) };
  if (job.job === "places") {
    const { places, refs } = placesOf(job.chunk, new IdSet(job.needed), job.locations);
    return { ...NOTHING, chunks: [places], refs };
  }
  if (job.job === "far") return withoutFar(job.block, job.kind, job.clusters);
  if (job.job === "lines") return { ...NOTHING, ...withLines(job.block, job.chunks, new NodeRanges(job.starts)) };
  try {
    return readBlob(job);
  } catch (error) {
    throw error instanceof Malformed ? damaged(job.path, job.offset, error) : error;
  }
}

const NOTHING: FilteredBlock = { block: new Uint8Array(0), count: 0, first: 0, last: 0, ascending: true };

/** Buffers that move to the thread, and those that move back. */
export const movesOf = (job: Job): ArrayBuffer[] => {
  if ("blob" in job) return [job.blob.buffer];
  if (job.job === "refs" || job.job === "far") return [job.block.buffer];
  return job.job === "places" ? [job.chunk.buffer] : [job.block.buffer, ...job.chunks.map(({ buffer }) => buffer)];
};

export function transfers({ block, blocks = [], chunks = [], span }: JobResult): ArrayBuffer[] {
  const own = [...chunks.map(({ buffer }) => buffer), ...blocks.map((one) => one.block.buffer)];
  if (block.length > 0) own.push(block.buffer);
  if (span) own.push(span.spread.buffer);
  return own;
}

function readBlob(job: ReadJob): JobResult {
  const bytes = unpackBlob(job.blob, job.path, job.offset);
  const where = `${basename(job.path)}, blob at byte ${job.offset}`;
  if (job.job === "survey") {
    return { ...filterBlock(bytes, { relations: job.relations }), ...survey(bytes, where) };
  }
  if (job.job === "ways") {
    return filterWays(bytes, job.ways, new SparseIds(job.members), new NodeRanges(job.starts), where);
  }
  if (job.job === "nodes") return filterNodes(bytes, job);
  const { nodes, ways, relations } = job.selection;
  if (nodes === true && ways === true && relations === true) return { ...NOTHING, block: new Uint8Array(bytes) };
  return filterBlock(bytes, job.selection);
}

function filterWays(bytes: Uint8Array, ways: TagSelection, members: SparseIds, ranges: NodeRanges, where: string) {
  const out = new RefWriter(ranges);
  const filtered = filterBlock(
    bytes,
    { ways },
    {
      alsoWay: (id) => members.has(id),
      onWay(id, list) {
        check(id, "way", where);
        let ref = 0;
        while (list?.more) {
          ref += list.signed();
          check(ref, "node", where);
          out.add(ref);
        }
      },
    },
  );
  return { ...filtered, chunks: out.finish(), counts: countElements(bytes) };
}

function filterNodes(bytes: Uint8Array, job: ReadJob & { job: "nodes" }): JobResult {
  const { latitudes, longitudes } = job.locations;
  const [low, high] = job.reach;
  const needed = new IdSet(job.needed);
  const cells = new CellCounter();
  const counts = { nodes: 0, ways: 0, relations: 0 };
  // Of the node that was seen last.
  let onEarth = true;
  const filtered = filterBlock(
    bytes,
    { nodes: job.nodes },
    {
      isNode: (id) => id >= low && id < high && onEarth,
      onNode(id, latitude, longitude) {
        if (id < low || id >= high) return;
        counts.nodes++;
        onEarth = cells.add(latitude, longitude);
        const rank = onEarth ? needed.rank(id) : -1;
        if (rank < 0) return;
        latitudes[rank] = latitude;
        longitudes[rank] = longitude;
      },
    },
  );
  return { ...filtered, cells: cells.cells, counts };
}

function refsOfBlock(bytes: Uint8Array, ranges: NodeRanges): Uint8Array<ArrayBuffer>[] {
  const out = new RefWriter(ranges);
  filterBlock(
    bytes,
    { ways: true },
    {
      onWay(_, list) {
        let ref = 0;
        while (list?.more) {
          ref += list.signed();
          out.add(ref);
        }
      },
    },
  );
  return out.finish();
}

/** @throws ImportError that says where an id stands that OpenStreetMap does not use */
function check(id: number, kind: string, where: string): void {
  try {
    checkId(id);
  } catch (error) {
    throw new ImportError(`${where}: ${kind}. ${(error as Error).message}`);
  }
}

/** How many elements a blob holds; `onNode` sees the id of each node, `onOther` those of ways and relations. */
function countElements(
  bytes: Uint8Array,
  onNode?: (id: number) => void,
  onOther?: (kind: "ways" | "relations", id: number) => void,
): ElementCounts {
  const counts = { nodes: 0, ways: 0, relations: 0 };
  for (const [start, end] of new Block(bytes).groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      const key = group.varint();
      const kind = key >> 3;
      if (kind === GROUP_DENSE && (key & 7) === 2) {
        const { ids } = denseColumns(group.message());
        // Every varint has one byte without the continuation bit.
        if (ids) for (let i = ids.at; i < ids.end; i++) if (bytes[i] < 128) counts.nodes++;
        if (ids && onNode) for (let id = 0; ids.more; onNode(id)) id += ids.signed();
        continue;
      }
      if (kind === GROUP_NODES) {
        counts.nodes++;
        if (onNode) onNode(new ElementFields(kind, group.message()).id);
        else group.skip(key & 7);
        continue;
      }
      if (kind === GROUP_WAYS) counts.ways++;
      else if (kind === GROUP_RELATIONS) counts.relations++;
      if (onOther && (kind === GROUP_WAYS || kind === GROUP_RELATIONS) && (key & 7) === 2) {
        onOther(kind === GROUP_WAYS ? "ways" : "relations", idOf(kind, group.message()));
      } else group.skip(key & 7);
    }
  }
  return counts;
}

/** It stands first, in all files that were seen. */
function idOf(kind: number, message: ProtobufReader): number {
  const { at } = message;
  if (message.more && message.varint() === 8) return message.int64();
  message.at = at;
  return new ElementFields(kind, message).id;
}

/** Summary of a blob, and the ids of its nodes. */
function survey(bytes: Uint8Array, where: string): { counts: ElementCounts; span?: NodeSpan; ids: IdSpans } {
  const span = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, ascending: true };
  const spread: number[] = [];
  let [step, page] = [-1, -1];
  const ids: IdSpans = {};
  const onOther = (kind: "ways" | "relations", id: number) => {
    check(id, kind === "ways" ? "way" : "relation", where);
    const known = ids[kind];
    ids[kind] = known ? [Math.min(known[0], id), Math.max(known[1], id)] : [id, id];
  };
  const onNode = (id: number) => {
    check(id, "node", where);
    if (id <= span.max) span.ascending = false;
    else span.max = id;
    if (id < span.min) span.min = id;
    if (step !== Math.floor(id / NodeCensus.STEP)) {
      step = Math.floor(id / NodeCensus.STEP);
      page = -1;
      spread.push(step, 0, 0);
    }
    spread[spread.length - 2]++;
    if (page === Math.floor(id / 1024)) return;
    page = Math.floor(id / 1024);
    spread[spread.length - 1]++;
  };
  const counts = countElements(bytes, onNode, onOther);
  if (counts.nodes === 0) return { counts, ids };
  ids.nodes = [span.min, span.max];
  return { counts, ids, span: { ...span, spread: Float64Array.from(spread) } };
}
