import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** As much of S3 as a backup speaks: objects of one bucket in memory, their list, ranges, deletion of many. Each request must be signed. */
export async function startS3(bucket: string) {
  const objects = new Map<string, Buffer>();
  const written: string[] = [];
  /** Writes that are answered with 403 from the next so many on. */
  let failAfter = Number.POSITIVE_INFINITY;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const url = new URL(request.url ?? "", "http://s3");
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
    const { authorization = "", range, "x-amz-content-sha256": sha256 } = request.headers;
    const isSigned =
      /^AWS4-HMAC-SHA256 Credential=me\/\d{8}\/auto\/s3\/aws4_request, SignedHeaders=.*x-amz-content-sha256.*, Signature=[0-9a-f]{64}$/.test(
        authorization,
      );
    const answer = (status: number, text: Buffer | string = "") => response.writeHead(status).end(text);
    if (!isSigned || sha256 !== createHash("sha256").update(body).digest("hex")) return answer(403);
    if (request.method === "PUT") {
      if (written.length >= failAfter) return answer(403);
      written.push(key);
      objects.set(key, body);
      return answer(200);
    }
    if (request.method === "POST") {
      for (const [, gone] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(gone);
      return answer(200, "<DeleteResult/>");
    }
    if (key === "") {
      const prefix = url.searchParams.get("prefix") ?? "";
      const found = [...objects].filter(([name]) => name.startsWith(prefix));
      const rows = found.map(([name, bytes]) => `<Contents><Key>${name}</Key><Size>${bytes.length}</Size></Contents>`);
      return answer(200, `<ListBucketResult>${rows.join("")}</ListBucketResult>`);
    }
    const object = objects.get(key);
    if (!object) return answer(404);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (from === undefined) return answer(200, object);
    return Number(from) >= object.length ? answer(416) : answer(206, object.subarray(Number(from), Number(to) + 1));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    objects,
    written,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failAfterWrites(count: number) {
      failAfter = written.length + count;
    },
    stop: () => new Promise((stopped) => server.close(stopped)),
  };
}
