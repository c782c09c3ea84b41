import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIVE_KEY, parseLiveList } from "../../core/geo/builds/manifest.ts";
import { UnreadableObject } from "../../core/geo/builds/tile-source.ts";
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

/** What each class of Durable Objects holds. */
export const HOLDS: Readonly<Record<string, string>> = {
  DeviceTracker: "the position, history and undelivered events of one device",
  GeofenceIndex: "a copy of a project's geofences",
  CampaignIndex: "the totals of a project's campaigns",
  MeetingCell: "who of a project's users is near whom in one area",
  WebhookSender: "the undelivered messages of a webhook",
  GeocodeJobs: "batch jobs",
  AlertWatch: "the alerts that are active",
  DatabaseWriter: "writes that devices hold until they are in the database",
  RateLimiter: "how many requests came in the last minutes",
  LiveFeed: "who watches a map just now",
};
/** Classes whose objects fill themselves again. */
const REFILLED = new Set(["GeofenceIndex", "DatabaseWriter", "RateLimiter", "LiveFeed"]);
/** The file in which workerd keeps when the objects of a folder are to be woken. */
const ALARMS = "metadata";
/** Files up to this size are checked in a fraction of a second, so that a start can [bytes]. */
const QUICK_BYTES = 64e6;
const DATABASE_HOLDS = "projects, keys, users, geofences, events and trips";
const BUCKET_HOLDS = "imports, icons, styles and archived events";
export const LIVE_HOLDS = `${LIVE_KEY}, the list of the imports that are live`;

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
  return size < expected ? cutShort(size, expected) : undefined;
}

function cutShort(size: number, expected: number): string {
  const bytes = (count: number) => count.toLocaleString("en-US");
  return `it is cut short: ${bytes(size)} of ${bytes(expected)} bytes`;
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

/** The folders in which workerd keeps Durable Objects: of the Worker's classes, and of Miniflare's. */
export function objectFolders(state: string, kinds: readonly string[] = ["cache", "d1", "do", "r2"]): string[] {
  return kinds.flatMap((kind) => {
    const folder = join(state, "v3", kind);
    const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  });
}

export const alarmsIn = (folder: string) => join(folder, `${ALARMS}.sqlite`);

/** The damaged lists of alarms of a state, without which workerd does not start. */
export function damagedAlarms(state: string): DamagedFile[] {
  return objectFolders(state).flatMap((folder) => {
    const path = alarmsIn(folder);
    const damage = existsSync(path) ? damageOf(path, true) : undefined;
    if (damage === undefined) return [];
    return [{ path, damage, holds: "when the Durable Objects beside it are to be woken" }];
  });
}

/** The damaged databases of a state. A state without a first database is new, unless devices were tracked in it. */
export function damagedDatabases(
  state: string,
  isThorough: boolean | "quick",
  databases: readonly Pick<DatabaseConfig, "binding" | "id">[] = databaseConfigs(),
): DamagedFile[] {
  return databases.flatMap(({ binding, id }) => {
    const path = localDatabasePath(state, id);
    if (!existsSync(path) && (binding !== "DB" || objectsOf(state, "DeviceTracker").length === 0)) return [];
    const damage = damageOf(
      path,
      isThorough === "quick" ? existsSync(path) && statSync(path).size <= QUICK_BYTES : isThorough,
    );
    return damage === undefined ? [] : [{ path, damage, holds: DATABASE_HOLDS }];
  });
}

/** The databases that are damaged, if workerd says that a file is: one that is large is not read to find out. */
export function brokenDatabases(state: string, isSaid: boolean): DamagedFile[] {
  const found = damagedDatabases(state, "quick");
  if (found.length > 0 || !isSaid) return found;
  const all = databaseConfigs().map(({ id }) => localDatabasePath(state, id));
  const large = all.filter((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > QUICK_BYTES);
  const damage = large.length > 1 ? "its pages are damaged, or those of another database" : "its pages are damaged";
  return large.map((path) => ({ path, damage, holds: DATABASE_HOLDS }));
}

/** The list of what is in the bucket on the disk, if it is damaged, or missing beside what it lists. */
export function damagedBucket(state: string, isThorough: boolean): DamagedFile[] {
  if (geodataS3()) return [];
  const name = geodataBucketName();
  const [path, blobs] = [localBucketPath(state, name), join(state, "v3/r2", name, "blobs")];
  const isThere = existsSync(blobs);
  if (!existsSync(path) && !isThere) return [];
  const damage = damageOf(path, isThorough);
  if (damage !== undefined) return [{ path, damage, holds: `the list of ${BUCKET_HOLDS}` }];
  // Perhaps its disk is not mounted.
  return isThere || !liveFile(state) ? [] : [{ path: blobs, damage: "it is missing", holds: BUCKET_HOLDS }];
}

/** The list of live imports in the bucket on the disk, if it is damaged: a server answers without geodata meanwhile. */
export function damagedLiveList(state: string): DamagedFile[] {
  const path = geodataS3() ? undefined : liveFile(state);
  const damage = path && damageOfLiveList(path);
  return path && damage ? [{ path, damage, holds: LIVE_HOLDS }] : [];
}

/** The file of live.json; undefined: there is none. */
function liveFile(state: string): string | undefined {
  const name = geodataBucketName();
  const list = localBucketPath(state, name);
  if (!existsSync(list)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(list, { readOnly: true, timeout: 1000 });
    const live = database.prepare("SELECT blob_id AS file FROM _mf_objects WHERE key = ?").get(LIVE_KEY);
    return live?.file ? join(state, "v3/r2", name, "blobs", String(live.file)) : undefined;
  } catch {
    // Locked for longer, without tables or damaged: whoever opens it next says so.
    return undefined;
  } finally {
    database?.close();
  }
}

/** What is wrong with the file of an object in the bucket. */
export function damageOfBlob(path: string, size?: number): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return "it is missing";
  if (!found.isFile()) return "it is a folder";
  try {
    accessSync(path, constants.R_OK);
  } catch {
    return "this user cannot read it";
  }
  return size === undefined || found.size === size ? undefined : cutShort(found.size, size);
}

export function damageOfLiveList(path: string): string | undefined {
  const damage = damageOfBlob(path);
  if (damage !== undefined) return damage;
  try {
    parseLiveList(readFileSync(path, "utf8"));
    return undefined;
  } catch (error) {
    // Of a newer version, it is whole.
    return error instanceof UnreadableObject ? `it is damaged (${error.message})` : undefined;
  }
}

/** The files of a class's objects. */
const objectsOf = (state: string, className: string) => filesIn(join(state, "v3/do", `${workerName()}-${className}`));

/** The files of the objects in a folder. */
export function filesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)).map((name) => join(folder, name));
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
export function sentenceOf({ path, damage, holds }: DamagedFile): string {
  return `${path}: ${damage}. It holds ${holds}. ${remedyOf(path, damage)}`;
}

