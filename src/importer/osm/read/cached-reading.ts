import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import type { CachedParts } from "../../common/cached-parts.ts";
import type { BlobFile } from "../pbf/blob-file.ts";
import type { FilteredBlock } from "../pbf/filter-block.ts";
import type { Selection } from "../pbf/selection.ts";
import { type IdSet, IdSetBuilder } from "../store/id-set.ts";
import type { BlobResults, CachedLines, CachedResults, WayReading, WayResults } from "./cached-results.ts";
import type { IdSpans, JobResult } from "./jobs.ts";
import { eachRef } from "./way-lines.ts";

/** Differences between the extract and the state of it that the previous import read. */
export interface PreviousReading {
  parts: CachedParts;
  /** Name of the state that was read before, and of the one that is read now: their SHA-256. */
  before: string;
  now: string;
  /** Nodes that stand elsewhere now, came, or went. Of an extract that is the same, none. */
  moved: Float64Array;
}

/** Cached data of a blob of ways, without its blocks. */
interface CachedRefs extends Pick<FilteredBlock, "count" | "first" | "last"> {
  counts: JobResult["counts"];
  /** As they were found, by range of nodes. */
  chunks: Uint8Array<ArrayBuffer>[];
}

/** Where the ids of what blobs hold begin and end, for the merge of changes: found by a blob's bytes. */
const spansKey = (parts: CachedParts, digest: Uint8Array): Uint8Array => parts.key("spans", digest);

export function spansOfBlob(parts: CachedParts, digest: Uint8Array): IdSpans | undefined {
  const bytes = parts.find(spansKey(parts, digest));
  return bytes && (deserialize(bytes) as IdSpans);
}

export const digestOfBlob = (blob: Uint8Array): Uint8Array => createHash("sha256").update(blob).digest();

/**
 * Results of the previous import for blobs of a sorted extract. The content of a blob follows from its bytes, and from which ways are members
 * of relations; the lines of its ways also from where their nodes are, so those are valid only from one state of an extract to the
 * next, where it is known which nodes are others.
 */
export class CachedReading implements CachedResults {
  readonly #read: PreviousReading;
  readonly #selection: Selection;
  readonly #digests: readonly Uint8Array[];
  readonly #moved: IdSet | undefined;
  readonly #ways = new Map<number, Uint8Array>();

  private constructor(read: PreviousReading, selection: Selection, digests: readonly Uint8Array[]) {
    this.#read = read;
    this.#selection = selection;
    this.#digests = digests;
    if (read.moved.length === 0) return;
    const moved = new IdSetBuilder();
    for (const id of read.moved) moved.add(id);
    this.#moved = moved.freeze();
  }

  static async of(read: PreviousReading, selection: Selection, file: BlobFile): Promise<CachedReading> {
    const digests: Uint8Array[] = [];
    for (const place of file.blobs) digests.push(digestOfBlob(await file.readBlob(place)));
    return new CachedReading(read, selection, digests);
  }

  survey(): BlobResults {
    const { parts } = this.#read;
    const key = (blob: number) => parts.key("survey", JSON.stringify(this.#selection.relations), this.#digests[blob]);
    return {
      has: (blob) => parts.has(key(blob)),
      find: (blob) => {
        const bytes = parts.find(key(blob));
        if (bytes) parts.find(spansKey(parts, this.#digests[blob]));
        return bytes && (deserialize(bytes) as JobResult);
      },
      keep: (blob, result) => {
        parts.put(key(blob), serialize(result));
        parts.put(spansKey(parts, this.#digests[blob]), serialize(result.ids ?? ({} satisfies IdSpans)));
      },
    };
  }

  nodes(reach: readonly number[], isNeeded: (blob: number) => boolean): BlobResults {
    const { parts } = this.#read;
    const how = JSON.stringify([this.#selection.nodes, reach]);
    const key = (blob: number) => parts.key("nodes", how, this.#digests[blob]);
    return {
      has: (blob) => parts.has(key(blob)) && !isNeeded(blob),
      find: (blob) => {
        const bytes = parts.find(key(blob));
        return bytes && (deserialize(bytes) as JobResult);
      },
      keep: (blob, result) => parts.put(key(blob), serialize(result)),
    };
  }

  ways(reading: WayReading): WayResults {
    const { parts, before } = this.#read;
    const known = new Map<number, CachedRefs | undefined>();
    const keyOf = (blob: number) => this.#wayKey(blob, reading);
    const refsKey = (blob: number) => parts.key("refs", keyOf(blob));
    const cachedRefs = (blob: number): CachedRefs | undefined => {
      if (known.has(blob)) return known.get(blob);
      const there = parts.has(refsKey(blob)) && parts.has(parts.key("lines", before, keyOf(blob)));
      const bytes = there ? parts.find(refsKey(blob)) : undefined;
      const refs = bytes && (deserialize(bytes) as CachedRefs);
      const found = refs && !this.#anyMoved(refs.chunks) ? { ...refs, chunks: [] } : undefined;
      known.set(blob, found);
      return found;
    };
    return {
      name(order) {
        for (const blob of order) keyOf(blob < 0 ? -1 - blob : blob);
      },
      has: (blob) => cachedRefs(blob) !== undefined,
      find(blob) {
        const { count, first, last, counts } = cachedRefs(blob)!;
        return { ...NOTHING, elsewhere: { count, first, last }, ...(counts && { counts }) };
      },
      keep: (blob, { count, first, last, counts, chunks = [] }) =>
        parts.put(refsKey(blob), serialize({ count, first, last, counts, chunks } satisfies CachedRefs)),
    };
  }

  lines(blob: number): CachedLines {
    const { parts, before, now } = this.#read;
    const [there, here] = [before, now].map((state) => parts.key("lines", state, this.#wayKey(blob)));
    const bytes = parts.find(there, here);
    if (!bytes) throw new Error("the lines that the import before kept are gone");
    return deserialize(bytes) as CachedLines;
  }

  keepLines(blob: number, lines: CachedLines): void {
    const { parts, now } = this.#read;
    parts.put(parts.key("lines", now, this.#wayKey(blob)), serialize(lines));
  }

  #wayKey(blob: number, reading?: WayReading): Uint8Array {
    const known = this.#ways.get(blob);
    if (known) return known;
    if (!reading) throw new Error("lines are asked for before the ways are read");
    const [min, max] = reading.spans[blob];
    const how = JSON.stringify([this.#selection.ways, reading.starts]);
    const key = this.#read.parts.key("ways", how, this.#digests[blob], reading.members.between(min, max));
    this.#ways.set(blob, key);
    return key;
  }

  #anyMoved(chunks: readonly Uint8Array[]): boolean {
    const moved = this.#moved;
    if (!moved) return false;
    let any = false;
    for (const chunk of chunks) {
      eachRef(chunk, (ref) => {
        any ||= moved.rank(ref) >= 0;
      });
      if (any) return true;
    }
    return false;
  }
}

/** The result of a blob without selected elements. */
const NOTHING: JobResult = { block: new Uint8Array(0), count: 0, first: 0, last: 0, ascending: true };

/** Which pages of 1,024 ids hold any of some ids. */
export class IdPages {
  readonly #pages = new Set<number>();

  add(id: number): void {
    this.#pages.add(Math.floor(id / PAGE));
  }

  /** Whether any may be between these. */
  meets(min: number, max: number): boolean {
    for (let page = Math.floor(min / PAGE); page <= Math.floor(max / PAGE); page++)
      if (this.#pages.has(page)) return true;
    return false;
  }
}
const PAGE = 1024;
