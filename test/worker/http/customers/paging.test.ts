import { beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  call,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sql,
  type World,
} from "../../../support/world.ts";

/** Lists whose rows share their milliseconds three by three, read as the reference says: on "before" the last row. */

const ROWS = 20;
const TOGETHER = 3;
const HERE = { latitude: 40.7, longitude: -73.98 };
const BEACON = { description: "Door", type: "eddystone", uid: "f7826da64fa24e988024", instance: "000000000001" };
const LISTS = ["listUsers", "listGeofences", "listEvents", "listTrips", "listBeacons", "listWebhooks"];

let world: World;
const secret = () => world.keys.testSecret;

beforeAll(async () => {
  const unlimited = [...LISTS, "listDeadLetters", "importBeacons"].map((name) => [name, 100_000]);
  world = await makeWorld({ settings: { rateLimits: Object.fromEntries(unlimited) } });
  const { testPublishable: publishable } = world.keys;
  const coordinates = [HERE.longitude, HERE.latitude];
  await put("/v1/geofences/a/b", secret(), { description: "a", type: "circle", coordinates, radius: 100 });
  await post("/v1/beacons", secret(), { ...BEACON, coordinates, enabled: true });
  await post("/v1/trips", publishable, { externalId: "a", userId: "nobody" });
  await post("/v1/webhooks", secret(), { url: "https://hooks.example.com/x" });
  await sql(
    "INSERT INTO dead_letter VALUES (?, 'row0', 'x', NULL, '[]', '{}', 1, 'No.', 1, ?)",
    world.id * 2,
    Date.now(),
  );
  await post("/v1/track", publishable, { deviceId: "a", ...HERE, accuracy: 5, foreground: true });
  await eventually(
    () => sql("SELECT id FROM event WHERE scope = ?", world.id * 2),
    (rows) => rows.length === 1,
  );
  for (const table of ["user", "geofence", "event", "trip", "beacon", "webhook", "dead_letter"]) await multiply(table);
});

/** When the first rows are from: not so long ago that another project's hourly round would remove them. */
const START = Date.now() - 60_000;
const DAY = Math.floor(START / 86_400_000);

/** Makes ROWS of the only row that this world has in a table, TOGETHER in each millisecond. */
async function multiply(table: string): Promise<void> {
  const time = `${START} + n.value / ${TOGETHER}`;
  const id = "'row' || n.value";
  const instead: Record<string, string> = {
    id,
    created_at: time,
    updated_at: time,
    day: String(DAY),
    tag: "NULL",
    external_id: `'e' || n.value`,
    doc: `json_set(doc, '$._id', ${id}, '$.createdAt', ${time}, '$.updatedAt', ${time})`,
  };
  const columns = await sql<{ name: string }>("SELECT name FROM pragma_table_info(?)", table);
  const values = columns.map(({ name }) => instead[name] ?? `one."${name}"`);
  const numbers = JSON.stringify(Array.from({ length: ROWS }, (_, i) => i));
  await sql(
    `INSERT INTO "${table}" SELECT ${values.join(", ")} FROM "${table}" AS one, json_each(?1) AS n
     WHERE one.scope = ?2 AND one.id NOT LIKE 'row%'`,
    numbers,
    world.id * 2,
  );
  await sql(`DELETE FROM "${table}" WHERE scope = ? AND id NOT LIKE 'row%'`, world.id * 2);
}

interface Pages {
  sizes: number[];
  rows: Json[];
}

/** All pages, as a client reads them that has only what it was answered. */
async function readAll(
  key: string,
  path: string,
  limit: number,
  of: string,
  time: string,
  before: string,
): Promise<Pages> {
  const pages: Pages = { sizes: [], rows: [] };
  let from = "";
  for (;;) {
    const { status, body }: Answer = await get(`${path}?limit=${limit}${from}`, key);
    expect(status).toBe(200);
    pages.sizes.push(body[of].length);
    pages.rows.push(...body[of]);
    if (!body.meta.hasMore) return pages;
    from = `&${before}=${encodeURIComponent(body[of].at(-1)[time])}`;
  }
}

const CREATED = ["createdAt", "createdBefore"] as const;

describe("a list read page by page, on before the time of the last row", () => {
  it.each([
    ["users", "/v1/users", "users", "updatedAt", "updatedBefore"],
    ["geofences", "/v1/geofences", "geofences", ...CREATED],
    ["events", "/v1/events", "events", ...CREATED],
    ["trips", "/v1/trips", "trips", ...CREATED],
    ["beacons", "/v1/beacons", "beacons", ...CREATED],
    ["webhooks", "/v1/webhooks", "webhooks", ...CREATED],
    ["dead letters", "/v1/webhooks/row0/dead-letters", "deadLetters", ...CREATED],
  ] as const)("shows each of the %s once, newest first", async (_, path, of, time, before) => {
    for (const [limit, sizes] of [
      [7, [5, 6, 6, 3]],
      [6, [5, 6, 6, 3]],
      [2, [2, 3, 3, 3, 3, 3, 3]],
      [100, [20]],
    ] as const) {
      const pages = await readAll(secret(), path, limit, of, time, before);
      expect([limit, pages.sizes]).toEqual([limit, sizes]);
      expect(new Set(pages.rows.map(({ _id }) => _id)).size).toBe(ROWS);
      const times = pages.rows.map((row) => Date.parse(String(row[time])));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    }
  });

  it("shows each beacon of an imported file, in pages of the size asked for", async () => {
    const own = await makeWorld({ settings: { rateLimits: { listBeacons: 100_000 } } });
    const names = Array.from({ length: 25 }, (_, i) => `B${i}`);
    const lines = names.map((name, i) => `${name},shop,${i},eddystone,${BEACON.uid},${1e11 + i},"[0,0]",true`);
    const csv = ["description,tag,externalId,type,uid,instance,coordinates,enabled", ...lines].join("\n");
    const headers = { "content-type": "text/csv" };
    const done = await call("POST", "/v1/imports/beacons", { key: own.keys.testSecret, body: csv, headers });
    expect(done.body.import).toMatchObject({ created: 25, failed: 0 });
    const { sizes, rows } = await readAll(own.keys.testSecret, "/v1/beacons", 10, "beacons", ...CREATED);
    expect(sizes).toEqual([10, 10, 5]);
    expect(rows.map(({ description }) => description)).toEqual(names.toReversed());
    expect(rows[0].createdAt).toBe(done.body.import.createdAt);
  });
});
