import { CommandError } from "../../src/cli/command.ts";
import { baseline, Finder, type Reach } from "./baseline.ts";
import { digestOf, Kept } from "./kept.ts";
import { keyOf } from "./mutations.ts";
import { type Host, inHosts } from "./pool.ts";
import type { Test } from "./rooms.ts";
import type { Mutant } from "./switched.ts";

export interface Verdict {
  key: string;
  /** A loop that was ended counts as detected. */
  status: "detected" | "timeout" | "survived";
  /** The first failure. */
  by?: string;
  /** The tests that reach it and ran, the quickest first. */
  tests: string[];
  /** How many more reach it and did not run, as time was up. */
  left: number;
  seconds: number;
}

export interface MutantTests {
  root: string;
  mutants: Mutant[];
  tests: Test[];
  /** Processes at the same time. */
  workers: number;
  /** The most time that tests of one mutant may take without it [s]. */
  budget: number;
  report(line: string): void;
}

/** A test that ends gets this long more than without a mutant, and on a busy machine may take that many times as long. */
const EXTRA_MS = 30_000;
const SLOWER = 6;

/** Runs the tests without a mutant, then with each of them. Verdicts come in the order of the mutants. */
export async function testMutants({ root, mutants, tests, workers, budget, report }: MutantTests): Promise<Verdict[]> {
  const reach = await baseline(root, tests, workers, report);
  const finder = new Finder(root, reach);
  const digests = new Map(tests.map(({ file, digest }) => [file, digest]));
  const works = mutants.map((mutant) => {
    const all = finder.testsOf(mutant);
    const chosen = withinBudget(all, reach, budget * 1000);
    const key = digestOf(root, keyOf(mutant), mutant.source, ...chosen.map((test) => digests.get(test)!));
    return { mutant, key, tests: chosen, left: all.length - chosen.length };
  });
  const kept = new Kept<Verdict>("verdicts");
  const open = works.filter(({ key }) => !kept.get(key));
  if (open.length < works.length) report(`${works.length - open.length} results of an earlier run still hold`);
  await control(root, mutants, open);
  let [done, survived] = [0, 0];
  await inHosts({ root, mutants }, workers, open, async (host, { mutant, key, tests, left }) => {
    const began = performance.now();
    const outcome = await statusOf(host, mutant, tests, reach);
    kept.add({ key, ...outcome, tests, left, seconds: Math.round((performance.now() - began) / 100) / 10 });
    if (outcome.status === "survived") survived++;
    if (++done % 10 === 0 || done === open.length) report(`${done} of ${open.length} mutants, ${survived} survived`);
  });
  return works.map(({ key }) => kept.get(key)!);
}

/** Runs the quickest test of each mutant over the switched sources with no mutant on. @throws CommandError when one fails */
async function control(root: string, mutants: Mutant[], works: readonly { tests: string[] }[]): Promise<void> {
  const tests = [...new Set(works.flatMap(({ tests }) => tests.slice(0, 1)))];
  await inHosts({ root, mutants }, 1, tests.length > 0 ? [tests] : [], async (host, tests) => {
    const outcome = await host.run({ mutant: 0, tests }, 10 * 60_000);
    if (outcome === "timeout") throw new CommandError("Switched sources without a mutant: the tests do not end.");
    if (outcome.failures.length > 0)
      throw new CommandError(`Switched sources without a mutant fail:\n  ${outcome.failures.join("\n  ")}`);
  });
}

/** The quickest tests, at least one, that together take no longer [ms]. */
function withinBudget(tests: readonly string[], reach: ReadonlyMap<string, Reach>, budget: number): string[] {
  let spent = 0;
  return tests.filter((test, index) => {
    spent += reach.get(test)!.time;
    return index === 0 || spent <= budget;
  });
}

async function statusOf(
  host: Host,
  { id }: Mutant,
  tests: string[],
  reach: ReadonlyMap<string, Reach>,
): Promise<Pick<Verdict, "status" | "by">> {
  if (tests.length === 0) return { status: "survived" };
  const usual = tests.reduce((sum, test) => sum + reach.get(test)!.time, 0);
  try {
    const outcome = await host.run({ mutant: id, tests }, EXTRA_MS + SLOWER * usual);
    if (outcome === "timeout") return { status: "timeout" };
    const [by] = outcome.failures;
    return by === undefined ? { status: "survived" } : { status: "detected", by };
  } catch (error) {
    // A mutant that brings its process down, out of memory for example, is detected.
    return { status: "detected", by: String(error) };
  }
}
