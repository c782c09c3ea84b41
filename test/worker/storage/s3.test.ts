import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { S3Objects, type StoredBytes, type StoredHead } from "../../../src/worker/storage/s3-objects.ts";
import { StorageError } from "../../../src/worker/storage/s3-requests.ts";
import { readXml, textIn, within } from "../../../src/worker/storage/s3-xml.ts";

/** Without its types, which are those of Workers. */
const { withStorage } = (await import(
  new URL("../../../src/worker/storage/with-storage.ts", import.meta.url).href
)) as {
  withStorage(env: object): { GEODATA: unknown };
};

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A request as the service gets it. */
interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: Uint8Array;
}

type Reply = Response | Error;

/** A bucket whose service sends these responses, one to each request, and the requests that it got. */
function bucketAnswering(...replies: Reply[]): { bucket: S3Objects; sent: Sent[] } {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const { method, url, headers } = request;
    sent.push({ method, url: new URL(url), headers, body: new Uint8Array(await request.arrayBuffer()) });
    const reply = replies[sent.length - 1];
    if (!reply) throw new Error(`Nothing is expected to send request ${sent.length}.`);
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const settings = {
    endpoint: "https://s3.example.com",
    bucket: "maps",
    region: "eu-central-1",
    accessKeyId: "AKID",
    secretAccessKey: "secret",
  };
  return { bucket: new S3Objects(settings, { patience: 5000, pause: 0 }), sent };
}

const ok = (body = "", headers: Record<string, string> = {}) => new Response(body, { headers });
const status = (code: number, body?: string) => new Response(body ?? null, { status: code });
const error = (code: number, name: string) => status(code, `<Error><Code>${name}</Code></Error>`);

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const LIST = (objects: string, more = "") => `<ListBucketResult>${objects}${more}</ListBucketResult>`;

describe("a request to the bucket", () => {
  it("is signed for the region and the service, with the SHA-256 of its body", async () => {
    const { bucket, sent } = bucketAnswering(ok(), ok());
    await bucket.put("a.json", "{}");
    await bucket.get("a.json");
    const [put, get] = sent;
    expect(put.headers.get("authorization")).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=.*x-amz-content-sha256.*, Signature=[0-9a-f]{64}$/,
    );
    expect(put.headers.get("x-amz-content-sha256")).toBe(sha256("{}"));
    expect(get.headers.get("x-amz-content-sha256")).toBe(sha256(""));
    expect(new TextDecoder().decode(put.body)).toBe("{}");
  });

  it("names the bucket and the key in its path; slashes stay, all else is escaped", async () => {
    const { bucket, sent } = bucketAnswering(status(404), ok(LIST("")));
    await bucket.get("builds/a b/ü+?#.json");
    await bucket.list();
    expect(sent.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      "GET /maps/builds/a%20b/%C3%BC%2B%3F%23.json",
      "GET /maps",
    ]);
    expect(sent[0].url.search).toBe("");
  });

  it("follows no redirect and ends after its time", async () => {
    const { bucket } = bucketAnswering();
    const inits: RequestInit[] = [];
    const timeout = vi.spyOn(AbortSignal, "timeout");
    vi.stubGlobal("fetch", async (_: Request, init: RequestInit) => {
      inits.push(init);
      return status(404);
    });
    await bucket.get("a");
    expect(inits).toMatchObject([{ redirect: "manual", signal: expect.any(AbortSignal) }]);
    expect(timeout.mock.calls).toEqual([[5000]]);
    timeout.mockRestore();
  });
});

