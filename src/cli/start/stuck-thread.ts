import { parentPort, workerData } from "node:worker_threads";
import { runtimeOf } from "./runtime.ts";
import { watchForStuck } from "./stuck-watch.ts";

/**
 * The watch in a thread of its own. Miniflare's calls into workerd (such as those of the crons) hold the main thread until
 * workerd answers, which a stuck one never does.
 */
const { pingUrl, state } = workerData as { pingUrl: string; state: string };

watchForStuck({
  pingUrl,
  pid: () => runtimeOf(state),
  onKilled: (seconds) => parentPort?.postMessage(seconds),
});