export function remedyOf(path: string, damage: string): string {
  if (damage.startsWith("this user")) return "Change its owner (chown) and its rights (chmod u+rw).";
  if (basename(path) === `${ALARMS}.sqlite`) return "npm start sets it aside and makes it again.";
  if (basename(dirname(path)) === "blobs")
    return "Restart the server: npm start makes the list again of the builds in the bucket. Until then, it answers without geodata.";
  const bucket = dirname(dirname(path));
  if (bucket.endsWith(join("v3", "r2")))
    return `Stop the server and remove ${bucket}: npm start builds the world base again. Run your imports again; icons, styles and archived events are in a backup: npm run restore -- PLACE --force`;
  const name = nameOf(path);
  const [className] = name.split("/");
  if (REFILLED.has(className)) return "npm start sets it aside, and it fills itself again.";
  const restore = `npm run restore -- PLACE --object ${name}`;
  if (name.startsWith("DeviceTracker/"))
    return `npm start sets it aside and rebuilds it from the database at the device's next update. Its history and undelivered events are only in a backup: stop the server, then ${restore}`;
  if (className in HOLDS)
    return `npm start sets it aside, and the object begins anew. What was in it is only in a backup: stop the server, then ${restore}`;
  return `Stop the server, then restore this file alone from a backup: ${restore}. docs/backup.md`;
}

/** The name of a file in backups: "DB", or "DeviceTracker/ID". */
export function nameOf(path: string): string {
  const file = basename(path, ".sqlite");
  const folder = basename(dirname(path));
  if (folder === "blobs") return file;
  if (folder.startsWith(`${workerName()}-`)) return `${folder.slice(workerName().length + 1)}/${file}`;
  const found = databaseConfigs().find(({ id }) => basename(localDatabasePath("", id), ".sqlite") === file);
  return found?.binding ?? "DB";
}

/** @throws CommandError if a database of the state, or the list of its bucket, is damaged */
export function refuseDamaged(
  state: string,
  databases?: Parameters<typeof damagedDatabases>[2],
  isThorough: boolean | "quick" = false,
): void {
  const [damaged] = [...damagedDatabases(state, isThorough, databases), ...damagedBucket(state, false)];
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
