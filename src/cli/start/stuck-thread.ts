import { parentPort, workerData } from "node:worker_threads";
import { runtimeOf } from "./runtime.ts";
import { watchForStuck } from "./stuck-watch.ts";

/**
 * Runs the watch in a separate thread. Miniflare's calls into workerd (such as cron runs) block the main thread until
 * workerd responds, which a stuck one never does.
 */
const { pingUrl, state } = workerData as { pingUrl: string; state: string };

watchForStuck({
  pingUrl,
  pid: () => runtimeOf(state),
  onKilled: (seconds) => parentPort?.postMessage(seconds),
});