describe("an object is read", () => {
  const HEADERS = { etag: '"e1"', "last-modified": "Wed, 01 Jul 2026 12:00:00 GMT" };
  const head = { key: "a", etag: "e1", size: 10, uploaded: new Date("2026-07-01T12:00:00Z") };

  it("with its bytes, its size and its time", async () => {
    const { bucket } = bucketAnswering(ok('{"a":"ü"}', HEADERS));
    const found = (await bucket.get("a")) as StoredBytes;
    expect(found).toMatchObject(head);
    expect(await found.text()).toBe('{"a":"ü"}');
    expect(await found.json()).toEqual({ a: "ü" });
    expect(new TextDecoder().decode(await found.arrayBuffer())).toBe('{"a":"ü"}');
  });

  it("or a range of it: both ends count, and the size is that of the whole object", async () => {
    const part = new Response("234", { status: 206, headers: { ...HEADERS, "content-range": "bytes 2-4/10" } });
    const { bucket, sent } = bucketAnswering(part);
    const found = (await bucket.get("a", { range: { offset: 2, length: 3 } })) as StoredBytes;
    expect(sent[0].headers.get("range")).toBe("bytes=2-4");
    expect(found).toMatchObject(head);
    expect(await found.text()).toBe("234");
  });

  it("a service without ranges is an error, unless the object is no longer than the range", async () => {
    const { bucket } = bucketAnswering(ok("0123"), ok("012"), new Response("0123", { status: 206 }));
    const range = { offset: 0, length: 3 };
    await expect(bucket.get("a", { range })).rejects.toThrow(/range requests/);
    expect(await ((await bucket.get("a", { range })) as StoredBytes).text()).toBe("012");
    expect(await ((await bucket.get("a", { range })) as StoredBytes).text()).toBe("0123");
  });

  it("a range that begins after the end is an error", async () => {
    const { bucket } = bucketAnswering(status(416));
    await expect(bucket.get("a", { range: { offset: 99, length: 1 } })).rejects.toThrow(StorageError);
  });

  it("null where there is none, by GET and by HEAD", async () => {
    const { bucket, sent } = bucketAnswering(status(404), status(404));
    expect([await bucket.get("a"), await bucket.head("a")]).toEqual([null, null]);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "HEAD"]);
  });

  it("only if it is, or is not, the one that is known: else without its bytes", async () => {
    const { bucket, sent } = bucketAnswering(
      new Response(null, { status: 304, headers: HEADERS }),
      new Response(null, { status: 412, headers: HEADERS }),
    );
    const same = await bucket.get("a", { onlyIf: { etagDoesNotMatch: "e1" } });
    const other = await bucket.get("a", { onlyIf: { etagMatches: "e2" } });
    expect(sent.map(({ headers }) => [headers.get("if-none-match"), headers.get("if-match")])).toEqual([
      ['"e1"', null],
      [null, '"e2"'],
    ]);
    for (const found of [same, other]) {
      expect(found).toMatchObject({ key: "a", etag: "e1" });
      expect(found).not.toHaveProperty("text");
    }
  });

  it("its head has the length that the service names, or none; a weak ETag is read as any other", async () => {
    const date = "Thu, 02 Jul 2026 12:00:00 GMT";
    const { bucket, sent } = bucketAnswering(
      ok("", { etag: 'W/"e2"', "content-length": "7", date }),
      new Response("abc", { headers: HEADERS }),
      new Response("abc"),
    );
    expect(await bucket.head("a")).toEqual({ key: "a", etag: "e2", size: 7, uploaded: new Date(date) });
    expect(((await bucket.get("a")) as StoredHead).size).toBe(3);
    expect(await bucket.get("a")).toMatchObject({ etag: "", size: 3, uploaded: expect.any(Date) });
    expect(sent[0].method).toBe("HEAD");
  });
});

