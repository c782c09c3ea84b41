import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIVE_KEY } from "../../core/geo/builds/manifest.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { CommandError } from "../base/command.ts";
import { databaseConfigs, runWrangler } from "../base/wrangler.ts";
import { openDeployedBuckets } from "../geodata/project-buckets.ts";

/** Reads a deployment: its database by wrangler's export, icons and styles through the bucket's S3 API. */
interface TakenRemote {
  madeAt: Date;
  database: string;
  /** Further databases by their bindings. */
  further: Record<string, string>;
  uploads: { key: string; bytes: Uint8Array }[];
  live?: Uint8Array;
  keys?: undefined;
}

export async function takeRemote(work: string): Promise<TakenRemote> {
  // Reading finds files in any bucket.
  const bucket = openDeployedBuckets(() => undefined);
  const madeAt = new Date();
  const files: Record<string, string> = {};
  for (const { binding, name } of databaseConfigs()) {
    const exported = join(work, `${binding}.sql`);
    const args = ["d1", "export", name, "--remote", "--output", exported];
    runWrangler(args, `Could not export the database ${name}. Are you signed in (npx wrangler whoami)?`);
    files[binding] = join(work, `${binding}.sqlite`);
    loadSql(exported, files[binding]);
  }
  const { DB: database, ...further } = files;
  if (Object.keys(further).length > 0) refuseMoving(database);
  return { madeAt, database, further, ...(await uploadsIn(bucket)) };
}

/** Databases are exported one after the other: a project that moves meanwhile might be in none of them. @throws CommandError */
function refuseMoving(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database
      .prepare("SELECT project FROM project_move WHERE step NOT IN ('clean', 'done', 'undone', 'failed')")
      .get();
    if (row)
      throw new CommandError(
        `Project ${row.project} is being moved to another database. Start the backup when the move has finished.`,
      );
  } finally {
    database.close();
  }
}

/** Icons, styles and the list of live builds of a bucket that is not on this machine. */
export async function uploadsIn(bucket: Bucket): Promise<Pick<TakenRemote, "uploads" | "live">> {
  const uploads: TakenRemote["uploads"] = [];
  for (const key of (await bucket.list("custom/")).keys()) {
    const object = await bucket.get(key);
    // Skip objects that were deleted since they were listed.
    if (object) uploads.push({ key, bytes: object.bytes });
  }
  const live = await bucket.get(LIVE_KEY);
  return { uploads, ...(live && { live: live.bytes }) };
}

/** Creates a SQLite file from an export, which is a text of SQL statements. */
export function loadSql(text: string, path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN");
    database.exec(readFileSync(text, "utf8"));
    database.exec("COMMIT");
  } catch (error) {
    throw new CommandError(`The export of wrangler is incomplete: ${(error as Error).message}. Retry.`);
  } finally {
    database.close();
  }
}
