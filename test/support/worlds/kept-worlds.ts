import { copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { makeLive, readLiveList, readManifest } from "../../../src/importer/publish/live-list.ts";
import { localBucketPath, openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { builtOnce, keptFolder } from "./kept-folder.ts";
import { WORLDS, type WorldName } from "./worlds.ts";

/**
 * Building the worlds costs more than most tests that look at them. Each is built once by one program, into a folder that is named after
 * the program's source, and copied from there: by the tests of one run, and by the next run of the same source.
 */

const BUCKET = "geodata";

/** Makes a world live in a bucket, beside what is there; builds it first where no run has. */
export async function publishWorld(name: WorldName, into: Bucket): Promise<void> {
  const kept = openLocalBucket(await keptWorld(name), BUCKET);
  try {
    const keys = [...(await kept.list("builds/")).keys()];
    const objects = async function* () {
      for (const key of keys) yield { key, bytes: (await kept.get(key))!.bytes };
    };
    await into.putMany(objects(), () => {});
    const { list } = await readLiveList(kept);
    for (const { id } of list.builds) await makeLive(into, await readManifest(kept, id));
  } finally {
    kept.close();
  }
}

/**
 * The same for the bucket of a state that no server uses. If that does not exist yet, the files of the first world are linked instead
 * of stored one by one: the world base has 5,000.
 */
export async function publishWorlds(names: readonly WorldName[], state: string): Promise<void> {
  const isEmpty = !existsSync(localBucketPath(state, geodataBucketName()));
  if (isEmpty) linkBucket(await keptWorld(names[0]), state);
  const others = isEmpty ? names.slice(1) : names;
  if (others.length === 0) return;
  const bucket = openLocalBucket(state, geodataBucketName());
  try {
    for (const name of others) await publishWorld(name, bucket);
  } finally {
    bucket.close();
  }
}

function linkBucket(kept: string, state: string): void {
  const blobs = (at: string, bucket: string) => join(at, "v3/r2", bucket, "blobs");
  const [from, to] = [blobs(kept, BUCKET), blobs(state, geodataBucketName())];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) linkOrCopy(join(from, name), join(to, name));
  // Written last: a bucket without its rows is empty, not damaged.
  const rows = localBucketPath(state, geodataBucketName());
  mkdirSync(dirname(rows), { recursive: true });
  copyFileSync(localBucketPath(kept, BUCKET), rows);
}

/** A blob never changes. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** The folder of a world's bucket. */
async function keptWorld(name: WorldName): Promise<string> {
  const folder = join(keptFolder(), name);
  await builtOnce(folder, async () => {
    // Elsewhere until it is complete: an interrupted run leaves nothing that looks like a world.
    const made = mkdtempSync(`${folder}-`);
    mkdirSync(join(made, "cache"));
    const bucket = openLocalBucket(made, BUCKET);
    try {
      await WORLDS[name](bucket, join(made, "cache"));
    } finally {
      bucket.close();
    }
    rmSync(join(made, "cache"), { recursive: true });
    renameSync(made, folder);
  });
  return folder;
}
