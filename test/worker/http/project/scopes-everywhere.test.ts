import { beforeAll, expect, inject, it } from "vitest";
import { call, control, eventually, get, type Json, post, put, sqlIn } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";
import { requiredQuery } from "../reference/examples.ts";

/**
 * Two projects, test and live each, that have the same things under the same names. One lives in the first database, one in another. Every endpoint of the platform is called
 * with the keys of one scope: its answer holds no mark of another, and what the others have is afterwards as it was. The list of
 * endpoints is the Worker's own, so a new one fails here until it is said how it is called.
 */
const AT = { latitude: 48.99, longitude: -111.2 };
/** Not so old that the hourly round, which other tests run, deletes it. */
const NOW = Date.now();
const POINT = [AT.longitude, AT.latitude];
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What changes anything is called for the first, which is in a jurisdiction. */
const LIVING_IN = ["DB_EU", "DB"] as const;

interface Scope {
  key: string;
  publishable: string;
  number: number;
  mark: string;
  database: "DB" | "DB_EU";
}
interface Operation {
  operationId: string;
  parameters?: Parameters<typeof requiredQuery>[0];
  "x-key-level": string;
  tags: string[];
}

let scopes: Scope[];
/** _id of the webhook of each scope: the only name that cannot be the same in all. */
const hooks = new Map<number, string>();

const fence = (mark: string) => ({ description: mark, type: "circle", coordinates: POINT, radius: 100 });
const beacon = (mark: string) => ({
  ...{
    description: mark,
    type: "ibeacon",
    uuid: "aaaaaaaa-0000-4000-8000-000000000001",
    major: "1",
    minor: "2",
    enabled: true,
    coordinates: POINT,
  },
});
const segment = (mark: string) => ({
  externalId: "shared",
  description: mark,
  rule: { conditions: [{ type: "lastSeen", days: 7 }] },
});
const style = (mark: string) => ({ version: 8, name: mark, layers: [{ id: mark, type: "background" }] });
const update = (mark: string) => ({
  ...{ deviceId: "shared", userId: "shared", ...AT, accuracy: 5, description: mark },
  metadata: { everywhere: 1 },
});

