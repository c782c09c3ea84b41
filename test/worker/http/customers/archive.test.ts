import { beforeAll, describe, expect, inject, it } from "vitest";
import { control, del, eventually, get, makeWorld, post, put, sleep, sql, type World } from "../../../support/world.ts";

/** Events that have moved into the archive are answered as before. */

const DAY = 24 * 3600_000;
const NOW = Date.now();
const TODAY = Math.floor(NOW / DAY) * DAY;
const NAMES = [
  "listEvents",
  "getEvent",
  "exportEvents",
  "exportUser",
  "deleteEvent",
  "verifyEvent",
  "track",
  "deleteUser",
  "explainEvent",
];
const TYPES = ["user.entered_geofence", "user.exited_geofence", "bought"];
let world: World;
let secret: string;
/** _ids of the records of ann, bob and carl. */
let users: string[];
/** When each event was, by its _id. */
const made = new Map<string, { user: string; time: number }>();

/** A round; and more where a round of another test works on the same, as the one that comes second leaves it alone. */
async function round(now = NOW): Promise<void> {
  const left = () =>
    sql<{ n: number }>(
      `SELECT (SELECT count(*) FROM event WHERE scope = ?1 AND created_at < ?2 AND doc ->> '$.actualCreatedAt' < ?2)
         + (SELECT count(*) FROM archive_change WHERE scope = ?1 AND done_at IS NULL)
         + (SELECT count(*) FROM archive_forgotten WHERE scope = ?1 AND done_at IS NULL)
         + (SELECT count(*) FROM archive_merge WHERE scope = ?1) AS n`,
      ...[world.id * 2, TODAY - 7 * DAY],
    );
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
    await control("scheduled", { now });
    if ((await left())[0].n === 0) return;
  }
}
const hotRows = async () =>
  (await sql<{ id: string }>("SELECT id FROM event WHERE scope = ?", world.id * 2)).map(({ id }) => id);
const parts = () =>
  sql<{ id: string; day: number; rows: number }>(
    "SELECT id, day, rows FROM archive_part WHERE scope = ? ORDER BY day",
    world.id * 2,
  );

/** Four days of a month that is over, by their age: their objects by users become one of the month. */
const MERGED = [13, 12, 11, 10].map((date) => {
  const then = new Date(TODAY - 80 * DAY);
  return (TODAY - Date.UTC(then.getUTCFullYear(), then.getUTCMonth(), date)) / DAY;
});

/** Events of a day, three users in turn, two in each millisecond. @param age of the day [days] */
async function happened(age: number, count: number, first: number, arrivedAge = age): Promise<string[]> {
  const ids: string[] = [];
  const rows = Array.from({ length: count }, (_, i) => {
    const user = users[i % 3];
    const id = user + (first + i).toString(16).padStart(8, "0");
    const time = TODAY - age * DAY + Math.floor(i / 2) * 1000;
    ids.push(id);
    made.set(id, { user, time });
    const doc = {
      _id: id,
      type: TYPES[(i % 7) % 3],
      live: false,
      createdAt: time,
      actualCreatedAt: TODAY - arrivedAge * DAY,
      user: { _id: user, deviceId: "d" },
      confidence: 1 + (i % 3),
      location: { latitude: 1, longitude: 2 },
    };
    return [world.id * 2, id, doc.type, user, time, JSON.stringify(doc)];
  });
  await sql(
    `INSERT INTO event SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?)`,
    JSON.stringify(rows),
  );
  return ids;
}

/** All pages of a list. */
async function pages(query: string, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let before = "";
  for (let page = 0; page < 100; page++) {
    const { body } = await get(`/v1/events?limit=${limit}${query}${before}`, secret);
    seen.push(...body.events.map(({ _id }: { _id: string }) => _id));
    if (!body.meta.hasMore) return seen;
    before = `&createdBefore=${body.events.at(-1).createdAt}`;
  }
  throw new Error("no end");
}

const text = async (path: string) => {
  const response = await fetch(`${inject("baseUrl")}${path}`, { headers: { authorization: secret } });
  return {
    rows: response.headers.get("x-graticule-rows"),
    next: response.headers.get("x-graticule-next"),
    text: await response.text(),
  };
};
const at = (age: number, seconds = 0) => new Date(TODAY - age * DAY + seconds * 1000).toISOString();