describe("an object is written", () => {
  it.each([
    ["text", "ü1", "ü1"],
    ["a buffer", new TextEncoder().encode("ü1").buffer, "ü1"],
    ["part of a buffer", new TextEncoder().encode("xü1x").subarray(1, 4), "ü1"],
  ])("%s", async (_, value, text) => {
    const { bucket, sent } = bucketAnswering(ok("", { etag: '"e1"' }));
    expect(await bucket.put("a", value)).toMatchObject({ key: "a", etag: "e1", size: 3 });
    expect(sent[0].method).toBe("PUT");
    expect(new TextDecoder().decode(sent[0].body)).toBe(text);
    expect([sent[0].headers.get("if-match"), sent[0].headers.get("if-none-match")]).toEqual([null, null]);
  });

  it.each([412, 409])("or not, where its condition does not hold (%i)", async (code) => {
    const { bucket, sent } = bucketAnswering(status(code), status(code));
    expect(await bucket.put("a", "1", { onlyIf: { etagDoesNotMatch: "*" } })).toBeNull();
    expect(await bucket.put("a", "1", { onlyIf: { etagMatches: "e1" } })).toBeNull();
    expect(sent.map(({ headers }) => [headers.get("if-none-match"), headers.get("if-match")])).toEqual([
      ["*", null],
      [null, '"e1"'],
    ]);
  });

  it.each([
    ["it is there", ok("12", { etag: '"e1"' }), { key: "a", etag: "e1" }],
    ["another of its length is there", ok("13"), null],
    ["a longer one is there", ok("123"), null],
    ["a shorter one is there", ok("1"), null],
    ["there is none", status(404), null],
  ])("a condition that fails on a second try, when the first may have written: %s", async (_, there, found) => {
    const { bucket, sent } = bucketAnswering(status(500), status(412), there);
    const put = await bucket.put("a", "12", { onlyIf: { etagDoesNotMatch: "*" } });
    if (found) expect(put).toMatchObject(found);
    else expect(put).toBeNull();
    expect(sent.map(({ method }) => method)).toEqual(["PUT", "PUT", "GET"]);
  });

  it("a 404 to a PUT is an error", async () => {
    const { bucket } = bucketAnswering(status(404), status(416));
    await expect(bucket.put("a", "1")).rejects.toThrow(StorageError);
    await expect(bucket.put("a", "1")).rejects.toThrow(StorageError);
  });
});

describe("objects are deleted and listed", () => {
  it("one or many, each by a request, some at the same time", async () => {
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
    const { bucket, sent } = bucketAnswering(...Array.from({ length: 21 }, () => status(204)));
    await bucket.delete(keys);
    await bucket.delete("one");
    expect(sent.map(({ method, url }) => `${method} ${url.pathname}`).sort()).toEqual(
      [...keys, "one"].map((key) => `DELETE /maps/${key}`).sort(),
    );
  });

  it("at most six deletions are in progress", async () => {
    const all = Array.from({ length: 15 }, (_, i) => `k${i}`);
    const taken: string[] = [];
    const keys = Object.assign([...all], {
      *values() {
        for (const key of all) {
          taken.push(key);
          yield key;
        }
      },
    });
    const { bucket } = bucketAnswering(...all.map(() => status(204)));
    const deleted = bucket.delete(keys as string[]);
    // Each worker takes its first key before anything is sent.
    expect(taken).toEqual(all.slice(0, 6));
    await deleted;
    expect(taken).toEqual(all);
  });

  it("page by page below a prefix", async () => {
    const first = LIST(
      '<Contents><Key>b/1</Key><ETag>"e1"</ETag><Size>5</Size><LastModified>2026-07-01T12:00:00Z</LastModified></Contents>' +
        "<Contents><Key>b/&amp;</Key><ETag>W/&quot;e2&quot;</ETag><Size>0</Size><LastModified>2026-07-02T12:00:00Z</LastModified></Contents>",
      "<NextContinuationToken>t/1=</NextContinuationToken>",
    );
    const { bucket, sent } = bucketAnswering(ok(first), ok(LIST("")));
    expect(await bucket.list({ prefix: "b/", limit: 2 })).toEqual({
      objects: [
        { key: "b/1", etag: "e1", size: 5, uploaded: new Date("2026-07-01T12:00:00Z") },
        { key: "b/&", etag: "e2", size: 0, uploaded: new Date("2026-07-02T12:00:00Z") },
      ],
      truncated: true,
      cursor: "t/1=",
    });
    expect(await bucket.list({ cursor: "t/1=" })).toEqual({ objects: [], truncated: false });
    expect(sent.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
      { "list-type": "2", prefix: "b/", "max-keys": "2" },
      { "list-type": "2", prefix: "", "continuation-token": "t/1=" },
    ]);
  });

  it.each(["not XML", "<a><b></a>", "<a>&html;</a>"])("%j is no list", async (text) => {
    const { bucket } = bucketAnswering(ok(text));
    await expect(bucket.list()).rejects.toThrow(/XML/);
  });

  it("text in CDATA is text", async () => {
    const { bucket } = bucketAnswering(ok(LIST("<Contents><Key>a<![CDATA[<&]]></Key></Contents>")));
    expect((await bucket.list()).objects).toMatchObject([{ key: "a<&", etag: "", size: 0 }]);
  });
});

