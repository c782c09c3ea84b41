import { REFUSAL } from "../../db/refusal.ts";

/** The contents of a Durable Object, to be handed over to another, in pieces that fit into a call. */

/** A value of SQLite. */
type Value = ArrayBuffer | string | number | null;

interface TablePiece {
  /** Statements that create it and its indexes; on its first piece. */
  create: string[];
  name: string;
  columns: string[];
  rows: Value[][];
}

export interface Piece {
  tables: TablePiece[];
  /** Keys and values; on the first piece. */
  kv: [string, unknown][];
  /** When its alarm would have rung [ms]. */
  alarm: number | null;
  next: Place | undefined;
}

/** Where the next piece begins: the number of the table, and of its row. */
export interface Place {
  table: number;
  row: number;
}

/** Maximum size of a piece [bytes]; a call may have 32 MiB (Cloudflare, limits of RPC, 2026-11). One row may exceed it by 2 MB. */
const MAX_PIECE_BYTES = 4e6;

/** The object's own record of where it is. Not handed over. */
export const RECORD_KEY = "residence";

/** Tables as they were created, and nothing of the platform's. */
function tablesOf(sql: SqlStorage): { name: string; create: string[] }[] {
  const made = sql
    .exec<{ type: string; name: string; tbl_name: string; sql: string | null }>(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('table', 'index') ORDER BY type DESC, name",
    )
    .toArray();
  return made
    .filter(({ type, name }) => type === "table" && !/^(_cf_|sqlite_)/.test(name))
    .map(({ name }) => ({
      name,
      create: made.filter((one) => one.tbl_name === name && one.sql).map((one) => one.sql as string),
    }));
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** From now on, each change of a row fails, also by a call that is still in progress. */
export function freeze(storage: DurableObjectStorage): void {
  for (const { name } of tablesOf(storage.sql))
    for (const kind of ["INSERT", "UPDATE", "DELETE"])
      storage.sql.exec(
        `CREATE TRIGGER IF NOT EXISTS ${quoted(`frozen_${name}_${kind}`)} BEFORE ${kind} ON ${quoted(name)} BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
      );
}

/** Undoes `freeze`. */
export function thaw(storage: DurableObjectStorage): void {
  const found = storage.sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'frozen\\_%' ESCAPE '\\'",
    )
    .toArray();
  for (const { name } of found) storage.sql.exec(`DROP TRIGGER ${quoted(name)}`);
}

/** A piece of a frozen object's contents. */
export function readPiece(storage: DurableObjectStorage, place: Place, alarm: number | null): Piece {
  const all = tablesOf(storage.sql);
  const isFirst = place.table === 0 && place.row === 0;
  const kv = isFirst ? [...storage.kv.list()].filter(([key]) => key !== RECORD_KEY) : [];
  const tables: TablePiece[] = [];
  let bytes = 0;
  for (let { table, row } = place; table < all.length; table++, row = 0) {
    const { name, create } = all[table];
    const cursor = storage.sql.exec(`SELECT * FROM ${quoted(name)} LIMIT -1 OFFSET ?`, row);
    const piece: TablePiece = { name, create: row === 0 ? create : [], columns: cursor.columnNames, rows: [] };
    tables.push(piece);
    for (const values of cursor.raw()) {
      piece.rows.push(values as Value[]);
      bytes += sizeOf(values as Value[]);
      if (bytes < MAX_PIECE_BYTES) continue;
      return { tables, kv, alarm, next: { table, row: row + piece.rows.length } };
    }
  }
  return { tables, kv, alarm, next: undefined };
}

function sizeOf(values: readonly Value[]): number {
  let size = 0;
  for (const value of values)
    size += typeof value === "string" ? value.length * 2 : value instanceof ArrayBuffer ? value.byteLength : 8;
  return size;
}

/** Writes a piece, in one transaction. */
export function writePiece(storage: DurableObjectStorage, { tables, kv }: Piece): void {
  storage.transactionSync(() => {
    for (const { create, name, columns, rows } of tables) {
      for (const statement of create) storage.sql.exec(statement);
      const insert = `INSERT INTO ${quoted(name)} (${columns.map(quoted).join()}) VALUES (${columns.map(() => "?").join()})`;
      for (const row of rows) storage.sql.exec(insert, ...row);
    }
    for (const [key, value] of kv) storage.kv.put(key, value);
  });
}

/** Drops the contents that an interrupted hand-over has written. */
export function discard(storage: DurableObjectStorage): void {
  storage.transactionSync(() => {
    thaw(storage);
    for (const { name } of tablesOf(storage.sql)) storage.sql.exec(`DROP TABLE ${quoted(name)}`);
    for (const [key] of [...storage.kv.list()]) storage.kv.delete(key);
  });
}
