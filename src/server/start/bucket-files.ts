import { once } from "node:events";
import { close, existsSync, open, read } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { type LocalObject, localBucketPath, openLocalReader } from "../../importer/publish/local-bucket.ts";

const [opened, readAt, closed] = [promisify(open), promisify(read), promisify(close)];

/** How often an object is looked up that others replace at the same time. */
const TRIES = 5;

type Find = (key: string) => LocalObject | undefined;

/**
 * Reads the buckets of a state for helper processes: of two workerds that open the same SQLite file, either can get SQLITE_BUSY, for which
 * workerd does not wait. `GET /BINDING/KEY`, with a range or the ETag that the caller has; takes half of the CPU time of Miniflare's R2.
 * @param buckets the names of buckets by binding
 * @returns its address; it ends with this process
 */
export async function serveBucketFiles(
  state: string,
  buckets: Record<string, string>,
  secret: string,
): Promise<string> {
  const readers = new Map<string, Find>();
  /** Of a bucket that a binding names; undefined before there is its file. */
  const readerOf = (binding: string): Find | undefined => {
    const name = buckets[binding];
    if (!readers.has(binding) && name !== undefined && existsSync(localBucketPath(state, name)))
      readers.set(binding, openLocalReader(state, name));
    return readers.get(binding);
  };
  const server = createServer((request, response) => {
    if (request.headers.authorization !== secret) return void response.writeHead(403).end();
    const [, binding, key] = (request.url ?? "").split("/");
    answer(request, response, () => readerOf(binding)?.(decodeURIComponent(key))).catch((error: Error) => {
      if (response.headersSent) return response.destroy();
      response.writeHead(500).end(error.message);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  find: () => LocalObject | undefined,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const object = find();
    if (!object) return void response.writeHead(404).end();
    const told = { etag: object.etag, "last-modified": new Date(object.uploaded).toUTCString() };
    if (headers["if-none-match"] === object.etag) return void response.writeHead(304, told).end();
    if (method === "HEAD") return void response.writeHead(200, { ...told, "content-length": object.size }).end();
    const [, from = 0, to = object.size - 1] = (/^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? []).map(Number);
    if (headers.range && from >= object.size) return void response.writeHead(416).end();
    try {
      const bytes = await bytesOf(object.path, from, Math.min(to + 1, object.size) - from);
      const range = headers.range && { "content-range": `bytes ${from}-${to}/${object.size}` };
      return void response
        .writeHead(range ? 206 : 200, { ...told, "content-length": bytes.length, ...range })
        .end(bytes);
    } catch (error) {
      // Another has replaced it since the row was read.
      if (tries === TRIES || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

async function bytesOf(path: string, from: number, length: number): Promise<Buffer> {
  const file = await opened(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const { bytesRead } = await readAt(file, bytes, at, length - at, from + at);
      if (bytesRead === 0) throw new Error("the file is cut short");
      at += bytesRead;
    }
    return bytes;
  } finally {
    await closed(file);
  }
}
