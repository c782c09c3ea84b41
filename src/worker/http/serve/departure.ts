import type { Env } from "../../platform/env.ts";
import { peerEnd } from "./connection.ts";

/** How often a request asks for the state of its connection [ms]. */
const ASK_MS = 500;

/**
 * Whether the client of a request has left. workerd notices a connection that was reset, and Cloudflare any that was closed. `npm start`
 * tells of those that were closed. A client that only ended its sending half counts as gone, as for most servers.
 */
export function departureOf(request: Request, env: Pick<Env, "CONNECTIONS">): () => boolean {
  let hasLeft: (() => boolean) | undefined;
  // Not before the first turn: a short request has none, and pays for neither signal nor address.
  return () => {
    hasLeft ??= watch(request, env);
    return hasLeft();
  };
}

function watch(request: Request, { CONNECTIONS }: Pick<Env, "CONNECTIONS">): () => boolean {
  const { signal } = request;
  const peer = CONNECTIONS && peerEnd(request);
  if (!CONNECTIONS || peer === undefined) return () => signal.aborted;
  let isClosed = false;
  let askedAt = Date.now();
  const ask = async () => {
    const response = await CONNECTIONS.fetch(`http://connections/?${new URLSearchParams({ peer })}`);
    isClosed ||= (await response.text()) === "closed";
  };
  return () => {
    const now = Date.now();
    if (Math.abs(now - askedAt) >= ASK_MS) {
      askedAt = now;
      // Without a response, the work goes on.
      ask().catch(() => {});
    }
    return isClosed || signal.aborted;
  };
}
