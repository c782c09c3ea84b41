import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { hashKey } from "../../../../src/core/auth/key.ts";
import { CAMPAIGN_EVENT_TYPES, EVENT_TYPES } from "../../../../src/core/tracking/types/event.ts";
import { ALERT_TYPES } from "../../../../src/core/webhooks/alerts.ts";
import { DATA_FIELDS, dereferenced } from "../../../support/open-api.ts";
import { readExamples, WRITES_EXAMPLES, writeExamples } from "../../../support/reference-examples.ts";
import { type Answer, call, eventually, get, type Json, post, put, sql, withGeodata } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";
import { noteCampaigns } from "../customers/campaign-answers.ts";
import { noteSegments } from "../customers/segment-answers.ts";
import { noteTransfer } from "../customers/transfer-answers.ts";
import { noteDashboard } from "../project/dashboard-answers.ts";
import { noteTracking } from "../track/tracking-answers.ts";
import { requiredQuery } from "./examples.ts";
import { provokedErrors } from "./reference-examples.ts";

/** The reference is what it says: a valid document, and real answers have exactly the shapes it shows. */

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Json; example?: unknown; examples?: Json }> }>;
  tags: string[];
  "x-key-level": string;
}

const text = await (await fetch(`${inject("baseUrl")}/openapi.json`)).text();
const sent = JSON.parse(text);
const document = dereferenced(sent);
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);

const schemaOf = (operationId: string) => {
  const operation = operations.find((one) => one.operationId === operationId);
  return operation?.responses[200]?.content?.["application/json"]?.schema as Json | undefined;
};

/** Meridale of the demo world, which has regions and places. */
const HERE = { latitude: 48.99, longitude: -111.2 };
const NEAR = `${HERE.latitude},${HERE.longitude}`;
const MAIN_STREET = "city=Meridale&stateCode=MT&postalCode=59999&countryCode=US";
const FULL_FENCE = {
  description: "Full",
  type: "circle",
  coordinates: [HERE.longitude, HERE.latitude],
  radius: 100,
  mode: "car",
  metadata: { text: "a", number: 1.5, flag: true },
  dwellThreshold: 5,
  stopDetection: false,
  tripApproachingThreshold: 10,
  speedLimit: 30,
  operatingHours: Object.fromEntries(
    ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((day) => [day, [["00:00", "24:00"]]]),
  ),
  disableAfter: "2036-01-01T00:00:00.000Z",
  deleteAfter: "2037-01-01T00:00:00.000Z",
  userIds: ["ann"],
  segments: ["regulars"],
  ip: ["192.0.2.1"],
};
const SQUARE = {
  description: "Square",
  type: "polygon",
  tag: "shapes",
  externalId: "square",
  coordinates: [
    [-111.201, 48.989],
    [-111.199, 48.989],
    [-111.199, 48.991],
    [-111.201, 48.991],
    [-111.201, 48.989],
  ],
};
const UPDATE = {
  deviceId: "phone",
  userId: "ann",
  ...HERE,
  accuracy: 5,
  altitude: 12,
  speed: 1.5,
  course: 90,
  foreground: true,
  stopped: true,
  description: "Ann",
  metadata: { vip: true },
  deviceType: "iOS",
  deviceOS: "18",
  deviceMake: "x",
  deviceModel: "y",
  replayed: true,
};

/** Is the answer an object with `meta`, as all but pages, images and documents are? */
const isEnvelope = (name: string) => "meta" in ((schemaOf(name)?.properties as Json | undefined) ?? {});

