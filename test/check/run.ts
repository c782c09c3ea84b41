import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { filesSince, lastProven } from "../near/changed.ts";

/**
 * `npm run check`: types, lint and architecture tests, as many at a time as there are processors. Each program of TypeScript runs in one
 * thread, because several would each infer the types that they share, and collects garbage rarely. The other programs read the
 * declarations of the files of core and of the Worker instead of checking these again, so they wait for these two.
 */
const tsc = (config: string) => `tsc -p ${config} --singleThreaded`;
const WORKER = `${tsc("tsconfig.core.json")} && ${tsc("tsconfig.json")}`;
const AFTER_WORKER = ["tsconfig.node.json", "tsconfig.dashboard.json", "tsconfig.requests.json"].map(tsc);
const ENVIRONMENT = { ...process.env, GOGC: process.env.GOGC ?? "400" };

/** Runs a command and prints its output once it ends: jobs that run together do not mix their lines. */
function run(command: string): Promise<boolean> {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"], env: ENVIRONMENT });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("close", (code) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok" : "FAILED"} in ${seconds} s: ${command}`);
      if (code !== 0) console.log(output);
      resolve(code === 0);
    });
  });
}

/** In CI, `npm test` runs them. */
const ROOMS = process.env.CI ? [] : ["npm run --silent check:rooms"];

/** The lint of what differs from the last proven commit; in CI of all. */
function lint(): string[] {
  const since = process.env.CI ? undefined : lastProven();
  const changed = since && filesSince(since);
  // A change of the configuration concerns all.
  if (!changed || changed.some((path) => /^(biome|package-lock)\.json$/.test(path)))
    return ["biome check --error-on-warnings ."];
  const files = changed.filter((path) => existsSync(path)).map((path) => `'${path}'`);
  if (files.length === 0) return [];
  return [`biome check --error-on-warnings --files-ignore-unknown=true --no-errors-on-unmatched ${files.join(" ")}`];
}

const waiting = [WORKER, ...lint(), ...ROOMS];
let isGood = true;
async function work(): Promise<void> {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    if (!(await run(job))) isGood = false;
    if (job === WORKER) waiting.unshift(...AFTER_WORKER);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = isGood ? 0 : 1;
