import { execFileSync } from "node:child_process";
import { ROOT } from "../support/imports.ts";

const lines = (...words: string[]) =>
  execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);

/** What differs from a commit, also what Git does not store yet. */
export const filesSince = (commit: string): string[] => [
  ...lines("diff", "--name-only", "--no-renames", commit),
  ...lines("ls-files", "--others", "--exclude-standard"),
];

/** What differs from where the branch left `since`. Without it: from HEAD, or from main where nothing does. */
export function changedFiles(since?: string): string[] {
  if (since) return filesSince(lines("merge-base", since, "HEAD")[0]);
  const own = filesSince("HEAD");
  return own.length > 0 ? own : changedFiles("main");
}
