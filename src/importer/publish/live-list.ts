import {
  buildKey,
  formatLiveList,
  LIVE_KEY,
  type LiveBuild,
  type LiveList,
  MANIFEST_VERSION,
  type Manifest,
  parseLiveList,
} from "../../geo/manifest.ts";
import { ImportError } from "../import-error.ts";
import type { Bucket } from "./bucket.ts";

/** How many builds of a name `rollback` can go back. */
const HISTORY = 5;

export async function readLiveList(bucket: Bucket): Promise<{ list: LiveList; etag: string | null }> {
  const stored = await bucket.get(LIVE_KEY);
  if (!stored) return { list: { version: MANIFEST_VERSION, builds: [] }, etag: null };
  try {
    return { list: parseLiveList(Buffer.from(stored.bytes).toString("utf8")), etag: stored.etag };
  } catch (error) {
    throw new ImportError(`Cannot use ${LIVE_KEY} in ${bucket.where}: ${(error as Error).message}.`);
  }
}

/**
 * Changes the list of live builds in one step: readers see the old list or the new one. Another import that changed it
 * meanwhile makes this one read and decide again.
 */
async function changeLiveList(bucket: Bucket, change: (builds: LiveBuild[]) => LiveBuild[]): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { list, etag } = await readLiveList(bucket);
    const builds = change(list.builds).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (await bucket.put(LIVE_KEY, Buffer.from(formatLiveList(builds)), etag)) return;
  }
  throw new ImportError(`${LIVE_KEY} in ${bucket.where} keeps changing. Try again when the other imports are done.`);
}

/** The id of the live build of a name; undefined when there is none. */
export async function liveId(bucket: Bucket, name: string): Promise<string | undefined> {
  return (await readLiveList(bucket)).list.builds.find((build) => build.name === name)?.id;
}

/**
 * The build answers requests from now on, in place of the live one of its name. With `replaces`, only while the live
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
    const previous = before ? [before.id, ...before.previous] : [];
    return [...builds.filter((build) => build !== before), liveBuild(manifest, previous)];
  });
}

/** The build that was live before, of the same name, is live again. Answers its id. */
export async function rollBack(bucket: Bucket, name: string): Promise<string> {
  const { list } = await readLiveList(bucket);
  const live = list.builds.find((build) => build.name === name);
  if (!live) throw new ImportError(`No build named ${name} is live. See: npm run geodata -- list`);
  const [target, ...rest] = live.previous;
  if (!target) throw new ImportError(`${name} has no build to go back to.`);
  const manifest = await readManifest(bucket, target);
  await changeLiveList(bucket, (builds) => [
    ...builds.filter((build) => build.name !== name),
    liveBuild(manifest, rest),
  ]);
  return target;
}

/** The name answers no request any more; its builds stay. */
export function takeOffLive(bucket: Bucket, name: string): Promise<void> {
  return changeLiveList(bucket, (builds) => builds.filter((build) => build.name !== name));
}

/** Forgets a build as something to go back to. */
export function forgetBuild(bucket: Bucket, id: string): Promise<void> {
  return changeLiveList(bucket, (builds) =>
    builds.map((build) => ({ ...build, previous: build.previous.filter((other) => other !== id) })),
  );
}

export async function readManifest(bucket: Bucket, id: string): Promise<Manifest> {
  const stored = await bucket.get(buildKey(id, "manifest.json"));
  if (!stored) throw new ImportError(`There is no build ${id} in ${bucket.where}. See: npm run geodata -- list`);
  return JSON.parse(Buffer.from(stored.bytes).toString("utf8")) as Manifest;
}

function liveBuild(manifest: Manifest, previous: string[]): LiveBuild {
  const inputs = manifest.inputs.flatMap(({ bounds }) => (bounds ? [bounds] : []));
  const areas = inputs.length > 0 ? inputs : [manifest.bounds];
  const withData = Object.entries(manifest.layers).filter(([, layer]) => layer.areas?.length !== 0);
  const own = withData.flatMap(([name, layer]) =>
    layer.areas && JSON.stringify(layer.areas) !== JSON.stringify(areas) ? [[name, layer.areas] as const] : [],
  );
  return {
    name: manifest.name,
    id: manifest.id,
    areas,
    layers: Object.fromEntries(withData.map(([name, layer]) => [name, layer.formatVersion])),
    ...(own.length > 0 && { layerAreas: Object.fromEntries(own) }),
    ...(manifest.checksum && { checksum: manifest.checksum }),
    sources: manifest.sources,
    previous: [...new Set(previous)].filter((id) => id !== manifest.id).slice(0, HISTORY),
  };
}
