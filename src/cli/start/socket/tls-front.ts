import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { createServer, type Server } from "node:https";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import { CommandError } from "../../command.ts";
import { closeAtLull } from "./close-at-lull.ts";

/** Files of a certificate with its chain and of its private key, both PEM. */
export interface TlsFiles {
  cert: string;
  key: string;
}

interface FrontOptions {
  host: string;
  port: number;
  files: TlsFiles;
  /** The port of the Worker on this machine. */
  target: number;
  /** Reports a renewed certificate, or one that cannot be used. */
  log: (line: string) => void;
}

export interface TlsFront {
  port: number;
  /** Closes each connection after its next response, then accepts no more, finishes open requests, and stops; after `graceMs` in any case. */
  stop(graceMs: number): Promise<void>;
}

const TARGET_HOST = "127.0.0.1";
/** How often the files are compared with those in use [ms]: certificates are renewed weeks before they expire. */
const WATCH_MS = 60_000;
/** How long connections end with their next response before the front accepts no more, and before idle ones are closed [ms]. */
const [LEAVE_MS, IDLE_MS] = [1000, 300];
/** How long to wait for a moment without new connections [ms]. */
const LULL_WITHIN_MS = 1000;
/** Headers of one connection; HTTP forbids to forward them. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
]);

/** Reads the files. @throws CommandError with a fix if they are not a certificate and its key */
export function readTlsFiles({ cert, key }: TlsFiles): { cert: Buffer; key: Buffer } {
  const read = (option: string, path: string) => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new CommandError(`${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  };
  const pair = { cert: read("--tls-cert", cert), key: read("--tls-key", key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `--tls-cert and --tls-key must be a certificate (PEM, with its chain) and its private key without a passphrase: ${why}.`,
    );
  }
  return pair;
}

/**
 * Ends TLS in this process, for operators without a proxy, and forwards requests to the Worker as a trusted proxy does.
 * A renewed certificate is used without a restart.
 */
export async function startTlsFront({ host, port, files, target, log }: FrontOptions): Promise<TlsFront> {
  const agent = new Agent({ keepAlive: true });
  const upgraded = new Set<Duplex>();
  const server = createServer(readTlsFiles(files));
  let isStopping = false;
  server.on("request", (incoming, response) => {
    const { method, url: path } = incoming;
    const outgoing = request({ agent, host: TARGET_HOST, port: target, method, path, headers: forwarded(incoming) });
    outgoing.once("response", (answer) => {
      const headers = answer.rawHeaders.filter((_, i, all) => !HOP_BY_HOP.has(all[i - (i % 2)].toLowerCase()));
      if (isStopping) response.shouldKeepAlive = false;
      // The other side may have gone.
      if (!response.destroyed) response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    outgoing.once("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.once("close", () => response.writableFinished || outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.on("upgrade", (incoming, client, head) => {
    const upstream = connect(target, TARGET_HOST, () => {
      const lines = Object.entries({
        ...forwarded(incoming),
        connection: "Upgrade",
        upgrade: incoming.headers.upgrade,
      });
      upstream.write(
        `GET ${incoming.url} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`,
      );
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const one of [client, upstream]) {
      upgraded.add(one);
      one.once("close", () => {
        upgraded.delete(one);
        client.destroy();
        upstream.destroy();
      });
      one.once("error", () => one.destroy());
    }
  });
  const renew = () => {
    try {
      server.setSecureContext(readTlsFiles(files));
      log("The TLS certificate was renewed.");
    } catch (error) {
      log(`The TLS certificate is still the previous one. ${error instanceof Error ? error.message : error}`);
    }
  };
  for (const path of Object.values(files)) watchFile(path, { interval: WATCH_MS, persistent: false }, renew);
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, host, listening);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async stop(graceMs) {
      for (const path of Object.values(files)) unwatchFile(path, renew);
      const until = Date.now() + graceMs;
      isStopping = true;
      if (await hasConnections(server)) await sleep(Math.min(LEAVE_MS, graceMs));
      const closed = closeAtLull(server, LULL_WITHIN_MS);
      for (const socket of upgraded) socket.destroy();
      const idle = setTimeout(() => server.closeIdleConnections(), IDLE_MS);
      const late = setTimeout(() => server.closeAllConnections(), Math.max(IDLE_MS, until - Date.now()));
      await closed;
      for (const timer of [idle, late]) clearTimeout(timer);
      agent.destroy();
    },
  };
}

const hasConnections = (server: Server) =>
  new Promise<boolean>((counted) => server.getConnections((_, count) => counted(count > 0)));

/** The headers for the Worker: where the request came from is added at the end of what the client claims. */
function forwarded({ headers, socket }: IncomingMessage): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) all[name] = value;
  }
  const before = headers["x-forwarded-for"];
  const peer = (socket as Socket).remoteAddress ?? "";
  all["x-forwarded-for"] = before === undefined ? peer : `${before}, ${peer}`;
  all["x-forwarded-proto"] = "https";
  return all;
}
