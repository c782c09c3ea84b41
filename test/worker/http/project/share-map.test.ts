import { beforeAll, describe, expect, it } from "vitest";
import {
  call,
  del,
  eventually,
  get,
  makeWorld,
  post,
  sql,
  untilLimited,
  type World,
  withGeodata,
} from "../../../support/world.ts";

/** The ground below a shared trip: whoever holds the link's token sees it, without a key. */

const HERE = { latitude: 52.5, longitude: 13.4 };
const GOAL = { latitude: 52.6, longitude: -179.99 };

let world: World;
let token: string;
let share: string;

beforeAll(async () => {
  await withGeodata("world");
  world = await makeWorld();
  const legs = [{ destination: { coordinates: [GOAL.longitude, GOAL.latitude] } }];
  const trip = await post("/v1/trips", world.keys.testSecret, { externalId: "order-1", userId: "anna", legs });
  await post("/v1/track", world.keys.testPublishable, { deviceId: "van", userId: "anna", ...HERE, accuracy: 5 });
  await eventually(
    () => get("/v1/trips/order-1", world.keys.testSecret),
    ({ body }) => body.trip?.status === "started" && body.trip.locations?.length > 0,
  );
  const made = await post(`/v1/trips/${trip.body.trip._id}/shares`, world.keys.testSecret, { minutes: 30 });
  token = made.body.share.token;
  share = made.body.share._id;
});

/** The tile of a position, `dx` columns and `dy` rows away. */
function tileAt({ latitude, longitude }: typeof HERE, z: number, dx = 0, dy = 0): string {
  const count = 2 ** z;
  const sin = Math.sin((latitude * Math.PI) / 180);
  const column = Math.floor((longitude / 360 + 0.5) * count) + dx;
  const row = Math.floor((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * count) + dy;
  return `tiles/${z}/${(column + count) % count}/${row}.mvt`;
}

async function linkTo(show: string[]): Promise<string> {
  const made = await post("/v1/trips/order-1/shares", world.keys.testSecret, { minutes: 30, show });
  return made.body.share.token;
}

const open = (path: string, of = token) => call("GET", `/v1/shares/${of}/map/${path}`);

/** Is the tile empty because it is far away? Other empty tiles stay so for a day. */
async function isEmptied(tile: string, of?: string): Promise<boolean> {
  const { status, headers } = await open(tile, of);
  expect([200, 204]).toContain(status);
  const isShort = headers.get("cache-control") === "public, max-age=10";
  if (isShort) expect(status).toBe(204);
  return isShort;
}

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

  it("has the tiles around what the link shows at every zoom, and none far away", async () => {
    const far = { latitude: -20, longitude: 140 };
    for (const z of [0, 1, 3]) expect(await isEmptied(tileAt(far, z))).toBe(false);
    for (const z of [9, 12, 15])
      for (const near of [HERE, GOAL])
        for (const [dx, dy, isNear] of [
          ...[
            [0, 0, true],
            [8, -8, true],
            [-8, 8, true],
          ],
          ...[
            [9, 0, false],
            [0, -9, false],
          ],
        ] as [number, number, boolean][]) {
          const isFar = await isEmptied(tileAt(near, z, dx, dy));
          expect([z, dx, dy, isFar]).toEqual([z, dx, dy, !isNear]);
        }
    expect(await isEmptied(tileAt(far, 12))).toBe(true);
    expect((await open("tiles/12/x/0.mvt")).status).toBe(400);
  });

  it("shows no more by its tiles than the link does", async () => {
    const [goal, none] = [await linkTo(["destination"]), await linkTo(["eta"])];
    for (const [of, isGoalThere] of [
      [goal, true],
      [none, false],
    ] as const) {
      expect(await isEmptied(tileAt(GOAL, 14), of)).toBe(!isGoalThere);
      expect(await isEmptied(tileAt(HERE, 14), of)).toBe(true);
    }
    expect(await isEmptied("tiles/0/0/0.mvt", none)).toBe(true);
  });

  it("is limited per address", async () => {
    const ask = (address: string) =>
      call("GET", `/v1/shares/${token}/map/tiles/0/0/0.mvt`, { headers: { "x-forwarded-for": address } });
    const answers = await untilLimited(() => Promise.all(Array.from({ length: 150 }, () => ask("203.0.113.7"))));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.meta.message).toBe(
      "Rate limit exceeded: 100 calls of shareMapTile from one address per second.",
    );
    expect(refused?.headers.get("retry-after")).toBe("1");
    expect((await ask("203.0.113.8")).status).toBe(200);
  });

  it("counts as usage of the project, in the half of the trip", async () => {
    const used = () =>
      sql("SELECT endpoint, live, calls FROM usage WHERE project = ? AND endpoint LIKE 'shareMap%'", world.id);
    const tiles = ({ endpoint }: Record<string, unknown>) => endpoint === "shareMapTile";
    const rows = await eventually(used, (found) => found.some(tiles), 60_000);
    expect(rows.find(tiles)).toMatchObject({ live: 0 });
    expect(Number(rows.find(tiles)?.calls)).toBeGreaterThan(0);
  });
});
