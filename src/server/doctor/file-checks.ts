import { damagedDatabases, damagedObjects, remedyOf } from "../state/integrity.ts";
import { type Finding, ok, wrong } from "./finding.ts";

/** Durable Objects of each class whose pages are checked. */
const SAMPLES = 40;

/** Checks all pages of the databases of a local state, and of some Durable Objects: a finding for each damaged file, or one for all. */
export function checkFiles(state: string): { databases: Finding[]; objects: Finding[] } {
  const databases = damagedDatabases(state, true).map((file) => damagedFinding("database file", file));
  const { checked, damaged } = damagedObjects(state, SAMPLES);
  const objects = damaged.map((file) => damagedFinding("file of a Durable Object", file));
  return {
    databases: databases.length > 0 ? databases : [ok("database file", "all pages are intact")],
    objects: objects.length > 0 ? objects : [ok("files of Durable Objects", `${checked} sampled files are intact`)],
  };
}

function damagedFinding(check: string, { path, damage, holds }: ReturnType<typeof damagedDatabases>[number]): Finding {
  return wrong(check, `${path}: ${damage}. It holds ${holds}.`, remedyOf(path, damage));
}
