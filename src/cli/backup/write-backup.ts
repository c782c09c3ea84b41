import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ROOT } from "../wrangler.ts";
import { type BackupManifest, FORMAT, formatManifest, MANIFEST_KEY, type Part, partKey, VERSION } from "./manifest.ts";
import { type BackupPlace, sha256OfFile } from "./place.ts";
import { sha256, type Upload } from "./take-local.ts";

/** What a backup is made of, ready to be written. */
export interface Contents {
  from: BackupManifest["from"];
  madeAt: Date;
  worker: string;
  /** A SQLite file. */
  database: string;
  objects?: { path: string; counts: Record<string, number> };
  uploads: (Omit<Upload, "uploadedAt"> & { uploadedAt?: number })[];
  keys?: Uint8Array;
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
  const { from, madeAt, worker, database, objects, uploads, keys, geodata } = contents;
  const about = aboutDatabase(database);
  const manifest: BackupManifest = {
    ...{ format: FORMAT, version: VERSION, program: programVersion(), madeAt: madeAt.toISOString(), from, worker },
    migrations: about.migrations,
    database: { ...(await keepFile(database)), rows: about.rows },
    ...(objects && { objects: { ...(await keepFile(objects.path)), counts: objects.counts } }),
    uploads: [],
    ...(keys && { keys: await keep(keys) }),
    geodata,
  };
  for (const { key, bytes, uploadedAt } of uploads)
    manifest.uploads.push({ ...(await keep(bytes)), key, ...(uploadedAt !== undefined && { uploadedAt }) });
  await place.put(MANIFEST_KEY, Buffer.from(formatManifest(manifest)));
  const named = new Set(partsOf(manifest).map(({ sha256 }) => partKey(sha256)));
  await place.delete([...held.keys()].filter((key) => !named.has(key)));
  return manifest;
}

export function partsOf({ database, objects, uploads, keys }: BackupManifest): Part[] {
  return [database, ...(objects ? [objects] : []), ...uploads, ...(keys ? [keys] : [])];
}

/** The migrations a database has had, and how many rows each of its tables has. */
export function aboutDatabase(path: string): { migrations: string[]; rows: Record<string, number> } {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows: Record<string, number> = {};
    for (const name of tablesOf(database))
      rows[name] = Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n);
    const applied = database.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
    return { migrations: applied.map(({ name }) => String(name)), rows };
  } finally {
    database.close();
  }
}

/** Tables of ours: not SQLite's, nor those in which the platform keeps its own. */
export function tablesOf(database: DatabaseSync): string[] {
  const rows = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY rowid",
    )
    .all();
  return rows.map(({ name }) => String(name)).filter((name) => name !== "d1_migrations");
}

export const programVersion = (): string => JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
