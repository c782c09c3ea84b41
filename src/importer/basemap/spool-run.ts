import { closeSync, openSync, readSync } from "node:fs";

const CHUNK = 1 << 20;

/**
 * A run on disk, entry after entry: the step from the tile before × 8 (a field key of type 0), then a length-delimited
 * field 0 with the piece. One chunk is in memory; an entry's bytes hold until the next one is asked for.
 */
export function* readRun(path: string): Generator<{ tileId: number; bytes: Uint8Array }, undefined> {
  const file = openSync(path, "r");
  try {
    let buffer = new Uint8Array(CHUNK);
    let at = 0;
    let end = 0;
    let position = 0;
    /** Makes so many bytes available from `at`, or as many as the file still has. */
    const need = (count: number) => {
      if (end - at >= count) return;
      const larger = count > buffer.length ? new Uint8Array(count + CHUNK) : buffer;
      larger.set(buffer.subarray(at, end));
      buffer = larger;
      end -= at;
      at = 0;
      while (end < count) {
        const read = readSync(file, buffer, end, buffer.length - end, position);
        if (read === 0) return;
        position += read;
        end += read;
      }
    };
    const varint = () => {
      need(8);
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = buffer[at++];
        value += (byte & 0x7f) * scale;
        if (byte < 128) return value;
      }
    };
    let tileId = 0;
    for (;;) {
      need(1);
      if (at === end) return;
      tileId += varint() / 8;
      // The key of field 0, type 2.
      varint();
      const length = varint();
      need(length);
      yield { tileId, bytes: buffer.subarray(at, at + length) };
      at += length;
    }
  } finally {
    closeSync(file);
  }
}