/** Answers by operation, each made by a real call. */
const answers = new Map<string, Answer[]>();

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  const { testPublishable: key, testSecret: secret } = (await openWorld({}, true)).keys;
  const note = (name: string, answer: Answer) => {
    expect([name, answer.status, answer.body.meta?.message]).toEqual([name, 200, undefined]);
    answers.set(name, [...(answers.get(name) ?? []), answer]);
    return answer.body;
  };
  const { geofence } = note("createGeofence", await post("/v1/geofences", secret, SQUARE));
  note("upsertGeofence", await put("/v1/geofences/shapes/full", secret, FULL_FENCE));
  note("updateGeofence", await put(`/v1/geofences/${geofence._id}`, secret, SQUARE));
  note("track", await post("/v1/track", key, { ...UPDATE, latitude: 50 }));
  const { user } = note("track", await post("/v1/track", key, UPDATE));
  const exit = note("track", await post("/v1/track", key, { ...UPDATE, latitude: 50 }));
  note("track", await post("/v1/track", key, { deviceId: "bare", ...HERE, accuracy: 5 }));
  expect(exit.events.length).toBeGreaterThanOrEqual(2);
  const event = exit.events[0]._id;
  await eventually(
    () => get(`/v1/events/${event}`, secret),
    ({ status }) => status === 200,
  );
  await eventually(
    () => get("/v1/geofences/shapes/square/users", secret),
    ({ body }) => body.users.length === 1,
  );
  for (const [name, path] of [
    ["context", `/v1/context?coordinates=${NEAR}&userId=ann`],
    ["searchGeofences", `/v1/search/geofences?near=${NEAR}`],
    ["searchGeofences", `/v1/search/geofences?near=${NEAR}&includeGeometry=false`],
    ["searchUsers", `/v1/search/users?near=${NEAR}`],
    ["listGeofences", "/v1/geofences?limit=1"],
    ["health", "/v1/health"],
    ["getGeofence", "/v1/geofences/shapes/full"],
    ["getGeofenceById", `/v1/geofences/${geofence._id}`],
    ["geofenceUsers", "/v1/geofences/shapes/square/users"],
    ["geofenceUsersById", `/v1/geofences/${geofence._id}/users`],
    ["listUsers", "/v1/users"],
    ["getUser", `/v1/users/${user._id}`],
    ["listEvents", "/v1/events"],
    ["getEvent", `/v1/events/${event}`],
    ["searchPlaces", `/v1/search/places?near=${NEAR}&radius=10000&categories=food-beverage,travel-transportation`],
    ["forwardGeocode", "/v1/geocode/forward?query=Meridale&layers=coarse&explain=true"],
    ["reverseGeocode", `/v1/geocode/reverse?coordinates=${NEAR}`],
    ["elevation", `/v1/elevation?coordinates=${NEAR}`],
    ["elevation", `/v1/elevation?path=${NEAR}|49.01,-111.2&samples=2`],
    ["autocomplete", `/v1/search/autocomplete?query=merid&near=${NEAR}&explain=true`],
    ["ipGeocode", "/v1/geocode/ip"],
    ["validateAddress", `/v1/addresses/validate?${MAIN_STREET}&number=100&street=Main+Street`],
    ["validateAddress", `/v1/addresses/validate?${MAIN_STREET}&addressLabel=PO+Box+5`],
    ["config", "/v1/config"],
    ["ping", "/v1/ping"],
  ]) {
    note(name, await get(path, secret));
  }
  const settings = {
    chainMappings: { "demo-cafe": "77" },
    chainMetadata: { "demo-cafe": { open: true } },
    tracking: {},
  };
  note("patchSettings", await call("PATCH", "/v1/settings", { key: secret, json: settings }));
  note(
    "setUserSegments",
    await put(`/v1/users/${user._id}/segments`, secret, { segments: [{ description: "VIP", externalId: "1" }] }),
  );
  const hook = { url: "https://hooks.example.com/x", description: "Ours", eventTypes: ["user.entered_place"] };
  const { webhook } = note("createWebhook", await post("/v1/webhooks", secret, hook));
  const webhookPath = `/v1/webhooks/${webhook._id}`;
  await sql(
    `INSERT INTO dead_letter VALUES ((SELECT project * 2 FROM api_key WHERE hash = ?), ?, 'x', NULL, '[{"id":"x","type":"user.entered_place"}]', '{}', 10, 'No.', ?, ?)`,
    await hashKey(secret),
    webhook._id,
    // Not of 1970: the round that another test lets run deletes what is old.
    ...[Date.now(), Date.now()],
  );
  // An address that is not called: nothing here waits for the world.
  await sql("UPDATE webhook SET url = 'https://127.0.0.1/' WHERE id = ?", webhook._id);
  note("updateWebhook", await call("PATCH", webhookPath, { key: secret, json: { enabled: false } }));
  note("getWebhook", await get(webhookPath, secret));
  note("rotateWebhookSecret", await post(`${webhookPath}/rotate`, secret, {}));
  note("testWebhook", await post(`${webhookPath}/test`, secret, {}));
  note("webhookDeliveries", await get(`${webhookPath}/deliveries`, secret));
  note("listWebhooks", await get("/v1/webhooks", secret));
  note("listDeadLetters", await get(`${webhookPath}/dead-letters`, secret));
  await call("PATCH", webhookPath, { key: secret, json: { enabled: true } });
  note("replayDeadLetter", await post(`${webhookPath}/dead-letters/x/replay`, secret, {}));
  note("replayDeadLetters", await post(`${webhookPath}/dead-letters/replay`, secret, {}));
  note("deleteWebhook", await call("DELETE", webhookPath, { key: secret }));
  note("listUserUpdates", await get(`/v1/users/${user._id}/updates`, secret));
  note("listUserJourneys", await get(`/v1/users/${user._id}/journeys`, secret));
  note("getJourneyStats", await get("/v1/stats/journeys", secret));
  note("explainEvent", await get(`/v1/events/${event}/explain`, secret));
  const asked = { userId: "ann", geofence: "shapes/full", at: new Date().toISOString() };
  note("explain", await post("/v1/explain", secret, asked));
  note("listLiveGeodata", await get("/v1/geodata", secret));
  note(
    "signMap",
    await post("/v1/maps/sign", secret, { url: `/maps/static?width=600&height=400&center=${NEAR}&zoom=14` }),
  );
  await noteTracking(note, { key, secret, fence: SQUARE, here: HERE, event });
  await noteTransfer(note, secret, NEAR);
  await noteDashboard(note);
  await noteCampaigns(note);
  await noteSegments(note);
  const path = [0, 1, 2, 3].map((i) => ({ coordinates: `${HERE.latitude},${HERE.longitude + i * 0.0005}` }));
  const roadAttributes = "speedLimit,names,roadClass";
  note("match", await post("/v1/route/match", key, { path, roadAttributes }));
  note("routeGraph", await get(`/v1/route/graph?coordinates=${NEAR}&radius=60`, secret));
  for (const limits of ["minutes=1", "metres=300"]) {
    note("isochrone", await get(`/v1/route/isochrone?origin=${NEAR}&mode=foot&${limits}`, key));
  }
  const [longitude, latitude] = [HERE.longitude, HERE.latitude];
  const fleet = {
    vehicles: [
      {
        id: 1,
        start: [longitude, latitude],
        end: [longitude, latitude],
        capacity: [1],
        description: "Van",
        breaks: [{ id: 1, service: 60, description: "Lunch" }],
      },
    ],
    jobs: [
      { id: 1, location: [longitude + 0.002, latitude], delivery: [1], description: "Parcel" },
      { id: 2, location: [longitude, latitude], skills: [1], description: "Piano" },
    ],
    options: { g: true, x: 0 },
  };
  note("optimizeFleet", await post("/v1/route/optimize", key, fleet));
  const grid = {
    durations: [
      [0, 60],
      [60, 0],
    ],
  };
  const indexed = {
    vehicles: [{ id: 1, start_index: 0 }],
    jobs: [1, 2].map((id) => ({ id, location_index: 1, skills: id === 1 ? [1] : [] })),
  };
  note(
    "optimizeFleet",
    await post("/v1/route/optimize", key, { ...indexed, matrices: { car: grid }, options: { x: 0 } }),
  );
  const nowhere = { vehicles: [{ id: 1, start: [0, 0] }], jobs: [{ id: 1, location: [0, 0.1] }], options: { x: 0 } };
  note("optimizeFleet", await post("/v1/route/optimize", key, nowhere));
  const fix = `lat=${HERE.latitude}&lon=${HERE.longitude}`;
  note("ingestTraccarQuery", await get(`/v1/ingest/traccar?id=logger&${fix}&publishableKey=${key}`));
  const coords = { ...HERE, accuracy: 5 };
  note("ingestTraccar", await post("/v1/ingest/traccar", key, { device_id: "logger", location: { coords } }));
  note("ingestOverland", await post("/v1/ingest/overland", key, { locations: [] }));
  note("logs", await post("/v1/logs", key, { logs: [{ message: "hello" }] }));
  note(
    "uploadMapIcon",
    await put("/v1/maps/icons/pin", secret, {
      image: "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h9v9z'/></svg>",
    }),
  );
  const background = { id: "ground", type: "background", paint: { "background-color": "white" } };
  note("uploadMapStyle", await put("/v1/maps/styles/plain", secret, { version: 8, layers: [background] }));
  for (const [name, path] of [
    ["listMapIcons", "/v1/maps/icons"],
    ["listMapStyles", "/v1/maps/styles"],
    ["getMapStyle", "/v1/maps/styles/plain"],
  ]) {
    note(name, await get(path, secret));
  }
  for (const [name, path] of [
    ["deleteMapIcon", "/v1/maps/icons/pin"],
    ["deleteMapStyle", "/v1/maps/styles/plain"],
    ["deleteEvent", `/v1/events/${event}`],
    ["deleteUser", "/v1/users/phone"],
    ["deleteGeofence", "/v1/geofences/shapes/full"],
    ["deleteGeofenceById", `/v1/geofences/${geofence._id}`],
  ]) {
    note(name, await call("DELETE", path, { key: secret }));
  }
  // What is not in this list: with the parameters that it requires.
  for (const { operationId, method, path, parameters = [] } of operations) {
    if (answers.has(operationId) || method !== "GET" || path.includes("{") || !isEnvelope(operationId)) continue;
    const answer = await get(`${path}?${requiredQuery(parameters)}`, secret);
    if (answer.status === 200) note(operationId, answer);
  }
}, 240_000);

