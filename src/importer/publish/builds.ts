import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { buildKey, type LiveBuild, type Manifest, type ObjectList } from "../../core/geo/builds/manifest.ts";
import { ImportError } from "../common/import-error.ts";
import type { Bucket } from "./bucket.ts";
import { forgetBuild, readLiveList, readManifest, takeOffLive } from "./live-list.ts";

/** No Worker uses a list of live builds that is older than this [milliseconds]. */
const LIST_MAX_AGE_MS = 10_000;

export interface StoredBuild {
  id: string;
  /** Absent when an interrupted import never finished it. */
  manifest?: Manifest;
  live: boolean;
  /** Since when [ISO 8601]; absent where it is not live, or an older program made it so. */
  liveSince?: string;
  /** A rollback of its name can return to it. */
  previous: boolean;
}

/** Every build in the bucket, the live ones first, then by name. */
export async function storedBuilds(bucket: Bucket): Promise<StoredBuild[]> {
  const { list } = await readLiveList(bucket);
  const live = new Map(list.builds.map(({ id, liveSince }) => [id, liveSince]));
  const previous = new Set(list.builds.flatMap((build) => build.previous));
  const ids = await bucket.folders("builds/");
  const builds = await Promise.all(
    ids.map(async (id) => {
      const whole = await bucket.get(buildKey(id, "manifest.json"));
      return {
        id,
        manifest: whole && (await readManifest(bucket, id)),
        live: live.has(id),
        ...(live.get(id) !== undefined && { liveSince: live.get(id) }),
        previous: previous.has(id),
      };
    }),
  );
  const rank = ({ live, manifest, id }: StoredBuild) => `${live ? 0 : 1}${manifest?.name ?? "~"} ${id}`;
  return builds.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/**
 * Removes a build by its id, or takes a name off the live list and removes all its builds. A build that is live by
 * another name's doing is never removed. Returns the ids that are gone.
 */
export async function removeBuilds(bucket: Bucket, which: string, wait: number = LIST_MAX_AGE_MS): Promise<string[]> {
  const builds = await storedBuilds(bucket);
  const { list } = await readLiveList(bucket);
  const byName = list.builds.some(({ name }) => name === which) || builds.some((b) => b.manifest?.name === which);
  if (!byName) {
    const build = builds.find(({ id }) => id === which);
    if (!build)
      throw new ImportError(`No build and no name "${which}" in ${bucket.where}. See: npm run geodata -- list`);
    if (build.live) {
      throw new ImportError(
        `Build ${which} is live. Activate another one first, or remove everything named ${nameOf(list.builds, which)}.`,
      );
    }
    await forgetBuild(bucket, which);
    await deleteBuild(bucket, which);
    return [which];
  }
  const doomed = builds.filter(({ manifest }) => manifest?.name === which);
  await takeOffLive(bucket, which);
  // Requests that took the list a moment ago still read from the build.
  if (doomed.some(({ live }) => live)) await sleep(wait);
  for (const { id } of doomed) await deleteBuild(bucket, id);
  return doomed.map(({ id }) => id);
}

/** The manifest goes first: from then on the build is incomplete. */
async function deleteBuild(bucket: Bucket, id: string): Promise<void> {
  await bucket.delete([buildKey(id, "manifest.json")]);
  await bucket.delete([...(await bucket.list(buildKey(id, ""))).keys()]);
}

function nameOf(builds: readonly LiveBuild[], id: string): string {
  return builds.find((build) => build.id === id)?.name ?? "";
}

/** Reads every object of a build and compares it with what the build says of itself. Returns the keys that differ. */
export function verifyBuild(bucket: Bucket, id: string): Promise<Verified> {
  return verifyObjects(bucket, id, (list) => list);
}

/** Verifies some objects of each layer, chosen at random. */
export function sampleBuild(bucket: Bucket, id: string, perLayer: number): Promise<Verified> {
  return verifyObjects(bucket, id, (list) => {
    const layers = Map.groupBy(list, ([key]) => key.slice(0, key.indexOf("/")));
    return [...layers.values()].flatMap((own) =>
      Array.from(
        { length: Math.min(perLayer, own.length) },
        () => own.splice(Math.floor(Math.random() * own.length), 1)[0],
      ),
    );
  });
}

interface Verified {
  objects: number;
  wrong: string[];
}

type Listed = [key: string, [bytes: number, sha256: string]][];

async function verifyObjects(bucket: Bucket, id: string, choose: (list: Listed) => Listed): Promise<Verified> {
  const manifest = await readManifest(bucket, id);
  // Builds of before have no list to compare with, which is no damage.
  if ((manifest as Partial<Manifest>).objectsSha256 === undefined) return { objects: 0, wrong: [] };
  const stored = await bucket.get(buildKey(id, "objects.json"));
  if (!stored || sha256(stored.bytes) !== manifest.objectsSha256) return { objects: 0, wrong: ["objects.json"] };
  const list = choose(Object.entries(JSON.parse(Buffer.from(stored.bytes).toString("utf8")) as ObjectList));
  const wrong: string[] = [];
  const check = async ([key, [bytes, hash]]: (typeof list)[number]) => {
    const pieces = await bucket.read(buildKey(id, key));
    const found = createHash("sha256");
    let length = 0;
    for await (const piece of pieces ?? []) {
      found.update(piece);
      length += piece.length;
    }
    if (!pieces || length !== bytes || found.digest("hex") !== hash) wrong.push(key);
  };
  for (let i = 0; i < list.length; i += 16) await Promise.all(list.slice(i, i + 16).map(check));
  return { objects: list.length, wrong: wrong.sort() };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
