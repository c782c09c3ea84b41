import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIVE_KEY } from "../../geo/manifest.ts";
import { CommandError } from "../command.ts";
import { openGeodataBucket } from "../geodata-bucket.ts";
import { databaseConfig, runWrangler } from "../wrangler.ts";

/** What can be read of a deployment: its database by wrangler's export, icons and styles through the bucket's S3 interface. */
export interface TakenRemote {
  madeAt: Date;
  database: string;
  uploads: { key: string; bytes: Uint8Array }[];
  live?: Uint8Array;
  keys?: undefined;
}

export async function takeRemote(work: string): Promise<TakenRemote> {
  const bucket = openGeodataBucket({ remote: true, state: "" });
  const madeAt = new Date();
  const exported = join(work, "database.sql");
  const args = ["d1", "export", databaseConfig().name, "--remote", "--output", exported];
  runWrangler(args, "The database was not exported. Are you signed in (npx wrangler whoami)?");
  const database = join(work, "database.sqlite");
  loadSql(exported, database);
  const uploads: TakenRemote["uploads"] = [];
  for (const key of (await bucket.list("custom/")).keys()) {
    const object = await bucket.get(key);
    // One that was deleted since the list was made belongs to no later moment.
    if (object) uploads.push({ key, bytes: object.bytes });
  }
  const live = await bucket.get(LIVE_KEY);
  return { madeAt, database, uploads, ...(live && { live: live.bytes }) };
}

/** Makes a SQLite file of an export, which is a text of statements. */
export function loadSql(text: string, path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN");
    database.exec(readFileSync(text, "utf8"));
    database.exec("COMMIT");
  } catch (error) {
    throw new CommandError(`What wrangler exported is no whole database: ${(error as Error).message}. Try again.`);
  } finally {
    database.close();
  }
}
