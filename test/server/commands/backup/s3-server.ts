import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What the next requests meet: a status, an answer that comes late, one that breaks off half-way, or one that is lost on its way back. */
export type Fault = { status: number; code?: string } | { lateMs: number } | "breaks off" | "is lost";

const quoted = (bytes: Uint8Array) => `"${createHash("md5").update(bytes).digest("hex")}"`;
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=me\/\d{8}\/auto\/s3\/aws4_request, SignedHeaders=.*x-amz-content-sha256.*, Signature=[0-9a-f]{64}$/;

/** As much of S3 as backups and servers speak: objects of one bucket in memory, their list, ranges, conditions, deletion. Each request must be signed. */
export async function startS3(bucket: string) {
  const objects = new Map<string, Buffer>();
  const written: string[] = [];
  const asked: string[] = [];
  const faults: Fault[] = [];
  /** Writes that are answered with 403 from the next so many on. */
  let failAfter = Number.POSITIVE_INFINITY;
  let knowsConditions = true;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method = "" } = request;
    const url = new URL(request.url ?? "", "http://s3");
    const [, name, ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const { authorization = "", range, "x-amz-content-sha256": sha256 } = request.headers;
    const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = request.headers;
    asked.push(`${method} ${key}${range ? ` ${range}` : ""}`);
    const fault = faults.shift();
    const answer = (status: number, text: Buffer | string = "", headers: Record<string, string> = {}) => {
      if (fault === "is lost") return response.destroy();
      const length = { "content-length": String(Buffer.byteLength(text)) };
      response.writeHead(status, { "last-modified": "Mon, 23 Nov 2026 10:00:00 GMT", ...length, ...headers });
      if (fault !== "breaks off") return response.end(method === "HEAD" || status === 304 ? undefined : text);
      response.write(Buffer.from(text).subarray(0, Buffer.byteLength(text) / 2));
      return response.destroy();
    };
    const refuse = (status: number, code: string) => answer(status, `<Error><Code>${code}</Code></Error>`);
    if (fault && typeof fault === "object" && "lateMs" in fault) await sleep(fault.lateMs);
    if (fault && typeof fault === "object" && "status" in fault) return refuse(fault.status, fault.code ?? "SlowDown");
    if (!SIGNED.test(authorization) || sha256 !== createHash("sha256").update(body).digest("hex"))
      return refuse(403, "SignatureDoesNotMatch");
    if (name !== bucket) return refuse(404, "NoSuchBucket");
    const object = objects.get(key);
    const failsCondition =
      knowsConditions &&
      ((ifMatch !== undefined && (!object || quoted(object) !== ifMatch)) ||
        (ifNoneMatch !== undefined && object && (ifNoneMatch === "*" || quoted(object) === ifNoneMatch)));
    if (method === "PUT") {
      if (written.length >= failAfter) return refuse(403, "AccessDenied");
      if (failsCondition) return refuse(412, "PreconditionFailed");
      written.push(key);
      objects.set(key, body);
      return answer(200, "", { etag: quoted(body) });
    }
    if (method === "POST") {
      for (const [, gone] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(gone);
      return answer(200, "<DeleteResult/>");
    }
    if (method === "DELETE") return objects.delete(key) ? answer(204) : answer(204);
    if (key === "") {
      const prefix = url.searchParams.get("prefix") ?? "";
      if (url.searchParams.get("delimiter") === "/") {
        const below = [...objects.keys()]
          .filter((one) => one.startsWith(prefix))
          .map((one) => one.slice(prefix.length));
        const folders = new Set(
          below.filter((one) => one.includes("/")).map((one) => one.slice(0, one.indexOf("/") + 1)),
        );
        const named = [...folders].map((one) => `<CommonPrefixes><Prefix>${prefix}${one}</Prefix></CommonPrefixes>`);
        return answer(200, `<ListBucketResult>${named.join("")}</ListBucketResult>`);
      }
      const after = url.searchParams.get("continuation-token") ?? "";
      const most = Number(url.searchParams.get("max-keys") ?? 1000);
      const found = [...objects].filter(([one]) => one.startsWith(prefix) && one > after).sort();
      const page = found.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, most);
      const rows = page.map(
        ([one, bytes]) =>
          `<Contents><Key>${one}</Key><Size>${bytes.length}</Size><ETag>${quoted(bytes)}</ETag><LastModified>2026-11-23T10:00:00.000Z</LastModified></Contents>`,
      );
      const next = found.length > most ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : "";
      return answer(200, `<ListBucketResult>${rows.join("")}${next}</ListBucketResult>`);
    }
    if (!object) return refuse(404, "NoSuchKey");
    const etag = { etag: quoted(object) };
    if (failsCondition) return ifMatch !== undefined ? refuse(412, "PreconditionFailed") : answer(304, "", etag);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (from === undefined) return answer(200, object, etag);
    if (Number(from) >= object.length) return refuse(416, "InvalidRange");
    const part = object.subarray(Number(from), Number(to) + 1);
    const held = `bytes ${from}-${Number(from) + part.length - 1}/${object.length}`;
    return answer(206, part, { ...etag, "content-range": held });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    objects,
    written,
    /** "GET live.json bytes=0-99" */
    asked,
    /** Met by the next requests, one each. */
    faults,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failAfterWrites(count: number) {
      failAfter = written.length + count;
    },
    forgetConditions() {
      knowsConditions = false;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((stopped) => server.close(stopped));
    },
  };
}
