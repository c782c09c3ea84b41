import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BLOCKS_PER_DEGREE } from "../../core/elevation/grid.ts";
import {
  areasOf,
  type Bounds,
  buildKey,
  type DataSource,
  type LiveBuild,
  type ObjectList,
} from "../../core/geo/builds/manifest.ts";
import { boundsMeet } from "../../core/geo/builds/neighbours.ts";
import { unseal } from "../../core/geo/builds/sealed.ts";
import { blockFile, type GroundPlan } from "../common/ground-plan.ts";
import { ImportError } from "../common/import-error.ts";
import type { Bucket } from "./bucket.ts";
import { readLiveList, readManifest } from "./live-list.ts";

const ELEVATION = "elevation";
/** Blocks that are copied at a time. */
const AT_ONCE = 8;
/** Of more builds the plan has no name that lists them. */
const MAX_NAMED_BUILDS = 20;
const ID_CHARACTERS = 8;

/**
 * Copies the elevations around the extracts of an import from the live builds to the cache folder. Returns the path of the plan for the
 * roads, and the names of the builds; undefined where no build has any.
 *
 * @param areas of the extracts; undefined: everything
 */
export async function groundFor(
  bucket: Bucket,
  areas: readonly Bounds[] | undefined,
  cache: string,
): Promise<{ path: string; builds: string[] } | undefined> {
  const builds = elevationsNear((await readLiveList(bucket)).list.builds, areas);
  if (builds.length === 0) return undefined;
  const blocks = new Map<string, { sha256: string; key: string }>();
  const sources: DataSource[] = [];
  for (const { id } of builds) {
    sources.push(...(await readManifest(bucket, id)).sources);
    for (const [key, sha256] of await blocksOf(bucket, id)) {
      const [row, column] = key.split("/").slice(1).map(Number);
      const isNear = !areas || areas.some((area) => boundsMeet(area, boundsOf(row, column), MARGIN_METERS));
      if (isNear && !blocks.has(`${row}/${column}`)) blocks.set(`${row}/${column}`, { sha256, key: buildKey(id, key) });
    }
  }
  if (blocks.size === 0) return undefined;
  const folder = join(cache, "ground");
  await mkdir(folder, { recursive: true });
  // Flat blocks, as on the sea, are alike.
  const waiting = [...new Map([...blocks.values()].map((block) => [block.sha256, block])).values()];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await copyBlock(bucket, next, folder);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const plan: GroundPlan = {
    version: 1,
    sources: [...new Map(sources.map((source) => [source.name, source])).values()],
    blocks: Object.fromEntries(
      [...blocks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { sha256 }]) => [key, sha256]),
    ),
  };
  const path = join(folder, groundName(builds.map(({ id }) => id)));
  await replaceFile(path, JSON.stringify(plan));
  return { path, builds: builds.map(({ name }) => name) };
}

/** Roads at the edge of an extract need the ground around them [m]. */
const MARGIN_METERS = 500;

/** Live builds with elevations for some of the areas, the smallest first: where several have a block, the first one counts. */
export function elevationsNear(builds: readonly LiveBuild[], areas: readonly Bounds[] | undefined): LiveBuild[] {
  const size = (build: LiveBuild) =>
    areasOf(build, ELEVATION).reduce((sum, [west, south, east, north]) => sum + (east - west) * (north - south), 0);
  return builds
    .filter(({ layers }) => layers[ELEVATION] !== undefined)
    .filter(
      (build) => !areas || areasOf(build, ELEVATION).some((one) => areas.some((area) => boundsMeet(area, one, 0))),
    )
    .sort((a, b) => size(a) - size(b) || (a.id < b.id ? -1 : 1));
}

/** Name of the plan: the manifest of the roads lists it, and so which elevations they have. */
function groundName(ids: readonly string[]): string {
  const named = ids.length > MAX_NAMED_BUILDS ? ["many"] : ids.map((id) => id.slice(0, ID_CHARACTERS)).sort();
  return `${PREFIX}${named.join("-")}.json`;
}

const PREFIX = "elevations-";

/** Returns whether an input of a build is a plan, not a file of the operator. */
export const isGroundName = (name: string): boolean => name.startsWith(PREFIX) && name.endsWith(".json");

/** Returns whether a build with these inputs has the elevations of another build. */
export function hasElevationsOf(inputs: readonly { name: string }[], id: string): boolean {
  return inputs.some(({ name }) => {
    if (!isGroundName(name)) return false;
    const ids = name.slice(PREFIX.length, -".json".length).split("-");
    return ids.includes(id.slice(0, ID_CHARACTERS)) || ids[0] === "many";
  });
}

async function blocksOf(bucket: Bucket, id: string): Promise<[key: string, sha256: string][]> {
  const stored = await bucket.get(buildKey(id, "objects.json"));
  if (!stored)
    throw new ImportError(`Build ${id} in ${bucket.where} has no list of objects. Import its elevations again.`);
  const list = JSON.parse(Buffer.from(stored.bytes).toString("utf8")) as ObjectList;
  return Object.entries(list).flatMap(([key, [, sha256]]): [string, string][] =>
    /^elevation\/\d+\/\d+$/.test(key) ? [[key, sha256]] : [],
  );
}

function boundsOf(row: number, column: number): Bounds {
  const [south, west] = [row / BLOCKS_PER_DEGREE - 90, column / BLOCKS_PER_DEGREE - 180];
  return [west, south, west + 1 / BLOCKS_PER_DEGREE, south + 1 / BLOCKS_PER_DEGREE];
}

async function copyBlock(
  bucket: Bucket,
  { sha256, key }: { sha256: string; key: string },
  folder: string,
): Promise<void> {
  const path = join(folder, blockFile(sha256));
  if (await stat(path).catch(() => undefined)) return;
  const stored = await bucket.get(key);
  const bytes = stored && unseal(stored.bytes);
  if (!bytes) throw new ImportError(`${key} in ${bucket.where} is damaged or missing. Import its elevations again.`);
  await replaceFile(path, bytes);
}

/** Two imports may write the same file together. */
async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await writeFile(part, content);
  await rename(part, path);
}
