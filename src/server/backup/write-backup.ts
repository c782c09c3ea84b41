import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "../base/wrangler.ts";
import { dropOldArchive } from "./archive.ts";
import {
  type BackupManifest,
  FORMAT,
  formatManifest,
  MANIFEST_KEY,
  type Part,
  partKey,
  VERSION,
  WITH_FURTHER,
} from "./manifest.ts";
import { type BackupPlace, sha256OfFile } from "./place.ts";
import { sha256, type Upload } from "./take-local.ts";

/** Objects of learning, packed into a SQLite file: all of one week, or the others. */
export interface LearningPack {
  name: string;
  path: string;
  objects: number;
}

/** Contents of a backup, ready to be written. */
interface Contents {
  from: BackupManifest["from"];
  madeAt: Date;
  worker: string;
  /** SQLite files: the first database, and further ones by their bindings. */
  database: string;
  further?: Record<string, string>;
  objects?: { path: string; counts: Record<string, number> };
  uploads: (Omit<Upload, "uploadedAt"> & { uploadedAt?: number })[];
  keys?: Uint8Array;
  learning?: readonly LearningPack[];
  /** Objects that are in the place already. */
  archive?: BackupManifest["archive"];
  geodata: BackupManifest["geodata"];
}

/** Writes the parts that are not there yet, then the manifest, and removes what no manifest names any more. */
export async function writeBackup(contents: Contents, place: BackupPlace): Promise<BackupManifest> {
  const held = await place.sizes("parts/");
  const keep = async (bytes: Uint8Array): Promise<Part> => {
    const part = { sha256: sha256(bytes), bytes: bytes.length };
    if (held.get(partKey(part.sha256)) !== part.bytes) await place.put(partKey(part.sha256), bytes);
    return part;
  };
  const keepFile = async (path: string): Promise<Part> => {
    const part = { sha256: await sha256OfFile(path), bytes: statSync(path).size };
    if (held.get(partKey(part.sha256)) !== part.bytes) await place.putFile(partKey(part.sha256), path);
    return part;
  };
  const {
    from,
    madeAt,
    worker,
    database,
    further = {},
    objects,
    uploads,
    keys,
    archive,
    learning = [],
    geodata,
  } = contents;
  const about = aboutDatabase(database);
  const others: NonNullable<BackupManifest["further"]> = {};
  for (const [binding, path] of Object.entries(further))
    others[binding] = { ...(await keepFile(path)), rows: aboutDatabase(path).rows };
  const version = Object.keys(others).length > 0 ? WITH_FURTHER : VERSION;
  const manifest: BackupManifest = {
    format: FORMAT,
    version,
    program: programVersion(),
    madeAt: madeAt.toISOString(),
    from,
    worker,
    migrations: about.migrations,
    database: { ...(await keepFile(database)), rows: about.rows },
    ...(version === WITH_FURTHER && { further: others }),
    ...(objects && { objects: { ...(await keepFile(objects.path)), counts: objects.counts } }),
    uploads: [],
    ...(archive?.length && { archive }),
    ...(keys && { keys: await keep(keys) }),
    geodata,
  };
  if (learning.length > 0) manifest.learning = [];
  for (const { name, path, objects } of learning) manifest.learning?.push({ ...(await keepFile(path)), name, objects });
  for (const { key, bytes, uploadedAt } of uploads)
    manifest.uploads.push({ ...(await keep(bytes)), key, ...(uploadedAt !== undefined && { uploadedAt }) });
  await place.put(MANIFEST_KEY, Buffer.from(formatManifest(manifest)));
  const named = new Set(partsOf(manifest).map(({ sha256 }) => partKey(sha256)));
  await place.delete([...held.keys()].filter((key) => !named.has(key)));
  await dropOldArchive([manifest], place);
  return manifest;
}

/** Rows of all databases. */
export function rowsIn({ database, further = {} }: BackupManifest): number {
  const all = [database, ...Object.values(further)].flatMap(({ rows }) => Object.values(rows));
  return all.reduce((sum, count) => sum + count, 0);
}

export function partsOf({ database, further = {}, objects, uploads, learning = [], keys }: BackupManifest): Part[] {
  const single = [objects, keys].filter((part) => part !== undefined);
  return [database, ...Object.values(further), ...uploads, ...learning, ...single];
}

/** The migrations a database has had, and how many rows each of its tables has. */
export function aboutDatabase(path: string): { migrations: string[]; rows: Record<string, number> } {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return aboutOpenDatabase(database);
  } finally {
    database.close();
  }
}

export function aboutOpenDatabase(database: DatabaseSync): { migrations: string[]; rows: Record<string, number> } {
  const rows: Record<string, number> = {};
  for (const name of tablesOf(database))
    rows[name] = Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n);
  const applied = database.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
  return { migrations: applied.map(({ name }) => String(name)), rows };
}

/** Our tables, without those of SQLite and the platform. */
export function tablesOf(database: DatabaseSync): string[] {
  const rows = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY rowid",
    )
    .all();
  return rows.map(({ name }) => String(name)).filter((name) => name !== "d1_migrations");
}

export const programVersion = (): string => JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
