import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { HOLD_CRON } from "../../../worker/platform/hold.ts";
import { connectionsTo, ownSockets } from "./connections.ts";
import type { Listener } from "./listener.ts";

/**
 * How long requests are held before the signal [ms]: clients that send less often are not noticed. On a busy machine, clients are late and earlier
 * requests free their connections late: for each ms that the Worker takes to begin, two more, as far as the greatest.
 */
const [HOLD_MS, HOLD_FOR_EACH_MS, MAX_HOLD_MS] = [1000, 2, 3000];
/** How long the Worker may take to begin with it [ms]. */
const BEGUN_WITHIN_MS = 2000;
/** How long to look for a pause without new requests, the pause, and the time between two looks [ms]. */
const [QUIET_WITHIN_MS, PAUSE_MS, LOOK_MS] = [1500, 150, 2];

/** A service that responds when `signalled` is called; `asked` resolves when each of so many processes has called it. */
export function stoppingService(processes: number) {
  let calls = 0;
  const asked = Promise.withResolvers<void>();
  const signalled = Promise.withResolvers<void>();
  return {
    asked: asked.promise,
    signalled: signalled.resolve,
    async service() {
      if (++calls >= processes) asked.resolve();
      await signalled.promise;
      return new Response("signalled");
    },
  };
}

interface DrainOptions {
  /** Those that serve the port: their ids, and how to run a cron in each. */
  processes: readonly { pid: number; runCron(cron: string, at: number): Promise<void> }[];
  port: number;
  listener: Listener | undefined;
  stopping: ReturnType<typeof stoppingService>;
}

/**
 * Tells workerd to stop so that no request is reset. On SIGTERM, workerd finishes the requests that it has read, with `Connection: close`,
 * and closes all other connections. A request in one of those, sent but not read, or crossing its close on the way, would be reset.
 * So:
 *
 * 1. For a second or more, the Worker reads new requests without responding. Each connection in use then has such a request.
 * 2. Meanwhile this process accepts connections, too, and responds with 503.
 * 3. workerd is paused. If no request reached it in the pause, it gets the signal before it continues; else it reads them first.
 * 4. The Worker responds to the held requests with 503, and finishes earlier ones. Each response is the last of its connection.
 */
export async function drain({ processes, port, listener, stopping }: DrainOptions): Promise<void> {
  if (processes.length === 0) return;
  if (connectionsTo(port)?.open !== 0) {
    const asked = performance.now();
    const begun = Promise.race([stopping.asked, sleep(BEGUN_WITHIN_MS)]);
    // It ends after the signal; its result is not needed.
    for (const { runCron } of processes) runCron(HOLD_CRON, Date.now()).catch(() => {});
    await begun;
    const wait = performance.now() - asked;
    await listener?.refuse();
    await sleep(Math.min(MAX_HOLD_MS, HOLD_MS + HOLD_FOR_EACH_MS * wait));
  } else await listener?.refuse();
  await signalWhenQuiet(
    processes.map(({ pid }) => pid),
    port,
  );
  stopping.signalled();
}

/**
 * Pauses workerd, in all processes, again and again, until no request reached it in a pause, and signals in the last one. A connection may be accepted long before
 * its client sends the request. Meanwhile this process accepts all new connections.
 */
async function signalWhenQuiet(pids: readonly number[], port: number): Promise<void> {
  const hasUnread = () => {
    const unread = connectionsTo(port)?.unread ?? [];
    if (unread.length === 0) return false;
    // What this process has accepted, it answers itself.
    const own = ownSockets();
    return unread.some((socket) => !own.has(socket));
  };
  const until = Date.now() + QUIET_WITHIN_MS;
  try {
    // A backup may have paused it, and continues it itself.
    while (connectionsTo(port) && !pids.some(isPaused) && Date.now() < until) {
      while (hasUnread() && Date.now() < until) await sleep(LOOK_MS);
      signal(pids, "SIGSTOP");
      await sleep(PAUSE_MS);
      if (!hasUnread()) break;
      signal(pids, "SIGCONT");
      await sleep(LOOK_MS);
    }
  } finally {
    // The signal waits until workerd continues.
    signal(pids, "SIGTERM");
    signal(pids, "SIGCONT");
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has died meanwhile.
    }
  }
}

function isPaused(pid: number): boolean {
  try {
    return /\) T /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
