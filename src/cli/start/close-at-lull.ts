import { Server } from "node:net";

/** Turns of the event loop without a new connection before the socket closes: it may accept one in each. */
const LULL_TURNS = 3;

/**
 * Closes a listening socket when nobody waits in it: whoever does would be reset. Connections stay open, also those that have not sent their first
 * request yet, which `close` of an HTTP server closes.
 * @returns a promise of the end of the last connection
 */
export function closeAtLull(server: Server): Promise<void> {
  return new Promise((ended) => {
    let lull = 0;
    const more = () => {
      lull = 0;
    };
    server.on("connection", more);
    const turn = () => {
      if (++lull < LULL_TURNS) setImmediate(turn);
      else Server.prototype.close.call(server, () => ended());
    };
    setImmediate(turn);
  });
}
