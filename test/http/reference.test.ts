import { get as httpGet, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, inject, it } from "vitest";

/** As it comes over the wire, without a client that unpacks. */
function raw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    httpGet(`${inject("baseUrl")}${path}`, { headers }, async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) });
    }).on("error", reject);
  });
}

describe.each([
  ["/openapi.json", "application/json; charset=utf-8", '"openapi":"3.1.0"'],
  ["/docs", "text/html; charset=utf-8", "<title>Graticule API reference</title>"],
])("%s", (path, type, text) => {
  it("comes packed to who can unpack it, and plain to others; both are the same", async () => {
    const packed = await raw(path, { "accept-encoding": "deflate, gzip" });
    const plain = await raw(path, { "accept-encoding": "identity" });
    expect([packed.status, packed.headers["content-encoding"]]).toEqual([200, "gzip"]);
    expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined]);
    for (const { headers } of [packed, plain]) {
      expect(headers["content-type"]).toBe(type);
      expect(headers["cache-control"]).toMatch(/^public, max-age=\d+$/);
      expect(headers.vary).toBe("Accept-Encoding");
    }
    expect(packed.bytes.length).toBeLessThan(130_000);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(plain.bytes.toString()).toContain(text);
  });

  it("is not sent again to who has it", async () => {
    const { headers } = await raw(path);
    const etag = String(headers.etag);
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await raw(path, { "if-none-match": known });
      expect([again.status, again.headers.etag, again.bytes.length]).toEqual([304, etag, 0]);
    }
    expect((await raw(path, { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("is given to one address twenty times a second", async () => {
    const { headers } = await raw(path);
    const known = { "if-none-match": String(headers.etag), "x-forwarded-for": `203.0.113.${path.length}` };
    const answers = await Promise.all(Array.from({ length: 150 }, () => raw(path, known)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([304, 429]));
  });
});