/** How everything is called that is not a GET; `mark` is the caller's own. A path's names are the same in all scopes. */
const BODIES: Record<string, ((mark: string) => Json) | undefined> = {
  track: update,
  replayTrack: (mark) => ({ replays: [update(mark)] }),
  ingestTraccar: () => ({ location: { coords: { ...AT, accuracy: 5 } }, device_id: "shared" }),
  ingestOwnTracks: () => ({ _type: "location", lat: AT.latitude, lon: AT.longitude, topic: "owntracks/shared/shared" }),
  ingestOverland: () => ({ locations: [] }),
  syncRegion: () => AT,
  autocompleteClick: () => ({}),
  signMap: () => ({ url: "/maps/static?width=100&height=100&markers=48.985,-111.23" }),
  postStaticMap: () => ({ width: 100, height: 100, markers: "48.985,-111.23" }),
  createCampaign: (mark) => ({
    name: mark,
    type: "eventNotification",
    trigger: { event: "user.entered_geofence" },
    content: { text: mark },
  }),
  updateCampaign: (mark) => ({ name: mark }),
  deleteCampaign: undefined,
  createMeeting: (mark) => ({ name: mark, radius: 100 }),
  updateMeeting: (mark) => ({ name: mark }),
  deleteMeeting: undefined,
  createSegment: (mark) => ({ ...segment(mark), externalId: "new" }),
  previewSegment: () => ({ rule: { conditions: [{ type: "lastSeen", days: 7 }] } }),
  updateSegment: (mark) => ({ description: mark }),
  deleteSegment: undefined,
  mapboxDirectionsPost: () => ({ coordinates: "-111.23,48.985;-111.2,48.99" }),
  mapboxMatchingPost: () => ({ coordinates: "-111.23,48.985;-111.2,48.99" }),
  vroom: () => ({ vehicles: [{ id: 1, start: [-111.23, 48.985] }], options: { x: 0 } }),
  optimizeFleet: () => ({ vehicles: [{ id: 1, start: [-111.23, 48.985] }], options: { x: 0 } }),
  geocodeBatch: () => ({ rows: [{ kind: "reverse", coordinates: "48.985,-111.23" }] }),
  createGeocodeJob: (mark) => ({ csv: `address\n${mark}\n` }),
  cancelGeocodeJob: () => ({}),
  deleteGeocodeJob: undefined,
  createMatchJob: () => ({ path: [{ coordinates: "0,0" }, { coordinates: "0,0.001" }] }),
  createFleetJob: () => ({ vehicles: [{ id: 1, start: [0, 0] }], jobs: [{ id: 1, location: [0, 0] }] }),
  cancelRouteJob: () => ({}),
  deleteRouteJob: undefined,
  match: () => ({ path: [{ coordinates: "48.985,-111.23" }, { coordinates: "48.99,-111.2" }] }),
  uploadMapIcon: () => ({ image: PNG }),
  deleteMapIcon: undefined,
  uploadMapStyle: style,
  deleteMapStyle: undefined,
  createGeofence: (mark) => ({ ...fence(mark), tag: "new", externalId: "new" }),
  upsertGeofence: fence,
  updateGeofence: (mark) => ({ ...fence(mark), tag: "tag", externalId: "external" }),
  deleteGeofence: undefined,
  deleteGeofenceById: undefined,
  importGeofences: (mark) => ({
    csv: `description,tag,externalId,coordinates,radius\n${mark},tag,external,"[${POINT}]",100\n`,
  }),
  createBeacon: (mark) => ({ ...beacon(mark), tag: "new", externalId: "new" }),
  upsertBeacon: beacon,
  updateBeacon: (mark) => ({ ...beacon(mark), tag: "tag", externalId: "external" }),
  deleteBeacon: undefined,
  deleteBeaconById: undefined,
  importBeacons: (mark) => ({
    csv: `description,type,uuid,major,minor,tag,externalId,coordinates,enabled\n${mark},ibeacon,aaaaaaaa-0000-4000-8000-000000000001,1,2,tag,external,"[${POINT}]",true\n`,
  }),
  deleteUser: undefined,
  setUserFraud: () => ({ blocked: true }),
  setUserSegments: (mark) => ({ segments: [{ description: mark, externalId: mark }] }),
  createTrip: (mark) => ({ externalId: "new", userId: "shared", metadata: { mark } }),
  updateTrip: (mark) => ({ status: "canceled", metadata: { mark } }),
  setTripLegs: (mark) => ({ legs: [{ destination: { coordinates: [1, 2] }, metadata: { mark } }] }),
  updateTripLeg: () => ({ status: "started" }),
  deleteTrip: undefined,
  shareTrip: () => ({}),
  revokeTripShare: undefined,
  logConversion: (mark) => ({ name: "bought", userId: "shared", metadata: { mark } }),
  verifyEvent: () => ({ verification: 1 }),
  deleteEvent: undefined,
  explain: () => ({ userId: "shared", geofence: "tag/external", at: new Date().toISOString() }),
  createWebhook: (mark) => ({ url: "https://hooks.example.com/x", description: mark }),
  updateWebhook: (mark) => ({ description: mark, enabled: true }),
  deleteWebhook: undefined,
  rotateWebhookSecret: () => ({}),
  testWebhook: () => ({}),
  replayDeadLetters: () => ({}),
  replayDeadLetter: () => ({}),
  patchSettings: (mark) => ({ chainMappings: { [mark]: mark } }),
  postConfig: () => ({ usage: "initialize" }),
  revealRisk: (mark) => ({ deviceId: mark }),
  logs: (mark) => ({ logs: [{ message: mark }] }),
};
/** Lists by other conditions than those of the reference's examples. */
const FILTERED = [
  "/v1/geofences?tag=tag&externalId=external",
  "/v1/search/users?near=48.99,-111.2&metadata[everywhere]=1",
];
/** Settings are one for test and live of a project. */
const OF_THE_PROJECT = ["getSettings", "patchSettings"];

const marksIn = (body: unknown) => [...new Set(JSON.stringify(body ?? "").match(/mark-\d+/g) ?? [])];
const foreign = ({ number, mark }: Scope, operationId: string, body: unknown) =>
  marksIn(body).filter(
    (found) => found !== mark && !(OF_THE_PROJECT.includes(operationId) && Number(found.slice(5)) >> 1 === number >> 1),
  );

