import { type PageStore, pageKeys, writePages } from "./live-pages.ts";
import {
  formatLiveList,
  LIVE_KEY,
  type LiveBuild,
  type LiveList,
  MANIFEST_VERSION,
  type Manifest,
  parseLiveList,
} from "./manifest.ts";

/** Operations on the list of live builds, for the CLI and the dashboard: the same rules for any store of the list. */

/** How many builds of a name `rollback` can go back. */
const HISTORY = 5;
const ATTEMPTS = 20;

/** A change that the list does not allow. The message is for the operator. */
export class NotPossible extends Error {
  override name = "NotPossible";
}

/** Store of live.json and its pages (live-pages.ts). */
export interface LiveListStore extends PageStore {
  read(): Promise<{ text: string; etag: string } | undefined>;
  /** Writes it if the etag still matches; null: if it does not exist yet. */
  write(text: string, onlyIf: string | null): Promise<boolean>;
  /** Removes pages that no list names any more. */
  deletePages(keys: readonly string[]): Promise<unknown>;
}

export async function readLiveBuilds(
  store: Pick<LiveListStore, "read">,
): Promise<{ builds: LiveBuild[]; list: LiveList; etag: string | null }> {
  const stored = await store.read();
  const list: LiveList = stored ? parseLiveList(stored.text) : { version: MANIFEST_VERSION, builds: [] };
  return { builds: list.builds, list, etag: stored?.etag ?? null };
}

/**
 * Changes the list in one step: readers see the old list or the new one. After a concurrent change this one reads and
 * decides again, so that none is lost. The pages of the new list are written before it; those of the old list stay
 * until the next change, because machines use the old list for a few more seconds.
 */
export async function changeLiveBuilds(
  store: LiveListStore,
  change: (builds: LiveBuild[]) => LiveBuild[],
): Promise<LiveBuild[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { list, builds, etag } = await readLiveBuilds(store);
    const changed = change(builds).sort((a, b) => (a.name < b.name ? -1 : 1));
    const pages = await writePages(store, changed, list.pages);
    const now = new Set(pageKeys(pages));
    const pagesBefore = pageKeys(list.pages ?? {}).filter((key) => !now.has(key));
    if (!(await store.write(formatLiveList(changed, { pages, pagesBefore }), etag))) continue;
    const gone = (list.pagesBefore ?? []).filter((key) => !now.has(key) && !pagesBefore.includes(key));
    // Leftover pages do no harm.
    if (gone.length > 0) await store.deletePages(gone).catch(() => undefined);
    return changed;
  }
  throw new NotPossible(`${LIVE_KEY} keeps changing. Try again when the other imports are done.`);
}

/** The build is live from `now` [ms] on, in place of the live one of its name; one that is live already stays so since it was. */
export function switchedTo(builds: readonly LiveBuild[], manifest: Manifest, now: number): LiveBuild[] {
  const before = builds.find(({ name }) => name === manifest.name);
  const previous = before ? [before.id, ...before.previous] : [];
  const since = before?.id === manifest.id ? before.liveSince : new Date(now).toISOString();
  return [...builds.filter((build) => build !== before), liveBuild(manifest, previous, since)];
}

/** The build that a roll-back of the name goes to. @throws NotPossible */
export function rollBackTarget(builds: readonly LiveBuild[], name: string): string {
  const live = builds.find((build) => build.name === name);
  if (!live) throw new NotPossible(`No build named ${name} is live.`);
  const [target] = live.previous;
  if (target === undefined) throw new NotPossible(`${name} has no build to go back to.`);
  return target;
}

/** Makes the previous build live again; the current one is removed from the history. @throws NotPossible */
export function rolledBack(builds: readonly LiveBuild[], name: string, manifest: Manifest, now: number): LiveBuild[] {
  if (rollBackTarget(builds, name) !== manifest.id) {
    throw new NotPossible(`The live build of ${name} was changed concurrently. Check it and retry.`);
  }
  const rest = builds.find((build) => build.name === name)?.previous.slice(1) ?? [];
  return [...builds.filter((build) => build.name !== name), liveBuild(manifest, rest, new Date(now).toISOString())];
}

/** Removes the builds of a name from the list, so that it no longer answers requests. */
export function takenOff(builds: readonly LiveBuild[], name: string): LiveBuild[] {
  return builds.filter((build) => build.name !== name);
}

/** Removes a build from the rollback history. */
export function forgotten(builds: readonly LiveBuild[], id: string): LiveBuild[] {
  return builds.map((build) => ({ ...build, previous: build.previous.filter((other) => other !== id) }));
}

function liveBuild(manifest: Manifest, previous: string[], liveSince: string | undefined): LiveBuild {
  const inputs = manifest.inputs.flatMap(({ bounds }) => (bounds ? [bounds] : []));
  const areas = inputs.length > 0 ? inputs : [manifest.bounds];
  const withData = Object.entries(manifest.layers).filter(([, layer]) => layer.areas?.length !== 0);
  const own = withData.flatMap(([name, layer]) =>
    layer.areas && JSON.stringify(layer.areas) !== JSON.stringify(areas) ? [[name, layer.areas] as const] : [],
  );
  const all = manifest.sources.map(({ name }) => name);
  const some = withData.flatMap(([name, { sources }]) =>
    sources && all.some((one) => !sources.includes(one)) ? [[name, sources] as const] : [],
  );
  return {
    name: manifest.name,
    id: manifest.id,
    areas,
    layers: Object.fromEntries(withData.map(([name, layer]) => [name, layer.formatVersion])),
    ...(own.length > 0 && { layerAreas: Object.fromEntries(own) }),
    ...(manifest.checksum && { checksum: manifest.checksum }),
    sources: manifest.sources,
    ...(some.length > 0 && { layerSources: Object.fromEntries(some) }),
    ...(liveSince !== undefined && { liveSince }),
    previous: [...new Set(previous)].filter((id) => id !== manifest.id).slice(0, HISTORY),
  };
}
