import { beforeAll, describe, expect, inject, it } from "vitest";
import { PNG_SIGNATURE, pngSize } from "../../../support/png.ts";
import { get, makeWorld, withGeodata } from "../../../support/world.ts";

/** Main Street of Meridale in the demo world, as a tile of zoom 16. */
const PLACE = [48.99, -111.2];
const tileAt = (z: number): [x: number, y: number] => {
  const [latitude, longitude] = PLACE;
  const sine = Math.sin((latitude * Math.PI) / 180);
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  return [Math.floor(((longitude + 180) / 360) * 2 ** z), Math.floor(y * 2 ** z)];
};

let keys: Awaited<ReturnType<typeof makeWorld>>["keys"];

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  ({ keys } = await makeWorld());
}, 180_000);

const fetchTile = (path: string, headers: Record<string, string> = {}, query = "") =>
  fetch(`${inject("baseUrl")}/maps/raster/${path}?publishableKey=${keys.testPublishable}${query}`, { headers });

async function pictureOf(path: string, query = "") {
  const response = await fetchTile(path, {}, query);
  expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, "image/png"]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.subarray(0, 8)]).toEqual(PNG_SIGNATURE);
  return { ...pngSize(bytes), bytes, headers: response.headers };
}

describe("GET /maps/raster/:style/:z/:x/:y", () => {
  it("is a picture of 256 pixels, and of 512 with @2x, with the ending or without", async () => {
    const [x, y] = tileAt(16);
    const one = await pictureOf(`radar-default-v1/16/${x}/${y}.png`);
    expect([one.width, one.height]).toEqual([256, 256]);
    const twice = await pictureOf(`radar-default-v1/16/${x}/${y}@2x.png`);
    expect([twice.width, twice.height]).toEqual([512, 512]);
    expect((await pictureOf(`radar-default-v1/16/${x}/${y}`)).bytes).toEqual(one.bytes);
    // Streets and houses, not a blank.
    expect(one.bytes.length).toBeGreaterThan(3000);
  });

  it("is drawn in each style, and names in the language that is asked for", async () => {
    const pictures = await Promise.all(
      ["radar-default-v1", "radar-light-v1", "radar-dark-v1"].map((style) => pictureOf(`${style}/3/4/2.png`)),
    );
    expect(new Set(pictures.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).size).toBe(3);
    const german = await pictureOf("radar-default-v1/3/4/2.png", "&language=de");
    expect(german.bytes).not.toEqual(pictures[0].bytes);
  });

  it("is there for the whole world and at the highest zoom", async () => {
    expect((await pictureOf("radar-default-v1/0/0/0.png")).width).toBe(256);
    const [x, y] = tileAt(22);
    expect((await pictureOf(`radar-default-v1/22/${x}/${y}.png`)).width).toBe(256);
  });

  it("is kept for a day, and told to be the same as long as it is", async () => {
    const [x, y] = tileAt(15);
    const { headers } = await pictureOf(`radar-default-v1/15/${x}/${y}.png`);
    expect(headers.get("cache-control")).toContain("max-age=86400");
    expect(headers.get("x-graticule-attribution")).toContain("OpenStreetMap");
    const again = await fetchTile(`radar-default-v1/15/${x}/${y}.png`, { "if-none-match": headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
    const other = await fetchTile(`radar-dark-v1/15/${x}/${y}.png`, { "if-none-match": headers.get("etag") ?? "" });
    expect(other.status).toBe(200);
  });

  it("gives a screen full of tiles that are asked for at once", async () => {
    const [x, y] = tileAt(14);
    const asked = Array.from(
      { length: 20 },
      (_, i) => `radar-light-v1/14/${x + (i % 5) - 2}/${y + Math.floor(i / 5)}.png`,
    );
    const tiles = await Promise.all(asked.map((path) => pictureOf(path)));
    expect(new Set(tiles.map(({ width }) => width))).toEqual(new Set([256]));
  });

  it.each([
    ["radar-default-v1/23/0/0.png", "z"],
    ["radar-default-v1/3/8/0.png", "x"],
    ["radar-default-v1/3/0/8.png", "y"],
    ["radar-default-v1/3/0/0@3x.png", "y"],
    ["radar-default-v1/3/0/0.jpg", "y"],
    ["nobody/3/0/0.png", "style"],
  ])("refuses %s by name", async (path, param) => {
    const response = await fetchTile(path);
    expect([response.status, ((await response.json()) as { meta: { param: string } }).meta.param]).toEqual([
      400,
      param,
    ]);
  });
});

describe("GET /maps/raster/:style/tiles.json", () => {
  it("links tiles that answer with the key they carry, and says whose data they show", async () => {
    const { status, body } = await get("/maps/raster/radar-dark-v1/tiles.json?language=de", keys.testPublishable);
    expect([status, body.tilejson, body.scheme, body.minzoom, body.maxzoom]).toEqual([200, "3.0.0", "xyz", 0, 22]);
    expect(body.attribution).toContain("OpenStreetMap");
    const link = body.tiles[0].replace("{z}", "2").replace("{x}", "1").replace("{y}", "1");
    expect(new URL(link).searchParams.get("language")).toBe("de");
    expect((await fetch(link)).status).toBe(200);
    expect((await get("/maps/raster/nobody/tiles.json", keys.testPublishable)).status).toBe(400);
  });
});