beforeAll(async () => {
  const worlds = await Promise.all(
    LIVING_IN.map(async (database) => ({ ...(await openWorld({}, false, database)), database })),
  );
  scopes = worlds.flatMap(({ id, keys, database }) => [
    { key: keys.testSecret, publishable: keys.testPublishable, number: id * 2, mark: `mark-${id * 2}`, database },
    {
      key: keys.liveSecret,
      publishable: keys.livePublishable,
      number: id * 2 + 1,
      mark: `mark-${id * 2 + 1}`,
      database,
    },
  ]);
  for (const { key, number, mark, database } of scopes) {
    const sql = (query: string, ...values: unknown[]) => sqlIn(database, query, ...values);
    const made = [
      await put("/v1/geofences/tag/external", key, fence(mark)),
      await put("/v1/beacons/tag/external", key, beacon(mark)),
      await post("/v1/imports/beacons", key, { csv: "description,type,coordinates,enabled\n", filename: mark }),
      await post("/v1/imports/geofences", key, { csv: "description,coordinates\n", filename: mark }),
      await put("/v1/maps/styles/shared", key, style(mark)),
      await put("/v1/maps/icons/shared", key, { image: PNG }),
      await post("/v1/track", key, update(mark)),
      await post("/v1/trips", key, { externalId: "shared", userId: "nobody", metadata: { mark } }),
      await post("/v1/webhooks", key, { url: "https://hooks.example.com/x", description: mark }),
      await post("/v1/segments", key, segment(mark)),
      await post("/v1/meetings", key, { name: mark, radius: 100 }),
    ];
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    const webhook = made[8].body.webhook._id;
    hooks.set(number, webhook);
    // Nothing here waits for the world.
    await sql("UPDATE webhook SET url = 'https://127.0.0.1/' WHERE scope = ?", number);
    for (const table of ["geofence", "beacon", "beacon_import", "geofence_import"]) {
      await sql(`UPDATE ${table} SET id = 'shared' WHERE scope = ?`, number);
    }
    const [{ id: user }] = await eventually(
      () => sql("SELECT id FROM user WHERE scope = ?", number),
      (users) => users.length === 1,
    );
    await sql("INSERT INTO presence VALUES (?, 'shared', ?)", number, user);
    const event = {
      _id: "shared",
      type: "user.entered_geofence",
      createdAt: NOW,
      actualCreatedAt: NOW,
      live: number % 2 === 1,
      user: { _id: "shared", deviceId: mark },
      location: AT,
      locationAccuracy: 5,
      confidence: 3,
    };
    const { type, createdAt } = event;
    await sql(
      "INSERT INTO event VALUES (?, 'shared', ?, 'shared', ?, ?)",
      number,
      type,
      createdAt,
      JSON.stringify(event),
    );
    await sql(
      "INSERT INTO trip_share VALUES (?, 'shared', (SELECT id FROM trip WHERE scope = ?1), ?, '[]', 1, ?, NULL)",
      ...[number, mark, Date.now() + 3_600_000],
    );
    await sql(
      `INSERT INTO dead_letter VALUES (?, ?, 'shared', NULL, ?, '{}', 10, ?, ?, ?)`,
      ...[number, webhook, JSON.stringify([{ id: "shared", type: mark }]), mark, NOW, NOW],
    );
  }
});

/** All rows of some scopes, as the database has them. */
async function rowsOf(some: readonly Scope[]): Promise<Json[]> {
  const found: Json[] = [];
  for (const table of [
    "geofence",
    "presence",
    "beacon",
    "beacon_import",
    "geofence_import",
    "user",
    "event",
    "trip",
    "trip_share",
    "webhook",
    "dead_letter",
    "segment",
    "meeting",
  ]) {
    for (const { number, database } of some) {
      const rows = await sqlIn(
        database,
        `SELECT * FROM ${table} WHERE scope = ? ORDER BY ${table === "presence" ? '"user"' : "id"}`,
        number,
      );
      expect([table, number, rows.length > 0]).toEqual([table, number, true]);
      found.push(...rows);
    }
  }
  return found;
}

/** Rows and files of a scope that lie in a database, or a bucket, in which its project does not live. */
async function rowsElsewhere({ number, database }: Scope): Promise<Json[]> {
  const other = database === "DB" ? "DB_EU" : "DB";
  const bucket = database === "DB" ? "BUCKET_EU" : "GEODATA";
  const keys = await Promise.all(
    [`custom/${number}/`, `sinks/${number}/`, `archive/events/scope=${number}/`, `learning/${number}/`].map((prefix) =>
      control<string[]>("keys", { bucket, prefix }),
    ),
  );
  const tables = await sqlIn<{ name: string }>(
    other,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%scope INTEGER%'",
  );
  expect(tables.length).toBeGreaterThan(20);
  const found = tables.map(({ name }) =>
    sqlIn(other, `SELECT '${name}' AS "table", * FROM ${name} WHERE scope = ?`, number),
  );
  return [...(await Promise.all(found)).flat(), ...keys.flat().map((key) => ({ bucket, key }))];
}

