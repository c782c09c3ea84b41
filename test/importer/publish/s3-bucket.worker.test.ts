import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FileRange } from "../../../src/importer/common/file-range.ts";
import { ImportError } from "../../../src/importer/common/import-error.ts";
import type { Bucket, BucketObject } from "../../../src/importer/publish/bucket.ts";
import { openS3Bucket, type S3BucketOptions } from "../../../src/importer/publish/s3-bucket.ts";
import { S3Objects } from "../../../src/worker/storage/s3-objects.ts";
import { readXml, textIn, within } from "../../../src/worker/storage/s3-xml.ts";

const ignore = () => undefined;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "s3-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Bytes as a part of a larger file. */
async function fileOf(bytes: Uint8Array): Promise<FileRange> {
  const path = join(folder, "pack");
  await writeFile(path, Buffer.concat([Buffer.from("before"), bytes, Buffer.from("behind")]));
  return { path, offset: 6, length: bytes.length };
}

async function* objects(prefix: string, count: number, size = 50): AsyncGenerator<BucketObject> {
  for (let i = 0; i < count; i++) yield { key: `${prefix}${i}`, bytes: Buffer.from(`${i}`.padEnd(size, ".")) };
}

describe("what a service answers", () => {
  it("is read with everything XML may write in another way", () => {
    const list = readXml(`<?xml version="1.0" encoding="UTF-8"?>
      <!-- a page --><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Contents><Key>a &amp; b/&#x63;.pmtiles</Key><ETag>&quot;e&#34;</ETag><Size>7</Size></Contents>
        <Contents><Size>8</Size><Key><![CDATA[<d>]]></Key></Contents><Contents/>
      </ListBucketResult>`);
    const contents = within(list, "Contents");
    expect(contents.map((one) => [textIn(one, "Key"), textIn(one, "Size"), textIn(one, "ETag")])).toEqual([
      ["a & b/c.pmtiles", "7", '"e"'],
      ["<d>", "8", ""],
      ["", "", ""],
    ]);
    expect(textIn(list, "NextContinuationToken")).toBe("");
  });

  it.each(["not XML", "<a><b></a>", "<a>&html;</a>", ""])("that is %j is a sentence, or has nothing in it", (text) => {
    let found: unknown;
    try {
      found = within(readXml(text), "Contents");
    } catch (error) {
      found = error;
    }
    if (text === "") expect(found).toEqual([]);
    else expect(found).toBeInstanceOf(Error);
  });
});

describe("a bucket behind R2's S3 interface, as Miniflare emulates it", () => {
  let miniflare: Miniflare;
  let settings: S3BucketOptions;
  let bucket: Bucket;
  beforeAll(async () => {
    miniflare = new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: "export default { fetch: () => new Response() };",
        compatibilityDate: "2026-10-23",
        r2Buckets: { BUCKET: { id: "geodata", s3Credentials: { accessKeyId: "me", secretAccessKey: "secret" } } },
        cf: false,
      }),
    );
    const url = await miniflare.ready;
    settings = {
      endpoint: `${url.origin}/cdn-cgi/local/r2/s3`,
      bucket: "geodata",
      region: "auto",
      accessKeyId: "me",
      secretAccessKey: "secret",
      partSize: 5 * 1024 * 1024,
      pageSize: 25,
      patience: { pause: 1 },
    };
    bucket = openS3Bucket(settings);
  });
  afterAll(() => miniflare?.dispose());

  it("takes many objects, and lists them page by page", async () => {
    let bytes = 0;
    await bucket.putMany(objects("builds/a/places/", 60), (size) => {
      bytes += size;
    });
    expect(bytes).toBe(60 * 50);
    const there = await bucket.list("builds/a/");
    expect(there.size).toBe(60);
    expect(there.get("builds/a/places/59")).toBe(50);
    expect(Buffer.from((await bucket.get("builds/a/places/7"))?.bytes ?? []).toString()).toBe("7".padEnd(50, "."));
    expect(await bucket.get("builds/a/places/60")).toBeUndefined();
  });

  it("names its folders", async () => {
    await bucket.putMany(objects("builds/b/", 2), ignore);
    expect(await bucket.folders("builds/")).toEqual(["a", "b"]);
  });

  it("writes only if nobody else wrote meanwhile", async () => {
    expect(await bucket.put("live.json", Buffer.from("1"), null)).toBe(true);
    expect(await bucket.put("live.json", Buffer.from("2"), null)).toBe(false);
    const { etag } = (await bucket.get("live.json")) ?? { etag: "" };
    expect(await bucket.put("live.json", Buffer.from("3"), etag)).toBe(true);
    expect(await bucket.put("live.json", Buffer.from("4"), etag)).toBe(false);
    expect(Buffer.from((await bucket.get("live.json"))?.bytes ?? []).toString()).toBe("3");
  });

  it("takes a large object in parts", async () => {
    const bytes = Buffer.alloc(12 * 1024 * 1024, "graticule");
    let told = 0;
    await bucket.putFile("builds/a/basemap.pmtiles", await fileOf(bytes), (size) => {
      told += size;
    });
    expect(told).toBe(bytes.length);
    const stored = await bucket.get("builds/a/basemap.pmtiles");
    expect(Buffer.compare(bytes, stored?.bytes ?? new Uint8Array())).toBe(0);
    const pieces: Uint8Array[] = [];
    for await (const piece of (await bucket.read("builds/a/basemap.pmtiles")) ?? []) pieces.push(piece);
    expect(pieces.length).toBe(2);
    expect(Buffer.compare(bytes, Buffer.concat(pieces))).toBe(0);
    expect(await bucket.read("builds/a/none")).toBeUndefined();
  });

  it("is read and written by the Worker of npm start, too, whose signatures hold", async () => {
    const own = new S3Objects(settings);
    const { etag = "" } = (await own.put("custom/3/icons/a b+ü", "0123456789")) ?? {};
    const part = await own.get("custom/3/icons/a b+ü", { range: { offset: 2, length: 3 } });
    expect(part && "text" in part && (await part.text())).toBe("234");
    expect([part?.size, part?.etag]).toEqual([10, etag]);
    const known = await own.get("custom/3/icons/a b+ü", { onlyIf: { etagDoesNotMatch: etag } });
    expect(known && "text" in known).toBe(false);
    expect(await own.put("custom/3/icons/a b+ü", "x", { onlyIf: { etagMatches: "other" } })).toBeNull();
    expect((await own.list({ prefix: "custom/", limit: 5 })).objects).toMatchObject([{ size: 10, etag }]);
    await own.delete("custom/3/icons/a b+ü");
    expect(await own.head("custom/3/icons/a b+ü")).toBeNull();
    await expect(new S3Objects({ ...settings, secretAccessKey: "wrong" }).get("any")).rejects.toThrow(/rejects these/);
  });

  it("forgets what is deleted", async () => {
    await bucket.delete([...(await bucket.list("builds/")).keys()]);
    expect((await bucket.list("builds/")).size).toBe(0);
  });

  it("that refuses the credentials, or is not there, is a sentence", async () => {
    await expect(openS3Bucket({ ...settings, secretAccessKey: "wrong" }).get("live.json")).rejects.toThrow(
      /rejects these credentials/,
    );
    await expect(openS3Bucket({ ...settings, endpoint: "http://127.0.0.1:1" }).get("live.json")).rejects.toThrow(
      ImportError,
    );
  });
});

