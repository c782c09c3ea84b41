import { availableParallelism } from "node:os";
import { damaged, unpackBlob } from "./blob-file.ts";
import { Block, GROUP_DENSE, GROUP_NODES, GROUP_RELATIONS, GROUP_WAYS } from "./block.ts";
import { denseColumns } from "./decode-block.ts";
import { type FilteredBlock, filterBlock } from "./filter-block.ts";
import { IdSet, type IdSetArrays } from "./id-set.ts";
import { NO_LOCATION, type SharedLocations } from "./locations.ts";
import { Malformed, ProtobufReader } from "./protobuf.ts";
import type { Selection, TagSelection } from "./selection.ts";

/** A blob on its way to a thread. */
interface BlobJob {
  path: string;
  /** Position of the blob in the file [bytes], for the error message when it is damaged. */
  offset: number;
  blob: Uint8Array<ArrayBuffer>;
}

/** What the threads are asked to do with a blob. */
export type Job = BlobJob &
  (
    | { job: "filter"; selection: Selection }
    /** Count everything, keep the wanted relations. */
    | { job: "survey"; relations: TagSelection }
    /** Keep the wanted ways and the members of relations, and report which nodes they need. */
    | { job: "ways"; ways: TagSelection; members: IdSetArrays }
    /** Keep the wanted nodes, and write down where the needed ones are. */
    | { job: "nodes"; nodes: TagSelection; needed: IdSetArrays; locations: SharedLocations }
  );

export interface ElementCounts {
  nodes: number;
  ways: number;
  relations: number;
}

export interface JobResult extends FilteredBlock {
  /** survey, ways, nodes: how many elements of each kind the blob holds. */
  counts?: ElementCounts;
  /** ways: the ids of their nodes. */
  refs?: Float64Array<ArrayBuffer>;
  /** nodes: [west, south, east, north] in 1e-7 degrees. */
  box?: [number, number, number, number];
}

/** The module of the threads that read extracts (ThreadPool). */
export const JOBS = new URL(import.meta.url);

/** Runs one job; the same code in a thread and, with no threads, in place. */
export function run(job: Job): JobResult {
  try {
    const bytes = unpackBlob(job.blob, job.path);
    if (job.job === "survey") {
      return { ...filterBlock(bytes, { relations: job.relations }), counts: countElements(bytes) };
    }
    if (job.job === "ways") return filterWays(bytes, job.ways, new IdSet(job.members));
    if (job.job === "nodes") return filterNodes(bytes, job.nodes, new IdSet(job.needed), job.locations);
    const { nodes, ways, relations } = job.selection;
    if (nodes === true && ways === true && relations === true) {
      return { block: new Uint8Array(bytes), count: 0, first: 0, last: 0, ascending: true };
    }
    return filterBlock(bytes, job.selection);
  } catch (error) {
    throw error instanceof Malformed ? damaged(job.path, job.offset, error) : error;
  }
}

export function transfers({ block, refs }: JobResult): ArrayBuffer[] {
  return refs ? [block.buffer, refs.buffer] : [block.buffer];
}

/** The blob moves to the thread. */
export const blobOf = ({ blob }: Job): ArrayBuffer[] => [blob.buffer];

/** Below this many bytes of PBF, starting threads takes longer than what they save. */
const WORTH_THREADS = 5_000_000;

/** How many threads to read so many bytes of PBF with: one per core, or none for what a single thread reads sooner. */
export const threadsFor = (bytes: number): number => (bytes < WORTH_THREADS ? 0 : availableParallelism());

function filterWays(bytes: Uint8Array, ways: TagSelection, members: IdSet): JobResult {
  const refs: number[] = [];
  const filtered = filterBlock(
    bytes,
    { ways },
    {
      alsoWay: (id) => members.has(id),
      onWay(_, list) {
        let ref = 0;
        while (list?.more) {
          ref += list.signed();
          refs.push(ref);
        }
      },
    },
  );
  return { ...filtered, refs: Float64Array.from(refs), counts: countElements(bytes) };
}

function filterNodes(bytes: Uint8Array, nodes: TagSelection, needed: IdSet, locations: SharedLocations): JobResult {
  const { latitudes, longitudes } = locations;
  const box: [number, number, number, number] = [NO_LOCATION, NO_LOCATION, -NO_LOCATION, -NO_LOCATION];
  const filtered = filterBlock(
    bytes,
    { nodes },
    {
      onNode(id, latitude, longitude) {
        if (longitude < box[0]) box[0] = longitude;
        if (latitude < box[1]) box[1] = latitude;
        if (longitude > box[2]) box[2] = longitude;
        if (latitude > box[3]) box[3] = latitude;
        const rank = needed.rank(id);
        if (rank < 0) return;
        latitudes[rank] = latitude;
        longitudes[rank] = longitude;
      },
    },
  );
  return { ...filtered, box, counts: countElements(bytes) };
}

function countElements(bytes: Uint8Array): ElementCounts {
  const counts = { nodes: 0, ways: 0, relations: 0 };
  for (const [start, end] of new Block(bytes).groups) {
    const group = new ProtobufReader(bytes, start, end);
    while (group.more) {
      const key = group.varint();
      const kind = key >> 3;
      if (kind === GROUP_DENSE && (key & 7) === 2) {
        const { ids } = denseColumns(group.message());
        // Every varint has one byte without the continuation bit.
        if (ids) for (let i = ids.position; i < ids.end; i++) if (bytes[i] < 128) counts.nodes++;
        continue;
      }
      if (kind === GROUP_NODES) counts.nodes++;
      else if (kind === GROUP_WAYS) counts.ways++;
      else if (kind === GROUP_RELATIONS) counts.relations++;
      group.skip(key & 7);
    }
  }
  return counts;
}
