import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A message as it came in. */
export interface Received {
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a receiver reads what it gets, without a type to lean on
  body: any;
  at: number;
  path: string;
}

/** How a receiver answers the n-th request (from 0). */
export type Manner = (response: ServerResponse, n: number, request: Received) => void;

export const accept: Manner = (response) => response.writeHead(204).end();
export const answer =
  (status: number, headers: Record<string, string> = {}, text = ""): Manner =>
  (response) =>
    response.writeHead(status, headers).end(text);

export interface Receiver {
  url: string;
  received: Received[];
  /** Connections and requests that are open. */
  open(): number;
  /** The most requests that were answered at the same time. */
  mostAtOnce(): number;
  manner(manner: Manner): void;
  stop(): Promise<void>;
}

/** A customer's server on loopback. */
export async function startReceiver(first: Manner = accept): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let manner = first;
  let now = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    now++;
    most = Math.max(most, now);
    response.on("close", () => now--);
    const text = await textOf(request).catch(() => "");
    const headers = request.headers as Record<string, string>;
    const one: Received = { headers, text, body: parse(text), at: Date.now(), path: request.url ?? "" };
    received.push(one);
    manner(response, received.length - 1, one);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    open: () => now,
    mostAtOnce: () => most,
    manner(next) {
      manner = next;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks as the documentation tells receivers to: true for a message that is ours and unchanged. */
export function isGenuine({ headers, text }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
  const own = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return headers["webhook-signature"].split(" ").includes(own);
}

/** The older scheme, which proves the sender only. */
export function isFromUs({ headers }: Received, secret: string): boolean {
  const own = createHmac("sha1", secret).update(headers["x-radar-signing-id"]).digest("hex");
  return headers["x-radar-signature"] === own;
}
