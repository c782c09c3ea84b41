import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** How long the last refused clients may take [ms]. */
const LAST_MS = 1500;

/** Node's default, not what continue-as-server.ts sets for the main thread: collections must not delay the last responses of a stop [MB]. */
const LIMITS = { maxYoungGenerationSizeMb: 48 };

/** The socket on which the server listens. workerd inherits it; as this process has it, too, connections that workerd has not accepted outlive it. */
export interface Listener {
  /** Its descriptor in this process. */
  fd: number;
  port: number;
  /** From now on, accepts connections here, too, and responds with 503. */
  refuse(): Promise<void>;
  /** Closes the socket. */
  close(): Promise<void>;
}

/** @throws Error of the system, as if the address is in use */
export async function openListener(host: string, port: number): Promise<Listener> {
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("./listener-thread.ts", import.meta.url), {
    workerData: { host, port, wake },
    resourceLimits: LIMITS,
  });
  const [opened] = (await once(thread, "message")) as [{ fd: number; port: number; error?: Error }];
  if (opened.error) {
    await thread.terminate();
    throw opened.error;
  }
  thread.unref();
  const awaken = async () => {
    if (Atomics.exchange(wake, 0, 1) !== 0) return;
    const awake = once(thread, "message");
    Atomics.notify(wake, 0);
    await awake;
  };
  return {
    fd: opened.fd,
    port: opened.port,
    refuse: awaken,
    async close() {
      await awaken();
      const gone = once(thread, "exit");
      thread.postMessage("leave");
      await Promise.race([gone, sleep(LAST_MS)]);
      await thread.terminate();
    },
  };
}
