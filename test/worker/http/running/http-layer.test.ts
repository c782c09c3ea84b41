import { request as httpRequest } from "node:http";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { call, get, type Json, makeWorld, post, put, sql, untilLimited, type World } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/** What holds for the wire as such, whichever the endpoint. */

const CONTEXT = "/v1/context?coordinates=40.7,-74";
const UPDATE = { deviceId: "phone", latitude: 40.7, longitude: -74, accuracy: 5 };
const FENCE = { description: "Here", type: "circle", coordinates: [-74, 40.7], radius: 100 };
const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let world: World;
let key: string;
let secret: string;
beforeAll(async () => {
  world = await openWorld();
  key = world.keys.testPublishable;
  secret = world.keys.testSecret;
});

const track = (body: string, headers: Record<string, string> = {}) =>
  call("POST", "/v1/track", { key, body, headers: { "content-type": "application/json", ...headers } });

/** A request whose body has no declared length: it goes in chunks, as far as the server wants to read them. */
const stream = (path: string, chunks: string[]) =>
  send(path, chunks, { authorization: secret, "transfer-encoding": "chunked" });

function send(path: string, chunks: string[], headers: Record<string, string>) {
  return new Promise<{ status: number; body: { meta: Record<string, unknown> } }>((resolve, reject) => {
    const outgoing = httpRequest(`${inject("baseUrl")}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...headers,
      },
    });
    outgoing.on("error", reject);
    outgoing.on("response", async (incoming) => {
      let text = "";
      for await (const chunk of incoming) text += chunk;
      resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) });
    });
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
  });
}

describe("answers", () => {
  it("say meta.code 200 and have a request id of their own", async () => {
    const answers = [await get(CONTEXT, key), await get("/v1/geofences", secret), await get("/v1/ping")];
    answers.push(await post("/v1/logs", key, {}), await post("/v1/track", key, UPDATE));
    for (const { status, body, headers } of answers) {
      expect([status, body.meta.code]).toEqual([200, 200]);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(headers.get("x-radar-request-id")).toMatch(REQUEST_ID);
    }
    expect(new Set(answers.map(({ headers }) => headers.get("x-radar-request-id"))).size).toBe(answers.length);
  });

  it.each([
    ["404 on a path that is none", "GET", "/v1/nothing", 404],
    ["404 outside the versioned paths", "GET", "/", 404],
    ["404 on a path that is none, whatever the method", "PATCH", "/v1/nothing", 404],
    ["405 on a known path", "DELETE", "/v1/track", 405],
    ["405 on a path with parameters", "PATCH", "/v1/users/x", 405],
  ])("say %s, as JSON with a request id and no key needed", async (_, method, path, status) => {
    const answer = await call(method, path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ meta: { code: status, message: expect.any(String) } });
    expect(answer.headers.get("x-radar-request-id")).toMatch(REQUEST_ID);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("name the methods that a path does have", async () => {
    expect((await call("PUT", "/v1/track")).headers.get("allow")).toBe("POST");
    expect((await call("PATCH", "/v1/geofences/x")).headers.get("allow")?.split(", ").sort()).toEqual([
      "DELETE",
      "GET",
      "PUT",
    ]);
  });

  it("to HEAD are those to GET without a body", async () => {
    const head = await call("HEAD", CONTEXT, { key });
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(head.headers.get("x-radar-request-id")).toMatch(REQUEST_ID);
    expect((await call("HEAD", CONTEXT)).status).toBe(401);
    expect((await call("HEAD", "/v1/nothing")).status).toBe(404);
  });
});

describe("caches", () => {
  it("keep no answer about a customer, and no error", async () => {
    const answers = [
      await get(CONTEXT, key),
      await post("/v1/track", key, UPDATE),
      await get("/v1/geofences", secret),
      await get("/v1/users", secret),
      await get("/v1/config", key),
      await get("/v1/ping"),
      await get(CONTEXT),
      await get("/v1/users/nobody", secret),
      await get("/v1/nothing"),
      await get("/maps/static?width=0", key),
    ];
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("an address without a key", () => {
  const from = (path: string, ip: string, headers = {}) =>
    call("GET", path, { headers: { "x-forwarded-for": ip, ...headers } });

  it("may ask whether the service is there a hundred times a second, and another one goes on", async () => {
    const answers = await untilLimited(() =>
      Promise.all(Array.from({ length: 500 }, () => from("/v1/ping", "203.0.113.9"))),
    );
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.meta).toEqual({ code: 429, type: "second", message: expect.stringContaining("100") });
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
    expect((await from("/v1/ping", "203.0.113.10")).status).toBe(200);
  });
});

describe("a server's own mistake", () => {
  it("is a 500 with the request id, which tells nothing of its cause; the id leads to the cause in the log", async () => {
    const broken = await openWorld();
    await sql(`UPDATE project SET settings = '{"secret": secretvalue' WHERE id = ?`, broken.id);
    const { status, body, headers } = await get("/v1/users", broken.keys.testSecret);
    const id = headers.get("x-radar-request-id");
    expect(status).toBe(500);
    expect(id).toMatch(REQUEST_ID);
    expect(body).toEqual({ meta: { code: 500, message: `Internal server error. Request id: ${id}.` } });
  });
});

describe("bodies", () => {
  it.each([
    ["text that is no JSON", "{deviceId: 1}", "The request body is not valid JSON."],
    ["half a body", '{"deviceId": "x"', "The request body is not valid JSON."],
    ["a list", "[1, 2]", "The request body must be a JSON object."],
    ["a text", '"deviceId"', "The request body must be a JSON object."],
    ["a number", "12", "The request body must be a JSON object."],
    ["null", "null", "The request body must be a JSON object."],
    ["NaN for a number", '{"latitude": NaN}', "The request body is not valid JSON."],
  ])("are refused when they are %s", async (_, body, message) => {
    const answer = await track(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ meta: { code: 400, message } });
  });

  it("may be empty, which is a body without fields", async () => {
    expect((await track("")).body.meta).toMatchObject({ code: 400, param: "deviceId" });
    expect((await call("POST", "/v1/logs", { key })).status).toBe(200);
  });

  it("are JSON when no type is given, or one with a charset or in capitals", async () => {
    const body = JSON.stringify(UPDATE);
    for (const type of ["text/plain", "application/json; charset=utf-8", "APPLICATION/JSON"]) {
      expect([type, (await track(body, { "content-type": type })).status]).toEqual([type, 200]);
    }
  });

  it("are forms whatever the case of the type and its charset", async () => {
    for (const type of ["application/x-www-form-urlencoded; charset=UTF-8", "Application/X-WWW-Form-Urlencoded"]) {
      const body = "deviceId=phone&latitude=40.7&longitude=-74&accuracy=5";
      expect([type, (await track(body, { "content-type": type })).status]).toEqual([type, 200]);
    }
  });

  it("of several parts are refused", async () => {
    const answer = await track("--x--", { "content-type": "multipart/form-data; boundary=x" });
    expect([answer.status, answer.body.meta.message]).toEqual([
      400,
      expect.stringContaining("Unsupported Content-Type"),
    ]);
  });

  it("that are compressed are refused, with the reason", async () => {
    const answer = await track(JSON.stringify(UPDATE), { "content-encoding": "gzip" });
    expect([answer.status, answer.body.meta.message]).toEqual([
      400,
      "Unsupported Content-Encoding. Send the body uncompressed.",
    ]);
    expect((await track(JSON.stringify(UPDATE), { "content-encoding": "identity" })).status).toBe(200);
  });

  it("are refused with 413 when they are too large, by their declared or their real length", async () => {
    const large = JSON.stringify({ ...UPDATE, description: "x".repeat(70_000) });
    const declared = await track(large);
    const chunks = large.match(/.{1,10000}/g) ?? [];
    for (const { status, body } of [declared, await stream("/v1/track", chunks)]) {
      expect([status, body.meta]).toEqual([
        413,
        { code: 413, message: "The request body is larger than 65536 bytes." },
      ]);
    }
    const small = await stream("/v1/track", [
      '{"deviceId": "chunks", "latitude": 40.7,',
      '"longitude": -74, "accuracy": 5}',
    ]);
    expect(small.status).toBe(200);
  });

  it.each([
    ["without a key", "/v1/imports/geofences", false, 401],
    ["to no endpoint", "/v1/nothing", false, 404],
    ["too large for track", "/v1/track", true, 413],
    ["too large for an agent", "/mcp", true, 413],
  ])("of 3 MB, %s, are answered to callers who send all of it first", async (_, path, isKnown, status) => {
    const accept = "application/json, text/event-stream";
    const headers: Record<string, string> = isKnown ? { accept, authorization: secret } : { accept };
    for (const [name, value] of ["content-length 3000000", "transfer-encoding chunked"].map((one) => one.split(" ")))
      for (let times = 0; times < 6; times++)
        expect((await send(path, ["x".repeat(3_000_000)], { ...headers, [name]: value })).status).toBe(status);
  });

  it("of half a megabyte reach other endpoints, larger ones do not", async () => {
    const padded = (length: number) => JSON.stringify({ ...FENCE, unknown: "x".repeat(length) });
    const send = (body: string) => call("POST", "/v1/geofences", { key: secret, body });
    expect((await send(padded(500_000))).status).toBe(200);
    expect((await send(padded(530_000))).status).toBe(413);
  });

  it("keep letters that are cut in two by the chunks", async () => {
    const bytes = Buffer.from(JSON.stringify({ ...FENCE, description: "Zürich 東京" }));
    const answer = await new Promise<{ status: number; description: string }>((resolve, reject) => {
      const outgoing = httpRequest(`${inject("baseUrl")}/v1/geofences`, {
        method: "POST",
        headers: { authorization: secret, "transfer-encoding": "chunked" },
      });
      outgoing.on("error", reject).on("response", async (incoming) => {
        let text = "";
        for await (const chunk of incoming) text += chunk;
        resolve({ status: incoming.statusCode ?? 0, description: JSON.parse(text).geofence?.description });
      });
      for (const byte of bytes) outgoing.write(Buffer.from([byte]));
      outgoing.end();
    });
    expect(answer).toEqual({ status: 200, description: "Zürich 東京" });
  });
});

describe("parameters", () => {
  it("that are null count as absent, and unknown ones are ignored", async () => {
    const { status, body } = await post("/v1/track", key, {
      ...UPDATE,
      userId: null,
      metadata: null,
      colour: { a: [1] },
    });
    expect(status).toBe(200);
    expect(body.user).not.toHaveProperty("metadata");
    expect((await post("/v1/track", key, { ...UPDATE, accuracy: null })).body.meta.message).toBe("accuracy: Required.");
    expect((await get(`${CONTEXT}&colour=red&a[b][c]=1&=&[]=x`, key)).status).toBe(200);
  });

  it("given twice count as they were given last", async () => {
    expect((await get(`/v1/context?coordinates=91,0&coordinates=40.7,-74`, key)).status).toBe(200);
  });

  it.each(["1e999", "-1e999"])("with the number %s are refused", async (huge) => {
    for (const field of ["latitude", "accuracy", "altitude"]) {
      const answer = await track(
        JSON.stringify({ ...UPDATE, [field]: 0 }).replace(`"${field}":0`, `"${field}":${huge}`),
      );
      expect([field, answer.status, answer.body.meta.param]).toEqual([field, 400, field]);
    }
    const metadata = await track(JSON.stringify(UPDATE).replace("}", `,"metadata":{"a":${huge}}}`));
    expect([metadata.status, metadata.body.meta.param]).toEqual([400, "metadata[a]"]);
  });

  it.each(["NaN", "Infinity", "-Infinity", "1e999", "0x10", ""])(
    "with the text %j for a number are refused",
    async (text) => {
      for (const field of ["latitude", "longitude", "accuracy"]) {
        const { status, body } = await post("/v1/track", key, { ...UPDATE, [field]: text });
        expect([field, status, body.meta.param]).toEqual([field, 400, field]);
      }
      const form = { deviceId: "form", latitude: text, longitude: "0", accuracy: "1" };
      expect((await call("POST", "/v1/track", { key, form })).body.meta).toMatchObject({
        code: 400,
        param: "latitude",
      });
      expect((await get(`/v1/geofences?limit=${text}`, secret)).body.meta.param).toBe("limit");
    },
  );
});

describe("names that would reach into the program's own objects", () => {
  /** Every later request would see a polluted prototype: as a field nobody sent. */
  const unharmed = async () => {
    const { status, body } = await post("/v1/track", key, { ...UPDATE, deviceId: "clean", anonymous: true });
    expect(status).toBe(200);
    expect(body.user).not.toHaveProperty("metadata");
    expect(JSON.stringify(body)).not.toContain("polluted");
  };

  it("are harmless in JSON", async () => {
    const inner = '{"polluted":"yes","metadata":{"polluted":"yes"},"userId":"polluted"}';
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const body = JSON.stringify(UPDATE).replace("}", `,"${name}":${inner}}`);
      expect((await track(body)).status).toBe(200);
      await unharmed();
    }
    const proto = await track(JSON.stringify(UPDATE).replace("}", `,"metadata":{"__proto__":"polluted","a":1}}`));
    expect([proto.status, proto.body.meta.param]).toEqual([400, "metadata[__proto__]"]);
  });

  it.each(["constructor", "prototype", "toString", "hasOwnProperty", "toJSON", "then"])(
    "are keys of metadata like others, everywhere: %s",
    async (name) => {
      const metadata = { [name]: "ACME", a: 1 };
      const filter = `metadata[${name}]=ACME`;
      const who = { deviceId: `of ${name}`, userId: `u-${name}` };
      const tracked = await post("/v1/track", key, { ...UPDATE, ...who, metadata });
      expect([tracked.status, tracked.body.user.metadata]).toEqual([200, metadata]);
      const at = { latitude: "40.7", longitude: "-74", accuracy: "5" };
      const form = { ...at, ...who, deviceId: "form", [`metadata[${name}]`]: "ACME", "metadata[a]": "1" };
      expect((await call("POST", "/v1/track", { key, form })).body.user.metadata).toEqual(metadata);
      const event = await post("/v1/events", key, { name: "bought", ...who, metadata });
      expect(event.body.event.metadata).toEqual(metadata);
      const trip = await post("/v1/trips", secret, { externalId: name, metadata });
      expect(trip.body.trip.metadata).toEqual(metadata);
      const fence = { description: "a", type: "circle", coordinates: [1, 1], radius: 100, metadata };
      expect((await put(`/v1/geofences/named/${name}`, secret, fence)).body.geofence.metadata).toEqual(metadata);
      const beacon = { description: "a", type: "eddystone", uid: "00010203040506070809", instance: "000102030405" };
      const place = { coordinates: [1, 1], enabled: true, metadata };
      const made = await put(`/v1/beacons/named/${name}`, secret, { ...beacon, ...place });
      expect(made.body.beacon.metadata).toEqual(metadata);
      const near = await get(`/v1/search/geofences?near=1,1&${filter}`, key);
      expect(near.body.geofences).toHaveLength(1);
      expect((await get(`/v1/geofences?${filter}`, secret)).body.geofences).toHaveLength(1);
      expect((await get("/v1/search/geofences?near=1,1&metadata[valueOf]=x", key)).body.geofences).toEqual([]);
      const users = await get(`/v1/search/users?near=40.7,-74&${filter}`, secret);
      expect(users.body.users.map(({ deviceId }: Json) => deviceId)).toContain(`of ${name}`);
      await call("DELETE", `/v1/geofences/named/${name}`, { key: secret });
      await unharmed();
    },
  );

  it.each(["metadata[__proto__]", "metadata[__proto__][polluted]"])("are no keys of metadata: %s", async (name) => {
    const form = { deviceId: "form", latitude: "1", longitude: "1", accuracy: "1", [name]: "polluted" };
    const lists = ["/v1/geofences?", "/v1/search/geofences?near=1,1&", "/v1/search/users?near=1,1&"];
    const answers = await Promise.all([
      call("POST", "/v1/track", { key, form }),
      ...lists.map((list) => get(`${list}${encodeURIComponent(name)}=polluted`, secret)),
    ]);
    for (const { status, body } of answers) expect([status, body.meta.param]).toEqual([400, name]);
    await unharmed();
  });

  it.each([
    "__proto__[polluted]",
    "__proto__[metadata][polluted]",
    "constructor[prototype][polluted]",
    "__proto__",
    "constructor",
    "toString[polluted]",
    "a[b][c][d][e]",
  ])("are harmless in forms and queries: %s", async (name) => {
    const form = { deviceId: "form", latitude: "1", longitude: "1", accuracy: "1", [name]: "polluted" };
    const { status, body } = await call("POST", "/v1/track", { key, form });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain("polluted");
    expect((await get(`/v1/geofences?${encodeURIComponent(name)}=polluted`, secret)).status).toBe(200);
    await unharmed();
  });
});

describe("browsers", () => {
  const origin = "https://shop.example";

  it("get their preflight answered without a key, with the headers they ask for", async () => {
    for (const path of ["/v1/track", "/v1/geofences", "/v1/search/geofences?near=0,0", "/v1/anything"]) {
      const { status, headers, body } = await call("OPTIONS", path, {
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization, content-type, x-radar-device-type, x-radar-sdk-version",
        },
      });
      expect([path, status, body]).toEqual([path, 204, ""]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-headers")).toBe(
        "authorization, content-type, x-radar-device-type, x-radar-sdk-version",
      );
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        expect(headers.get("access-control-allow-methods")).toContain(method);
      }
      expect(Number(headers.get("access-control-max-age"))).toBeGreaterThanOrEqual(3600);
      expect(headers.get("x-radar-request-id")).toMatch(REQUEST_ID);
    }
  });

  it("may read every answer of a publishable endpoint, also its errors, and the headers they need", async () => {
    const answers = [
      await call("GET", CONTEXT, { key, headers: { origin } }),
      await call("GET", "/v1/context?coordinates=x", { key, headers: { origin } }),
      await call("GET", CONTEXT, { headers: { origin } }),
      await call("POST", "/v1/track", { key, body: "{", headers: { origin } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 400]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      const exposed = headers.get("access-control-expose-headers")?.toLowerCase() ?? "";
      for (const name of ["x-radar-request-id", "retry-after", "x-ratelimit-limit", "x-ratelimit-remaining"]) {
        expect(exposed).toContain(name);
      }
    }
  });

  it("may not read what a secret key asks for", async () => {
    for (const path of ["/v1/geofences", "/v1/users", "/v1/events", "/v1/search/users?near=0,0"]) {
      const { status, headers } = await call("GET", path, { key: secret, headers: { origin } });
      expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 200, null]);
      expect(headers.get("x-radar-request-id")).toMatch(REQUEST_ID);
    }
  });

  it("may read why they were refused, whatever the endpoint", async () => {
    const paused = await makeWorld({ disabled: true });
    const busy = await makeWorld({ settings: { rateLimits: { listGeofences: 1 } } });
    const ask = (method: string, path: string, caller?: string, body?: string) =>
      call(method, path, { key: caller, body, headers: { origin } });
    const often = await untilLimited(() =>
      Promise.all([1, 2, 3, 4].map(() => ask("GET", "/v1/geofences", busy.keys.testSecret))),
    );
    const answers = [
      await ask("GET", "/v1/geofences"),
      await ask("GET", "/v1/geofences", paused.keys.testSecret),
      await ask("GET", "/v1/geofences", key),
      await ask("GET", "/v1/users/nobody", secret),
      await ask("DELETE", "/v1/users", secret),
      await ask("POST", "/v1/geofences", secret, `{"x": "${"x".repeat(600_000)}"}`),
      often.find(({ status }) => status === 429) ?? often[0],
      await ask("GET", "/v1/geofences?limit=0", secret),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 402, 403, 404, 405, 413, 429, 400]);
    for (const { headers } of answers) expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  it("send a JSON type with a GET that has no body", async () => {
    const { status } = await call("GET", CONTEXT, {
      key,
      headers: { "content-type": "application/json", "x-radar-device-type": "Web", "x-radar-sdk-version": "5.2.0" },
    });
    expect(status).toBe(200);
  });
});

it("a URL that is too long is refused in JSON with a request id", async () => {
  const { status, body, headers } = await call("GET", `/v1/ping?a=${"a".repeat(60_001)}`);
  expect([status, body.meta]).toEqual([414, { code: 414, message: expect.stringContaining("URI too long") }]);
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect((await call("GET", `/v1/ping?a=${"a".repeat(50_000)}`)).status).toBe(200);
});
