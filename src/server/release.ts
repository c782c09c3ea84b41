import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CommandError, runCommand } from "./base/command.ts";

const USAGE = "npm run release -- VERSION [--dry-run], such as 0.2.0";

const TOLD = "src/core/metrics/version.ts";

/** The headings under which changes are collected. */
const HEADINGS = "\n### Added\n\n### Changed\n\n### Fixed\n";

/**
 * Moves the unreleased part of the change log under a new version heading, without headings that have no entries, and leaves empty
 * headings for what follows. Returns the change log and that part.
 */
export function releaseChangelog(text: string, version: string, date: string): { changelog: string; notes: string } {
  const heading = "## Unreleased\n";
  const begin = text.indexOf(heading);
  if (begin < 0) throw new CommandError('CHANGELOG.md has no section "## Unreleased".');
  const from = begin + heading.length;
  const next = text.indexOf("\n## ", from);
  const notes = text
    .slice(from, next < 0 ? undefined : next)
    .split(/^(?=### )/m)
    .map((part) => part.trim())
    .filter((part) => part.replace(/^### .*/, "").trim() !== "")
    .join("\n\n");
  if (notes === "")
    throw new CommandError('CHANGELOG.md has nothing under "## Unreleased", so there is nothing to release.');
  const older = next < 0 ? "" : text.slice(next);
  return { changelog: `${text.slice(0, from)}${HEADINGS}\n## ${version} (${date})\n\n${notes}\n${older}`, notes };
}

/** A package.json or package-lock.json with another version, and every other byte as it was. */
export function withVersion(text: string, from: string, to: string): string {
  // The lock names it twice: for the file, and for the package at its root.
  const name = JSON.parse(text).name as string;
  const field = new RegExp(`("name": "${name}",\\s+"version": )"${from.replaceAll(".", "\\.")}"`, "g");
  const changed = text.replace(field, `$1"${to}"`);
  if (changed === text) throw new CommandError(`Found no version ${from} of ${name} to replace.`);
  return changed;
}

/** Is `next` a later version than `last`? Three numbers each. */
export function isLater(next: string, last: string): boolean {
  const [a, b] = [next, last].map((version) => version.split(".").map(Number));
  const at = a.findIndex((number, i) => number !== b[i]);
  return at >= 0 && a[at] > b[at];
}

/**
 * Creates a release in the repository at `root`: version, change log section, one commit, one tag. Does not push.
 * @returns lines that describe what was done, or with `dryRun` what would be done
 */
export function release(root: string, version: string, { dryRun = false, now = new Date() } = {}): string[] {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new CommandError(`"${version}" is not a version. Usage: ${USAGE}`);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const last = JSON.parse(read("package.json")).version as string;
  if (!isLater(version, last)) throw new CommandError(`${version} is not later than the current version, ${last}.`);
  if (git("status", "--porcelain") !== "") throw new CommandError("There are uncommitted changes. Commit them first.");
  const tag = `v${version}`;
  if (git("tag", "--list", tag) !== "") throw new CommandError(`The tag ${tag} already exists.`);
  const { changelog, notes } = releaseChangelog(read("CHANGELOG.md"), version, now.toISOString().slice(0, 10));
  const files: [file: string, text: string][] = [
    ["CHANGELOG.md", changelog],
    ...["package.json", "package-lock.json"].map((file): [string, string] => [
      file,
      withVersion(read(file), last, version),
    ]),
  ];
  // The Worker reads its version from here; a test compares it with package.json.
  if (existsSync(join(root, TOLD))) files.push([TOLD, read(TOLD).replace(`"${last}"`, `"${version}"`)]);
  if (dryRun) return [`${last} would become ${version}, with commit and tag ${tag}. Changes:`, "", notes];
  for (const [file, text] of files) writeFileSync(join(root, file), text);
  git("add", ...files.map(([file]) => file));
  git("commit", "--quiet", "-m", `release: ${version}`);
  git("tag", "--annotate", tag, "--cleanup=whitespace", "-m", `Graticule ${version}\n\n${notes}`);
  return [`${last} is now ${version}, with commit and tag. To publish it: git push --follow-tags`];
}

if (import.meta.main) {
  await runCommand(async () => {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { "dry-run": { type: "boolean" } } });
    if (positionals.length !== 1) throw new CommandError(`Usage: ${USAGE}`);
    const root = join(import.meta.dirname, "../..");
    for (const line of release(root, positionals[0], { dryRun: values["dry-run"] })) console.log(line);
  });
}
