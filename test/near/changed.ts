import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "../support/imports.ts";

function git(...words: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

const lines = (...words: string[]) => (git(...words) ?? "").split("\n").filter(Boolean);

/** Files that a release gives its version. That alone is no change: a test compares them. */
const VERSIONED = ["package.json", "package-lock.json", "src/core/metrics/version.ts"];
const VERSION_LINE = /^[-+](\s*"version": |export const VERSION = )"[\d.]+"[,;]?$/;

/** Whether a diff without context changes only versions. A new version of a dependency also changes its hash. */
export function isRelease(diff: string): boolean {
  const changed = diff.split("\n").filter((line) => /^[-+](?![-+]{2} )/.test(line));
  return changed.length > 0 && changed.every((line) => VERSION_LINE.test(line));
}

/** What differs from a commit, also what Git does not store yet. */
export function filesSince(commit: string): string[] {
  const isVersionOnly = isRelease(git("diff", "--unified=0", commit, "--", ...VERSIONED) ?? "");
  return [
    ...lines("diff", "--name-only", "--no-renames", commit).filter(
      (path) => !(isVersionOnly && VERSIONED.includes(path)),
    ),
    ...lines("ls-files", "--others", "--exclude-standard"),
  ];
}

/** What differs from where the branch left `since`. Without it: from HEAD, or from main where nothing does. */
export function changedFiles(since?: string): string[] {
  if (since) return filesSince(git("merge-base", since, "HEAD") ?? since);
  const own = filesSince("HEAD");
  return own.length > 0 ? own : changedFiles("main");
}

/** Names the last commit whose tests have all passed here; work trees share it. */
function recordPath(): string | undefined {
  const folder = git("rev-parse", "--git-common-dir");
  return folder && join(resolve(ROOT, folder), "graticule-proven");
}

/** Notes that all tests of HEAD have passed, unless something is not committed. */
export function noteProven(): void {
  const path = recordPath();
  if (path && filesSince("HEAD").length === 0) writeFileSync(path, `${git("rev-parse", "HEAD")}\n`);
}

/**
 * The commit from which changes count: the last that passed here, or what it has in common with HEAD. In a clone where none has: where the
 * branch left main; on main itself, the commit that .ci/proven names, of which all tests have passed. Undefined in a copy without history.
 */
export function lastProven(): string | undefined {
  const noted = readRecord(recordPath());
  const common = noted && git("merge-base", noted, "HEAD");
  if (common) return common;
  const head = git("rev-parse", "HEAD");
  const bases = ["origin/main", "main"].map((main) => git("merge-base", main, "HEAD"));
  const proven = readRecord(join(ROOT, ".ci/proven"));
  return bases.find((base) => base !== undefined && base !== head) ?? (proven && git("merge-base", proven, "HEAD"));
}

function readRecord(path = ""): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
