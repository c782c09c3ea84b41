import { hash } from "node:crypto";
import { ExternalSort } from "../../../sort/external-sort.ts";
import { RunReader, RunWriter } from "../../../sort/run-file.ts";
import type { Run } from "./run.ts";

/** Records of a tile, in the order of the runs. */
export interface ListedTile {
  tileId: number;
  /** Of each record its hash, one after the other. */
  hashes: Uint8Array;
  /** Of each record: number of its run, where it begins there, and its bytes. */
  records: { run: number; start: number; size: number }[];
  /** Bytes of all records. */
  bytes: number;
}

/** Of SHA-256. */
const HASH = 16;
/** Hash, start and size of a record. */
const PLACE = HASH + 12;

/** A file next to a run: the position and the hash of each record, to compare tiles without reading them. */
export class TileListWriter {
  readonly #file: RunWriter;
  readonly #row = new Uint8Array(PLACE);
  readonly #view = new DataView(this.#row.buffer);

  constructor(path: string) {
    this.#file = new RunWriter(path, LIST_CHUNK);
  }

  add(tile: number, start: number, record: Uint8Array): void {
    this.#row.set(hash("sha256", record, "buffer").subarray(0, HASH));
    this.#view.setFloat64(HASH, start, true);
    this.#view.setUint32(HASH + 8, record.length, true);
    this.#file.append(tile, this.#row, 0, PLACE);
  }

  close(): void {
    this.#file.close();
  }
}

/** Lists are small: bytes written and read at a time. */
const LIST_CHUNK = 32 * 1024;

/** The tiles of all runs by ascending number, from a number on. */
export function* listedTiles(
  runs: readonly Run[],
  from: number,
  sorting: { path: string; memory: number },
): Generator<ListedTile> {
  const sort = new ExternalSort(sorting);
  try {
    for (const [run, { tiles }] of runs.entries()) addList(sort, run, tiles, from);
    let open: ListedTile | undefined;
    const hashes: Uint8Array[] = [];
    const whole = (tile: ListedTile): ListedTile => ({ ...tile, hashes: Buffer.concat(hashes.splice(0)) });
    for (const { key, bytes, start } of sort.sorted()) {
      if (open && open.tileId !== key) {
        yield whole(open);
        open = undefined;
      }
      open ??= { tileId: key, hashes: NONE, records: [], bytes: 0 };
      const view = new DataView(bytes.buffer, bytes.byteOffset + start);
      const size = view.getUint32(HASH + 8, true);
      open.records.push({ run: view.getUint32(PLACE, true), start: view.getFloat64(HASH, true), size });
      open.bytes += size;
      hashes.push(bytes.slice(start, start + HASH));
    }
    if (open) yield whole(open);
  } finally {
    sort.close();
  }
}

const NONE = new Uint8Array(0);

function addList(sort: ExternalSort, run: number, path: string, from: number): void {
  const row = new Uint8Array(PLACE + 4);
  new DataView(row.buffer).setUint32(PLACE, run, true);
  const list = new RunReader(path, LIST_CHUNK);
  try {
    while (list.next()) {
      if (list.key < from) continue;
      row.set(list.bytes.subarray(list.start, list.end));
      sort.add(list.key, row);
    }
  } finally {
    list.close();
  }
}
