import { createHash } from "node:crypto";
import { readContribution } from "../../core/routing/learn/contribution.ts";
import { addDevice, type EdgeSums } from "../../core/routing/learn/edge-sums.ts";
import { inputsKey, LEARNED_PREFIX, tileKey } from "../../core/routing/learn/keys.ts";
import { byTile, MAX_WEEKS, tileOfEdge, writeWeekTile } from "../../core/routing/learn/week-tile.ts";
import type { Progress } from "../../importer/common/progress.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import type { Contributions, ListedContribution } from "./contributions.ts";

/** Reads that run at the same time. */
const PARALLEL = 16;
/** Objects in memory take about so many times their size in the bucket. */
const MEMORY_FACTOR = 40;
/** The latest weeks still change: their objects may be replaced by others of the same size. */
const CHANGING_WEEKS = 2;

/** What the tiles of a week were merged from. */
interface WeekInputs {
  version: 1;
  digest: string;
  tiles: string[];
}

export interface MergedWeek {
  week: number;
  digest: string;
  tiles: string[];
}

/**
 * Merges contributions into an object per tile and week. A week whose contributions did not change since the last merge
 * remains; weeks without any, and those too old, are deleted. Interrupted, it continues with the first week that is not complete.
 * `memory`: for the sums of one week [bytes].
 */
export async function mergeWeeks(
  bucket: Bucket,
  { byWeek }: Contributions,
  memory: number,
  progress: Progress,
): Promise<MergedWeek[]> {
  const weeks = [...byWeek.keys()].sort((a, b) => a - b);
  const latest = weeks[weeks.length - 1] ?? 0;
  const used = weeks.filter((week) => week >= latest - MAX_WEEKS);
  progress.expect(
    used.reduce((sum, week) => sum + byWeek.get(week)!.length, 0),
    "contributions",
  );
  const merged: MergedWeek[] = [];
  for (const week of used) {
    const own = byWeek.get(week)!;
    const digest = digestOf(own);
    const known = await readInputs(bucket, week);
    if (known?.digest === digest && week <= latest - CHANGING_WEEKS) progress.advance(own.length);
    merged.push(
      known?.digest === digest && week <= latest - CHANGING_WEEKS
        ? { week, digest, tiles: known.tiles }
        : await mergeWeek(bucket, week, digest, own, memory, progress),
    );
  }
  await deleteOthers(bucket, new Set(used));
  return merged;
}

async function mergeWeek(
  bucket: Bucket,
  week: number,
  digest: string,
  own: readonly ListedContribution[],
  memory: number,
  progress: Progress,
): Promise<MergedWeek> {
  const size = own.reduce((sum, one) => sum + one.size, 0);
  const passes = Math.max(1, Math.ceil((size * MEMORY_FACTOR) / memory));
  const tiles: string[] = [];
  const content = createHash("sha256");
  for (let pass = 0; pass < passes; pass++) {
    const sums = await sumOf(bucket, own, (tile) => Number(tile) % passes === pass, passes > 1);
    if (pass === 0) progress.advance(own.length);
    const objects = async function* () {
      for (const [tile, edges] of [...byTile(sums)].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const bytes = await writeWeekTile(edges);
        tiles.push(tile);
        content.update(tile).update(bytes);
        yield { key: tileKey(week, tile), bytes };
      }
    };
    await bucket.putMany(objects(), () => undefined);
  }
  const before = await bucket.list(`${LEARNED_PREFIX}${week}/`);
  const written = new Set([...tiles.map((tile) => tileKey(week, tile)), inputsKey(week)]);
  await bucket.delete([...before.keys()].filter((key) => !written.has(key)));
  const inputs: WeekInputs = { version: 1, digest, tiles };
  await bucket.put(inputsKey(week), Buffer.from(JSON.stringify(inputs)));
  return { week, digest: `${digest}${content.digest("hex").slice(0, 16)}`, tiles };
}

async function sumOf(
  bucket: Bucket,
  own: readonly ListedContribution[],
  wanted: (tile: string) => boolean,
  isPart: boolean,
): Promise<EdgeSums> {
  const sums: EdgeSums = new Map();
  for (let i = 0; i < own.length; i += PARALLEL) {
    const some = own.slice(i, i + PARALLEL);
    const stored = await Promise.all(some.map(({ key }) => bucket.get(key)));
    // In order of the keys, so that the same contributions give the same bytes.
    for (const [k, one] of stored.entries()) {
      // Deleted since they were listed: with its user.
      if (!one) continue;
      const { observations } = await readContribution(one.bytes);
      if (isPart)
        for (const key of observations.edges.keys()) if (!wanted(tileOfEdge(key))) observations.edges.delete(key);
      addDevice(sums, some[k].device, observations);
    }
  }
  return sums;
}

const digestOf = (own: readonly ListedContribution[]): string =>
  createHash("sha256")
    .update(own.map(({ key, size }) => `${key} ${size}`).join("\n"))
    .digest("hex")
    .slice(0, 16);

async function readInputs(bucket: Bucket, week: number): Promise<WeekInputs | undefined> {
  const stored = await bucket.get(inputsKey(week));
  if (!stored) return undefined;
  try {
    const inputs = JSON.parse(Buffer.from(stored.bytes).toString("utf8")) as WeekInputs;
    return inputs.version === 1 ? inputs : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes the tiles of weeks that are too old, or of which no contribution is left. */
async function deleteOthers(bucket: Bucket, used: ReadonlySet<number>): Promise<void> {
  for (const folder of await bucket.folders(LEARNED_PREFIX)) {
    const week = Number(folder.replace(/\/$/, ""));
    if (!Number.isInteger(week) || used.has(week)) continue;
    await bucket.delete([...(await bucket.list(`${LEARNED_PREFIX}${week}/`)).keys()]);
  }
}