describe("XML", () => {
  it("is read as elements within elements, each with its text", () => {
    const list = readXml("<a><b>1</b>\n<b>2<c>3</c></b><d/></a>");
    expect(list).toMatchObject({ name: "a", text: "\n" });
    expect(within(list, "b").map(({ text }) => text)).toEqual(["1", "2"]);
    expect([textIn(list, "b"), textIn(list, "d"), textIn(list, "c"), textIn(within(list, "b")[1], "c")]).toEqual([
      ...["1", "", "", "3"],
    ]);
  });

  it("that is nothing has nothing in it", () => {
    expect(readXml("")).toEqual({ name: "", text: "", children: [] });
  });
});

describe("the environment of npm start", () => {
  const S3 = JSON.stringify({
    endpoint: "https://s3.example.com",
    bucket: "maps",
    region: "auto",
    accessKeyId: "AKID",
    secretAccessKey: "secret",
  });
  const bound = { name: "the binding" };

  it("has its binding where no bucket behind S3 is set", () => {
    const env = { GEODATA: bound };
    expect(withStorage(env)).toBe(env);
    expect(withStorage({ ...env, GEODATA_S3: "" }).GEODATA).toBe(bound);
  });

  it("has one bucket behind S3, also where each object has an environment of its own", () => {
    const env = { GEODATA: bound, GEODATA_S3: S3, TOKEN: "t" };
    const own = withStorage(env);
    expect(own).toMatchObject({ GEODATA_S3: S3, TOKEN: "t" });
    expect(own.GEODATA).toBeInstanceOf(S3Objects);
    expect(withStorage(env)).toBe(own);
    const another = withStorage({ ...env });
    expect(another).not.toBe(own);
    expect(another.GEODATA).toBe(own.GEODATA);
    expect(env.GEODATA).toBe(bound);
    const other = withStorage({ ...env, GEODATA_S3: S3.replace("maps", "tiles") });
    expect(other.GEODATA).not.toBe(own.GEODATA);
  });
});

