import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { CommandError, readArguments, runCommand, UsageError, wholeNumber } from "../../src/server/base/command.ts";
import { WORKER_TESTS } from "../near/speeds.ts";
import { ROOT } from "../support/imports.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import { changeOf, type Mutation, mutationsOf } from "./mutations.ts";
import { stopHosts } from "./pool.ts";
import { isEquivalent, type RoomResult, reportText, resultOf } from "./report.ts";
import { filesBelow, isWorkerRoom, pureTestsOf, type Test, workerTestsOf } from "./rooms.ts";
import { selectMutations } from "./select.ts";
import type { Mutant } from "./switched.ts";
import { type MutantTests, testMutants, type Verdict } from "./test-mutants.ts";

const USAGE = `npm run test:mutation -- ROOM [ROOM ...] [--mutants 100] [--seed 1] [--only FILE[:LINE]] [--list] [--workers N] [--tests PATH,...] [--json]

Changes one rule at a time in the sources of a room (a folder below src, such as limits or http/track), runs the tests that reach
it, and lists the changes that no test detected.

  --mutants N         how many changes in each room; without a limit where it is 0
  --seed N            which ones are drawn
  --only FILE[:LINE]  all changes of a file or a line of it; no ROOM is needed
  --list              lists the changes and runs nothing
  --workers N         test processes at the same time (default: the number of cores)
  --budget SECONDS    how long the tests of one change take at most (pure tests: of the processor), without the change; the quickest come first
  --tests PATH,...    runs only tests below these paths: quicker, and a change that others detect counts as a survivor
  --json              prints the result as JSON`;

async function run(): Promise<void> {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      mutants: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      only: { type: "string" },
      list: { type: "boolean", default: false },
      workers: { type: "string", default: String(availableParallelism()) },
      budget: { type: "string", default: "60" },
      tests: { type: "string", default: "test" },
      json: { type: "boolean", default: false },
    },
  });
  const count = wholeNumber(values.mutants, "--mutants");
  const seed = wholeNumber(values.seed, "--seed");
  const workers = wholeNumber(values.workers, "--workers", { min: 1, max: 64 });
  if (positionals.length === 0 && !values.only) throw new UsageError("Specify a room, such as limits, or --only.");
  const [only, line] = values.only?.split(":") ?? [];
  const budget = wholeNumber(values.budget, "--budget", { min: 1 });
  const rooms = only ? [only] : positionals;
  const below = values.tests.split(",");
  const isChosen = ({ file }: Test) => below.some((path) => file === path || file.startsWith(`${path}/`));
  const report = (text: string) => console.error(text);
  const results: RoomResult[] = [];
  for (const room of rooms) {
    const drawn = only
      ? changesOf(only).filter((change) => !line || change.line === Number(line))
      : draw(room, count, seed);
    if (drawn.length === 0) throw new CommandError(`No rule to change in ${values.only ?? `src/${room}`}.`);
    if (values.list) {
      for (const change of drawn) console.log(`${change.file}:${change.line}  ${change.mutator}  ${changeOf(change)}`);
      continue;
    }
    const mutations = drawn.filter((mutation) => !isEquivalent(mutation, EQUIVALENTS));
    const mutants = mutations.map((mutation, index) => ({ ...mutation, id: index + 1 }));
    report(`${room}: ${mutants.length} mutants, seed ${seed}`);
    const began = performance.now();
    const options = { root: ROOT, workers, budget, report: (text: string) => report(`${room}: ${text}`) };
    const files = [...new Set(mutants.map(({ file }) => file))];
    const pure = pureTestsOf(ROOT, files, WORKER_TESTS).filter(isChosen);
    let verdicts = await testMutants({ ...options, mutants, tests: pure });
    if (isWorkerRoom(room)) verdicts = await askWorker(mutants, verdicts, { ...options, isChosen });
    report(`${room}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
    results.push(resultOf(room, mutations, verdicts, drawn.length - mutations.length));
  }
  if (values.list) return;
  console.log(values.json ? JSON.stringify(results, undefined, 2) : reportText(results));
  if (results.some(({ survived }) => survived > 0)) process.exitCode = 1;
}

const changesOf = (file: string) => mutationsOf(file, readFileSync(join(ROOT, file), "utf8"));

function draw(room: string, count: number, seed: number): Mutation[] {
  const files = filesBelow(ROOT, join("src", room)).map(changesOf);
  return selectMutations(files, count || Number.POSITIVE_INFINITY, seed);
}

/** Survivors of pure tests, in a running Worker. */
async function askWorker(
  mutants: readonly Mutant[],
  verdicts: readonly Verdict[],
  { isChosen, ...options }: Omit<MutantTests, "mutants" | "tests"> & { isChosen: (test: Test) => boolean },
): Promise<Verdict[]> {
  const survivors = mutants.filter((_, index) => verdicts[index].status === "survived");
  const tests = workerTestsOf(ROOT, WORKER_TESTS).filter(isChosen);
  const asked = await testMutants({ ...options, mutants: survivors, tests, inWorker: true });
  return verdicts.map((verdict, index) => {
    const later = asked[survivors.indexOf(mutants[index])];
    return later ? { ...later, tests: [...verdict.tests, ...later.tests], left: verdict.left + later.left } : verdict;
  });
}

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.once(signal, () => {
    stopHosts();
    process.exit(code);
  });

await runCommand(run, USAGE);