/** What a caller may ask. */
async function everything() {
  const sample = [...made.keys()].filter((_, i) => i % 67 === 0);
  const asked = {
    all: pages("", 50),
    few: pages(`&createdBefore=${at(8)}`, 7),
    types: pages("&types=bought,user.exited_geofence", 20),
    none: pages("&types=user.nothing", 20),
    ann: pages("&userId=ann", 20),
    device: pages("&userId=phone-bob", 20),
    nobody: pages("&userId=nobody", 20),
    confident: pages("&confidence=2&userId=carl", 9),
    span: pages(`&createdAfter=${at(9, 5)}&createdBefore=${at(8, 20)}`, 11),
    events: Promise.all(sample.map(async (id) => (await get(`/v1/events/${id}`, secret)).body.event)),
    explained: get(`/v1/events/${sample[0]}/explain`, secret).then(({ body }) => body.explanation.verdict),
    csv: text("/v1/exports/events?format=csv"),
    part: text("/v1/exports/events?format=ndjson&limit=60"),
    annFile: text("/v1/exports/events?format=ndjson&userId=ann&types=bought"),
    confidentFile: text("/v1/exports/events?format=ndjson&confidence=3"),
  };
  const answers = await Promise.all(Object.entries(asked).map(async ([name, answer]) => [name, await answer] as const));
  return Object.fromEntries(answers) as { [Name in keyof typeof asked]: Awaited<(typeof asked)[Name]> };
}

beforeAll(async () => {
  world = await makeWorld({
    settings: {
      tracking: { regions: { country: false, state: false, dma: false, postalCode: false }, places: false },
      rateLimits: Object.fromEntries(NAMES.map((name) => [name, 10_000])),
    },
  });
  secret = world.keys.testSecret;
  users = [];
  for (const name of ["ann", "bob", "carl"]) {
    const body = { deviceId: `phone-${name}`, userId: name, latitude: 1, longitude: 2, accuracy: 5, foreground: true };
    users.push((await post("/v1/track", world.keys.testPublishable, body)).body.user._id);
  }
  // Until the users are in the database, names mean nobody.
  await get("/v1/events", secret);
  await happened(0, 20, 1000);
  await happened(8, 120, 2000);
  await happened(9, 90, 3000);
  await happened(40, 60, 4000);
  for (const [i, age] of MERGED.entries()) await happened(age, 12, 5000 + 100 * i);
}, 180_000);

