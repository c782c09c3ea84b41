import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../src/server/base/command.ts";
import { bundleChangedWorker } from "./changed-worker.ts";
import { digestOf, Kept } from "./kept.ts";
import type { Mutation } from "./mutations.ts";
import { inHosts } from "./pool.ts";
import { type FunctionRange, functionAt, functionsOf, MAX_FUNCTIONS } from "./reach.ts";
import { filesBelow, type Test } from "./rooms.ts";

/** What a test does without a mutant. */
export interface Reach {
  key: string;
  /** Its time [ms]. */
  time: number;
  /** The processor's time for a pure test, which is the same on a busy machine; else `time` [ms]. */
  cost: number;
  /** Numbers of the functions that it reaches in each file. */
  functions: Record<string, number[]>;
}

const MAX_MS = 10 * 60_000;

/** Runs tests without a mutant, unless the result is known. @throws CommandError when one fails */
export async function baseline(
  root: string,
  tests: readonly Test[],
  { workers, inWorker, report }: { workers: number; inWorker: boolean; report: (line: string) => void },
): Promise<Map<string, Reach>> {
  const kept = new Kept<Reach>("reach-and-cost");
  const keyOf = ({ file, digest }: Test) => digestOf(root, file, digest);
  const open = tests.filter((test) => !kept.get(keyOf(test)));
  if (open.length > 0) report(`${open.length} test files without a mutant (${tests.length - open.length} known)`);
  const sources = filesBelow(root, "src");
  const failures: string[] = [];
  let done = 0;
  const bundle = inWorker && open.length > 0 ? await bundleChangedWorker(root, undefined) : undefined;
  await inHosts({ root, bundle }, workers, open, async (host, test) => {
    const outcome = await host.run({ mutant: 0, tests: [test.file] }, MAX_MS);
    if (outcome === "timeout") failures.push(`${test.file}: no end within ${MAX_MS / 60_000} minutes`);
    else if (outcome.failures.length > 0) failures.push(...outcome.failures);
    else {
      const byFile = Map.groupBy(outcome.reached, (number) => sources[Math.floor(number / MAX_FUNCTIONS)]);
      const functions = [...byFile].map(([file, numbers]) => [file, numbers.map((number) => number % MAX_FUNCTIONS)]);
      kept.add({
        key: keyOf(test),
        time: outcome.times[test.file],
        cost: inWorker ? outcome.times[test.file] : outcome.cpuMs,
        functions: Object.fromEntries(functions) as Reach["functions"],
      });
    }
    if (++done % 20 === 0) report(`${done} of ${open.length} test files`);
  });
  if (bundle) rmSync(bundle, { recursive: true, force: true });
  if (failures.length > 0) throw new CommandError(`Tests fail without any mutant:\n  ${failures.join("\n  ")}`);
  return new Map(tests.map((test) => [test.file, kept.get(keyOf(test))!]));
}

/** Finds the tests that reach a mutation, the quickest first. */
export class Finder {
  readonly #root: string;
  readonly #reach: [test: string, reach: Reach][];
  readonly #functions = new Map<string, FunctionRange[]>();

  constructor(root: string, reach: ReadonlyMap<string, Reach>) {
    this.#root = root;
    this.#reach = [...reach].sort(([, a], [, b]) => a.cost - b.cost);
  }

  testsOf(mutation: Mutation): string[] {
    const { file } = mutation;
    const number = functionAt(this.#functionsOf(file), mutation.start);
    // A Worker loads its modules before all tests.
    const isReached = (numbers: number[] | undefined) => numbers && (number === 0 || numbers.includes(number));
    return this.#reach.filter(([, { functions }]) => isReached(functions[file])).map(([test]) => test);
  }

  /** Does the rule run when its module is loaded? */
  runsAtStart({ file, start }: Mutation): boolean {
    return functionAt(this.#functionsOf(file), start) === 0;
  }

  #functionsOf(file: string): FunctionRange[] {
    const known = this.#functions.get(file) ?? functionsOf(file, readFileSync(join(this.#root, file), "utf8"));
    this.#functions.set(file, known);
    return known;
  }
}
