import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { ImportError } from "../../common/import-error.ts";
import { systemReason } from "../../common/system-reason.ts";
import { writeFully } from "../../common/write-fully.ts";
import { joinBoxes } from "./area.ts";

/** A dataset that Overture took rows from, and its license as Overture names it. */
export interface Dataset {
  name: string;
  licence?: string;
}

/** What an import needs of a row group, before its rows. */
export interface PartHeader {
  rows: number;
  /** Around its points: several boxes, where they are far from each other. */
  bounds: Bounds[];
  /** Rows refer to them by number. */
  datasets: Dataset[];
  /** Rows that were skipped, by reason. */
  skipped: Record<string, number>;
}

/**
 * The rows of a row group as an import reads them, in a file of its own: u32 length of the header, the header as JSON, then the rows
 * in chunks, each after its u32 length.
 */
async function writePart(path: string, header: PartHeader, chunks: readonly Uint8Array[]): Promise<void> {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const file = await open(`${path}.part`, "w");
  try {
    await writeFully(file, [lengthOf(json), json, ...chunks.flatMap((chunk) => [lengthOf(chunk), chunk])], 0);
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

/** Undefined where there is no such part yet. */
export async function readPart(path: string): Promise<{ header: PartHeader; sha256: string } | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes) return undefined;
  return { header: headerIn(bytes), sha256: createHash("sha256").update(bytes).digest("hex").slice(0, 16) };
}

/** The rows of a part, chunk by chunk, each in memory of its own. */
export async function* chunksOfPart(path: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new ImportError(`Cannot read ${path}: ${systemReason(error)}. Run the command again.`);
  });
  for (let at = 4 + bytes.readUInt32LE(0); at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    yield new Uint8Array(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
}

function lengthOf({ length }: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, length, true);
  return bytes;
}

const headerIn = (bytes: Buffer): PartHeader =>
  JSON.parse(bytes.toString("utf8", 4, 4 + bytes.readUInt32LE(0))) as PartHeader;

/** A row that is farther from those before begins another box [degrees]. */
const FAR = 1;
const MAX_BOXES = 256;

/** Collects rows in chunks, and what the header of their part says. */
export class PartBuilder {
  readonly #chunks: Uint8Array[] = [];
  readonly #datasets = new Map<string, number>();
  readonly #header: PartHeader = { rows: 0, bounds: [], datasets: [], skipped: {} };
  #box: [number, number, number, number] | undefined;

  /** Number of a dataset in this part. */
  dataset(name: string, licence: string | undefined): number {
    let number = this.#datasets.get(name);
    if (number === undefined) {
      number = this.#datasets.size;
      this.#datasets.set(name, number);
      this.#header.datasets.push({ name, ...(licence && { licence }) });
    }
    return number;
  }

  skip(reason: string): void {
    this.#header.skipped[reason] = (this.#header.skipped[reason] ?? 0) + 1;
  }

  /** Counts a row, which reaches over this box. */
  row(west: number, south: number, east = west, north = south): void {
    this.#header.rows++;
    const box = this.#box;
    if (!box || west > box[2] + FAR || east < box[0] - FAR || south > box[3] + FAR || north < box[1] - FAR) {
      // Rows come in the order of their areas, so there are few boxes.
      if (this.#header.bounds.length >= MAX_BOXES) this.#header.bounds = joinBoxes(this.#header.bounds);
      this.#box = [west, south, east, north];
      this.#header.bounds.push(this.#box);
      return;
    }
    if (west < box[0]) box[0] = west;
    if (south < box[1]) box[1] = south;
    if (east > box[2]) box[2] = east;
    if (north > box[3]) box[3] = north;
  }

  chunk(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#chunks.push(bytes);
  }

  async write(path: string): Promise<void> {
    await writePart(path, { ...this.#header, bounds: joinBoxes(this.#header.bounds) }, this.#chunks);
  }
}
