import { beforeEach, describe, expect, it } from "vitest";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { importGeofences } from "../../../src/worker/http/geofences/geofence-imports.ts";
import {
  createGeofence,
  updateGeofenceById,
  upsertGeofenceByPair,
} from "../../../src/worker/http/geofences/geofences.ts";
import { fenceEpochOf } from "../../../src/worker/http/serve/callers/caller.ts";
import type { Caller } from "../../../src/worker/http/serve/callers/identity.ts";
import type { Endpoint } from "../../../src/worker/http/serve/endpoint.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
let scope = 9000;
let DB: ReturnType<typeof d1On>;
let GEODATA: object;
beforeEach(() => {
  scope += 2;
  DB = d1On(newDatabase());
  GEODATA = { get: async () => null };
});

const callerOf = () =>
  ({ project: scope / 2, live: false, secret: true, scope, settings: {}, fenceEpoch: 0 }) as Caller;
async function run(what: unknown, body: object, params: Record<string, string> = {}, now = NOW) {
  const endpoint = what as Endpoint;
  const call = {
    params,
    now,
    caller: callerOf(),
    env: { DB, GEODATA },
    requestId: "r",
    request: new Request("http://h/"),
    body: validate(endpoint.body!, body as never),
    query: endpoint.query ? validate(endpoint.query, {}) : {},
    pace: unpaced(),
    waitUntil() {},
    leftOut() {},
    credit() {},
    audit() {},
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read
  return (await endpoint.handle(call as never)) as any;
}

const CIRCLE = { description: "Yard", type: "circle", coordinates: [13.4, 52.5], radius: 100 };
const named = (tag: string, externalId: string, more: object = {}) => ({ ...CIRCLE, tag, externalId, ...more });

describe("a change of a geofence", () => {
  /** The newest epoch that this machine knows of the scope, for the next request. */
  const epoch = () => fenceEpochOf(callerOf());

  it("counts in this machine at once: created, replaced by its id, and by its names", async () => {
    expect(epoch()).toBe(0);
    const { geofence } = await run(createGeofence, named("a", "1"));
    const created = epoch();
    expect(created).toBeGreaterThan(0);
    const replaced = await run(updateGeofenceById, named("a", "1", { radius: 200 }), { id: geofence._id });
    expect([replaced.geofence.geometryRadius, epoch() > created]).toEqual([200, true]);
    const before = epoch();
    await run(upsertGeofenceByPair, CIRCLE, { tag: "a", externalId: "2" });
    expect(epoch()).toBeGreaterThan(before);
    const imported = epoch();
    await run(importGeofences, { csv: 'description,coordinates,radius\nX,"[1,2]",50\n' });
    expect(epoch()).toBeGreaterThan(imported);
  });

  it("does not take the names of another, and needs one that is there", async () => {
    await run(createGeofence, named("a", "1"));
    const { geofence } = await run(createGeofence, named("a", "2"));
    await expect(run(createGeofence, named("a", "1"))).rejects.toMatchObject({ status: 409 });
    await expect(run(updateGeofenceById, named("a", "1"), { id: geofence._id })).rejects.toMatchObject({ status: 409 });
    await expect(run(updateGeofenceById, CIRCLE, { id: "0".repeat(24) })).rejects.toMatchObject({ status: 404 });
  });
});

describe("a file of geofences", () => {
  const csv = (...rows: string[]) => ({
    csv: ["_id,tag,externalId,description,latitude,longitude,radius", ...rows].join("\n"),
  });
  const rowsOf = async (body: object) =>
    (await run(importGeofences, body)).rows.map(({ status, param }: { status: string; param?: string }) => [
      status,
      param,
    ]);

  it("creates, updates by id or names, and leaves what is the same", async () => {
    const { geofence } = await run(createGeofence, named("a", "1"));
    const rows = [
      `${geofence._id},a,1,Yard,52.5,13.4,100`,
      ",a,1,Yard,52.5,13.4,150",
      ",a,2,New,52.5,13.4,100",
      ",,,Yard,1,2,30",
    ];
    expect(await rowsOf(csv(...rows))).toEqual([
      ...[
        ["unchanged", undefined],
        ["updated", undefined],
        ["created", undefined],
        ["created", undefined],
      ],
    ]);
    // The same file again: the first row is different from what the second one made of it.
    expect(await rowsOf(csv(...rows.slice(1)))).toEqual(Array(3).fill(["unchanged", undefined]));
  });

  it("reports a row that would take the names of another geofence, or breaks a rule, and stops no other", async () => {
    const { geofence } = await run(createGeofence, named("a", "1"));
    await run(createGeofence, named("a", "2"));
    const rows = [`${geofence._id},a,2,Yard,52.5,13.4,100`, ",b,1,Yard,95,13.4,100", ",b,2,Yard,52.5,13.4,100"];
    expect(await rowsOf(csv(...rows))).toEqual([
      ["failed", "externalId"],
      ["failed", "coordinates"],
      ["created", undefined],
    ]);
    const { rows: reports } = await run(importGeofences, csv(",7,8,,52.5,13.4,100"));
    expect(reports).toEqual([
      {
        row: 1,
        line: 2,
        status: "failed",
        tag: "7",
        externalId: "8",
        param: "description",
        message: expect.any(String),
      },
    ]);
  });

  it("writes nothing as a dry run, and says of the same rows what would happen", async () => {
    const dry = await run(importGeofences, { ...csv(",a,1,Yard,52.5,13.4,100"), dryRun: true });
    expect([dry.rows[0].status, dry.import.dryRun, dry.import.format]).toEqual(["created", true, "csv"]);
    const again = await run(importGeofences, csv(",a,1,Yard,52.5,13.4,100"));
    expect([again.rows[0].status, again.import.dryRun]).toEqual(["created", false]);
  });

  it("ends where the server fails, instead of blaming its rows", async () => {
    const feature = {
      type: "Feature",
      geometry: { type: "Point", coordinates: [13.4, 52.5] },
      properties: { description: "X", type: "isochrone", radius: 5, mode: "car" },
    };
    GEODATA = {
      async get() {
        throw new Error("the storage is away");
      },
    };
    await expect(run(importGeofences, { geojson: feature })).rejects.toThrow("the storage is away");
  });

  it.each([
    [{}, "geojson"],
    [{ geojson: { type: "Topology" } }, "geojson"],
    [{ csv: "a,b\n1,2" }, "csv"],
    [{ csv: "description,latitude\nx,2" }, "csv"],
  ])("that is none, %j, is rejected for %s", async (body, param) => {
    await expect(run(importGeofences, body)).rejects.toMatchObject({ status: 400, param });
  });
});
