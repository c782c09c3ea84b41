import {
  changeLiveBuilds,
  type LiveListStore,
  NotPossible,
  readLiveBuilds,
  rollBackTarget,
  rolledBack,
  switchedTo,
  takenOff,
} from "../../core/geo/builds/live-list.ts";
import { buildKey, LIVE_KEY, type LiveBuild, type Manifest, WORLD } from "../../core/geo/builds/manifest.ts";

/**
 * Changes of the live builds from the dashboard, through the bucket's binding, by the rules of `npm run geodata`
 * (geo/builds/live-list.ts). Imports themselves need a separate machine.
 */

/** Maximum keys that R2 lists and deletes together. */
const KEYS_AT_ONCE = 1000;
/** Objects above this size are requested completely [bytes]. */
const MAX_BYTES = 1e9;

function storeIn(bucket: R2Bucket): LiveListStore {
  return {
    async read() {
      const stored = await bucket.get(LIVE_KEY);
      return stored ? { text: await stored.text(), etag: stored.etag } : undefined;
    },
    async write(text, onlyIf) {
      const condition = onlyIf === null ? { etagDoesNotMatch: "*" } : { etagMatches: onlyIf };
      return (await bucket.put(LIVE_KEY, text, { onlyIf: condition })) !== null;
    },
    async readBeginning(key, most) {
      const stored = await bucket.get(key, most < MAX_BYTES ? { range: { offset: 0, length: most } } : undefined);
      return stored ? new Uint8Array(await stored.arrayBuffer()) : undefined;
    },
    writePage: (key, bytes) => bucket.put(key, bytes),
    deletePages: (keys) => bucket.delete([...keys]),
  };
}

/** A complete build in the bucket. */
interface StoredBuild {
  manifest: Manifest;
  /** When its manifest was written, which is the last step [ms]. */
  importedAt: number;
}

/** undefined: it doesn't exist, or was never finished. */
export async function storedBuild(bucket: R2Bucket, id: string): Promise<StoredBuild | undefined> {
  const stored = await bucket.get(buildKey(id, "manifest.json"));
  return stored ? { manifest: await stored.json<Manifest>(), importedAt: stored.uploaded.getTime() } : undefined;
}

export async function liveBuilds(bucket: R2Bucket): Promise<LiveBuild[]> {
  return (await readLiveBuilds(storeIn(bucket))).builds;
}

/**
 * Makes a build of this name live.
 * @throws NotPossible
 */
export async function activateBuild(bucket: R2Bucket, name: string, id: string): Promise<void> {
  const build = await storedBuild(bucket, id);
  if (!build || build.manifest.name !== name) throw new NotPossible(`There is no build ${id} of ${name}.`);
  await changeLiveBuilds(storeIn(bucket), (builds) => switchedTo(builds, build.manifest, Date.now()));
}

/**
 * Makes the previously live build live again, and returns its id.
 * @throws NotPossible
 */
export async function rollBackBuild(bucket: R2Bucket, name: string): Promise<string> {
  const target = rollBackTarget(await liveBuilds(bucket), name);
  const build = await storedBuild(bucket, target);
  if (!build) throw new NotPossible(`Build ${target}, the previous one, has been removed.`);
  await changeLiveBuilds(storeIn(bucket), (builds) => rolledBack(builds, name, build.manifest, Date.now()));
  return target;
}

/**
 * Removes a name from the list: it is no longer used. Returns the ids of its builds, to be deleted once no machine uses
 * the old list any more.
 * @throws NotPossible
 */
export async function takeOffBuild(bucket: R2Bucket, name: string): Promise<string[]> {
  if (name === WORLD)
    throw new NotPossible("The world base data can't be removed: it provides countries and time zones.");
  const live = (await liveBuilds(bucket)).find((build) => build.name === name);
  if (!live) throw new NotPossible(`No build named ${name} is live.`);
  await changeLiveBuilds(storeIn(bucket), (builds) => takenOff(builds, name));
  return [live.id, ...live.previous];
}

/** Deletes the objects of builds that are not live; the manifest first, which marks the build as unfinished. */
export async function deleteBuilds(bucket: R2Bucket, ids: readonly string[]): Promise<void> {
  const live = new Set((await liveBuilds(bucket)).flatMap(({ id, previous }) => [id, ...previous]));
  for (const id of ids.filter((id) => !live.has(id))) {
    await bucket.delete(buildKey(id, "manifest.json"));
    for (;;) {
      const { objects } = await bucket.list({ prefix: buildKey(id, ""), limit: KEYS_AT_ONCE });
      if (objects.length === 0) break;
      await bucket.delete(objects.map(({ key }) => key));
    }
  }
}
