import { rmSync } from "node:fs";
import { CommandError } from "../../src/server/base/command.ts";
import { baseline, Finder, type Reach } from "./baseline.ts";
import { bundleChangedWorker, bundleFrom } from "./changed-worker.ts";
import { digestOf, Kept } from "./kept.ts";
import type { HostSetup } from "./messages.ts";
import { changeOf, keyOf } from "./mutations.ts";
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
  /** The tests ask a running Worker. */
  inWorker?: boolean;
  /** The most time that tests of one mutant may take without it [s]: of the processor for pure tests, else of the clock. */
  budget: number;
  report(line: string): void;
}

/** A test that ends gets this long more than without a mutant, and on a busy machine may take that many times as long. */
const EXTRA_MS = 30_000;
const SLOWER = 6;

/** Runs the tests without a mutant, then with each of them. Verdicts come in the order of the mutants. */
export async function testMutants(options: MutantTests): Promise<Verdict[]> {
  const { root, mutants, tests, workers, inWorker = false, budget, report } = options;
  const reach = await baseline(root, tests, { workers, inWorker, report });
  const finder = new Finder(root, reach);
  const digests = new Map(tests.map(({ file, digest }) => [file, digest]));
  const works = mutants.map((mutant) => {
    const all = finder.testsOf(mutant);
    const chosen = withinBudget(all, reach, budget * 1000);
    const key = digestOf(root, keyOf(mutant), mutant.source, ...chosen.map((test) => digests.get(test)!));
    return { mutant, key, tests: chosen, left: all.length - chosen.length, atStart: finder.runsAtStart(mutant) };
  });
  const kept = new Kept<Verdict>("verdicts");
  const open = works.filter(({ key }) => !kept.get(key));
  if (open.length < works.length) report(`${works.length - open.length} results of an earlier run still hold`);
  const bundle = inWorker && open.length > 0 ? await bundleChangedWorker(root, mutants) : undefined;
  const setup: HostSetup = { root, mutants, bundle };
  await control(setup, open);
  let [done, survived] = [0, 0];
  await inHosts(setup, workers, open, async (host, { mutant, key, tests, left, atStart }) => {
    const began = performance.now();
    const work = { mutant, tests, limit: EXTRA_MS + SLOWER * timeOf(tests, reach) };
    const outcome = bundle && atStart ? await statusFromStart(setup, work) : await statusOf(host, work, inWorker);
    kept.add({ key, ...outcome, tests, left, seconds: Math.round((performance.now() - began) / 100) / 10 });
    if (outcome.status === "survived") {
      survived++;
      const by = inWorker ? "tests of the Worker" : "pure tests";
      report(`not detected by ${by}: ${mutant.file}:${mutant.line}  ${changeOf(mutant)}`);
    }
    if (++done % 10 === 0 || done === open.length) report(`${done} of ${open.length} mutants, ${survived} survived`);
  });
  if (bundle) rmSync(bundle, { recursive: true, force: true });
  return works.map(({ key }) => kept.get(key)!);
}

/** Runs the quickest test of each mutant over the switched sources with no mutant on. @throws CommandError when one fails */
async function control(setup: HostSetup, works: readonly { tests: string[] }[]): Promise<void> {
  const tests = [...new Set(works.flatMap(({ tests }) => tests.slice(0, 1)))];
  await inHosts(setup, 1, tests.length > 0 ? [tests] : [], async (host, tests) => {
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
    spent += reach.get(test)!.cost;
    return index === 0 || spent <= budget;
  });
}

const timeOf = (tests: readonly string[], reach: ReadonlyMap<string, Reach>) =>
  tests.reduce((sum, test) => sum + reach.get(test)!.time, 0);

interface Work {
  mutant: Mutant;
  tests: string[];
  /** [ms] */
  limit: number;
}

type Status = Pick<Verdict, "status" | "by">;

async function statusOf(host: Host, { mutant: { id }, tests, limit }: Work, inWorker: boolean): Promise<Status> {
  if (tests.length === 0) return { status: "survived" };
  for (let attempt = 0; ; attempt++) {
    try {
      const outcome = await host.run({ mutant: id, tests }, limit);
      if (outcome === "timeout") return { status: "timeout" };
      const [by] = outcome.failures;
      if (by === undefined) return { status: "survived" };
      // An earlier mutant may have left something in a Worker: then the test fails without this one as well.
      if (!inWorker || attempt > 0 || (await passes(host, by, tests, limit))) return { status: "detected", by };
      host.stop();
    } catch (error) {
      // A mutant that brings its process down, out of memory for example, is detected.
      return { status: "detected", by: String(error) };
    }
  }
}

/** Does the test that failed pass without a mutant? */
async function passes(host: Host, failure: string, tests: readonly string[], limit: number): Promise<boolean> {
  const test = tests.find((test) => failure.startsWith(test));
  if (test === undefined) return false;
  const outcome = await host.run({ mutant: 0, tests: [test] }, limit);
  return outcome !== "timeout" && outcome.failures.length === 0;
}

/** With a Worker of its own, whose modules are loaded with the mutant on. */
async function statusFromStart(setup: HostSetup, work: Work): Promise<Status> {
  if (work.tests.length === 0) return { status: "survived" };
  const bundle = bundleFrom(setup.bundle!, work.mutant.id);
  let status: Status = { status: "survived" };
  await inHosts({ ...setup, bundle }, 1, [work], async (host, work) => {
    status = await statusOf(host, work, false);
  });
  rmSync(bundle, { recursive: true, force: true });
  return status;
}
