import { beforeAll, describe, expect, inject, it } from "vitest";
import { decodeTile } from "../../../../src/core/maps/tiles/mvt.ts";
import { MAX_ZOOM, planeX, planeY, WORLD_SIZE } from "../../../../src/core/maps/tiles/plane.ts";
import { get, makeWorld, withGeodata } from "../../../support/world.ts";

/** Main Street of Meridale in the demo world. */
const MERIDALE = { latitude: 48.99, longitude: -111.2 };
/** In the middle of the Atlantic, and in Paris, which nobody imported. */
const ATLANTIC = { latitude: 30, longitude: -40 };
const PARIS = { latitude: 48.8566, longitude: 2.3522 };

function tilePath(z: number, { latitude, longitude }: typeof PARIS): string {
  const side = 2 ** z;
  return `/maps/tiles/${z}/${Math.floor((planeX(longitude) / WORLD_SIZE) * side)}/${Math.floor((planeY(latitude) / WORLD_SIZE) * side)}`;
}

let keys: Awaited<ReturnType<typeof makeWorld>>["keys"];

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  ({ keys } = await makeWorld());
}, 180_000);

async function fetchTile(path: string, headers: Record<string, string> = {}) {
  return fetch(`${inject("baseUrl")}${path}?publishableKey=${keys.testPublishable}`, { headers });
}

async function layersOf(path: string) {
  const response = await fetchTile(path);
  expect([path, response.status]).toEqual([path, 200]);
  const layers = decodeTile(new Uint8Array(await response.arrayBuffer()));
  return new Map(layers.map(({ name, features }) => [name, features]));
}

describe("GET /maps/tiles/:z/:x/:y", () => {
  it("is a vector tile with roads, buildings and names where something is imported", async () => {
    const layers = await layersOf(`${tilePath(15, MERIDALE)}.mvt`);
    expect([...layers.keys()]).toEqual(expect.arrayContaining(["earth", "landuse", "roads", "buildings", "pois"]));
    const roads = layers.get("roads")!.map(({ properties }) => properties);
    expect(roads).toContainEqual(expect.objectContaining({ kind: "minor_road", name: expect.any(String) }));
  });

  it("is the coarse world everywhere else, at any zoom", async () => {
    for (const z of [0, 3, 6, 10, MAX_ZOOM]) {
      const sea = await layersOf(tilePath(z, ATLANTIC));
      expect(sea.get("water")?.some(({ properties }) => properties.kind === "ocean")).toBe(true);
      const land = await layersOf(tilePath(z, PARIS));
      expect(land.get("earth")?.length).toBeGreaterThan(0);
      if (z >= 10)
        expect(land.get("water")?.some(({ properties }) => properties.kind === "ocean") ?? false).toBe(false);
    }
  });

  it("names countries and large cities in the platform's languages", async () => {
    const places = (await layersOf(tilePath(5, PARIS))).get("places")!.map(({ properties }) => properties);
    expect(places).toContainEqual(expect.objectContaining({ kind: "locality", name: "Paris", capital: "yes" }));
    const world = (await layersOf("/maps/tiles/3/4/2")).get("places")!.map(({ properties }) => properties);
    const germany = world.find(({ name }) => name === "Deutschland");
    expect(germany).toMatchObject({
      kind: "country",
      "name:en": "Germany",
      "name:ja": "ドイツ",
      "name:zh": "德国",
    });
  });

  it("takes `.pbf` and no ending as well, and comes compressed", async () => {
    const path = tilePath(15, MERIDALE);
    const bodies = await Promise.all(
      [path, `${path}.pbf`, `${path}.mvt`].map(async (one) => (await fetchTile(one)).arrayBuffer()),
    );
    expect(bodies[0].byteLength).toBeGreaterThan(1000);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
    // Packed once and not once more, and the same bytes for who reads none of it.
    expect(await (await fetchTile(path, { "accept-encoding": "identity" })).arrayBuffer()).toEqual(bodies[0]);
    const { headers } = await fetchTile(path, { "accept-encoding": "gzip" });
    expect(headers.get("content-encoding")).toBe("gzip");
    expect(headers.get("content-type")).toBe("application/vnd.mapbox-vector-tile");
  });

  it("may be kept for a day and is not sent twice", async () => {
    const path = tilePath(14, MERIDALE);
    const first = await fetchTile(path);
    const etag = first.headers.get("etag")!;
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first.headers.get("cache-control")).toMatch(/^public, max-age=86400/);
    const second = await fetchTile(path, { "if-none-match": `W/"x", ${etag}` });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect(second.headers.get("etag")).toBe(etag);
    expect((await fetchTile(path, { "if-none-match": '"other"' })).status).toBe(200);
    expect((await fetchTile(tilePath(14, PARIS))).headers.get("etag")).not.toBe(etag);
  });

  it.each([
    ["16/0/0", "z", "Valid range: [0, 15]."],
    ["-1/0/0", "z", "Valid range: [0, 15]."],
    ["3/8/0", "x", "Valid range: [0, 7]."],
    ["3/0/8.mvt", "y", "Valid range: [0, 7]."],
    ["3/0/north", "y", "Valid range: [0, 7]."],
    ["3/1.5/0", "x", "Valid range: [0, 7]."],
  ])("refuses %s, naming %s and its range", async (tile, param, rule) => {
    const { status, body } = await get(`/maps/tiles/${tile}`, keys.testPublishable);
    expect([status, body.meta]).toEqual([400, { code: 400, param, message: `${param}: Invalid ${param}. ${rule}` }]);
  });

  it("is for the project's own pages only, where the project says so", async () => {
    const { keys: own } = await makeWorld({ settings: { allowedOrigins: ["https://shop.example"] } });
    const url = `${inject("baseUrl")}/maps/tiles/0/0/0?publishableKey=${own.livePublishable}`;
    const from = async (origin: string) => (await fetch(url, { headers: { origin } })).status;
    expect([await from("https://shop.example"), await from("https://thief.example")]).toEqual([200, 403]);
  });

  it("may be read by any page, and its preflight allows the key's header", async () => {
    const response = await fetchTile("/maps/tiles/0/0/0", { origin: "https://shop.example" });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const preflight = await fetch(`${inject("baseUrl")}/maps/tiles/0/0/0`, {
      method: "OPTIONS",
      headers: { origin: "https://shop.example", "access-control-request-headers": "authorization" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"]);
  });
});

describe("GET /maps/tiles.json", () => {
  it("tells where the tiles are, with the caller's publishable key, what is in them and whose data it is", async () => {
    const { status, body } = await get("/maps/tiles.json", keys.testPublishable);
    expect(status).toBe(200);
    expect(body).toMatchObject({ tilejson: "3.0.0", minzoom: 0, maxzoom: 15, scheme: "xyz" });
    expect(body.vector_layers.map(({ id }: { id: string }) => id)).toContain("roads");
    expect(body.attribution).toContain("© OpenStreetMap contributors");
    expect(body.attribution).toContain("Made with Natural Earth");
    const template: string = body.tiles[0];
    expect(template).toContain(`publishableKey=${keys.testPublishable}`);
    const tile = await fetch(template.replace("{z}", "0").replace("{x}", "0").replace("{y}", "0"));
    expect(tile.status).toBe(200);
  });

  it("puts no secret key into a link", async () => {
    const { body } = await get("/maps/tiles.json", keys.testSecret);
    expect(JSON.stringify(body)).not.toContain(keys.testSecret);
    expect(body.tiles[0]).not.toContain("publishableKey");
  });
});