describe("a service that is not S3", () => {
  it("ends the command with a sentence, in a list as in an object that is read in pieces", async () => {
    const server = createServer((_, response) => response.end("<html>Welcome"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const keys = { accessKeyId: "me", secretAccessKey: "secret" };
    const bucket = openS3Bucket({ endpoint, bucket: "geodata", region: "auto", ...keys });
    const failures = await Promise.allSettled([bucket.list("builds/"), bucket.read("live.json")]);
    server.close();
    expect(failures).toMatchObject([
      { reason: { name: "ImportError", message: expect.stringMatching(/not XML/) } },
      { reason: { name: "ImportError", message: expect.stringMatching(/does not support range requests/) } },
    ]);
  });
});

describe("an upload that is interrupted", () => {
  const PART = 1000;
  let server: Server;
  let service: PartsService;
  let bucket: Bucket;
  let settings: S3BucketOptions;
  beforeAll(async () => {
    service = new PartsService();
    server = createServer((request, response) => void service.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    settings = {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: "geodata",
      region: "auto",
      accessKeyId: "me",
      secretAccessKey: "secret",
      partSize: PART,
      patience: { pause: 1 },
    };
    bucket = openS3Bucket(settings);
  });
  afterAll(() => server.close());
  afterEach(() => service.reset());

  const large = Buffer.from(Array.from({ length: 9500 }, (_, i) => i % 251));
  const send = async () => {
    let told = 0;
    await bucket.putFile("large", await fileOf(large), (size) => {
      told += size;
    });
    expect(told).toBe(large.length);
  };

  it("sends only the parts that are missing when it is taken up again", async () => {
    service.failAfterParts = 6;
    await expect(send()).rejects.toThrow(/Run the command again/);
    const before = service.stored;
    expect(before).toBeGreaterThan(2);
    service.failAfterParts = Number.POSITIVE_INFINITY;
    service.received = 0;
    await send();
    expect(service.received).toBe(10 - before);
    expect(Buffer.compare(service.completed, large)).toBe(0);
  });

  it("gets over a service that stumbles", async () => {
    service.stumbles = 3;
    await send();
    expect(Buffer.compare(service.completed, large)).toBe(0);
  });

  it("sends a part a third time when it failed twice, and the others once", async () => {
    service.failures.set(4, 2);
    await send();
    expect(service.attempts.get(4)).toBe(3);
    expect([...service.attempts.values()].filter((attempts) => attempts === 1)).toHaveLength(9);
    expect(Buffer.compare(service.completed, large)).toBe(0);
  });

  it("reads what is there page by page when it is taken up again", async () => {
    service.pageSize = 3;
    service.failAfterParts = 8;
    await expect(send()).rejects.toThrow(/Run the command again/);
    const before = service.stored;
    Object.assign(service, { failAfterParts: Number.POSITIVE_INFINITY, received: 0 });
    await send();
    expect(service.received).toBe(10 - before);
    expect(Buffer.compare(service.completed, large)).toBe(0);
  });

  it("sends again the part that is not what the file has now", async () => {
    service.failAfterParts = 6;
    await expect(send()).rejects.toThrow(/Run the command again/);
    const [[number]] = service.parts;
    service.parts.set(number, Buffer.from("another build"));
    const whole = service.stored - 1;
    Object.assign(service, { failAfterParts: Number.POSITIVE_INFINITY, received: 0 });
    await send();
    expect(service.received).toBe(10 - whole);
    expect(Buffer.compare(service.completed, large)).toBe(0);
  });

  it("begins anew when the service has thrown the parts away meanwhile", async () => {
    service.failAfterParts = 6;
    await expect(send()).rejects.toThrow(/Run the command again/);
    service.reset();
    service.ghost = true;
    await send();
    expect(service.received).toBe(10);
    expect(Buffer.compare(service.completed, large)).toBe(0);
  });

  it("is whole when only the answer to its end was lost", async () => {
    service.losesTheEnd = true;
    await send();
    expect(Buffer.compare(service.completed, large)).toBe(0);
  });

  it("of more parts than a service takes has larger ones", async () => {
    const few = openS3Bucket({ ...settings, partSize: 1, mostParts: 12 });
    const bytes = Buffer.alloc(25_000, "ab");
    await few.putFile("large", await fileOf(bytes), ignore);
    expect(service.stored).toBe(Math.ceil(25_000 / Math.ceil(25_000 / 12)));
    expect(Buffer.compare(service.completed, bytes)).toBe(0);
  });
});

/** The multipart half of S3 for one upload, in memory. */
class PartsService {
  parts = new Map<number, Buffer>();
  begun = false;
  completed: Buffer = Buffer.alloc(0);
  received = 0;
  failAfterParts = Number.POSITIVE_INFINITY;
  stumbles = 0;
  pageSize = 1000;
  /** How often a part is refused, and how often each was sent. */
  failures = new Map<number, number>();
  attempts = new Map<number, number>();
  /** It still lists an upload that it has thrown away. */
  ghost = false;
  losesTheEnd = false;

  get stored(): number {
    return this.parts.size;
  }

  reset(): void {
    Object.assign(this, new PartsService());
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? "/", "http://x");
    const number = Number(url.searchParams.get("partNumber"));
    if (this.stumbles > 0) {
      this.stumbles--;
      response.writeHead(503).end();
    } else if (request.method === "PUT" && number > 0) {
      this.attempts.set(number, (this.attempts.get(number) ?? 0) + 1);
      const failures = this.failures.get(number) ?? 0;
      this.failures.set(number, failures - 1);
      if (this.ghost) return void response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
      if (failures > 0 || this.parts.size >= this.failAfterParts) return void response.writeHead(500).end();
      this.parts.set(number, body);
      this.received++;
      response.writeHead(200, { etag: etagOf(body) }).end();
    } else if (request.method === "GET" && url.searchParams.has("uploads")) {
      response.end(
        this.begun || this.ghost ? "<R><Upload><Key>large</Key><UploadId>u1</UploadId></Upload></R>" : "<R></R>",
      );
    } else if (request.method === "GET" && url.searchParams.has("uploadId")) {
      const from = Number(url.searchParams.get("part-number-marker") ?? 0);
      const rest = [...this.parts].sort(([a], [b]) => a - b).filter(([one]) => one > from);
      const page = rest.slice(0, this.pageSize);
      const more =
        rest.length > page.length &&
        `<IsTruncated>true</IsTruncated><NextPartNumberMarker>${page[page.length - 1][0]}</NextPartNumberMarker>`;
      const parts = page.map(
        ([partNumber, part]) =>
          `<Part><PartNumber>${partNumber}</PartNumber><ETag>${etagOf(part).replaceAll('"', "&quot;")}</ETag></Part>`,
      );
      response.end(`<R>${parts.join("")}${more || "<IsTruncated>false</IsTruncated>"}</R>`);
    } else if (request.method === "POST" && url.searchParams.has("uploads")) {
      this.begun = true;
      this.ghost = false;
      response.end("<R><UploadId>u1</UploadId></R>");
    } else if (request.method === "GET" && url.searchParams.has("list-type")) {
      response.end(`<R><Contents><Key>large</Key><Size>${this.completed.length}</Size></Contents></R>`);
    } else if (request.method === "POST" && this.completed.length > 0) {
      response.writeHead(404).end("<Error><Code>NoSuchUpload</Code></Error>");
    } else if (request.method === "POST" && url.searchParams.get("uploadId") === "u1") {
      const order = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
      const parts = order.map(([, part, etag]) => {
        const bytes = this.parts.get(Number(part));
        if (!bytes || etagOf(bytes) !== etag) throw new Error(`part ${part} is not what ${etag} says`);
        return bytes;
      });
      this.completed = Buffer.concat(parts);
      if (this.losesTheEnd) return void response.destroy();
      response.end("<R></R>");
    } else response.writeHead(400).end();
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}
