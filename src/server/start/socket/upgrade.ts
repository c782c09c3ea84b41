import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { type Forwarded, HOP_BY_HOP } from "./arrived.ts";
import { dismiss, headText, refusal, refuseOn } from "./refusal.ts";

interface Upgrade {
  incoming: IncomingMessage;
  /** The client's connection: Node no longer reads requests from it. */
  client: Duplex;
  /** What the client has sent after the headers. */
  head: Buffer;
  forwarded: Forwarded;
  to: { host: string; port: number };
  /** Headers that each response has. */
  more: readonly string[];
  /** Called with the Worker's end of a connection that it has upgraded. */
  onUpgraded(upstream: Duplex): void;
}

/**
 * Passes a request with `Upgrade` on. Only after the Worker's 101 are the two connections one: until then, and after any other response,
 * nothing of what the client sends reaches the Worker, as it would there be a request without the headers of this process.
 */
export function passUpgrade({ incoming, client, head, forwarded, to, more, onUpgraded }: Upgrade): void {
  const { headers } = incoming;
  client.once("error", () => client.destroy());
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0) {
    refuseOn(client, refusal(400, "A request with a body cannot have the header Upgrade."));
    return;
  }
  // Other protocols are not offered (RFC 9110, 7.8: the header may be ignored).
  const isSocket = forwarded.method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
  const own = isSocket ? { connection: "Upgrade", upgrade: "websocket" } : {};
  const { method, path } = forwarded;
  const outgoing = request({ ...to, agent: false, method, path, headers: { ...forwarded.headers, ...own } });
  client.once("close", () => outgoing.destroy());
  outgoing.once("error", () => {
    if (!client.writableEnded) refuseOn(client, refusal(502, "The server is not available. Try again."));
  });
  outgoing.once("upgrade", (answer, upstream, first) => {
    const ends = [client, upstream];
    onUpgraded(upstream);
    for (const one of ends) {
      one.once("error", () => one.destroy());
      one.once("close", () => ends.map((other) => other.destroy()));
    }
    client.write(headText(101, answer.rawHeaders));
    client.write(first);
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  outgoing.once("response", (answer) => {
    const kept = answer.rawHeaders.filter((_, i, all) => !HOP_BY_HOP.has(all[i - (i % 2)].toLowerCase()));
    client.write(headText(answer.statusCode ?? 502, [...kept, ...more, "connection", "close"]));
    answer.pipe(client);
    answer.once("error", () => client.destroy());
    answer.once("end", () => dismiss(client));
  });
  outgoing.end();
}
