import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fingerprint, here, placeIn, type Tree } from "../support/older-tree.ts";

/** What an import's objects follow from. */
const PROGRAM = ["src/importer", "src/core/routing", "src/core/geo"];
const NOT_READ = /^\/src\/(core\/)?routing\/(guidance|match)\//;

/** Where imports are kept for the next run, by the program that made them; never cleared, but by hand. */
export const KEPT = join(here.folder, ".geodata", "bench");

/** The roads of an extract in a local bucket, imported by the program of a tree: formats change. */
export function importedRoads(tree: Tree, extract: string, name: string): string {
  const folder = join(KEPT, `roads-${name}-${fingerprint(tree, PROGRAM, NOT_READ)}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  console.error(`importing ${name} with the program of ${tree.name}`);
  try {
    const words = [extract, "--name", name, "--layers", "roads"];
    const folders = ["--persist-to", join(making, "state"), "--cache", join(making, "cache")];
    execFileSync(process.execPath, [placeIn(tree, "src/server/import.ts"), ...words, ...folders], {
      cwd: tree.folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    rmSync(join(making, "cache"), { recursive: true, force: true });
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Lays imported roads into the state of a Worker that has not started yet. */
export function bringRoads(imported: string, state: string): void {
  cpSync(join(imported, "state", "v3", "r2"), join(state, "v3", "r2"), { recursive: true });
}