describe("events older than the hot days", () => {
  it("move into the archive, and every list, filter, page, _id and export answers as before", async () => {
    const before = await everything();
    expect(before.all).toHaveLength(290 + 48);
    await round();
    expect(await hotRows()).toHaveLength(20);
    const merged =
      "SELECT sum(rows) AS rows FROM archive_month WHERE scope = ? AND merge NOT IN (SELECT id FROM archive_merge)";
    expect(await sql(merged, world.id * 2)).toEqual([{ rows: 48 }]);
    expect((await parts()).slice(4)).toEqual([
      { id: expect.any(String), day: TODAY / DAY - 40, rows: 60 },
      { id: expect.any(String), day: TODAY / DAY - 9, rows: 90 },
      { id: expect.any(String), day: TODAY / DAY - 8, rows: 120 },
    ]);
    expect(await everything()).toEqual(before);
  }, 180_000);

  it("stay in D1 while they may arrive once more: one that comes late is listed in its place, and moves when it is old itself", async () => {
    const [late] = await happened(9, 1, 9000, 1);
    await round();
    expect(await hotRows()).toContain(late);
    const list = await pages("", 50);
    const timeOf = (id: string) => made.get(id)?.time ?? 0;
    expect(list).toEqual([...made.keys()].sort((a, b) => timeOf(b) - timeOf(a) || (a < b ? 1 : -1)));
    expect(list).toHaveLength(291 + 48);
    await sql("UPDATE event SET doc = json_set(doc, '$.actualCreatedAt', ?) WHERE id = ?", TODAY - 9 * DAY, late);
    await round();
    expect(await hotRows()).not.toContain(late);
    expect(await pages("", 50)).toEqual(list);
  }, 180_000);

  it("that arrive once more although the archive has them are counted once, and leave D1 again", async () => {
    const list = await pages("", 50);
    const again = list.filter((id) => (made.get(id)?.time ?? 0) < TODAY - 8 * DAY).slice(0, 5);
    for (const id of again) {
      const { time, user } = made.get(id) ?? { time: 0, user: "" };
      await sql(
        "INSERT INTO event VALUES (?, ?, 'bought', ?, ?, ?)",
        world.id * 2,
        id,
        user,
        time,
        JSON.stringify({
          _id: id,
          live: false,
          type: "bought",
          createdAt: time,
          actualCreatedAt: time,
          user: { _id: user },
          confidence: 1,
        }),
      );
    }
    expect(await pages("", 50)).toEqual(list);
    await round();
    expect(await hotRows()).toHaveLength(20);
    expect(await pages("", 50)).toEqual(list);
  }, 180_000);

  it("can be confirmed and deleted at once; the next round writes that into the archive, and nothing else changes", async () => {
    const old = [...made].filter(([, { time }]) => time < TODAY - 7 * DAY).map(([id]) => id);
    const [confirmed, deleted] = [old[5], old[6]];
    // Before the deletion: a round of another test may write it into the archive at any time.
    const [rows] = await sql<{ n: number }>("SELECT sum(rows) AS n FROM archive_part WHERE scope = ?", world.id * 2);
    const answer = await put(`/v1/events/${confirmed}/verification`, secret, { verification: 1 });
    expect(answer.body.event.verification).toBe(1);
    expect((await del(`/v1/events/${deleted}`, secret)).status).toBe(200);
    made.delete(deleted);
    const told = async () => {
      expect((await get(`/v1/events/${confirmed}`, secret)).body.event.verification).toBe(1);
      expect((await get(`/v1/events/${deleted}`, secret)).status).toBe(404);
      expect((await del(`/v1/events/${deleted}`, secret)).status).toBe(404);
      return everything();
    };
    const before = await told();
    expect(before.all).not.toContain(deleted);
    await round();
    expect(await sql("SELECT sum(rows) AS n FROM archive_part WHERE scope = ?", world.id * 2)).toEqual([
      { n: rows.n - 1 },
    ]);
    // The number of rows that an export is told was one too high while the event was still in its part.
    const after = await told();
    expect({ ...after, csv: after.csv.text, part: 0, annFile: after.annFile.text }).toEqual({
      ...before,
      csv: before.csv.text,
      part: 0,
      annFile: before.annFile.text,
    });
  }, 180_000);

  it("of a deleted user are hidden at once, and gone from every object an hour after the next round", async () => {
    const [ann, ...others] = users;
    const left = (await pages("", 50)).filter((id) => !id.startsWith(ann));
    const someOfAnn = [...made.keys()].find((id) => id.startsWith(ann) && (made.get(id)?.time ?? 0) < TODAY - 7 * DAY);
    expect((await del("/v1/users/ann", secret)).status).toBe(200);
    expect(await pages("", 50)).toEqual(left);
    expect((await get(`/v1/events/${someOfAnn}`, secret)).status).toBe(404);
    await round();
    expect(await pages("", 50)).toEqual(left);
    const due = await sql<{ key: string }>("SELECT key FROM archive_object WHERE scope = ?", world.id * 2);
    expect(due.length).toBeGreaterThanOrEqual(6);
    const objects = await eventually(
      async () => {
        await round(NOW + 2 * 3600_000);
        return sql("SELECT key FROM archive_object WHERE scope = ?", world.id * 2);
      },
      ({ length }) => length === 0,
      60_000,
    );
    expect(objects).toEqual([]);
    expect(await sql("SELECT user FROM archive_forgotten WHERE scope = ? AND done_at IS NULL", world.id * 2)).toEqual(
      [],
    );
    expect(await pages("", 50)).toEqual(left);
    const groups = await sql<{ users: string }>(
      "SELECT users FROM archive_part WHERE scope = ?1 AND users <> '[]' UNION ALL SELECT users FROM archive_month WHERE scope = ?1",
      world.id * 2,
    );
    expect(groups.length).toBeGreaterThanOrEqual(4);
    expect(groups.every(({ users }) => !users.includes(ann) && others.some((other) => users.includes(other)))).toBe(
      true,
    );
  }, 180_000);

  it("go when the project keeps events no longer, by whole days", async () => {
    await sql("UPDATE project SET settings = json_set(settings, '$.retention.events', 30) WHERE id = ?", world.id);
    await round();
    expect((await parts()).map(({ day }) => TODAY / DAY - day)).not.toContain(40);
    expect((await pages("", 50)).filter((id) => (made.get(id)?.time ?? 0) < TODAY - 30 * DAY)).toEqual([]);
  }, 180_000);
});
