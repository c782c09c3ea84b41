import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { crc32c } from "../../core/geo/bytes/crc32c.ts";

/** Bytes read from a file at a time. */
const CHUNK_BYTES = 1 << 20;
/** Hashes accept less than 2 GiB at a time. */
const MAX_HASH_BYTES = 1 << 30;

/** CRC-32C and SHA-256 of bytes that arrive in pieces. */
export class Digest {
  checksum = 0;
  readonly #hash: Hash = createHash("sha256");

  static async of(path: string): Promise<Digest> {
    const digest = new Digest();
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) digest.add(chunk as Buffer);
    return digest;
  }

  add(bytes: Uint8Array): void {
    this.checksum = crc32c(bytes, this.checksum);
    for (let at = 0; at < bytes.length; at += MAX_HASH_BYTES)
      this.#hash.update(bytes.subarray(at, at + MAX_HASH_BYTES));
  }

  /** The hash of the bytes and the seal after them. Call it last. */
  sha256(seal: Uint8Array): string {
    return this.#hash.update(seal).digest("hex");
  }
}
