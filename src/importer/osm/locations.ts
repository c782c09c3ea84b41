import { type FileHandle, open } from "node:fs/promises";
import type { Coordinate } from "../../geo/coordinate.ts";
import type { IdSet } from "./id-set.ts";

/** Stands for "not seen": no latitude or longitude in 1e-7 degrees reaches it. */
export const NO_LOCATION = 0x7fffffff;

/** Degrees × 1e7 by rank in the set of needed nodes, in memory that threads share. */
export interface SharedLocations {
  latitudes: Int32Array;
  longitudes: Int32Array;
}

/** Where nodes are: 8 bytes per needed node, beside the set that ranks them. */
export class NodeLocations {
  readonly needed: IdSet;
  readonly arrays: SharedLocations;

  constructor(needed: IdSet, arrays?: SharedLocations) {
    this.needed = needed;
    this.arrays = arrays ?? {
      latitudes: new Int32Array(new SharedArrayBuffer(needed.size * 4)).fill(NO_LOCATION),
      longitudes: new Int32Array(new SharedArrayBuffer(needed.size * 4)).fill(NO_LOCATION),
    };
  }

  /** Position of the node in `latitudes` and `longitudes` [1e-7 degrees]; −1 when the extract lacks it. */
  indexOf(id: number): number {
    const rank = this.needed.rank(id);
    return rank >= 0 && this.arrays.latitudes[rank] !== NO_LOCATION ? rank : -1;
  }

  get(id: number): Coordinate | undefined {
    const index = this.indexOf(id);
    if (index < 0) return undefined;
    return { latitude: this.arrays.latitudes[index] / 1e7, longitude: this.arrays.longitudes[index] / 1e7 };
  }

  /** How many needed nodes no extract had. */
  get missing(): number {
    let missing = 0;
    for (const latitude of this.arrays.latitudes) if (latitude === NO_LOCATION) missing++;
    return missing;
  }
}

/** Bytes per read and write: a single one may not reach 2 GB, and a country's nodes do. */
const CHUNK = 64 * 1024 * 1024;

/** Both columns, one after the other, as they lie in memory. */
export async function saveLocations(path: string, { latitudes, longitudes }: SharedLocations): Promise<void> {
  const file = await open(path, "w");
  try {
    for (const bytes of [bytesOf(latitudes), bytesOf(longitudes)]) {
      for (let at = 0; at < bytes.length; at += CHUNK) await file.writeFile(bytes.subarray(at, at + CHUNK));
    }
  } finally {
    await file.close();
  }
}

export async function loadLocations(path: string, count: number): Promise<SharedLocations> {
  const arrays: SharedLocations = { latitudes: new Int32Array(count), longitudes: new Int32Array(count) };
  const file = await open(path);
  try {
    await fill(file, bytesOf(arrays.latitudes), 0);
    await fill(file, bytesOf(arrays.longitudes), count * 4);
  } finally {
    await file.close();
  }
  return arrays;
}

async function fill(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, Math.min(CHUNK, bytes.length - at), offset + at);
    if (bytesRead === 0) throw new Error("the file of node locations is shorter than their number");
    at += bytesRead;
  }
}

function bytesOf(array: Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
