import { type FileHandle, open } from "node:fs/promises";

/** Bytes of a file. */
export interface FileRange {
  path: string;
  offset: number;
  length: number;
}

/** A part of a range. */
export function partOf({ path, offset, length }: FileRange, from: number, most: number): FileRange {
  return { path, offset: offset + from, length: Math.min(most, length - from) };
}

/** Reads ranges, keeping the file of the last one open: neighbours mostly are in the same. */
export class RangeFiles {
  #path = "";
  #file: FileHandle | undefined;

  /** @throws Error when the file is shorter */
  async read({ path, offset, length }: FileRange): Promise<Buffer<ArrayBuffer>> {
    if (path !== this.#path) {
      await this.close();
      this.#file = await open(path);
      this.#path = path;
    }
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await (this.#file as FileHandle).read(bytes, at, length - at, offset + at);
      if (bytesRead === 0) throw new Error(`${path} is shorter than its index says`);
      at += bytesRead;
    }
    return bytes;
  }

  async close(): Promise<void> {
    this.#path = "";
    await this.#file?.close();
    this.#file = undefined;
  }
}

/** A range piece by piece. */
export async function* piecesOf(range: FileRange, size = 1 << 20): AsyncGenerator<Buffer<ArrayBuffer>> {
  const files = new RangeFiles();
  try {
    for (let at = 0; at < range.length; at += size) yield await files.read(partOf(range, at, size));
  } finally {
    await files.close();
  }
}
