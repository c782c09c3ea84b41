import { beforeAll, describe, expect, it } from "vitest";
import { get, sql, type World } from "../../../support/world.ts";
import { openWorld, plant } from "../conformance/open-world.ts";

const HERE = { type: "circle", coordinates: [-74, 40.7], radius: 100 };
const past = new Date(Date.now() - 1000).toISOString();
const later = new Date(Date.now() + 3_600_000).toISOString();

describe("GET /v1/context", () => {
  let world: World;
  const at = async (query: string) => (await get(`/v1/context?coordinates=${query}`, world.keys.testPublishable)).body;
  const ids = async (query: string) => (await at(query)).geofences.map(({ _id }: { _id: string }) => _id).sort();
  beforeAll(async () => {
    world = await openWorld();
    await plant(world, [
      { ...HERE, id: "all", description: "All", tag: "t", externalId: "1", metadata: { floor: 3 } },
      { ...HERE, id: "ann", description: "Ann's", userIds: ["ann"] },
      { ...HERE, id: "later", description: "Later", disableAfter: later, deleteAfter: later },
      { ...HERE, id: "off", description: "Off", enabled: false },
      { ...HERE, id: "over", description: "Over", disableAfter: past },
      { ...HERE, id: "gone", description: "Gone", deleteAfter: past },
      { ...HERE, id: "there", description: "There", coordinates: [-74, 40.702] },
    ]);
  });

  it("tells the geofences of a place in `context` and beside it", async () => {
    const form = { type: "circle", geometryCenter: { type: "Point", coordinates: [-74, 40.7] }, geometryRadius: 100 };
    const all = { _id: "all", tag: "t", externalId: "1", description: "All", metadata: { floor: 3 }, ...form };
    const body = await at("40.7,-74");
    expect(body.context.geofences).toHaveLength(2);
    expect(body.context.geofences).toEqual(
      expect.arrayContaining([all, { _id: "later", description: "Later", ...form }]),
    );
    const { meta, context, ...beside } = body;
    expect(meta).toEqual({ code: 200 });
    expect(beside).toEqual(context);
  });

  it("leaves out what is reserved for others, switched off, over or deleted", async () => {
    expect(await ids("40.7,-74")).toEqual(["all", "later"]);
    expect(await ids("40.7,-74&userId=bob")).toEqual(["all", "later"]);
    expect(await ids("40.7,-74&userId=ann")).toEqual(["all", "ann", "later"]);
  });

  it("goes by great-circle distance to the centre", async () => {
    expect(await ids("40.702,-74")).toEqual(["there"]);
    expect(await ids("40.70089,-74")).toEqual(["all", "later"]);
    expect(await ids("40.70091,-74")).toEqual([]);
  });

  it("has an empty list where nothing is, and in a project without geofences", async () => {
    const none = { live: false, geofences: [] };
    const nothing = { meta: { code: 200 }, ...none, context: none };
    expect(await at("0,0")).toEqual(nothing);
    const empty = await openWorld();
    expect((await get("/v1/context?coordinates=40.7,-74", empty.keys.testPublishable)).body).toEqual(nothing);
  });

  it("knows within two seconds of a geofence that another machine has changed, made or deleted", async () => {
    const other = await openWorld();
    const scope = other.id * 2;
    await plant(other, [
      { ...HERE, id: "changed", description: "Changed" },
      { ...HERE, id: "deleted", description: "Deleted" },
    ]);
    const found = async (path: string) => {
      const { body } = await get(`${path}=40.7,-74`, other.keys.testPublishable);
      return body.geofences.map(({ _id }: { _id: string }) => _id).sort();
    };
    const [context, search] = ["/v1/context?coordinates", "/v1/search/geofences?radius=50&near"];
    const both = async () => [await found(context), await found(search)];
    expect(await both()).toEqual([
      ["changed", "deleted"],
      ["changed", "deleted"],
    ]);
    // As another machine does it: this one is not told.
    const [{ epoch }] = await sql<{ epoch: number }>("SELECT epoch FROM fence_epoch WHERE scope = ?", scope);
    await sql(
      "UPDATE geofence SET radius = 10, latitude = 40.71, epoch = ?2 WHERE scope = ?1 AND id = 'changed'",
      scope,
      epoch + 1,
    );
    await sql("DELETE FROM geofence WHERE scope = ?1 AND id = 'deleted'", scope);
    await sql("INSERT INTO geofence_grave VALUES (?1, ?2, 'deleted')", scope, epoch + 1);
    await sql("UPDATE fence_epoch SET epoch = ?2 WHERE scope = ?1", scope, epoch + 1);
    await new Promise((resume) => setTimeout(resume, 2_000));
    expect(await both()).toEqual([[], []]);
  });

  it("stores nothing", async () => {
    await at("40.7,-74&userId=ann");
    // The list waits for what is on its way into the database.
    expect((await get("/v1/users", world.keys.testSecret)).body.users).toEqual([]);
    for (const table of ["user", "event", "presence"]) {
      expect(await sql(`SELECT * FROM ${table} WHERE scope = ?`, world.id * 2)).toEqual([]);
    }
  });

  it.each(["", "40.7", "40.7,-74,5", "north,west", "90.1,0", "0,-180.1", "NaN,0", "1e999,0", ","])(
    "refuses coordinates %j",
    async (coordinates) => {
      const { status, body } = await get(`/v1/context?coordinates=${coordinates}`, world.keys.testPublishable);
      expect([status, body.meta.param]).toEqual([400, "coordinates"]);
      expect(body.meta.message).toMatch(/^coordinates: Invalid coordinates\. Expected "latitude,longitude"/);
    },
  );
});