describe("a service that fails", () => {
  const passing = [408, 429, 500, 502, 503, 504];

  it.each(passing)("with %i is asked again", async (code) => {
    const { bucket, sent } = bucketAnswering(status(code), status(code), ok("there"));
    expect(await ((await bucket.get("a")) as StoredBytes).text()).toBe("there");
    expect(sent.length).toBe(3);
  });

  it("three times is an error that names the bucket, its host and the reason", async () => {
    const { bucket, sent } = bucketAnswering(status(503), status(500), status(503), ok());
    await expect(bucket.get("a")).rejects.toThrow(/maps at s3\.example\.com .*503.* 3 times/);
    expect(sent.length).toBe(3);
  });

  it.each([
    ["a network error", new Error("reset"), /reset/],
    [
      "the cause of a network error",
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" }),
      }),
      /does not respond \(nothing listens there\)/,
    ],
    ["a time limit", new DOMException("aborted", "TimeoutError"), /5 s/],
  ])("by %s is asked again, and the reason is named", async (_, failure, reason) => {
    const { bucket } = bucketAnswering(failure, ok("there"));
    expect(await ((await bucket.get("a")) as StoredBytes).text()).toBe("there");
    await expect(bucketAnswering(failure, failure, failure).bucket.get("a")).rejects.toThrow(reason);
  });

  it("waits before the second try, and four times as long before the third", async () => {
    const pauses: number[] = [];
    vi.stubGlobal("setTimeout", (wake: () => void, ms: number) => {
      pauses.push(ms);
      queueMicrotask(wake);
    });
    vi.stubGlobal("fetch", async () => status(503));
    const settings = { ...{ endpoint: "https://s3.example.com", bucket: "maps", region: "auto" } };
    const bucket = new S3Objects({ ...settings, accessKeyId: "a", secretAccessKey: "s" });
    await expect(bucket.get("a")).rejects.toThrow(StorageError);
    expect(pauses).toEqual([100, 400]);
  });

  it("sends less than it announced: the object is read again, but for HEAD and what is compressed", async () => {
    const cut = () => ok("ab", { "content-length": "3" });
    const { bucket, sent } = bucketAnswering(cut(), ok("abc", { "content-length": "3" }));
    expect(await ((await bucket.get("a")) as StoredBytes).text()).toBe("abc");
    expect(sent.length).toBe(2);
    await expect(bucketAnswering(cut(), cut(), cut()).bucket.get("a")).rejects.toThrow(/cut off/);
    expect(await bucketAnswering(cut()).bucket.head("a")).toMatchObject({ size: 3 });
    const packed = bucketAnswering(ok("ab", { "content-length": "3", "content-encoding": "br" })).bucket;
    expect(await ((await packed.get("a")) as StoredBytes).text()).toBe("ab");
  });

  it.each([
    ["no bucket", error(404, "NoSuchBucket"), /There is no bucket maps.*GEODATA_BUCKET/],
    ["a wrong clock", error(403, "RequestTimeTooSkewed"), /clock/],
    ["another region", error(400, "AuthorizationHeaderMalformed"), /region.*AWS_REGION/],
    ["a redirect", status(301), /AWS_ENDPOINT_URL/],
    ["a temporary redirect", status(307), /AWS_ENDPOINT_URL/],
    ["wrong credentials", error(403, "AccessDenied"), /\(AccessDenied\) to GET a\. /],
    ["no credentials", status(401), /credentials to GET a\. /],
    ["no space", status(507), /full/],
    ["anything else", error(400, "Odd"), /400 \(Odd\) for GET a\./],
    ["a code outside of an error", status(400, "<Code>Odd</Code>"), /400 for GET a\./],
    ["a redirect to elsewhere", status(302), /302 for GET a\./],
  ])("for good (%s) is asked once, and the error has what to do", async (_, reply, sentence) => {
    const { bucket, sent } = bucketAnswering(reply, ok());
    const failed = await bucket.get("a").catch((thrown: unknown) => thrown);
    expect(failed).toBeInstanceOf(StorageError);
    expect((failed as Error).message).toMatch(sentence);
    expect((failed as Error).name).toBe("StorageError");
    expect(sent.length).toBe(1);
  });

  it("is named by the list it did not give, where no key was asked for", async () => {
    await expect(bucketAnswering(error(403, "AccessDenied")).bucket.list()).rejects.toThrow(/GET its list/);
    await expect(bucketAnswering(status(400)).bucket.list()).rejects.toThrow(/GET its list/);
    await expect(bucketAnswering(status(404)).bucket.list()).rejects.toThrow(/no bucket maps/);
  });

  it("a long body is not searched for a code", async () => {
    const long = status(400, `<Error><Code>Odd</Code>${" ".repeat(10_000)}</Error>`);
    await expect(bucketAnswering(long).bucket.get("a")).rejects.toThrow(/400 for GET/);
  });
});