/** The schema with the same fields and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isObject = "properties" in schema && typeof schema.properties === "object";
  return isObject && !("additionalProperties" in schema) ? { ...inner, additionalProperties: false } : inner;
}

/** Every value in a structure with its path. */
function* valuesOf(value: unknown, path = ""): Generator<[path: string, value: unknown]> {
  yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* valuesOf(inner, `${path}.${key}`);
}

/** Fields of a schema that say nothing of which values are valid. */
const NOTES = new Set(["title", "description", "default", "format", "example", "examples"]);

interface Placed {
  at: string;
  schema: Json;
}

/** The schemas of a document: those of parameters and contents, and the components. */
function schemasOf(document: unknown): Placed[] {
  const found: Placed[] = [];
  const look = (value: unknown, at: string) => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (DATA_FIELDS.has(key)) continue;
      if (key === "schema") found.push({ at, schema: one });
      else if (at === ".components" && key === "schemas")
        found.push(...Object.entries<Json>(one).map(([name, schema]) => ({ at: `#${name}`, schema })));
      else look(one, `${at}.${key}`);
    }
  };
  look(document, "");
  return found;
}

/** A schema and all below it, but not what `not` holds: there, `{}` means that no value is valid. */
function* subschemasOf(schema: Json, path: string): Generator<[path: string, schema: Json]> {
  yield [path, schema];
  const maps = ["properties", "patternProperties", "$defs"].map((key) => [key, schema[key]] as const);
  const lists = ["anyOf", "oneOf", "allOf", "prefixItems"].map((key) => [key, schema[key]] as const);
  const ones = ["items", "additionalProperties", "propertyNames"].map((key) => [key, { it: schema[key] }] as const);
  for (const [key, some] of [...maps, ...lists, ...ones]) {
    for (const [name, one] of Object.entries((some ?? {}) as Json)) {
      if (typeof one === "object" && one !== null) yield* subschemasOf(one as Json, `${path}.${key}.${name}`);
    }
  }
}