it("no endpoint shows or changes what another scope has", async () => {
  const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
  const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
      // The dashboard's own take no key: test/dashboard/every-role.worker.test.ts.
      .filter(({ tags }) => !tags.includes("Dashboard"))
      // Its tools send requests to the others, with the caller's key: test/worker/http/project/mcp.test.ts; access tokens: oauth.test.ts.
      .filter(({ operationId }) => !["mcp", "oauthToken", "oauthRevoke"].includes(operationId))
      // The operator's, of the whole deployment, and with a secret of its own: test/worker/recovery.
      .filter(({ operationId }) => operationId !== "recovery"),
  );
  const uncovered = operations.filter(({ method, operationId }) => method !== "GET" && !(operationId in BODIES));
  expect(uncovered.map(({ operationId }) => operationId)).toEqual([]);

  // What reads, then what writes, then what deletes.
  const order = (method: string) => (method === "GET" ? 0 : method === "DELETE" ? 2 : 1);
  operations.sort((a, b) => order(a.method) - order(b.method));
  const [first, ...others] = scopes;
  const before = await rowsOf(others);
  const strayed = () => Promise.all(scopes.map((scope) => rowsElsewhere(scope)));
  const seen = new Set<string>();
  let answered = 0;
  for (const { operationId, method, path, parameters, "x-key-level": level } of operations) {
    const concrete = (own: string) =>
      path
        .replace("{tag}", "tag")
        .replace("{externalId}", "external")
        .replace(/\/webhooks\/\{id\}/, `/webhooks/${own}`)
        .replace(/\{\w+\}/g, "shared");
    const search = requiredQuery(parameters);
    const json = BODIES[operationId]?.(first.mark);
    const callers = method === "GET" ? scopes : [first];
    for (const caller of callers) {
      const own = hooks.get(caller.number) as string;
      const url = `${concrete(own)}${search && `?${search}`}`;
      for (const key of level === "publishable" ? [caller.publishable, caller.key] : [caller.key]) {
        const answer = await call(method, url, { key, ...(json && { json }) });
        expect([operationId, answer.status < 500, foreign(caller, operationId, answer.body)]).toEqual([
          operationId,
          true,
          [],
        ]);
        if (marksIn(answer.body).includes(caller.mark)) seen.add(operationId);
        if (answer.status < 300) answered++;
      }
    }
    // A webhook of another scope is nobody's.
    if (path.includes("/webhooks/{id}")) {
      const foreignHook = concrete(hooks.get(others[0].number) as string);
      const answer = await call(method, foreignHook, { key: first.key, ...(json && { json }) });
      expect([operationId, answer.status]).toEqual([operationId, 404]);
    }
  }
  for (const path of FILTERED)
    for (const { key, mark } of others) expect([path, marksIn((await get(path, key)).body)]).toEqual([path, [mark]]);
  expect(await rowsOf(others)).toEqual(before);
  expect((await strayed()).flat()).toEqual([]);
  for (const { key, mark } of others) {
    expect(marksIn((await get("/v1/maps/styles/shared", key)).body)).toEqual([mark]);
    expect((await get("/v1/maps/icons", key)).body.icons).toHaveLength(1);
    expect((await get("/v1/users/shared", key)).body.user.description).toBe(mark);
  }
  // The marks were really there to be seen.
  for (const name of [
    ...[
      "geofenceUsers",
      "geofenceUsersById",
      "context",
      "searchGeofences",
      "searchBeacons",
      "searchUsers",
      "syncRegion",
      "track",
      "replayTrack",
    ],
    ...["listGeofences", "getGeofence", "listBeacons", "getBeacon", "listUsers", "getUser", "listTrips", "getTrip"],
    ...["listEvents", "getEvent", "listWebhooks", "getWebhook", "listDeadLetters", "getMapStyle", "logConversion"],
  ])
    expect([name, seen.has(name)]).toEqual([name, true]);
  expect(answered).toBeGreaterThan(100);
}, 240_000);
