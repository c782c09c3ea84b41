import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { STOPPING_BODY, STOPPING_HEADERS } from "../../../worker/platform/hold.ts";
import { closeAtLull } from "./close-at-lull.ts";

/**
 * Opens the listening socket and sleeps, so that this thread's event loop accepts nothing: workerd does, through its own descriptor. Once
 * woken, it accepts what workerd no longer does, and asks those clients to come back.
 */
const { host, port, wake } = workerData as { host: string; port: number; wake: Int32Array };

/** Most connections that wait to be accepted; the system may allow fewer. */
const BACKLOG = 4096;
/** How long to wait for a moment without new connections [ms]. */
const LULL_WITHIN_MS = 1000;

const server = createServer(comeBack);
server.once("error", (error) => parentPort?.postMessage({ error }));
server.listen({ host, port, backlog: BACKLOG }, () => {
  const address = server.address();
  const { _handle } = server as unknown as { _handle?: { fd?: number } };
  parentPort?.postMessage({
    fd: _handle?.fd ?? -1,
    port: typeof address === "object" && address ? address.port : port,
  });
  // In the same turn of the event loop in which the socket began to listen.
  Atomics.wait(wake, 0, 0);
  parentPort?.on("message", leave);
  parentPort?.postMessage("awake");
});

/** Responds at once, but closes only when the request is complete: closing a connection with unread bytes resets it. */
function comeBack(request: IncomingMessage, response: ServerResponse): void {
  const headers = { ...STOPPING_HEADERS, connection: "close", "content-length": Buffer.byteLength(STOPPING_BODY) };
  response.writeHead(503, headers).write(STOPPING_BODY);
  request.resume();
  request.once("end", () => response.end());
}

async function leave(): Promise<void> {
  await closeAtLull(server, LULL_WITHIN_MS);
  parentPort?.close();
}
