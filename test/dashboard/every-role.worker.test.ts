import { expect, inject, it } from "vitest";
import { ROLES, type Role, reaches } from "../../src/core/auth/role.ts";
import { ask, makeMember, makeSession, type Signed } from "../support/members.ts";
import { isNight } from "../support/night.ts";
import { eventually, makeWorld, post, put, sql } from "../support/world.ts";
import { requiredQuery } from "../worker/http/reference/examples.ts";
import { NEEDED } from "./role-table.ts";

/** Every endpoint as each role and as nobody. The list is the Worker's own, so an endpoint that is added is in here. */
interface Operation {
  operationId: string;
  method: string;
  path: string;
  level: "open" | "publishable" | "secret" | "member";
  /** The role a session needs; absent where there is no project, or no need. */
  role?: Role;
  parameters: Parameters<typeof requiredQuery>[0];
  hasBody: boolean;
  statuses: number[];
  chapter: string;
  security: unknown;
}

const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  // biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document is read as JSON
  Object.entries(methods as Record<string, any>).map(([method, operation]) => ({
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path,
    level: operation["x-key-level"],
    role: operation["x-role"],
    parameters: operation.parameters,
    hasBody: operation.requestBody !== undefined,
    statuses: Object.keys(operation.responses).map(Number),
    chapter: operation.tags[0],
    security: operation.security,
  })),
);
const closed = operations.filter(({ level }) => level !== "open");

/** A call with a name nobody has and an empty body: it gets as far as its caller may, and changes nothing. */
function attempt({ method, path, hasBody }: Operation, more: { cookie?: string; project?: number; key?: string }) {
  return ask(method, path.replace(/\{\w+\}/g, "nobody"), {
    ...more,
    ...(hasBody && { json: {} }),
    ...(more.key && { headers: { authorization: more.key } }),
  });
}

/** Endpoints for clients of other services have errors in their form. */
const messageOf = (body: { meta?: { message: string } }) => body.meta?.message ?? JSON.stringify(body);

it("each endpoint needs the role of the table, and no other", () => {
  expect(closed.map(({ operationId }) => operationId).sort()).toEqual([...NEEDED.keys()].sort());
  for (const { operationId, role = "none" } of closed) {
    const needed = NEEDED.get(operationId);
    expect([operationId, role]).toEqual([operationId, needed === "operator" ? "read" : needed]);
  }
});

it("an operator gets through to what concerns the deployment, unless the session opens one project only", async () => {
  const world = await makeWorld();
  const member = await makeMember({ [world.id]: "read" });
  await sql("INSERT INTO operator VALUES (?, 0)", member.id);
  const narrow = await makeSession(member.id, world.id);
  for (const operation of closed.filter(({ operationId }) => NEEDED.get(operationId) === "operator")) {
    const attempted = async (cookie: string) => (await attempt(operation, { cookie, project: world.id })).status;
    expect([operation.operationId, await attempted(narrow)]).toEqual([operation.operationId, 403]);
    expect([operation.operationId, [400, 404]]).toEqual([
      operation.operationId,
      expect.arrayContaining([await attempted(member.cookie)]),
    ]);
  }
  const { body } = await ask("GET", "/dashboard/api/session", { cookie: member.cookie });
  expect(body.member.isOperator).toBe(true);
});

it("there are endpoints of every kind", () => {
  for (const level of ["publishable", "secret", "member"]) expect(closed.some((one) => one.level === level)).toBe(true);
  for (const role of ROLES.slice(0, 3)) expect(closed.some((one) => one.role === role)).toBe(true);
});

it("what is the dashboard's own stands in a chapter of its own, opened by a session, and says which role it needs", () => {
  const own = operations.filter(({ path }) => path.startsWith("/dashboard/"));
  expect(own.length).toBeGreaterThanOrEqual(19);
  for (const { operationId, chapter, level, security } of own) {
    expect([operationId, chapter]).toEqual([operationId, "Dashboard"]);
    expect([operationId, security]).toEqual([operationId, level === "open" ? [] : [{ session: [] }]]);
  }
  expect(operations.filter(({ chapter }) => chapter === "Dashboard")).toEqual(own);
  expect(document.components.securitySchemes.session).toMatchObject({ in: "cookie", name: "__Host-graticule" });
});

it("what changes something needs more than the role read, but for what is named here", () => {
  const harmless = closed.filter(({ method, role }) => method !== "GET" && role === "read");
  expect(harmless.map(({ operationId }) => operationId).sort()).toEqual(
    expect.arrayContaining(["autocompleteClick", "logs", "match", "removeMember", "syncRegion"]),
  );
  const known = [
    ...[
      "autocompleteClick",
      "explain",
      "geocodeBatch",
      "logs",
      "mapboxDirectionsPost",
      "mapboxMatchingPost",
      "match",
      "optimizeFleet",
      "postConfig",
      "postStaticMap",
      "previewSegment",
      ...["activateGeodata", "removeGeodata", "rollBackGeodata"],
    ],
    ...["disconnectAgent", "removeMember", "revealRisk", "syncRegion", "vroom"],
  ];
  expect(harmless.map(({ operationId }) => operationId).filter((name) => !known.includes(name))).toEqual([]);
});

