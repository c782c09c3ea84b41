import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/**
 * `npm run check`: lint, types and architecture tests, as many at a time as there are processors. Each program of TypeScript is checked
 * by one thread, because several would each infer the types that they share; what did not change since the last check is not checked
 * again. The jobs that take longest start first.
 */
const programs = ["node", "dashboard", "", "requests"].map((name) => {
  const config = ["tsconfig", ...(name ? [name] : []), "json"].join(".");
  const known = `node_modules/.cache/tsc/${name || "worker"}.tsbuildinfo`;
  return `tsc -p ${config} --checkers 1 --incremental --tsBuildInfoFile ${known}`;
});
const JOBS = ["biome check --error-on-warnings .", ...programs, "npm run --silent check:rooms"];

/** Runs a command and prints its output once it ends: jobs that run together do not mix their lines. */
function run(command: string): Promise<boolean> {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
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

const waiting = [...JOBS];
let isGood = true;
async function work(): Promise<void> {
  for (let job = waiting.shift(); job; job = waiting.shift()) if (!(await run(job))) isGood = false;
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = isGood ? 0 : 1;
