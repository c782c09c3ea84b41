import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { DamagedBackup, damaged } from "./damaged.ts";
import type { Part } from "./manifest.ts";
import type { BackupPlace } from "./place.ts";

/** Size of a chunk [bytes]: whole pages of a database, so that a changed page changes one chunk. */
export const CHUNK_BYTES = 1 << 18;
/** SHA-256 [bytes]. */
const HASH_BYTES = 32;
const MAX_PARALLEL = 16;
const CHUNKS = "chunks/";

const chunkKey = (sha256: string) => `${CHUNKS}${sha256.slice(0, 2)}/${sha256}`;
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

/**
 * Contents of many backups in one place: chunks, deflated, named by the SHA-256 of what is in them. A part is the list of its chunks'
 * hashes, which is itself a chunk; what did not change since an earlier backup is not written again.
 */
export class ChunkStore {
  readonly #place: BackupPlace;
  readonly #held: Set<string>;
  /** Lists that were read or written: hash → hashes of 32 bytes each. */
  readonly #lists = new Map<string, Uint8Array>();
  /** Chunks under way: two equal ones are one write. */
  readonly #sending = new Map<string, Promise<void>>();
  /** Of this process [bytes, deflated]. */
  writtenBytes = 0;
  writtenChunks = 0;

  private constructor(place: BackupPlace, held: Set<string>) {
    this.#place = place;
    this.#held = held;
  }

  static async open(place: BackupPlace): Promise<ChunkStore> {
    return new ChunkStore(place, await heldChunks(place));
  }

  /** Stores what is not there yet. @param pieces of CHUNK_BYTES each, the last one shorter */
  async keep(pieces: Iterable<Uint8Array>): Promise<Part> {
    const hashes: Uint8Array[] = [];
    const sending = new Set<Promise<void>>();
    let bytes = 0;
    try {
      bytes = await this.#sendAll(pieces, hashes, sending);
    } finally {
      // Also after an error: nothing is written while the caller begins again.
      await Promise.allSettled(sending);
    }
    const list = Buffer.concat(hashes);
    const sha256 = hashOf(list).toString("hex");
    await this.#put(sha256, list);
    this.#lists.set(sha256, list);
    return { sha256, bytes };
  }

  async #sendAll(pieces: Iterable<Uint8Array>, hashes: Uint8Array[], sending: Set<Promise<void>>): Promise<number> {
    let bytes = 0;
    for (const piece of pieces) {
      const hash = hashOf(piece);
      hashes.push(hash);
      bytes += piece.length;
      const sent = this.#put(hash.toString("hex"), piece)?.finally(() => sending.delete(sent!));
      if (!sent) continue;
      // The error is thrown below, also if it comes while others are waited for.
      sent.catch(() => {});
      sending.add(sent);
      if (sending.size >= MAX_PARALLEL) await Promise.race(sending);
    }
    await Promise.all(sending);
    return bytes;
  }

  #put(sha256: string, bytes: Uint8Array): Promise<void> | undefined {
    if (this.#held.has(sha256)) return undefined;
    const under = this.#sending.get(sha256);
    if (under) return under;
    const deflated = deflateRawSync(bytes, { level: 1 });
    const sent = this.#place
      .put(chunkKey(sha256), deflated)
      .then(() => {
        this.#held.add(sha256);
        this.writtenChunks++;
        this.writtenBytes += deflated.length;
      })
      .finally(() => this.#sending.delete(sha256));
    this.#sending.set(sha256, sent);
    return sent;
  }

  /** Deletes all chunks but those of these parts. @returns how many */
  async retain(parts: Iterable<Part>): Promise<number> {
    const named = new Set<string>();
    const lists = new Set<string>();
    for (const { sha256 } of parts) {
      if (lists.has(sha256)) continue;
      lists.add(sha256);
      named.add(sha256);
      const list = this.#lists.get(sha256) ?? (await this.#listOf(sha256));
      if (!list) continue;
      this.#lists.set(sha256, list);
      for (const hash of hashesIn(list)) named.add(hash);
    }
    for (const sha256 of this.#lists.keys()) if (!lists.has(sha256)) this.#lists.delete(sha256);
    const gone = [...this.#held].filter((sha256) => !named.has(sha256));
    for (const sha256 of gone) this.#held.delete(sha256);
    if (gone.length > 0) await this.#place.delete(gone.map(chunkKey));
    return gone.length;
  }

  /** @returns undefined for a list that is damaged: its moment is lost, which must not prevent later ones */
  async #listOf(sha256: string): Promise<Uint8Array | undefined> {
    try {
      return await readChunk(this.#place, sha256);
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      // A later backup with the same contents writes it again.
      this.#held.delete(sha256);
      return undefined;
    }
  }
}

/** Writes a part into a file. @throws CommandError if a chunk is missing or corrupt */
export async function assemble(place: BackupPlace, { sha256, bytes }: Part, path: string): Promise<void> {
  const list = await readChunk(place, sha256);
  const file = await open(path, "w", 0o600);
  try {
    let written = 0;
    for (const hash of hashesIn(list)) {
      const chunk = await readChunk(place, hash);
      await file.write(chunk, 0, chunk.length, written);
      written += chunk.length;
    }
    if (written !== bytes) throw damaged(place, chunkKey(sha256), true);
  } finally {
    await file.close();
  }
}

/** Copies the chunks of a part that `to` lacks. @param held hashes that are there, and added to @returns bytes copied */
export async function copyPart(from: BackupPlace, to: BackupPlace, part: Part, held: Set<string>): Promise<number> {
  let copied = 0;
  const copy = async (sha256: string) => {
    if (held.has(sha256)) return;
    const { stored } = await readStored(from, sha256);
    await to.put(chunkKey(sha256), stored);
    held.add(sha256);
    copied += stored.length;
  };
  // The list last: where it is, its chunks are.
  const list = await readChunk(from, part.sha256);
  const missing = [...new Set(hashesIn(list))].filter((hash) => !held.has(hash)).values();
  await Promise.all(
    Array.from({ length: MAX_PARALLEL }, async () => {
      for (const hash of missing) await copy(hash);
    }),
  );
  await copy(part.sha256);
  return copied;
}

export function* piecesOf(bytes: Uint8Array, size = CHUNK_BYTES): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Hashes of the chunks that are in a place. */
export async function heldChunks(place: BackupPlace): Promise<Set<string>> {
  return new Set([...(await place.sizes(CHUNKS)).keys()].map((key) => key.slice(key.lastIndexOf("/") + 1)));
}

async function readChunk(place: BackupPlace, sha256: string): Promise<Uint8Array> {
  return (await readStored(place, sha256)).bytes;
}

/** A chunk as it is stored, and what is in it. @throws CommandError if it is missing or corrupt */
async function readStored(place: BackupPlace, sha256: string): Promise<{ stored: Uint8Array; bytes: Uint8Array }> {
  const stored = await place.get(chunkKey(sha256));
  try {
    const bytes = stored && inflateRawSync(stored);
    if (bytes && hashOf(bytes).toString("hex") === sha256) return { stored, bytes };
  } catch {
    // not what was written
  }
  throw damaged(place, chunkKey(sha256), stored !== undefined);
}

function* hashesIn(list: Uint8Array): Generator<string> {
  for (let at = 0; at < list.length; at += HASH_BYTES)
    yield Buffer.from(list.subarray(at, at + HASH_BYTES)).toString("hex");
}
