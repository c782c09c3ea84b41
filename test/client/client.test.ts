import { describe, expect, it } from "vitest";
import { Graticule, GraticuleError, signToken, verifyWebhook, WebhookError } from "../../src/client/index.ts";
import { checkSignature, checkTimes, readToken } from "../../src/core/auth/token.ts";
import { mintSecret, SECRET_BYTES, signedHeaders } from "../../src/core/webhooks/signature.ts";

interface Sent {
  url: string;
  init: RequestInit & { headers: Record<string, string> };
}

/** A client whose server returns these responses, one after the other, and the requests that it received. */
function clientOf(answers: (Response | Error)[], options: object = {}) {
  const sent: Sent[] = [];
  const graticule = new Graticule({
    host: "https://maps.example.com/",
    key: "prj_test_sk_x",
    fetch: async (url, init) => {
      sent.push({ url, init: init as Sent["init"] });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer.clone();
    },
    ...options,
  });
  return { graticule, sent };
}

const json = (body: unknown, init: ResponseInit = {}) => Response.json(body, init);
const limited = (retryAfter = "0", status = 429) =>
  json({ meta: { code: status, message: "Rate limit exceeded." } }, { status, headers: { "retry-after": retryAfter } });

describe("a request", () => {
  it("puts parameters where the operation has them: path, query or body", async () => {
    const { graticule, sent } = clientOf([json({})]);
    await graticule.forwardGeocode({ query: "a b&c", limit: 3, near: undefined });
    await graticule.getGeofence({ tag: "a/b", externalId: "ü" });
    await graticule.listUsers({ metadata: { vip: "true" }, userTags: ["a", "b"] });
    await graticule.upsertGeofence({
      tag: "t",
      externalId: "e",
      description: "d",
      type: "circle",
      coordinates: [1, 2],
    });
    await graticule.deleteUser({ id: "ann" });
    expect(sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ["GET", "https://maps.example.com/v1/geocode/forward?query=a+b%26c&limit=3", undefined],
      ["GET", "https://maps.example.com/v1/geofences/a%2Fb/%C3%BC", undefined],
      ["GET", "https://maps.example.com/v1/users?metadata%5Bvip%5D=true&userTags=a%2Cb", undefined],
      [
        "PUT",
        "https://maps.example.com/v1/geofences/t/e",
        JSON.stringify({ description: "d", type: "circle", coordinates: [1, 2] }),
      ],
      ["DELETE", "https://maps.example.com/v1/users/ann", undefined],
    ]);
    expect(sent[3].init.headers).toMatchObject({ authorization: "prj_test_sk_x", "content-type": "application/json" });
    await expect(graticule.getUser({} as { id: string })).rejects.toThrow("getUser: id is required.");
  });

  it("sends a token as Bearer", async () => {
    const { graticule, sent } = clientOf([json({})], { key: "eyJx.y.z" });
    await graticule.config();
    expect(sent[0].init.headers.authorization).toBe("Bearer eyJx.y.z");
  });

  it("uploads a file next to its parameters, and returns files as responses", async () => {
    const { graticule, sent } = clientOf([
      json({}),
      new Response("a,b\n", { headers: { "content-type": "text/csv" } }),
    ]);
    const file = { data: "tag\nx", contentType: "text/csv" };
    await graticule.upload("importGeofences", { filename: "a.csv", dryRun: true }, file);
    expect(sent[0].url).toBe("https://maps.example.com/v1/imports/geofences?filename=a.csv&dryRun=true");
    expect([sent[0].init.body, sent[0].init.headers["content-type"]]).toEqual(["tag\nx", "text/csv"]);
    expect(await (await graticule.getGeocodeJobResult({ id: "j" })).text()).toBe("a,b\n");
  });
});

