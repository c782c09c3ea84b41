import { setTimeout as sleep } from "node:timers/promises";
import { startBuilt } from "../bench/worker.ts";

/**
 * A Worker in a process of its own, so that it can be killed with its parent: `serve.ts FOLDER STATE BINDINGS [ROUND]`. The hourly round comes each
 * ROUND milliseconds.
 */
const [folder, state, bindings, round] = process.argv.slice(2);
const worker = await startBuilt({ folder }, state, JSON.parse(bindings));
console.log(JSON.stringify({ url: worker.url, pid: worker.pid }));
const parent = process.ppid;
while (round !== undefined) {
  await sleep(Number(round));
  // Whoever was to kill it is gone: it must not go on for good.
  if (process.ppid !== parent) await worker.stop().finally(() => process.exit());
  await worker.scheduled?.("7 * * * *", Date.now());
}
