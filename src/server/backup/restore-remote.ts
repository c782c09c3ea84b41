import { once } from "node:events";
import { copyFileSync, createWriteStream } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CommandError } from "../base/command.ts";
import { databaseConfigs, runWrangler } from "../base/wrangler.ts";
import { query } from "../data/database.ts";
import { migrateFile } from "../data/local-database.ts";
import { openRemoteDatabase } from "../data/remote-database.ts";
import { openDeployedBuckets } from "../geodata/project-buckets.ts";
import { bringArchive } from "./archive.ts";
import { refuseUnnamed, takeMovesBack } from "./further.ts";
import { bringLearning } from "./learning.ts";
import type { BackupPlace } from "./place.ts";
import type { WholeBackup } from "./read-backup.ts";
import { bringGeodata, bringUploads } from "./restore-bucket.ts";
import { tablesOf } from "./write-backup.ts";

/** D1 takes statements of up to 100,000 bytes. */
const MAX_LENGTH = 90_000;

/** Writes a backup into a deployment: database, icons and styles, geodata. Its Durable Objects cannot be written from outside. */
export async function restoreRemote(
  backup: WholeBackup,
  from: BackupPlace,
  { force, work }: { force: boolean; work: string },
): Promise<void> {
  const configs = databaseConfigs();
  const [{ name }] = configs;
  refuseUnnamed(
    backup.manifest,
    configs.map(({ binding }) => binding),
  );
  const homes = homesIn(backup.fileOf(backup.manifest.database));
  const bucket = openDeployedBuckets((project) => homes.get(project));
  // Apply migrations first: an empty database has no tables to count rows in.
  for (const one of configs)
    runWrangler(["d1", "migrations", "apply", one.name, "--remote"], "The migrations were not applied.");
  const [{ projects }] = await query(openRemoteDatabase(), "SELECT count(*) AS projects FROM project");
  if (projects !== 0 && !force)
    throw new CommandError(
      `The database ${name} is in use: it contains ${projects} projects. Replace them with --force. npx wrangler d1 time-travel can undo changes without a backup.`,
    );
  const texts = new Map<string, string>();
  for (const [binding, part] of Object.entries({ DB: backup.manifest.database, ...backup.manifest.further })) {
    const database = join(work, `forward-${binding}.sqlite`);
    copyFileSync(backup.fileOf(part), database);
    migrateFile(database);
    if (binding === "DB") takeMovesBack(database);
    texts.set(binding, join(work, `rows-${binding}.sql`));
    await writeRows(database, String(texts.get(binding)));
  }
  await bringGeodata(backup, from, bucket, work);
  await bringUploads(backup, bucket);
  await bringArchive(backup.manifest, from, bucket);
  await bringLearning(backup, bucket);
  // Restore the first database last, because it lists the projects.
  for (const one of configs.toReversed()) {
    const text = texts.get(one.binding);
    if (text)
      runWrangler(["d1", "execute", one.name, "--remote", "--yes", "--file", text], "The database was not restored.");
  }
}

/** Bindings of the projects' databases, which determine the buckets of their files. */
function homesIn(path: string): Map<number, string> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare('SELECT id, "database" AS home FROM project').all();
    return new Map(rows.map(({ id, home }) => [Number(id), String(home)]));
  } catch {
    // A backup of before there were several databases.
    return new Map();
  } finally {
    database.close();
  }
}

/** All rows of a SQLite file as statements that put them in the place of what a database has. */
export async function writeRows(path: string, text: string): Promise<void> {
  const database = new DatabaseSync(path, { readOnly: true });
  const file = createWriteStream(text, { mode: 0o600 });
  const write = async (statement: string) => {
    if (!file.write(`${statement};\n`)) await once(file, "drain");
  };
  try {
    const tables = tablesOf(database);
    await write("PRAGMA defer_foreign_keys = TRUE");
    for (const table of tables.toReversed()) await write(`DELETE FROM "${table}"`);
    for (const table of tables) for (const statement of insertsOf(database, table)) await write(statement);
  } finally {
    database.close();
    await new Promise<void>((resolve) => file.end(resolve));
  }
}

function* insertsOf(database: DatabaseSync, table: string): Generator<string> {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  const head = `INSERT INTO "${table}" (${columns.map(({ name }) => `"${name}"`).join(", ")}) VALUES `;
  const rows = database.prepare(`SELECT * FROM "${table}"`);
  rows.setReadBigInts(true);
  let waiting: string[] = [];
  let bytes = 0;
  for (const row of rows.iterate()) {
    const values = `(${columns.map(({ name }) => literal(row[String(name)])).join(", ")})`;
    const size = Buffer.byteLength(values) + 2;
    if (size + head.length > MAX_LENGTH)
      throw new CommandError(
        `Cannot restore a row of ${table}: its statement has ${size} bytes, and the limit of D1 is ${MAX_LENGTH}.`,
      );
    if (bytes + size + head.length > MAX_LENGTH) {
      yield head + waiting.join(", ");
      waiting = [];
      bytes = 0;
    }
    waiting.push(values);
    bytes += size;
  }
  if (waiting.length > 0) yield head + waiting.join(", ");
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString("hex")}'`;
  return `'${String(value).replaceAll("'", "''")}'`;
}
