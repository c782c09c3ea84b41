import { accessSync, closeSync, constants, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIVE_KEY } from "../../core/geo/builds/manifest.ts";
import { localBucketPath } from "../../importer/publish/local-bucket.ts";
import { JURISDICTIONS } from "../../worker/platform/jurisdiction.ts";
import { CommandError } from "../base/command.ts";
import { type DatabaseConfig, databaseConfigs, workerName } from "../base/wrangler.ts";
import { localDatabasePath, objectId } from "../data/local-database.ts";
import { geodataBucketName } from "../geodata/geodata-bucket.ts";
import { geodataS3 } from "../geodata/geodata-s3.ts";

/** SQLite's header: its name, the size of a page and their number (sqlite.org/fileformat2, 1.3). */
const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const [PAGE_SIZE_AT, PAGES_AT] = [16, 28];

/** SQLite's codes of errors (sqlite.org/rescode.html). */
export const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const CORRUPT = new Set([SQLITE_CORRUPT, SQLITE_NOTADB]);

/** What each class of Durable Objects holds, and what brings it back. */
const HOLDS: Record<string, string> = {
  DeviceTracker: "the position, history and undelivered events of one device",
  GeofenceIndex: "a copy of a project's geofences",
  CampaignIndex: "the totals of a project's campaigns",
  MeetingCell: "who of a project's users is near whom in one area",
  WebhookSender: "the undelivered messages of a webhook",
  GeocodeJobs: "batch jobs",
  AlertWatch: "the alerts that are active",
};
const DATABASE_HOLDS = "projects, keys, users, geofences, events and trips";
const BUCKET_HOLDS = "imports, icons, styles and archived events";

/** A file of a state that cannot be used. */
export interface DamagedFile {
  path: string;
  /** "it is cut short: 8,192 of 90,112 bytes" */
  damage: string;
  holds: string;
}

/**
 * What is wrong with a SQLite file; undefined: nothing was found. The header and the length are always checked, all pages only if
 * `isThorough` (PRAGMA quick_check, which reads the file).
 */
export function damageOf(path: string, isThorough: boolean): string | undefined {
  if (!existsSync(path)) return "it is missing";
  if (!statSync(path).isFile()) return "it is a folder";
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch {
    return "this user cannot read and write it";
  }
  // While pages wait in the log, the file may be shorter than its header says.
  const hasLog = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  return (hasLog ? undefined : damageOfHeader(path)) ?? (isThorough ? damageOfPages(path) : undefined);
}

function damageOfHeader(path: string): string | undefined {
  const { size } = statSync(path);
  if (size === 0) return "it is empty";
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return "it is no SQLite database any more";
  const pageSize = header.readUInt16BE(PAGE_SIZE_AT);
  const expected = (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(PAGES_AT);
  const bytes = (count: number) => count.toLocaleString("en-US");
  return size < expected ? `it is cut short: ${bytes(size)} of ${bytes(expected)} bytes` : undefined;
}

function damageOfPages(path: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    const [{ quick_check: found }] = database.prepare("PRAGMA quick_check(1)").all() as { quick_check: string }[];
    return found === "ok" ? undefined : `its pages are damaged (${found.split("\n")[0]})`;
  } catch (error) {
    return isCorruption(error) ? `its pages are damaged (${(error as Error).message})` : undefined;
  } finally {
    database?.close();
  }
}

/** Is it SQLite's error for a damaged file? */
const isCorruption = (error: unknown): boolean => CORRUPT.has(((error as { errcode?: number }).errcode ?? 0) & 0xff);

/** The damaged databases of a state. A state without a first database is new, unless devices were tracked in it. */
export function damagedDatabases(
  state: string,
  isThorough: boolean,
  databases: readonly Pick<DatabaseConfig, "binding" | "id">[] = databaseConfigs(),
): DamagedFile[] {
  return databases.flatMap(({ binding, id }) => {
    const path = localDatabasePath(state, id);
    if (!existsSync(path) && (binding !== "DB" || objectsOf(state, "DeviceTracker").length === 0)) return [];
    const damage = damageOf(path, isThorough);
    return damage === undefined ? [] : [{ path, damage, holds: DATABASE_HOLDS }];
  });
}

/** The list of what is in the bucket on the disk, if it is damaged, or missing beside what it lists; or the folder of that. */
export function damagedBucket(state: string, isThorough: boolean): DamagedFile[] {
  if (geodataS3()) return [];
  const name = geodataBucketName();
  const [path, blobs] = [localBucketPath(state, name), join(state, "v3/r2", name, "blobs")];
  if (!existsSync(path) && !existsSync(blobs)) return [];
  const damage = damageOf(path, isThorough);
  if (damage !== undefined) return [{ path, damage, holds: `the list of ${BUCKET_HOLDS}` }];
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  try {
    const live = database.prepare("SELECT blob_id AS file FROM _mf_objects WHERE key = ?").get(LIVE_KEY);
    if (!live?.file || existsSync(join(blobs, String(live.file)))) return [];
    return [{ path: blobs, damage: `the file of ${LIVE_KEY} is missing`, holds: BUCKET_HOLDS }];
  } catch {
    // Locked for longer, or without tables: whoever opens it next says so.
    return [];
  } finally {
    database.close();
  }
}

