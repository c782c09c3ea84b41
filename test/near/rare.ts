import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { ROOT } from "../support/imports.ts";
import { filesSince } from "./changed.ts";
import { Near } from "./near.ts";

/**
 * Tests that an ordinary run leaves out where nothing that they prove has changed. The night runs all of them (EVERY_EXTRACT=1), and so
 * does who names a file, a folder or the project `extracts`.
 */

/** Rules over real map data; the same rules are proven over drawn towns by the pure tests beside. A change of anything they reach matters. */
const EXTRACTS = "test/**/*.extracts.test.ts";

/** Tests of what measures and tries the platform: only a change of these tools matters, not one of the platform. */
const TOOLS = ["bench", "fuzz", "growth", "mutation", "near", "simulation", "soak"];
const TOOL_TESTS = [
  ...["test/bench/**/*.test.ts", "test/fuzz/tools.test.ts", "test/mutation/*.test.ts", "test/near/*.test.ts"],
  ...["test/simulation/*.test.ts", "test/soak/*.test.ts"],
];

/** Whether a command line runs everything: `vitest run`, and options other than the project `extracts`. */
const runsAll = (words: readonly string[]) =>
  words[2] === "run" &&
  words
    .slice(3)
    .every((word) => (word.startsWith("-") ? !word.endsWith("=extracts") : word === "pure" || word === "worker"));

/** The tests that a run of these words leaves out, relative to the root. */
export function leftOut(words: readonly string[]): string[] {
  if (process.env.EVERY_EXTRACT !== undefined || !runsAll(words)) return [];
  const since = lastProven();
  return since === undefined ? [] : unneeded(filesSince(since));
}

/** The rare tests that need not run where these files changed. */
export function unneeded(changed: readonly string[]): string[] {
  const isOfTools = (path: string) => TOOLS.some((tool) => path.startsWith(`test/${tool}/`));
  const extracts = globSync(EXTRACTS, { cwd: ROOT });
  const tools = globSync(TOOL_TESTS, { cwd: ROOT });
  const near = new Near();
  return [
    ...without(extracts, changed.length > 0 ? near.testsNear(changed, extracts) : []),
    ...(changed.some(isOfTools) ? without(tools, near.testsNear(changed.filter(isOfTools), tools)) : tools),
  ];
}

const without = (all: string[], some: string[]) => all.filter((one) => !some.includes(one));

/** The commit whose tests have passed: where the branch left main; on main itself, the commit before. Undefined in a copy without history. */
function lastProven(): string | undefined {
  const head = git("rev-parse", "HEAD");
  const bases = ["origin/main", "main"].map((main) => git("merge-base", main, "HEAD"));
  return bases.find((base) => base !== undefined && base !== head) ?? git("rev-parse", "--verify", "--quiet", "HEAD^");
}

function git(...words: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
