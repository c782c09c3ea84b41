import { existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { JURISDICTIONS } from "../../worker/platform/jurisdiction.ts";
import { CommandError } from "../base/command.ts";
import { databaseConfigs, workerName } from "../base/wrangler.ts";
import { localDatabasePath, objectId } from "../data/local-database.ts";
import {
  alarmsIn,
  type DamagedFile,
  damagedAlarms,
  damageOf,
  filesIn,
  HOLDS,
  objectFolders,
  remedyOf,
  sentenceOf,
} from "./integrity.ts";
import { moveAside, setAside } from "./set-aside.ts";

/** How long a start looks for damaged files of Durable Objects; others are found at their first use [ms]. */
const LOOK_MS = 2000;

/** As workerd makes it (src/workerd/server/alarm-scheduler.c++). */
const ALARM_TABLE =
  "CREATE TABLE _cf_ALARM (actor_id TEXT PRIMARY KEY, scheduled_time INTEGER, actor_name TEXT) WITHOUT ROWID";

/** Prints a line about a damaged file. */
export function tellDamaged(told: Record<string, unknown>): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), what: "damaged", ...told }));
}

/**
 * Sets damaged files aside that workerd does not open, before it is started: lists of alarms, which are made again, and Durable Objects,
 * which begin anew.
 * @throws CommandError if this user cannot read or write a file
 */
export function mendState(state: string, now: () => number = Date.now): void {
  for (const file of damagedAlarms(state)) mendAlarms(state, file, now());
  for (const folder of objectFolders(state, ["do"]))
    if (!existsSync(alarmsIn(folder)) && filesIn(folder).length > 0) makeAlarms(state, folder);
  const until = now() + LOOK_MS;
  const worker = workerName();
  // Of trackers there are many, and they are found at their first use as well.
  const classes = Object.keys(HOLDS).sort((a, b) => Number(a === "DeviceTracker") - Number(b === "DeviceTracker"));
  for (const className of classes)
    for (const path of filesIn(join(state, "v3/do", `${worker}-${className}`))) {
      if (now() > until) return;
      const damage = damageOf(path, className !== "DeviceTracker");
      // An empty one is as good as new.
      if (damage === undefined || damage === "it is empty") continue;
      const file = { path, damage, holds: HOLDS[className] };
      if (damage.startsWith("this user")) throw new CommandError(sentenceOf(file));
      const found = setAside(state, { worker, className, id: basename(path, ".sqlite") }, now());
      if (found) tellSetAside(className, found);
    }
}

/** A line about the file of a Durable Object that is set aside. */
export function tellSetAside(
  className: string,
  { path, to, damage }: { path: string; to: string; damage: string },
): void {
  const told = { class: className, id: basename(path, ".sqlite"), damage, setAside: to };
  tellDamaged({ ...told, holds: HOLDS[className], todo: remedyOf(path, damage) });
}

function mendAlarms(state: string, file: DamagedFile, now: number): void {
  const { path, damage, holds } = file;
  if (damage.startsWith("this user")) throw new CommandError(sentenceOf(file));
  const folder = dirname(path);
  if (basename(dirname(folder)) === "cache") {
    rmSync(folder, { recursive: true });
    tellDamaged({ file: path, damage, holds: "a cache", done: "It is removed, and fills itself again." });
    return;
  }
  const to = moveAside(state, path, `${basename(folder)}-metadata`, now);
  const alarms = makeAlarms(state, folder);
  tellDamaged({ file: path, damage, setAside: to, holds, done: `It is made again of the objects: ${alarms} alarms.` });
}

/** Writes the list of a folder's alarms again: each object knows its own. @returns how many there are */
function makeAlarms(state: string, folder: string): number {
  const path = alarmsIn(folder);
  const made = `${path}.new`;
  for (const more of ["", "-journal"]) rmSync(made + more, { force: true });
  const database = new DatabaseSync(made);
  let count = 0;
  try {
    database.exec(`${ALARM_TABLE}; BEGIN`);
    const insert = database.prepare("INSERT INTO _cf_ALARM VALUES (?, ?, ?)");
    const names = namesOf(state, basename(folder));
    for (const file of filesIn(folder)) {
      const id = basename(file, ".sqlite");
      const at = alarmOf(file);
      if (at === undefined) continue;
      insert.run(id, at, names.get(id) ?? null);
      count++;
    }
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  renameSync(made, path);
  return count;
}

/** When an object is to be woken [ns]; undefined: not, or it cannot be read. */
function alarmOf(path: string): bigint | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, readBigInts: true });
    return database.prepare("SELECT value FROM _cf_METADATA WHERE key = 1").get()?.value as bigint | undefined;
  } catch {
    // Without the table, it never had an alarm; damaged objects begin anew.
    return undefined;
  } finally {
    database?.close();
  }
}

/** Names of objects, which workerd keeps with their alarms, by their ids: of all that the databases name. */
function namesOf(state: string, classKey: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const path of databaseConfigs().map(({ id }) => localDatabasePath(state, id))) {
    if (!existsSync(path) || damageOf(path, false) !== undefined) continue;
    const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    try {
      for (const { name } of database.prepare(NAMES[classKey.slice(workerName().length + 1)] ?? NAMES.other).iterate())
        for (const one of [String(name), ...JURISDICTIONS.map((residence) => `${residence}/${name}`)])
          names.set(objectId(classKey, one), one);
    } catch {
      // Without tables, or with damaged pages: the objects know what they need but for their jurisdiction.
    } finally {
      database.close();
    }
  }
  return names;
}

const NAMES: Readonly<Record<string, string>> = {
  DeviceTracker: "SELECT scope || ':' || device_id AS name FROM user",
  WebhookSender: "SELECT scope || ':' || id AS name FROM webhook",
  AlertWatch: "SELECT 'deployment' AS name",
  other: "SELECT scope AS name FROM user GROUP BY scope UNION SELECT scope || ':routes' FROM user GROUP BY scope",
};
