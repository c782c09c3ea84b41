import type { FileHandle } from "node:fs/promises";

/** Writes all bytes, however few the system accepts at a time (Linux: 2 GiB). */
export async function writeFully(file: FileHandle, parts: Uint8Array[], position: number): Promise<void> {
  let left = parts;
  for (let at = position; ; ) {
    const { bytesWritten } = await file.writev(left, at);
    at += bytesWritten;
    let skip = bytesWritten;
    while (left.length > 0 && skip >= left[0].length) {
      skip -= left[0].length;
      left = left.slice(1);
    }
    if (left.length === 0) return;
    if (bytesWritten === 0) throw new Error("the system wrote no bytes");
    left = [left[0].subarray(skip), ...left.slice(1)];
  }
}