describe("real answers", () => {
  it("have all the fields that the reference says they have, and none that it does not show", () => {
    // Geodata is changed with the operator's own session only: test/dashboard/geodata.worker.test.ts.
    const without = operations.filter(
      ({ operationId, path }) =>
        isEnvelope(operationId) && !path.startsWith("/dashboard/api/geodata") && !answers.has(operationId),
    );
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
    for (const [operationId, some] of answers) {
      const schema = z.fromJSONSchema(closed(schemaOf(operationId)) as Parameters<typeof z.fromJSONSchema>[0]);
      expect([operationId, schema.safeParse({ ...some[0].body, more: 1 }).success]).toEqual([operationId, false]);
      expect([operationId, schema.safeParse({ ...some[0].body, meta: {} }).success]).toEqual([operationId, false]);
      for (const { body } of some) {
        const { error } = schema.safeParse(body);
        expect([operationId, error?.issues ?? []]).toEqual([operationId, []]);
      }
    }
  });

  it("show between them every field of a geofence that the reference shows", () => {
    const shown = new Set(
      ["getGeofence", "getGeofenceById"].flatMap((name) => Object.keys(answers.get(name)?.[0].body.geofence)),
    );
    const documented = (schemaOf("getGeofence") as { properties: { geofence: { properties: Json } } }).properties
      .geofence;
    expect([...shown].sort()).toEqual(Object.keys(documented.properties).sort());
  });

  it("have no null, no meta.error, and dates as the iOS SDK reads them", () => {
    let dates = 0;
    for (const [operationId, some] of answers) {
      for (const { body } of some) {
        expect([operationId, body.meta.error]).toEqual([operationId, undefined]);
        for (const [path, value] of valuesOf(body)) {
          // The moments of failed fraud checks are the one exception of the API.
          if (!/\.fraud\.last\w+At$/.test(path)) expect([operationId, path, value]).not.toContain(null);
          // A time zone's own clock shows its offset.
          if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}T/.test(value) || path.endsWith(".currentTime"))
            continue;
          // Without an offset, the times of a campaign's schedule are local.
          if (/\.schedule\.(starts|ends)At$/.test(path)) continue;
          expect([path, value]).toEqual([path, expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)]);
          dates++;
        }
      }
    }
    expect(dates).toBeGreaterThan(20);
  });

  it("name every user, event, geofence, place and region by an _id", () => {
    const named = [
      "user",
      "users",
      "event",
      "events",
      "geofence",
      "geofences",
      "place",
      "places",
      "country",
      "state",
      "dma",
    ];
    let seen = 0;
    for (const some of answers.values()) {
      for (const [path, value] of some.flatMap(({ body }) => [...valuesOf(body)])) {
        const name =
          path
            .replace(/\.\d+$/, "")
            .split(".")
            .at(-1) ?? "";
        // What a browser makes a passkey of has a user of its own (WebAuthn).
        if (path.startsWith(".options.")) continue;
        // The groups of a rule about meetings are conditions.
        if (/^\.meetings?(\.\d+)?\.users$/.test(path)) continue;
        // The state of a user's insights is no region.
        if (path.endsWith(".insights.state")) continue;
        if (!named.includes(name) || typeof value !== "object" || Array.isArray(value)) continue;
        expect([path, value]).toEqual([path, expect.objectContaining({ _id: expect.any(String) })]);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(30);
  });
});

