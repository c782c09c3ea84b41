import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { piecesOf } from "./chunks.ts";

/** A larger file is kept in pieces of this size, whole pages of a database [bytes]. */
export const PIECE_BYTES = 1 << 16;
const LARGE_BYTES = 4 * PIECE_BYTES;
const LEVEL = 3;

const SCHEMA = `CREATE TABLE object (class TEXT NOT NULL, id TEXT NOT NULL, file BLOB NOT NULL, PRIMARY KEY (class, id)) WITHOUT ROWID;
  CREATE TABLE piece (class TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (class, id, at)) WITHOUT ROWID;`;
/** A file that was read again without having changed leaves the pack as it is. */
const KEEP = `INSERT INTO object VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET file = excluded.file WHERE file <> excluded.file`;
const EMPTY = new Uint8Array(0);

/**
 * Files of Durable Objects in one SQLite file. Each is a row of the table `object`, deflated. In a pack that is kept up to date, a large
 * one is an empty row and pieces in the table `piece`, deflated: only those that have changed are written again.
 */
export class PackedFiles {
  readonly #database: DatabaseSync;
  readonly #inPieces: boolean;
  /** Hashes of the pieces of large files. */
  readonly #hashes = new Map<string, string[]>();

  constructor(path: string, inPieces: boolean) {
    // Left by a moment that failed.
    for (const more of ["", "-journal"]) rmSync(path + more, { force: true });
    this.#database = new DatabaseSync(path);
    // No other process reads the file before it is complete.
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${SCHEMA}`);
    this.#inPieces = inPieces;
  }

  put(className: string, id: string, file: Uint8Array): void {
    const isLarge = this.#inPieces && file.length > LARGE_BYTES;
    this.#putPieces(className, id, isLarge ? piecesOf(file, PIECE_BYTES) : []);
    this.#database.prepare(KEEP).run(className, id, isLarge ? EMPTY : deflateRawSync(file, { level: LEVEL }));
  }

  /** @param pieces of a large file, of PIECE_BYTES each, the last one shorter */
  putInPieces(className: string, id: string, pieces: Iterable<Uint8Array>): void {
    if (this.#inPieces) {
      this.#putPieces(className, id, pieces);
      this.#database.prepare(KEEP).run(className, id, EMPTY);
    } else this.put(className, id, Buffer.concat([...pieces]));
  }

  #putPieces(className: string, id: string, pieces: Iterable<Uint8Array>): void {
    const key = `${className}/${id}`;
    const known = this.#hashes.get(key) ?? [];
    const hashes: string[] = [];
    const put = this.#database.prepare("INSERT OR REPLACE INTO piece VALUES (?, ?, ?, ?)");
    for (const piece of pieces) {
      const at = hashes.push(hash("sha256", piece)) - 1;
      if (hashes[at] !== known[at]) put.run(className, id, at, deflateRawSync(piece, { level: LEVEL }));
    }
    if (known.length > hashes.length)
      this.#database
        .prepare("DELETE FROM piece WHERE class = ? AND id = ? AND at >= ?")
        .run(className, id, hashes.length);
    if (hashes.length > 0) this.#hashes.set(key, hashes);
    else this.#hashes.delete(key);
  }

  delete(className: string, id: string): void {
    this.#putPieces(className, id, []);
    this.#database.prepare("DELETE FROM object WHERE class = ? AND id = ?").run(className, id);
  }

  /** How many files of each class there are. @param but not those with this id */
  counts(but: string): Record<string, number> {
    const counts = this.#database
      .prepare("SELECT class, count(*) AS n FROM object WHERE id <> ? GROUP BY class")
      .all(but);
    return Object.fromEntries(counts.map((row) => [String(row.class), Number(row.n)]));
  }

  close(): void {
    this.#database.close();
  }
}

/** The files of a pack, one after the other; or only that of one object. */
export function* packedFiles(
  path: string,
  ...one: [] | [className: string, id: string]
): Generator<{ class: string; file: string; bytes: Uint8Array }> {
  const database = new DatabaseSync(path, { readOnly: true });
  const where = one.length > 0 ? " WHERE class = ? AND id = ?" : "";
  try {
    for (const row of database.prepare(`SELECT class, id, file FROM object${where}`).iterate(...one)) {
      const [className, id, file] = [String(row.class), String(row.id), row.file as Uint8Array];
      const bytes = file.length > 0 ? inflateRawSync(file) : joinedPieces(database, className, id);
      yield { class: className, file: `${id}.sqlite`, bytes };
    }
  } finally {
    database.close();
  }
}

function joinedPieces(database: DatabaseSync, className: string, id: string): Uint8Array {
  const pieces = database.prepare("SELECT bytes FROM piece WHERE class = ? AND id = ? ORDER BY at").all(className, id);
  return Buffer.concat(pieces.map(({ bytes }) => inflateRawSync(bytes as Uint8Array)));
}
