import { closeSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { sharedInts } from "./divide-state.ts";

export type IntColumns = Record<string, Int32Array>;

/** Bytes per read and write: a single one may not reach 2 GB. */
const CHUNK = 64 * 1024 * 1024;

/**
 * Columns for an import that continues after an interruption, whole or not at all: length of the header (4 bytes, as the
 * machine has them), names and lengths as JSON, the columns as they are in memory.
 */
export function saveColumns(path: string, columns: IntColumns): void {
  const lengths = Object.fromEntries(Object.entries(columns).map(([name, { length }]) => [name, length]));
  const header = Buffer.from(JSON.stringify(lengths));
  const file = openSync(`${path}.part`, "w");
  try {
    for (const bytes of [bytesOf(Int32Array.of(header.length)), header, ...Object.values(columns).map(bytesOf)]) {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, Math.min(CHUNK, bytes.length - at));
    }
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.part`, path);
}

/** What `saveColumns` wrote, in memory that threads share. */
export function loadColumns(path: string): IntColumns {
  const file = openSync(path, "r");
  const fill = <T extends Uint8Array>(bytes: T): T => {
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(file, bytes, at, Math.min(CHUNK, bytes.length - at), null);
      if (read === 0) throw new Error(`${path} is shorter than it should be`);
      at += read;
    }
    return bytes;
  };
  try {
    const length = new Int32Array(1);
    fill(bytesOf(length));
    const lengths = JSON.parse(fill(Buffer.alloc(length[0])).toString()) as Record<string, number>;
    return Object.fromEntries(
      Object.entries(lengths).map(([name, count]) => {
        const column = sharedInts(count);
        fill(bytesOf(column));
        return [name, column];
      }),
    );
  } finally {
    closeSync(file);
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array) => new Uint8Array(buffer, byteOffset, byteLength);
