import { statSync } from "node:fs";
import { join } from "node:path";
import {
  damagedAlarms,
  damagedBucket,
  damagedDatabases,
  damagedLiveList,
  damagedObjects,
  lostTrackers,
  remedyOf,
} from "../state/integrity.ts";
import { type Finding, note, ok, wrong } from "./finding.ts";

/** Durable Objects of each class whose pages are checked. */
const SAMPLES = 40;
/** Devices of users whose trackers are looked for: a look takes no more than a name. */
const DEVICES = 2000;

/** Checks all pages of the databases of a local state, and of some Durable Objects: a finding for each damaged file, or one for all. */
export function checkFiles(state: string): { databases: Finding[]; objects: Finding[] } {
  const files = join(state, "v3");
  if (statSync(files, { throwIfNoEntry: false })?.isFile())
    return {
      databases: [
        wrong("state", `${files}: it is a file, not a folder`, "Remove it, or restore a backup: docs/backup.md"),
      ],
      objects: [],
    };
  const databases = [
    ...damagedDatabases(state, true).map((file) => damagedFinding("database file", file)),
    ...damagedBucket(state, true).map((file) => damagedFinding("list of the bucket", file)),
  ];
  const { checked, damaged } = damagedObjects(state, SAMPLES);
  const objects = [
    ...damagedAlarms(state).map((file) => damagedFinding("list of alarms", file)),
    ...damagedLiveList(state).map((file) => damagedFinding("list of live geodata", file)),
    ...damaged.map((file) => damagedFinding("file of a Durable Object", file)),
  ];
  if (databases.length === 0) objects.push(...lostFinding(state));
  return {
    databases: databases.length > 0 ? databases : [ok("database file", "all pages are intact")],
    objects: objects.length > 0 ? objects : [ok("files of Durable Objects", `${checked} sampled files are intact`)],
  };
}

function damagedFinding(check: string, { path, damage, holds }: ReturnType<typeof damagedDatabases>[number]): Finding {
  return wrong(check, `${path}: ${damage}. It holds ${holds}.`, remedyOf(path, damage));
}

function lostFinding(state: string): Finding[] {
  const { checked, lost } = lostTrackers(state, DEVICES);
  if (lost.length === 0) return [];
  return [
    note(
      "files of devices",
      `${lost.length} of ${checked} sampled devices have none, or an empty one, such as ${lost[0]} (scope:device)`,
      "Each is rebuilt from the database at its next update. Their histories and undelivered events are only in a backup.",
    ),
  ];
}
