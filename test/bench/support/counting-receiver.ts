import { fork } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Counts {
  requests: number;
  events: number;
  /** When the last request came [ms, of `Date.now`]. */
  last: number;
}

export interface CountingReceiver {
  url: string;
  counts(): Promise<Counts>;
  stop(): void;
}

/**
 * A webhook's receiver that counts events, in a process of its own: in that of the bench, what it allocates would be collected while requests
 * are timed.
 */
export async function startCountingReceiver(): Promise<CountingReceiver> {
  const child = fork(import.meta.filename, [CHILD], { stdio: "inherit" });
  const next = <T>() => new Promise<T>((resolve) => child.once("message", resolve as (message: unknown) => void));
  const { port } = await next<{ port: number }>();
  return {
    url: `http://127.0.0.1:${port}/hook`,
    counts() {
      const counted = next<Counts>();
      child.send("counts");
      return counted;
    },
    stop: () => void child.kill(),
  };
}

const CHILD = "counting-receiver";

function serve(): void {
  const counts: Counts = { requests: 0, events: 0, last: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { events?: unknown[] };
      counts.requests++;
      counts.events += body.events?.length ?? 1;
      counts.last = Date.now();
      response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("message", () => process.send?.(counts));
  // The bench is gone.
  process.on("disconnect", () => process.exit());
}

if (process.argv[2] === CHILD) serve();
