import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, sourcesBelow } from "../support/imports.ts";
import { PROOFS } from "./expression-proofs.ts";
import { type Expression, expressionsOf, problemOf } from "./expressions.ts";

/** These run on a laptop or in a browser, on their owner's text. */
const OWN_MACHINE = /^src\/(server|importer|dashboard|demo)\//;

const pathOf = (file: string) => relative(ROOT, file).replaceAll("\\", "/");

function unproven(): Map<string, Expression[]> {
  const found = new Map<string, Expression[]>();
  for (const file of sourcesBelow(join(ROOT, "src"))) {
    if (!/\.ts$/.test(file) || OWN_MACHINE.test(pathOf(file))) continue;
    const problems = expressionsOf(file).filter(({ problem }) => problem !== undefined);
    if (problems.length > 0) found.set(pathOf(file), problems);
  }
  return found;
}

describe("a regular expression that runs in the Worker", () => {
  const found = unproven();

  it("needs time in proportion to the text, or is counted with the reason why no caller can make it long", () => {
    const counted = Object.assign({}, ...PROOFS.map(({ files }) => files)) as Record<string, number>;
    const differing = [...new Set([...found.keys(), ...Object.keys(counted)])].filter(
      (file) => (found.get(file)?.length ?? 0) !== (counted[file] ?? 0),
    );
    const told = differing.flatMap((file) => [
      `${file}: ${counted[file] ?? 0} counted`,
      ...(found.get(file) ?? []).map(({ line, text, problem }) => `  line ${line}: ${text} (${problem})`),
    ]);
    expect(told).toEqual([]);
  });

  it("never needs exponential time", () => {
    const exponential = [...found.values()].flat().filter(({ problem }) => problem?.includes("exponential"));
    expect(exponential).toEqual([]);
  });
});

describe("the analysis", () => {
  it.each([
    [String.raw`/^\d+\.?\d*$/`, true],
    [String.raw`/<time>\s*([^<]+?)\s*<\/time>/`, true],
    ["/=+$/", true],
    ["/^(a+)+$/", true],
    [String.raw`/^\d+(\.\d*)?$/`, false],
    ["/<[^<>]*>/g", false],
    [String.raw`/\s+/g`, false],
  ])("of %s", (literal, isProblem) => {
    expect(problemOf(literal) !== undefined).toBe(isProblem);
  });
});
