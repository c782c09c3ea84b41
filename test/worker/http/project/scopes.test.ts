import { beforeAll, describe, expect, inject, it } from "vitest";
import { del, get, type Json, put, sql, type World } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";
import { requiredQuery } from "../reference/examples.ts";

/**
 * Two projects, test and live each: four scopes that hold rows with the very same ids. Every row carries the mark of its
 * scope, and no key ever sees another mark than its own. A query that forgot its scope would show here.
 */
const NAMES = ["testSecret", "liveSecret"] as const;
const AT = { latitude: 48.99, longitude: -111.2 };
interface Scope {
  key: string;
  number: number;
  mark: string;
}

let scopes: Scope[];
/** Recent: rounds of other tests delete old rows. */
const NOW = Date.now();
const marksIn = (body: unknown) => [...new Set(JSON.stringify(body).match(/mark-\d+/g) ?? [])];

beforeAll(async () => {
  const worlds: World[] = [await openWorld(), await openWorld()];
  scopes = worlds.flatMap(({ id, keys }) =>
    NAMES.map((name, live) => ({ key: keys[name], number: id * 2 + live, mark: `mark-${id * 2 + live}` })),
  );
  for (const { key, number, mark } of scopes) {
    await put("/v1/geofences/tag/external", key, {
      description: mark,
      type: "circle",
      coordinates: [AT.longitude, AT.latitude],
      radius: 100,
    });
    await sql("UPDATE geofence SET id = 'shared' WHERE scope = ?", number);
    // The same cell and time in all four, as the tracker of a device would have written them.
    const [{ cell }] = await sql<{ cell: number }>(
      "SELECT value AS cell FROM geofence, json_each(cover) WHERE scope = ? LIMIT 1",
      number,
    );
    const user = {
      _id: "shared",
      live: number % 2 === 1,
      userId: "shared",
      deviceId: "shared",
      description: mark,
      location: AT,
      locationAccuracy: 5,
      createdAt: NOW,
      updatedAt: NOW,
      geofences: {},
      regions: {},
    };
    await sql(
      `INSERT INTO user (scope, id, user_id, device_id, latitude, longitude, cell, version, created_at, updated_at, metadata, doc)
       VALUES (?, 'shared', 'shared', 'shared', ?, ?, ?, 1, ?, ?, '{"mark":1}', ?)`,
      ...[number, AT.latitude, AT.longitude, cell, NOW, NOW, JSON.stringify(user)],
    );
    await sql("INSERT INTO user_area (scope, cell, user) VALUES (?, ?, 'shared')", number, cell);
    await sql("INSERT INTO presence VALUES (?, 'shared', 'shared')", number);
    const event = {
      _id: "shared",
      type: "user.entered_geofence",
      createdAt: NOW,
      actualCreatedAt: NOW,
      live: user.live,
      user: { _id: "shared", deviceId: mark },
      location: AT,
      locationAccuracy: 5,
      confidence: 3,
    };
    const doc = JSON.stringify(event);
    await sql("INSERT INTO event VALUES (?, 'shared', ?, 'shared', ?, ?)", number, event.type, NOW, doc);
  }
});

describe("what one scope has", () => {
  it.each([
    "/v1/geofences",
    "/v1/geofences?tag=tag&externalId=external",
    "/v1/geofences/shared",
    "/v1/geofences/tag/external",
    "/v1/geofences/shared/users",
    "/v1/geofences/tag/external/users",
    "/v1/users",
    "/v1/users/shared",
    "/v1/events",
    "/v1/events/shared",
    "/v1/search/users?near=48.99,-111.2",
    "/v1/search/users?near=48.99,-111.2&metadata[mark]=1",
    "/v1/search/geofences?near=48.99,-111.2",
    "/v1/context?coordinates=48.99,-111.2",
  ])("is what its keys see at %s, and nothing else", async (path) => {
    for (const { key, mark } of scopes) {
      const { status, body } = await get(path, key);
      expect([status, marksIn(body)]).toEqual([200, [mark]]);
    }
  });

  it("is all that any endpoint of the reference shows", async () => {
    const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
    let asked = 0;
    for (const [path, methods] of Object.entries<Record<string, { parameters?: Parameters<typeof requiredQuery>[0] }>>(
      document.paths,
    )) {
      if (!methods.get) continue;
      const search = requiredQuery(methods.get.parameters);
      const concrete = path
        .replace("{tag}", "tag")
        .replace("{externalId}", "external")
        .replace(/\{\w+\}/g, "shared");
      for (const { key, mark } of scopes) {
        const { body } = await get(`${concrete}?${search}`, key);
        expect([path, marksIn(body).filter((found) => found !== mark)]).toEqual([path, []]);
        asked++;
      }
    }
    expect(asked).toBeGreaterThanOrEqual(4 * 12);
  }, 90_000);

  it("is all that changes and deletions reach", async () => {
    const [first, ...others] = scopes;
    const rows = async () => {
      const found: Json[] = [];
      for (const table of ["geofence", "user", "presence", "event"]) {
        for (const { number } of others) {
          const key = table === "presence" ? "user" : "id";
          found.push(...(await sql(`SELECT * FROM ${table} WHERE scope = ? AND ${key} = 'shared'`, number)));
        }
      }
      return found;
    };
    const before = await rows();
    expect(before).toHaveLength(12);
    const body = { description: "changed", type: "circle", coordinates: [1, 1], radius: 10 };
    expect((await put("/v1/geofences/shared", first.key, { ...body, tag: "tag", externalId: "external" })).status).toBe(
      200,
    );
    expect((await put("/v1/geofences/tag/external", first.key, body)).status).toBe(200);
    for (const path of ["/v1/geofences/shared", "/v1/events/shared", "/v1/users/shared"]) {
      expect([path, (await del(path, first.key)).status]).toEqual([path, 200]);
      expect([path, (await get(path, first.key)).status]).toEqual([path, 404]);
    }
    expect(await rows()).toEqual(before);
  }, 90_000);
});