describe("/openapi.json", () => {
  it("is a valid OpenAPI 3.1 document", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(sent));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it("names each operation once, and every parameter of its path", () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, path, parameters = [] } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect([operationId, inPath.map(({ name }) => `{${name}}`)]).toEqual([operationId, path.match(/\{\w+\}/g) ?? []]);
      expect(inPath.every(({ required }) => required)).toBe(true);
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("has no two paths that mean the same", () => {
    const shapes = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, "{}"));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  it("has schemas that can be read, and references that lead somewhere", () => {
    const inUse = new Set<string>();
    for (const [path, value] of valuesOf(sent)) {
      // Real answers may have fields of these names themselves.
      if (/\.examples?\./.test(path) || !path.endsWith(".$ref")) continue;
      inUse.add(String(value));
      const parts = String(value).replace(/^#\//, "").split("/");
      expect(parts.reduce((at: Json | undefined, part) => at?.[part] as Json | undefined, sent)).toBeDefined();
    }
    const { securitySchemes: _, ...components } = sent.components as Record<string, Json>;
    const there = Object.entries(components).flatMap(([kind, some]) =>
      Object.keys(some).map((name) => `#/components/${kind}/${name}`),
    );
    expect(there.sort()).toEqual([...inUse].sort());
    const { schemas } = document.components as { schemas: Record<string, Json> };
    for (const { schema } of schemasOf(document)) expect(() => z.fromJSONSchema(schema)).not.toThrow();
    for (const schema of Object.values(schemas)) expect(() => z.fromJSONSchema(schema)).not.toThrow();
  });

  it("has at most a million bytes", () => {
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(1_000_000);
  });

  it("has no schema that says nothing, and requires no field that has a default", () => {
    const [empty, required]: [string[], string[]] = [[], []];
    let seen = 0;
    for (const { at, schema } of schemasOf(document)) {
      for (const [path, one] of subschemasOf(schema, at)) {
        seen++;
        if (Object.keys(one).every((key) => NOTES.has(key))) empty.push(path);
        const fields = (one.properties ?? {}) as Record<string, Json>;
        const withDefault = ((one.required ?? []) as string[]).filter(
          (name) => fields[name] && "default" in fields[name],
        );
        required.push(...withDefault.map((name) => `${path}.${name}`));
      }
    }
    for (const { operationId, parameters = [] } of operations) {
      const wrong = parameters.filter(({ required: needed, schema }) => needed && "default" in schema);
      required.push(...wrong.map(({ name }) => `${operationId}.${name}`));
    }
    expect([empty, required]).toEqual([[], []]);
    expect(seen).toBeGreaterThan(10_000);
  });

  it("tells of each operation what its key must be and which errors it may answer", () => {
    for (const { operationId, responses, ...operation } of operations) {
      expect([operationId, operation["x-key-level"]]).toEqual([
        operationId,
        expect.stringMatching(/^(publishable|secret|open|member)$/),
      ]);
      const codes = Object.keys(responses);
      if (operation["x-key-level"] !== "open") expect(codes).toEqual(expect.arrayContaining(["401", "403", "429"]));
      // A disabled project is enabled again from the dashboard.
      if (!["open", "member"].includes(operation["x-key-level"])) expect(codes).toContain("402");
      if (operation.requestBody) expect(codes).toEqual(expect.arrayContaining(["400", "413"]));
    }
  });

  it("shows of a page and of a document what type they are", () => {
    const typesOf = (path: string) => Object.keys(document.paths[path].get.responses[200].content);
    expect([typesOf("/docs"), typesOf("/openapi.json")]).toEqual([["text/html"], ["application/json"]]);
    expect([isEnvelope("docs"), isEnvelope("openapi"), isEnvelope("ping")]).toEqual([false, false, true]);
  });

  it("describes every parameter and every field of a body", () => {
    const bare = operations.flatMap(({ operationId, parameters = [], requestBody }) => {
      const body = (requestBody?.content["application/json"].schema.properties ?? {}) as Record<string, Json>;
      const all = [...parameters, ...Object.entries(body).map(([name, { description }]) => ({ name, description }))];
      return all.filter(({ description }) => !description).map(({ name }) => `${operationId}.${name}`);
    });
    expect(bare).toEqual([]);
  });

  it("has a real example of every answer, of the very shape it shows (WRITE_EXAMPLES=1 notes those of a run)", async () => {
    if (WRITES_EXAMPLES) {
      writeExamples("answers", Object.fromEntries([...answers].map(([name, some]) => [name, some[0].body])));
      writeExamples("errors", { ...readExamples("errors"), ...(await provokedErrors()) });
      return;
    }
    for (const { operationId, path, responses } of operations) {
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [type, { schema, example, examples }] of Object.entries(content)) {
          // Geodata is changed with the operator's own session only.
          if (path.startsWith("/dashboard/api/geodata") && status === "200") continue;
          const where = [operationId, status, type];
          expect([...where, example !== undefined || examples !== undefined]).toEqual([...where, true]);
          if (example === undefined || "$ref" in schema) continue;
          const shape = z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0]);
          expect([...where, shape.safeParse(example).error?.issues ?? []]).toEqual([...where, []]);
        }
      }
    }
  });

  it("shows of each mistake what is really answered", async () => {
    const provoked = await provokedErrors();
    const shown = readExamples("errors") as Record<string, Json>;
    for (const [status, { meta }] of Object.entries(provoked)) expect(shown[status]?.meta).toEqual(meta);
    expect(Object.keys(provoked).length).toBeGreaterThanOrEqual(9);
  });

  it("tells of every type of event what a webhook sends", () => {
    const webhooks = document.webhooks as Record<string, { post: Operation }>;
    expect(Object.keys(webhooks).sort()).toEqual([...EVENT_TYPES, ...CAMPAIGN_EVENT_TYPES, ...ALERT_TYPES].sort());
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { schema, example } = post.requestBody!.content["application/json"];
      // Market areas are told where an operator has given a table of them.
      if (type.includes("_dma")) continue;
      const shape = z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0]);
      expect([type, shape.safeParse(example).error?.issues ?? []]).toEqual([type, []]);
      expect((example as { event: Json }).event.type).toBe(type);
    }
  });

  it("says where it is served from", () => {
    expect(document.servers).toEqual([{ url: inject("baseUrl") }]);
  });
});

