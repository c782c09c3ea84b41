import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { geodataBucketName } from "../../src/cli/geodata/geodata-bucket.ts";
import type { Bucket } from "../../src/importer/publish/bucket.ts";
import { makeLive, readLiveList, readManifest } from "../../src/importer/publish/live-list.ts";
import { localBucketPath, openLocalBucket } from "../../src/importer/publish/local-bucket.ts";
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

/** The folder of a world's bucket. Processes that need the same world at the same time wait for the first of them to build it. */
async function keptWorld(name: WorldName): Promise<string> {
  const own = join(ALL, programHash());
  const folder = join(own, name);
  if (existsSync(folder)) return folder;
  mkdirSync(own, { recursive: true });
  const lock = join(own, `${name}.lock`);
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (existsSync(folder)) return folder;
    if (!isRunning(lock)) rmSync(lock, { force: true });
    await sleep(100);
  }
  try {
    return existsSync(folder) ? folder : await buildKept(name, own, folder);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether the process that holds a lock still runs. */
function isRunning(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    // Between its creation and its first byte a lock is empty.
    if (pid === 0) return Date.now() - statSync(lock).mtimeMs < 5_000;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function buildKept(name: WorldName, own: string, folder: string): Promise<string> {
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
