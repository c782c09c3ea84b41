import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Bucket } from "../../src/importer/publish/bucket.ts";
import { makeLive, readLiveList, readManifest } from "../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { keptFolder } from "./kept-folder.ts";
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

/** The folder of a world's bucket. */
async function keptWorld(name: WorldName): Promise<string> {
  const own = keptFolder();
  const folder = join(own, name);
  if (existsSync(folder)) return folder;
  // Elsewhere until it is whole: a run that is stopped leaves nothing that looks like a world.
  const made = mkdtempSync(join(own, `${name}-`));
  mkdirSync(join(made, "cache"));
  const bucket = openLocalBucket(made, BUCKET);
  try {
    await WORLDS[name](bucket, join(made, "cache"));
  } finally {
    bucket.close();
  }
  rmSync(join(made, "cache"), { recursive: true });
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    // Another process was faster, with the same bytes.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