describe("a failure", () => {
  it("over the limit or temporary is repeated after Retry-After, at most twice", async () => {
    const { graticule, sent } = clientOf([limited(), limited("0", 503), json({ users: [] })]);
    expect(await graticule.listUsers()).toEqual({ users: [] });
    expect(sent.length).toBe(3);
    const always = clientOf([limited()]);
    await expect(
      always.graticule.track({ deviceId: "a", latitude: 1, longitude: 2, accuracy: 3 }),
    ).rejects.toMatchObject({ status: 429, retryAfter: 0 });
    expect(always.sent.length).toBe(3);
    const never = clientOf([limited()], { maxRetries: 0 });
    await expect(never.graticule.listUsers()).rejects.toThrow(GraticuleError);
    expect(never.sent.length).toBe(1);
  });

  it("with a long Retry-After is the caller's", async () => {
    const { graticule, sent } = clientOf([limited("3600")]);
    await expect(graticule.listUsers()).rejects.toMatchObject({ retryAfter: 3600 });
    expect(sent.length).toBe(1);
    const date = new Date(Date.now() + 7200_000).toUTCString();
    await expect(clientOf([limited(date)]).graticule.listUsers()).rejects.toMatchObject({
      retryAfter: expect.closeTo(7200, -1),
    });
  });

  it("of the connection is repeated, except for a POST, which may have been executed", async () => {
    const read = clientOf([new TypeError("fetch failed"), json({ users: [] })]);
    await read.graticule.listUsers();
    expect(read.sent.length).toBe(2);
    const write = clientOf([new TypeError("fetch failed")]);
    await expect(write.graticule.logConversion({ name: "a", userId: "b" })).rejects.toMatchObject({ status: 0 });
    expect(write.sent.length).toBe(1);
  });

  it("has the message, the parameter and the request id", async () => {
    const meta = { code: 400, param: "near", message: "near: Required." };
    const { graticule, sent } = clientOf([json({ meta }, { status: 400, headers: { "x-request-id": "r1" } })]);
    await expect(graticule.searchUsers({ near: "" })).rejects.toMatchObject({
      ...{ name: "GraticuleError", status: 400, param: "near", message: "near: Required.", requestId: "r1" },
    });
    expect(sent.length).toBe(1);
    const page = clientOf([new Response("<html>", { status: 502 })]);
    await expect(page.graticule.listUsers()).rejects.toThrow("The server returned 502.");
  });

  it("ends after the time for an attempt, or with the caller's signal", async () => {
    const hanging = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const { graticule } = clientOf([], { fetch: hanging, timeoutMs: 5, maxRetries: 0 });
    await expect(graticule.listUsers()).rejects.toThrow("No response within 5 ms.");
    const controller = new AbortController();
    const asked = clientOf([], { fetch: hanging }).graticule.listUsers({}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

describe("a list", () => {
  const page = (from: number, count: number, hasMore: boolean) =>
    json({ meta: { hasMore }, events: Array.from({ length: count }, (_, i) => ({ createdAt: `t${from + i}` })) });

  it("continues with the time of the last item", async () => {
    const { graticule, sent } = clientOf([page(0, 2, true), page(2, 2, true), page(4, 1, false)]);
    const times: string[] = [];
    for await (const { createdAt } of graticule.pages("listEvents", { limit: 2 })) times.push(createdAt);
    expect(times).toEqual(["t0", "t1", "t2", "t3", "t4"]);
    expect(sent.map(({ url }) => new URL(url).searchParams.get("createdBefore"))).toEqual([null, "t1", "t3"]);
  });

  it("continues with a cursor, and ends where nothing moves", async () => {
    const updates = clientOf([json({ updates: [{ at: "1" }], nextCursor: "c" }), json({ updates: [{ at: "2" }] })]);
    const seen = [];
    for await (const { at } of updates.graticule.pages("listUserUpdates", { id: "ann" })) seen.push(at);
    expect(seen).toEqual(["1", "2"]);
    const stuck = clientOf([page(0, 1, true)]);
    let count = 0;
    for await (const _ of stuck.graticule.pages("listEvents")) count++;
    expect(count).toBe(2);
    await expect(stuck.graticule.pages("getUser", { id: "a" }).next()).rejects.toThrow("not a list with pages");
  });
});

describe("a webhook's message", () => {
  const secret = mintSecret(new Uint8Array(SECRET_BYTES).fill(7));
  const other = mintSecret(new Uint8Array(SECRET_BYTES).fill(8));
  const body = '{"event":{"type":"user.entered_geofence"}}';
  const now = Date.now();
  const signed = (secrets: string[]) => signedHeaders(secrets, { id: "m", body }, "s", now);

  it("is accepted as the server signs it, during a rotation with either secret", async () => {
    expect(await verifyWebhook(body, await signed([secret]), secret)).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, new Headers(await signed([other, secret])), [secret])).toEqual(JSON.parse(body));
    expect(await verifyWebhook(body, await signed([secret]), [other, secret])).toEqual(JSON.parse(body));
  });

  it("is rejected with another body, secret or time, or without its headers", async () => {
    const headers = await signed([secret]);
    const cases: [string, Record<string, string>, string, number?][] = [
      [`${body} `, headers, secret],
      [body, headers, other],
      [body, { ...headers, "webhook-id": "n" }, secret],
      [body, headers, secret, now + 301_000],
      [body, { ...headers, "webhook-timestamp": "now" }, secret],
      [body, { ...headers, "webhook-signature": "v1,x" }, secret],
      [body, {}, secret],
      [body, headers, "prj_x"],
    ];
    for (const [text, given, key, at = now] of cases)
      await expect(verifyWebhook(text, given, key, { now: at })).rejects.toThrow(WebhookError);
  });
});

describe("a signed token", () => {
  const claims = { userId: "ann", deviceId: "phone", publishableKey: "prj_test_pk_x" };

  it("is one that the server accepts, with each algorithm", async () => {
    const secret = "s".repeat(32);
    const pairs = [
      await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]),
      (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair,
    ];
    const keys = [
      { key: secret, alg: "HS256", material: secret },
      ...(await Promise.all(
        pairs.map(async ({ privateKey, publicKey }, i) => ({
          key: privateKey,
          alg: i === 0 ? "ES256" : "EdDSA",
          material: JSON.stringify(await crypto.subtle.exportKey("jwk", publicKey)),
        })),
      )),
    ] as const;
    for (const { key, alg, material } of keys) {
      const token = readToken(await signToken(claims, { key, keyId: "k1" }));
      expect([token.alg, token.kid]).toEqual([alg, "k1"]);
      expect(token.claims).toMatchObject({ userId: "ann", deviceId: "phone", aud: "prj_test_pk_x" });
      await checkSignature(token, { alg: alg as "HS256", material, createdAt: 0 });
      checkTimes(token, Date.now());
    }
  });

  it("needs a long secret", async () => {
    await expect(signToken(claims, { key: "short" })).rejects.toThrow("at least 32 bytes");
  });
});
