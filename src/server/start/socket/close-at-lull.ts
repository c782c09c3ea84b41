import { Server } from "node:net";

/** Turns of the event loop without a new connection before the socket closes: it may accept one in each. */
const LULL_TURNS = 3;

/**
 * Closes a listening socket when no connection waits in it to be accepted: such connections would be reset. Accepted connections stay open, also those
 * that have not sent their first request yet, which `close` of an HTTP server closes.
 * @param withinMs maximum time to wait for such a moment: with new connections all the time there is none
 * @returns a promise of the end of the last connection
 */
export function closeAtLull(server: Server, withinMs: number): Promise<void> {
  return new Promise((ended) => {
    let lull = 0;
    const until = Date.now() + withinMs;
    const more = () => {
      lull = 0;
    };
    server.on("connection", more);
    const turn = () => {
      if (++lull < LULL_TURNS && Date.now() < until) setImmediate(turn);
      else Server.prototype.close.call(server, () => ended());
    };
    setImmediate(turn);
  });
}