/** The files of a class's objects. */
function objectsOf(state: string, className: string): string[] {
  const folder = join(state, "v3/do", `${workerName()}-${className}`);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  return names.map((name) => join(folder, name));
}

/** Checks all pages of some objects of each class. @param most of each class */
export function damagedObjects(
  state: string,
  most: number,
  random = Math.random,
): { checked: number; damaged: DamagedFile[] } {
  let checked = 0;
  const damaged: DamagedFile[] = [];
  for (const [className, holds] of Object.entries(HOLDS)) {
    const files = objectsOf(state, className);
    for (let taken = 0; taken < most && files.length > 0; taken++) {
      const at = Math.floor(random() * files.length);
      const [path] = files.splice(at, 1, files[files.length - 1]);
      files.pop();
      checked++;
      const damage = damageOf(path, true);
      if (damage !== undefined) damaged.push({ path, damage, holds });
    }
  }
  return { checked, damaged };
}

/** Devices of users in the databases whose tracker has no file, or an empty one. @param most that are looked up in each database */
export function lostTrackers(state: string, most: number): { checked: number; lost: string[] } {
  const worker = workerName();
  const isThere = (name: string) => {
    const path = join(state, "v3/do", `${worker}-DeviceTracker`, `${objectId(`${worker}-DeviceTracker`, name)}.sqlite`);
    return [path, `${path}-wal`].some((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0);
  };
  const devices = databaseConfigs().flatMap(({ id }) => someDevices(localDatabasePath(state, id), most));
  const lost = devices.filter((name) => ![name, ...JURISDICTIONS.map((one) => `${one}/${name}`)].some(isThere));
  return { checked: devices.length, lost };
}

/** The names of trackers, "SCOPE:DEVICE", of some users in a database. */
function someDevices(path: string, most: number): string[] {
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  try {
    // Of the index of devices alone: a million take a second.
    const some = database.prepare("SELECT scope, device_id AS device FROM user ORDER BY random() LIMIT ?").all(most);
    return some.map(({ scope, device }) => `${scope}:${device}`);
  } catch (error) {
    // Before the first start there are no tables; damage is another check's.
    if (isCorruption(error) || /no such table/.test(String(error))) return [];
    throw error;
  } finally {
    database.close();
  }
}

/** For the operator: which file, what it holds, what to do. */
function sentenceOf({ path, damage, holds }: DamagedFile): string {
  return `${path}: ${damage}. It holds ${holds}. ${remedyOf(path, damage)}`;
}

export function remedyOf(path: string, damage: string): string {
  if (damage.startsWith("this user")) return "Change its owner (chown) and its rights (chmod u+rw).";
  const bucket = dirname(dirname(path));
  if (bucket.endsWith(join("v3", "r2")))
    return `Stop the server and remove ${bucket}: npm start builds the world base again. Run your imports again; icons, styles and archived events are in a backup: npm run restore -- PLACE --force`;
  const name = nameOf(path);
  if (name.startsWith("GeofenceIndex/")) return "npm start sets it aside and fills it again.";
  const restore = `npm run restore -- PLACE --object ${name}`;
  if (name.startsWith("DeviceTracker/"))
    return `npm start sets it aside and rebuilds it from the database at the device's next update. Its history and undelivered events are only in a backup: stop the server, then ${restore}`;
  return `Stop the server, then restore this file alone from a backup: ${restore}. docs/backup.md`;
}

/** The name of a file in backups: "DB", or "DeviceTracker/ID". */
function nameOf(path: string): string {
  const file = basename(path, ".sqlite");
  const folder = basename(dirname(path));
  if (folder.startsWith(`${workerName()}-`)) return `${folder.slice(workerName().length + 1)}/${file}`;
  const found = databaseConfigs().find(({ id }) => basename(localDatabasePath("", id), ".sqlite") === file);
  return found?.binding ?? "DB";
}

/** @throws CommandError if a database of the state, or the list of its bucket, is damaged */
export function refuseDamaged(state: string, databases?: Parameters<typeof damagedDatabases>[2]): void {
  const [damaged] = [...damagedDatabases(state, false, databases), ...damagedBucket(state, false)];
  if (damaged) throw new CommandError(sentenceOf(damaged));
}

/** In place of SQLite's error for a damaged file: which one it is. Other errors are returned as they are. */
export function explained(error: unknown, state: string): unknown {
  if (!isCorruption(error)) return error;
  const [damaged] = [...damagedDatabases(state, true), ...damagedBucket(state, true)];
  return damaged
    ? new CommandError(sentenceOf(damaged))
    : new CommandError(`A file of ${state} is damaged. Which one: npm run doctor -- --persist-to ${state}`);
}
