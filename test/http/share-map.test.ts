import { beforeAll, describe, expect, it } from "vitest";
import { call, del, get, makeWorld, post, type World, withGeodata } from "../support/world.ts";

/** The ground below a shared trip: whoever holds the link's token sees it, without a key. */

let world: World;
let token: string;
let share: string;

beforeAll(async () => {
  await withGeodata("world");
  world = await makeWorld();
  const trip = await post("/v1/trips", world.keys.testSecret, { externalId: "order-1", userId: "anna" });
  const made = await post(`/v1/trips/${trip.body.trip._id}/shares`, world.keys.testSecret, { minutes: 30 });
  token = made.body.share.token;
  share = made.body.share._id;
});

const open = (path: string, of = token) => call("GET", `/v1/shares/${of}/map/${path}`);

describe("the map below a shared trip", () => {
  it("has a style whose links lead through the token and carry no key", async () => {
    const { status, body } = await open("styles/radar-light-v1");
    expect(status).toBe(200);
    expect(body.layers.length).toBeGreaterThan(20);
    const links = [body.glyphs, body.sprite, ...body.sources.basemap.tiles] as string[];
    for (const link of links) {
      expect(link).toContain(`/v1/shares/${token}/map/`);
      expect(link).not.toMatch(/key/i);
    }
  });

  it("gives tiles, glyphs and icons as the maps of the project have them", async () => {
    for (const [path, own] of [
      ["tiles/0/0/0.mvt", "/maps/tiles/0/0/0.mvt"],
      ["glyphs/Noto%20Sans%20Regular/0-255.pbf", "/maps/glyphs/Noto%20Sans%20Regular/0-255.pbf"],
      ["sprites/radar-light-v1.json", "/maps/sprites/radar-light-v1.json"],
    ]) {
      const through = await open(path);
      expect(through.status).toBe(200);
      expect(through.headers.get("etag")).toBe((await get(own, world.keys.testPublishable)).headers.get("etag"));
    }
  });

  it("is there for nobody who guesses, and has no uploaded styles", async () => {
    const guessed = `shr_${"0".repeat(40)}`;
    for (const path of ["styles/radar-light-v1", "tiles/0/0/0.mvt", "sprites/radar-light-v1.json"])
      expect((await open(path, guessed)).status).toBe(404);
    expect((await open("styles/0123456789abcdef01234567")).status).toBe(404);
  });

  it("ends with a link that is revoked before anybody looked", async () => {
    const { body } = await get("/v1/trips/order-1", world.keys.testSecret);
    const made = await post(`/v1/trips/${body.trip._id}/shares`, world.keys.testSecret, { minutes: 30 });
    await del(`/v1/shares/${made.body.share._id}`, world.keys.testSecret);
    const answer = await open("styles/radar-light-v1", made.body.share.token);
    expect(answer.status).toBe(410);
    expect(answer.body.meta.message).toContain("revoked");
    expect(share).not.toBe(made.body.share._id);
  });
});
