import {
  type ContributionName,
  type LearningState,
  parseContributionKey,
  parseState,
  STATES_PREFIX,
  scopePrefix,
} from "../../core/routing/learn/keys.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";

/** A contribution in the bucket. */
export interface ListedContribution extends ContributionName {
  key: string;
  /** [bytes] */
  size: number;
}

/** What may be merged. */
export interface Contributions {
  byWeek: Map<number, ListedContribution[]>;
  count: number;
  bytes: number;
  /** The largest number that a project requires. */
  minimumDevices: number;
  projects: number;
}

/** The contributions of all projects that have learning enabled. */
export async function listContributions(bucket: Bucket): Promise<Contributions> {
  const found: Contributions = { byWeek: new Map(), count: 0, bytes: 0, minimumDevices: 0, projects: 0 };
  for (const key of [...(await bucket.list(STATES_PREFIX)).keys()].sort()) {
    const state = await readState(bucket, key);
    if (!state || state.disabled) continue;
    found.projects++;
    found.minimumDevices = Math.max(found.minimumDevices, state.minimumDevices);
    const objects = await bucket.list(scopePrefix(Number(key.slice(STATES_PREFIX.length))));
    for (const [own, size] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const name = parseContributionKey(own);
      if (!name) continue;
      const week = found.byWeek.get(name.week) ?? [];
      found.byWeek.set(name.week, week);
      week.push({ ...name, key: own, size });
      found.count++;
      found.bytes += size;
    }
  }
  return found;
}

async function readState(bucket: Bucket, key: string): Promise<LearningState | undefined> {
  const stored = await bucket.get(key);
  return stored && parseState(Buffer.from(stored.bytes).toString("utf8"));
}
