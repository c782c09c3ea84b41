import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Plugin } from "vite";
import { createVitest, type TestModule, type TestSpecification, type Vitest } from "vitest/node";
import type { HostSetup, RunRequest, RunResult } from "./messages.ts";
import { MAX_FUNCTIONS, markedText } from "./reach.ts";
import { filesBelow } from "./rooms.ts";
import { switchedText } from "./switched.ts";

/* A process with a Vitest of its own. It compiles the changed sources once and runs tests whenever its parent asks (pool.ts). */

const SETUP = resolve(import.meta.dirname, "setup.ts");

let vitest: Vitest;
let setup: HostSetup;
let sources: string[];

process.on("message", async (message: { setup: HostSetup } | { run: RunRequest }) => {
  try {
    if ("setup" in message) {
      setup = message.setup;
      sources = filesBelow(setup.root, "src");
      vitest = await open();
      process.send?.({ ready: true });
    } else process.send?.({ result: await run(message.run) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.on("disconnect", () => process.exit());

async function open(): Promise<Vitest> {
  // The harness (test/bench/worker.ts) starts this bundle in place of its own.
  if (setup.bundle) process.env.GRATICULE_TEST_BUNDLE = setup.bundle;
  const opened = await createVitest(
    "test",
    {
      root: setup.root,
      config: false,
      watch: false,
      reporters: [{}],
      cache: false,
      // It takes no notice of how a plugin has changed a source.
      fsModuleCache: false,
      include: ["test/**/*.test.ts"],
      pool: "forks",
      // Modules are loaded anew for each run; to see what a file reaches, for each file.
      // Tests of the Worker replace globals.
      isolate: setup.mutants === undefined || setup.bundle !== undefined,
      bail: setup.mutants ? 1 : 0,
      maxWorkers: 1,
      fileParallelism: false,
      setupFiles: [SETUP],
      globalSetup: setup.bundle ? [resolve(setup.root, "test/support/server.ts")] : [],
      // The parent ends what takes too long, so a busy machine fails no test.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      silent: true,
      sequence: { sequencer: AsGiven },
    },
    {
      cacheDir: join(tmpdir(), "graticule-mutation", "vite"),
      plugins: [changedSources()],
      server: { fs: { strict: false }, watch: null },
    },
  );
  await opened.standalone();
  return opened;
}

class AsGiven {
  shard(files: TestSpecification[]) {
    return files;
  }

  sort(files: TestSpecification[]) {
    return files;
  }
}

/** Gives Vite the switched or marked text of sources. */
function changedSources(): Plugin {
  const { root, mutants, bundle } = setup;
  // What tests of the Worker import for themselves stays as it is.
  if (bundle) return { name: "changed-sources" };
  const switched = Map.groupBy(mutants ?? [], ({ file }) => resolve(root, file));
  const marked = new Map(mutants ? [] : sources.map((file, index) => [resolve(root, file), index * MAX_FUNCTIONS]));
  return {
    name: "changed-sources",
    enforce: "pre",
    load(id) {
      const own = switched.get(id);
      if (own) return switchedText(readFileSync(id, "utf8"), own);
      const first = marked.get(id);
      return first === undefined ? undefined : markedText(id, readFileSync(id, "utf8"), first);
    },
  };
}

async function run({ mutant, tests }: RunRequest): Promise<RunResult> {
  const path = join(tmpdir(), `graticule-mutation-${process.pid}.json`);
  const marks = setup.mutants ? undefined : { path, count: sources.length * MAX_FUNCTIONS };
  const project = vitest.getRootProject();
  project.provide("mutation", { mutant, marks });
  // Vitest keeps the results of runs before, and would stop at their failures.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const specifications = tests.map((test) => project.createSpecification(resolve(setup.root, test)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const failures = [
    ...testModules.flatMap(failuresOf),
    ...unhandledErrors.map((error) => `unhandled: ${(error as Error).message}`),
  ];
  const times = Object.fromEntries(testModules.map((module) => [nameOf(module), timeOf(module)]));
  const missing = tests.filter((test) => times[test] === undefined);
  if (failures.length === 0 && missing.length > 0) throw new Error(`Did not run: ${missing.join(", ")}`);
  return { failures, times, ...(marks ? takeMarks(path) : NOT_MARKED) };
}

type Marked = Pick<RunResult, "reached" | "cpuMs">;

const NOT_MARKED: Marked = { reached: [], cpuMs: 0 };

function takeMarks(path: string): Marked {
  if (!existsSync(path)) return NOT_MARKED;
  const marks = JSON.parse(readFileSync(path, "utf8")) as Marked;
  rmSync(path);
  return marks;
}

const nameOf = (module: TestModule) => relative(setup.root, module.moduleId);

function timeOf(module: TestModule): number {
  const { collectDuration, duration, environmentSetupDuration, prepareDuration } = module.diagnostic();
  return Math.round(collectDuration + duration + environmentSetupDuration + prepareDuration);
}

function failuresOf(module: TestModule): string[] {
  const failed = [...module.children.allTests("failed")].map(
    (test) => `${nameOf(module)} > ${test.name}: ${test.result().errors?.[0]?.message.split("\n")[0]}`,
  );
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  const errors = [...module.errors(), ...suites].map(({ message }) => `${nameOf(module)}: ${message}`);
  const found = [...failed, ...errors];
  return found.length > 0 || module.state() !== "failed" ? found : [`${nameOf(module)}: failed`];
}