describe("/docs", () => {
  let page: string;
  beforeAll(async () => {
    const answer = await get("/docs");
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    page = answer.body;
  });
  const articles = () =>
    new Map([...page.matchAll(/<article id="(\w+)">(.*?)<\/article>/gs)].map(([, id, text]) => [id, text]));

  it("shows every endpoint with its method, its level and all its parameters", () => {
    expect([...articles().keys()].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    for (const { operationId, method, path, parameters = [], requestBody, ...operation } of operations) {
      const text = articles().get(operationId) ?? "";
      expect(text).toContain(`>${method}<`);
      expect(text).toContain(`<i>${operation["x-key-level"]}</i>`);
      expect(text.replace(/<\/?var>/g, "")).toContain(`<code>${path.replace(/\{(\w+)\}/g, ":$1")}</code>`);
      const body = (requestBody?.content["application/json"].schema.properties ?? {}) as Json;
      for (const name of [...parameters.map((parameter) => parameter.name), ...Object.keys(body)]) {
        expect([operationId, text.includes(`<code>${name}</code>`)]).toEqual([operationId, true]);
      }
    }
  });

  it("leads every entry of its contents to an article, loads only its own files, and closes what it opens", () => {
    const links = [...page.matchAll(/<a href="#(\w+)">/g)].map(([, id]) => id);
    expect(links).toHaveLength(operations.length);
    for (const id of links) expect(articles().has(id)).toBe(true);
    expect(
      [...page.matchAll(/<(?:script|img|iframe|link)\b[^>]*(?:src|href)="([^"]*)"/g)].map(([, url]) => url),
    ).toEqual(["data:,", "/docs/files/docs.css", "/docs/files/docs.js"]);
    for (const tag of ["article", "section", "table", "tr", "td", "pre", "details", "code", "main", "nav", "a"]) {
      const count = (pattern: RegExp) => page.match(pattern)?.length ?? 0;
      expect([tag, count(new RegExp(`<${tag}[ >]`, "g"))]).toEqual([tag, count(new RegExp(`</${tag}>`, "g"))]);
    }
  });
});
