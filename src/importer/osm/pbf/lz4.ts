import { Malformed } from "../../../core/geo/bytes/protobuf.ts";

/**
 * Unpacks a block of LZ4 (github.com/lz4/lz4, doc/lz4_Block_format.md). The packages for it write past a wrong length, or count to one of
 * thousands of millions.
 * @param size of the content; @throws Malformed for any other
 */
export function unpackLz4(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  let at = 0;
  let used = 0;
  /** A length of 15 goes on in the bytes that follow. */
  const length = (short: number) => {
    let long = short;
    if (short < 15) return long;
    for (let more = 255; more === 255; ) {
      more = at < bytes.length ? bytes[at++] : 0;
      long += more;
    }
    return long;
  };
  while (at < bytes.length) {
    const token = bytes[at++];
    const literals = length(token >> 4);
    if (at + literals > bytes.length || used + literals > size) throw new Malformed("LZ4 runs past its end");
    out.set(bytes.subarray(at, at + literals), used);
    at += literals;
    used += literals;
    // The last sequence is literals alone.
    if (at >= bytes.length) break;
    const back = bytes[at] | (bytes[at + 1] << 8);
    at += 2;
    const end = used + length(token & 15) + 4;
    if (back === 0 || back > used || end > size || at > bytes.length) throw new Malformed("LZ4 runs past its end");
    // What is copied may be what it has just written.
    for (; used < end; used++) out[used] = out[used - back];
  }
  if (used !== size) throw new Malformed("a blob of the wrong size");
  return out;
}
