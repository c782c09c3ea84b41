import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import { systemReason } from "../../../importer/common/system-reason.ts";
import { CommandError } from "../../base/command.ts";
import { isLoopback } from "../../dev/dev-server.ts";
import { forwardedOf, HOP_BY_HOP, isRefusal, METHOD_REFUSAL } from "./arrived.ts";
import { closeAtLull } from "./close-at-lull.ts";
import { type Refusal, refusal, refuseOn } from "./refusal.ts";
import { passUpgrade } from "./upgrade.ts";

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
  /** What proves to the Worker that a request comes from here (src/worker/platform/front.ts). */
  secret: string;
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
/** Longest request line and headers [bytes]. */
const MAX_HEADERS = 128 * 1024;
/** A year, as in src/worker/http/serve/security-headers.ts. */
const HSTS = ["strict-transport-security", "max-age=31536000"] as const;

/** Reads the files. @throws CommandError with a fix if they are not a certificate and its key */
export function readTlsFiles({ cert, key }: TlsFiles): { cert: Buffer; key: Buffer } {
  const read = (option: string, path: string) => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new CommandError(`${option}: ${path} cannot be read: ${systemReason(error)}.`);
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
 * Ends TLS in this process, for operators without a proxy, and forwards requests to the Worker, with a proof of where they came from.
 * A renewed certificate is used without a restart.
 */
export async function startTlsFront({ host, port, files, target, secret, log }: FrontOptions): Promise<TlsFront> {
  const agent = new Agent({ keepAlive: true });
  /** Connections that Node's server no longer knows. */
  const taken = new Set<Duplex>();
  const take = (one: Duplex) => {
    taken.add(one);
    one.once("close", () => taken.delete(one));
  };
  const server = createServer({ ...readTlsFiles(files), maxHeaderSize: MAX_HEADERS, insecureHTTPParser: false });
  const open = new Set<ServerResponse>();
  let isStopping = false;
  const to = { host: TARGET_HOST, port: target };
  server.on("request", (incoming, response) => {
    open.add(response);
    response.once("close", () => open.delete(response));
    const forwarded = forwardedOf(incoming, secret);
    if (isRefusal(forwarded)) return refuse(response, forwarded);
    const outgoing = request({ ...to, agent, ...forwarded });
    outgoing.once("response", (answer) => {
      if (isStopping) response.shouldKeepAlive = false;
      // The other side may have gone.
      if (!response.destroyed) response.writeHead(answer.statusCode ?? 502, [...headersOf(answer), ...hsts(incoming)]);
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    outgoing.once("error", () => {
      if (response.headersSent) response.destroy();
      else refuse(response, refusal(502, "The server is not available. Try again."));
    });
    response.once("close", () => response.writableFinished || outgoing.destroy());
    incoming.pipe(outgoing);
  });
  server.on("upgrade", (incoming, client, head) => {
    take(client);
    const forwarded = forwardedOf(incoming, secret);
    if (isRefusal(forwarded)) return refuseOn(client, forwarded);
    passUpgrade({ incoming, client, head, forwarded, to, more: hsts(incoming), onUpgraded: take });
  });
  server.on("connect", (_, client) => {
    take(client);
    refuseOn(client, refusal(...METHOD_REFUSAL));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, client) => {
    take(client);
    // In the middle of another response it would become a part of that.
    const isBusy = [...open].some(({ req }) => req.socket === client);
    if (isBusy || !client.writable || error.code === "ECONNRESET") client.destroy();
    else refuseOn(client, unreadable(error.code));
  });
  const unwatch = watchFiles(server, files, log);
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, host, listening);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async stop(graceMs) {
      unwatch();
      isStopping = true;
      await stopServer(server, taken, graceMs);
      agent.destroy();
    },
  };
}

/** Uses renewed files. @returns a function that ends this */
function watchFiles(server: Server, files: TlsFiles, log: FrontOptions["log"]): () => void {
  const renew = () => {
    try {
      server.setSecureContext(readTlsFiles(files));
      log("The TLS certificate was renewed.");
    } catch (error) {
      log(`The TLS certificate is still the previous one. ${error instanceof Error ? error.message : error}`);
    }
  };
  for (const path of Object.values(files)) watchFile(path, { interval: WATCH_MS, persistent: false }, renew);
  return () => {
    for (const path of Object.values(files)) unwatchFile(path, renew);
  };
}

async function stopServer(server: Server, taken: ReadonlySet<Duplex>, graceMs: number): Promise<void> {
  const until = Date.now() + graceMs;
  if (await hasConnections(server)) await sleep(Math.min(LEAVE_MS, graceMs));
  const closed = closeAtLull(server, LULL_WITHIN_MS);
  for (const socket of taken) socket.destroy();
  const idle = setTimeout(() => server.closeIdleConnections(), IDLE_MS);
  const late = setTimeout(() => server.closeAllConnections(), Math.max(IDLE_MS, until - Date.now()));
  await closed;
  for (const timer of [idle, late]) clearTimeout(timer);
}

const hasConnections = (server: Server) =>
  new Promise<boolean>((counted) => server.getConnections((_, count) => counted(count > 0)));

function refuse(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, headers).end(body);
  // Its body may be on the way: closing a connection with unread bytes would reset it before the response is read.
  response.req.resume();
}

/** The response to bytes that are no request. */
function unreadable(code: string | undefined): Refusal {
  if (code === "HPE_HEADER_OVERFLOW")
    return refusal(431, `Request headers too large. At most ${MAX_HEADERS} bytes with the URL.`);
  if (code === "HPE_INVALID_METHOD") return refusal(...METHOD_REFUSAL);
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refusal(408, "The request did not arrive in time.");
  return refusal(400, "The request is not HTTP.");
}

const headersOf = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((_, i, all) => !HOP_BY_HOP.has(all[i - (i % 2)].toLowerCase()) && !isHsts(all[i - (i % 2)]));

const isHsts = (name: string) => name.toLowerCase() === HSTS[0];

/** Browsers use nothing but https for this host from now on; not for this machine, whose other servers may have only http. */
function hsts({ headers: { host = "" } }: IncomingMessage): readonly string[] {
  const name = host.replace(/:\d+$/, "").replace(/[[\]]/g, "");
  return isLoopback(name) ? [] : HSTS;
}
