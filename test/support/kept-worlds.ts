import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Bucket } from "../../src/importer/publish/bucket.ts";
import { makeLive, readLiveList, readManifest } from "../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
import { WORLDS, type WorldName } from "./worlds.ts";

/**
 * Building the worlds costs more than most tests that look at them. Each is built once by one program, into a folder that is named after
 * the program's source, and copied from there: by the tests of one run, and by the next run of the same source.
 */
const ALL = join(tmpdir(), "graticule-worlds");
const ROOT = resolve(import.meta.dirname, "../..");

/** Whatever an import may read. What only requests or the browser run does not count. */
const SOURCES = ["src", "test/support/worlds.ts", "test/routing/random-town.ts", "package-lock.json"];
const NOT_OF_IMPORTS = /^src\/(cli|dashboard|db|http|objects|wire)\//;

/** Of other programs: kept for as long as somebody may go back and forth between two states of the source [ms]. */
const KEEP = 3 * 3_600_000;

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
  const own = join(ALL, programHash());
  const folder = join(own, name);
  if (existsSync(folder)) return folder;
  mkdirSync(own, { recursive: true });
  removeOld(own);
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

function programHash(): string {
  const hash = createHash("sha256");
  const files = SOURCES.flatMap((path) => filesBelow(join(ROOT, path)))
    .map((path) => relative(ROOT, path))
    .filter((path) => !NOT_OF_IMPORTS.test(path));
  for (const path of files.sort())
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(ROOT, path)))
      .update("\0");
  return hash.digest("hex").slice(0, 16);
}

function filesBelow(path: string): string[] {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}

function removeOld(own: string): void {
  for (const name of readdirSync(ALL)) {
    const path = join(ALL, name);
    if (path !== own && Date.now() - statSync(path).mtimeMs > KEEP) rmSync(path, { recursive: true, force: true });
  }
}