it("nobody gets in without a session, nor with a session nobody has, and no key opens what is the dashboard's own", async () => {
  const { id, keys } = await makeWorld();
  for (const operation of closed) {
    const name = operation.operationId;
    expect([name, (await attempt(operation, { project: id })).status]).toEqual([name, 401]);
    if (operation.level !== "member") continue;
    for (const key of [keys.testPublishable, keys.liveSecret])
      expect([name, (await attempt(operation, { key })).status]).toEqual([name, 401]);
  }
});

it("each role gets as far as it reaches, and is told which one is needed", async () => {
  const world = await makeWorld();
  const tried = closed.filter(({ operationId }) => !operationId.startsWith("signOut"));
  for (const [which, role] of ROLES.entries()) {
    const member = await makeMember({ [world.id]: role });
    // By day each endpoint as two roles, by turns.
    for (const operation of tried.filter((_, at) => isNight || (at + which) % ROLES.length < 2)) {
      const answer = await attempt(operation, { cookie: member.cookie, project: world.id });
      const name = `${operation.operationId} as ${role}`;
      if (!operation.statuses.includes(answer.status))
        throw new Error(`${name} answers ${answer.status}, undocumented`);
      const needed = NEEDED.get(operation.operationId);
      const isRefused =
        answer.status === 401 || (answer.status === 403 && /Your role|an operator/.test(messageOf(answer.body)));
      const mayCall = needed === "none" || (needed !== "operator" && needed !== undefined && reaches(role, needed));
      expect([name, isRefused, answer.status < 500]).toEqual([name, !mayCall, true]);
      if (!mayCall)
        expect([name, answer.status, messageOf(answer.body)]).toEqual([
          name,
          403,
          expect.stringContaining(`${needed}`),
        ]);
    }
  }
}, 240_000);

it("a member of another project gets nowhere", async () => {
  const [mine, other] = [await makeWorld(), await makeWorld()];
  const stranger = await makeMember({ [other.id]: "owner" });
  for (const operation of closed.filter(({ role }) => role !== undefined)) {
    const { status } = await attempt(operation, { cookie: stranger.cookie, project: mine.id });
    expect([operation.operationId, status]).toEqual([operation.operationId, 403]);
  }
});

it("Test never shows what Live has, nor Live what Test has", async () => {
  const world = await makeWorld();
  const member: Signed = await makeMember({ [world.id]: "owner" });
  const AT = { latitude: 48.99, longitude: -111.2 };
  const POINT = [AT.longitude, AT.latitude];
  for (const [key, mark, scope] of [
    [world.keys.testSecret, "mark-test", world.id * 2],
    [world.keys.liveSecret, "mark-live", world.id * 2 + 1],
  ] as const) {
    const beacon = {
      type: "ibeacon",
      uuid: "aaaaaaaa-0000-4000-8000-000000000001",
      major: "1",
      minor: "2",
      enabled: true,
      coordinates: POINT,
    };
    const made = [
      await put("/v1/geofences/tag/external", key, {
        description: mark,
        type: "circle",
        coordinates: POINT,
        radius: 100,
      }),
      await put("/v1/beacons/tag/external", key, { description: mark, ...beacon }),
      await put("/v1/maps/styles/nobody", key, { version: 8, name: mark, layers: [{ id: mark, type: "background" }] }),
      await post("/v1/track", key, { deviceId: mark, userId: "nobody", description: mark, ...AT, accuracy: 5 }),
      await post("/v1/trips", key, { externalId: "nobody", userId: "nobody", metadata: { mark } }),
      await eventually(
        () => post("/v1/events", key, { name: mark, userId: "nobody" }),
        ({ status }) => status === 200,
      ),
      await post("/v1/webhooks", key, { url: "https://hooks.example.com/x", description: mark }),
    ];
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    await sql("UPDATE webhook SET url = 'https://127.0.0.1/', id = 'nobody' WHERE scope = ?", scope);
    await sql("UPDATE geofence SET id = 'nobody' WHERE scope = ?", scope);
  }
  const seen = new Set<string>();
  for (const live of [false, true]) {
    const [own, foreign] = live ? ["mark-live", "mark-test"] : ["mark-test", "mark-live"];
    for (const { operationId, method, path, parameters } of closed) {
      if (method !== "GET") continue;
      const url = path
        .replace("{tag}", "tag")
        .replace("{externalId}", "external")
        .replace(/\{\w+\}/g, "nobody");
      const { status, body } = await ask("GET", `${url}?${requiredQuery(parameters)}`, {
        cookie: member.cookie,
        project: world.id,
        live,
      });
      const text = JSON.stringify(body);
      expect([operationId, status < 500, text.includes(foreign)]).toEqual([operationId, true, false]);
      if (text.includes(own)) seen.add(operationId);
    }
  }
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      "getGeofence",
      "getTrip",
      "getUser",
      "listBeacons",
      "listEvents",
      "listUsers",
      "listWebhooks",
    ]),
  );
});
