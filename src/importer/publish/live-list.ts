import {
  changeLiveBuilds,
  forgotten,
  type LiveListStore,
  NotPossible,
  readLiveBuilds,
  rollBackTarget,
  rolledBack,
  switchedTo,
  takenOff,
} from "../../core/geo/builds/live-list.ts";
import {
  buildKey,
  LIVE_KEY,
  type LiveBuild,
  type LiveList,
  MANIFEST_VERSION,
  type Manifest,
} from "../../core/geo/builds/manifest.ts";
import { ImportError } from "../common/import-error.ts";
import type { Bucket } from "./bucket.ts";

/** The list in a bucket; what cannot be read there is the operator's to know. */
function storeIn(bucket: Bucket): LiveListStore {
  return {
    async read() {
      const stored = await bucket.get(LIVE_KEY);
      return stored && { text: Buffer.from(stored.bytes).toString("utf8"), etag: stored.etag };
    },
    write: (text, onlyIf) => bucket.put(LIVE_KEY, Buffer.from(text), onlyIf),
    async readBeginning(key, most) {
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of (await bucket.read(key, most)) ?? []) {
        pieces.push(piece);
        length += piece.length;
        if (length >= most) break;
      }
      return pieces.length > 0 ? new Uint8Array(Buffer.concat(pieces).subarray(0, most)) : undefined;
    },
    writePage: (key, bytes) => bucket.put(key, bytes),
    deletePages: (keys) => bucket.delete(keys),
  };
}

export async function readLiveList(bucket: Bucket): Promise<{ list: LiveList; etag: string | null }> {
  try {
    const { builds, etag } = await readLiveBuilds(storeIn(bucket));
    return { list: { version: MANIFEST_VERSION, builds }, etag };
  } catch (error) {
    throw new ImportError(`Cannot use ${LIVE_KEY} in ${bucket.where}: ${(error as Error).message}.`);
  }
}

async function changeLiveList(bucket: Bucket, change: (builds: LiveBuild[]) => LiveBuild[]): Promise<void> {
  // Says what is wrong with a list that cannot be read.
  await readLiveList(bucket);
  try {
    await changeLiveBuilds(storeIn(bucket), change);
  } catch (error) {
    throw error instanceof NotPossible ? new ImportError(error.message) : error;
  }
}

/** The id of the live build of a name; undefined when there is none. */
export async function liveId(bucket: Bucket, name: string): Promise<string | undefined> {
  return (await readLiveList(bucket)).list.builds.find((build) => build.name === name)?.id;
}

/** The builds of a name that are live, or were: the latest first. */
export async function knownIds(bucket: Bucket, name: string): Promise<string[]> {
  const live = (await readLiveList(bucket)).list.builds.find((build) => build.name === name);
  return live ? [live.id, ...live.previous] : [];
}

/**
 * The build returns requests from now on, in place of the live one of its name. With `replaces`, only while the live
 * one is still that: another import of the name may have been faster, from another machine, and must not be undone
 * unseen.
 * @throws ImportError
 */
export function makeLive(
  bucket: Bucket,
  manifest: Manifest,
  expected?: { replaces: string | undefined },
): Promise<void> {
  return changeLiveList(bucket, (builds) => {
    const before = builds.find(({ name }) => name === manifest.name);
    if (expected && before?.id !== expected.replaces && before?.id !== manifest.id) {
      throw new ImportError(
        `While this import ran another one changed what is live as ${manifest.name}: ${before ? `it is build ${before.id} now` : "it was taken off"}. That stays. This build is ${manifest.id}; make it live with: npm run geodata -- activate ${manifest.id}`,
      );
    }
    return switchedTo(builds, manifest, Date.now());
  });
}

/** The build that was live before, of the same name, is live again. Returns its id. */
export async function rollBack(bucket: Bucket, name: string): Promise<string> {
  const { list } = await readLiveList(bucket);
  try {
    const target = rollBackTarget(list.builds, name);
    const manifest = await readManifest(bucket, target);
    await changeLiveList(bucket, (builds) => rolledBack(builds, name, manifest, Date.now()));
    return target;
  } catch (error) {
    throw error instanceof NotPossible ? new ImportError(`${error.message} See: npm run geodata -- list`) : error;
  }
}

/** Takes the name offline; its builds stay. */
export function takeOffLive(bucket: Bucket, name: string): Promise<void> {
  return changeLiveList(bucket, (builds) => takenOff(builds, name));
}

/** Forgets a build as something to go back to. */
export function forgetBuild(bucket: Bucket, id: string): Promise<void> {
  return changeLiveList(bucket, (builds) => forgotten(builds, id));
}

export async function readManifest(bucket: Bucket, id: string): Promise<Manifest> {
  const stored = await bucket.get(buildKey(id, "manifest.json"));
  if (!stored) throw new ImportError(`There is no build ${id} in ${bucket.where}. See: npm run geodata -- list`);
  return JSON.parse(Buffer.from(stored.bytes).toString("utf8")) as Manifest;
}
