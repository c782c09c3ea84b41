import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ROOT } from "../../../src/server/base/wrangler.ts";

/** This repository as it was at a commit, in a folder of its own: a bench runs it beside what is here now. */
export interface Tree {
  folder: string;
  /** As a table shows it: "f4ed3dc". */
  name: string;
  discard(): void;
}

/** Where a path of this tree is in another: trees up to 0.4.0 have no rooms. */
export function placeIn({ folder }: Tree, path: string): string {
  const now = join(folder, path);
  return existsSync(now)
    ? now
    : join(folder, path.replace("src/server/", "src/cli/").replace(/^src\/(core|worker)\//, "src/"));
}

/** What is here now, committed or not. */
export const here: Tree = { folder: ROOT, name: "now", discard() {} };

/**
 * Checks a commit out into a temporary folder. It gets the libraries that are installed here where it asks for the same,
 * and installs its own otherwise. The path of a work tree that is there already is taken as it is, and left there.
 * @throws when there is no such commit
 */
export function checkOut(commit: string): Tree {
  const git = (...words: string[]) => execFileSync("git", ["-C", ROOT, ...words], { encoding: "utf8" }).trim();
  if (existsSync(join(commit, "package-lock.json")))
    return { folder: resolve(commit), name: git("-C", commit, "rev-parse", "--short", "HEAD"), discard() {} };
  const name = git("rev-parse", "--short", `${commit}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), "graticule-older-"));
  const discard = () => {
    rmSync(folder, { recursive: true, force: true });
    git("worktree", "prune");
  };
  try {
    git("worktree", "add", "--quiet", "--detach", "--force", folder, name);
    const lock = (of: string) => readFileSync(join(of, "package-lock.json"), "utf8");
    if (lock(folder) === lock(ROOT)) symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    else execFileSync("npm", ["ci", "--silent"], { cwd: folder, stdio: "inherit" });
  } catch (error) {
    discard();
    throw error;
  }
  return { folder, name, discard };
}

/** A fingerprint of the files below some folders of a tree, but for those whose path `without` fits: the same files, the same fingerprint. */
export function fingerprint(tree: Tree, folders: readonly string[], without: RegExp): string {
  const { folder } = tree;
  const hash = createHash("sha256");
  for (const below of folders) {
    const files = readdirSync(placeIn(tree, below), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !without.test(file.slice(folder.length)))
      .sort();
    for (const file of files) hash.update(file.slice(folder.length)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex").slice(0, 12);
}
