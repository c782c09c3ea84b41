import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** How long the last refused clients may take [ms]. */
const LAST_MS = 1500;

/** Node's default, not what continue-as-server.ts sets for the main thread: collections must not delay the last responses of a stop [MB]. */
const LIMITS = { maxYoungGenerationSizeMb: 48 };

/** The socket on which the server listens. workerd inherits it; as this process has it, too, connections that workerd has not accepted outlive it. */
export interface Listener {
  /** Its descriptor in this process, for each process of workerd: the same, or one of sockets that share the port. */
  fds: number[];
  port: number;
  /** The socket for calls of other processes, on this machine alone: nobody accepts connections of it here. */
  calls?: { fd: number; port: number };
  /** From now on, accepts connections here, too, and responds with 503. */
  refuse(): Promise<void>;
  /** Closes the socket. */
  close(): Promise<void>;
}

/** @param processes of workerd @throws Error of the system, as if the address is in use */
export async function openListener(host: string, port: number, processes = 1): Promise<Listener> {
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("./listener-thread.ts", import.meta.url), {
    workerData: { host, port, processes, wake },
    resourceLimits: LIMITS,
  });
  const [opened] = (await once(thread, "message")) as [Pick<Listener, "fds" | "port" | "calls"> & { error?: Error }];
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
    ...opened,
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
