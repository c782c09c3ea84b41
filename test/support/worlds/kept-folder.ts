import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Imports that tests share are stored here, in a folder per program: test runs of the same source use them again. */
const ALL = join(tmpdir(), "graticule-worlds");
const ROOT = resolve(import.meta.dirname, "../../..");

/** Everything that an import may read. Code that only requests or the browser run does not count. */
const SOURCES = [
  ...[
    "src",
    "test/support/worlds/worlds.ts",
    "test/support/worlds/kept-layers.ts",
    "test/core/regions/layer-harness.ts",
  ],
  ...[
    "test/core/regions/extract-harness.ts",
    "test/core/geocoding/index/demo-index.ts",
    "test/importer/layers/basemap/world-told.ts",
    "test/core/routing/graph/random-town.ts",
    "package-lock.json",
  ],
];
const NOT_OF_IMPORTS = /^src\/(server|client|dashboard|worker\/(db|http|objects|wire))\//;

/** Folders of other programs are deleted after this time [ms], because a developer may switch between two states of the source. */
const MAX_AGE_MS = 3 * 3_600_000;

const POLL_MS = 100;

let folder: string | undefined;

/** The folder of this program's imports. */
export function keptFolder(): string {
  if (folder) return folder;
  const own = join(ALL, programHash());
  mkdirSync(own, { recursive: true });
  removeOld(own);
  folder = own;
  return own;
}

/**
 * Builds a file or folder unless it exists. Processes that need it at the same time wait for the first of them to build it.
 * @param build creates `path` in one step, when it is complete
 */
export async function builtOnce(path: string, build: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`;
  while (!existsSync(path)) {
    if (!takeLock(lock)) {
      await sleep(POLL_MS);
      continue;
    }
    try {
      if (!existsSync(path)) await build();
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/** Takes the lock if it is free, or removes it if its holder has ended. */
function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (!isRunning(lock)) rmSync(lock, { force: true });
    return false;
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
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (path !== own && Date.now() - mtimeMs > MAX_AGE_MS) rmSync(path, { recursive: true, force: true });
  }
}
