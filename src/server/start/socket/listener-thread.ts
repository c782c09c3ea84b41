import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type ListenOptions, type Server as TcpServer } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { STOPPING_BODY, STOPPING_HEADERS } from "../../../worker/platform/hold.ts";
import { closeAtLull } from "./close-at-lull.ts";

/**
 * Opens the listening sockets and sleeps, so that this thread's event loop accepts nothing: workerd does, through its own descriptors. Once
 * woken, it accepts what workerd no longer does, and asks those clients to come back.
 */
const { host, port, processes, wake } = workerData as {
  host: string;
  port: number;
  processes: number;
  wake: Int32Array;
};

/** Most connections that wait to be accepted; the system may allow fewer. */
const BACKLOG = 4096;
/** How long to wait for a moment without new connections [ms]. */
const LULL_WITHIN_MS = 1000;

/** One for each process, between which Linux spreads connections by a hash. In one queue, most would be one process's. */
const spread: Server[] = [];
const reusePort = processes > 1 && process.platform === "linux";
for (let i = 0; i < (reusePort ? processes : 1); i++) spread.push(createServer(comeBack));
/** Nobody knows its port before this thread sleeps. */
const calls = processes > 1 ? createTcpServer() : undefined;

await Promise.all([
  ...spread.map((one, i) => opened(one, { host, port, reusePort }, i === 0)),
  calls && opened(calls, { host: "127.0.0.1", port: 0 }, true),
])
  .then(() => {
    const first = socketOf(spread[0]);
    parentPort?.postMessage({
      ...first,
      // Node 20 opens only the first.
      fds: Array.from({ length: processes }, (_, i) => (spread[i]?.listening ? socketOf(spread[i]).fd : first.fd)),
      ...(calls && { calls: socketOf(calls) }),
    });
    // In the same turn of the event loop in which the sockets began to listen.
    Atomics.wait(wake, 0, 0);
    calls?.close();
    parentPort?.on("message", leave);
    parentPort?.postMessage("awake");
  })
  .catch((error) => parentPort?.postMessage({ error }));

function opened(server: TcpServer, where: ListenOptions, isNeeded: boolean): Promise<void> {
  return new Promise((listens, failed) => {
    server.once("error", (error) => (isNeeded ? failed(error) : listens()));
    server.listen({ ...where, backlog: BACKLOG }, listens);
  });
}

function socketOf(one: TcpServer): { fd: number; port: number } {
  const address = one.address();
  const { _handle } = one as unknown as { _handle?: { fd?: number } };
  return { fd: _handle?.fd ?? -1, port: typeof address === "object" && address ? address.port : port };
}

/** Responds at once, but closes only when the request is complete: closing a connection with unread bytes resets it. */
function comeBack(request: IncomingMessage, response: ServerResponse): void {
  const headers = { ...STOPPING_HEADERS, connection: "close", "content-length": Buffer.byteLength(STOPPING_BODY) };
  response.writeHead(503, headers).write(STOPPING_BODY);
  request.resume();
  request.once("end", () => response.end());
}

async function leave(): Promise<void> {
  await Promise.all(spread.filter((one) => one.listening).map((one) => closeAtLull(one, LULL_WITHIN_MS)));
  parentPort?.close();
}
