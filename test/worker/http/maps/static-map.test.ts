import { createHash } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { signUrl } from "../../../../src/core/auth/signed-url.ts";
import { call, get, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** Meridale of the demo world. */
const CENTER = "center=48.99,-111.2";
const MAP = `/maps/static?width=300&height=200&${CENTER}&zoom=14`;

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { staticMap: 1000, postStaticMap: 1000 } } });
}, 240_000);

const image = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${inject("baseUrl")}${path}`, { headers: { authorization: world.keys.testPublishable, ...headers } });

async function png(path: string): Promise<{ width: number; height: number; bytes: Uint8Array }> {
  const response = await image(path);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(new TextDecoder().decode(bytes));
  expect(response.headers.get("content-type")).toBe("image/png");
  expect([...bytes.subarray(1, 4)]).toEqual([80, 78, 71]);
  const view = new DataView(bytes.buffer);
  return { width: view.getUint32(16), height: view.getUint32(20), bytes };
}

describe("GET /maps/static", () => {
  it("answers a PNG of width × height, times scale", async () => {
    expect(await png(MAP)).toMatchObject({ width: 300, height: 200 });
    expect(await png(`${MAP}&scale=2`)).toMatchObject({ width: 600, height: 400 });
    expect(await png(`${MAP}&scale=3`)).toMatchObject({ width: 900, height: 600 });
  });

  it("takes the key as publishableKey, as an <img> can send no header", async () => {
    const response = await fetch(`${inject("baseUrl")}${MAP}&publishableKey=${world.keys.testPublishable}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  it.each([
    [`width=99&height=200&${CENTER}&zoom=14`, "width", "Valid range: [100, 2048]."],
    [`width=300&height=2049&${CENTER}&zoom=14`, "height", "Valid range: [100, 2048]."],
    [`width=300.5&height=200&${CENTER}&zoom=14`, "width", "Integers only."],
    [`height=200&${CENTER}&zoom=14`, "width", "Required."],
    [`width=300&${CENTER}&zoom=14`, "height", "Required."],
    [`width=300&height=200&${CENTER}&zoom=14&scale=4`, "scale", "Valid range: [1, 3]."],
    [`width=300&height=200&${CENTER}&zoom=-0.5`, "zoom", "Valid range: [0, 23]."],
    [`width=300&height=200&${CENTER}&zoom=24`, "zoom", "Valid range: [0, 23]."],
    [`width=300&height=200&${CENTER}`, "zoom", "Required. Required unless markers, path or bbox are set."],
    ["width=300&height=200&zoom=4", "center", "Required. Required unless markers, path or bbox are set."],
    ["width=300&height=200&center=91,0&zoom=4", "center", "latitude in [-90, 90]"],
    ["width=300&height=200&center=Xqzzyvilleness&zoom=4", "center", "No place of this name was found."],
    ["width=300&height=200&markers=48.99,-111.2|Xqzzyvilleness", "markers", 'Section 2 ("Xqzzyvilleness"): No place'],
    [`width=300&height=200&markers=${"abcdefghijk".split("").join("|")}`, "markers", "Up to 10 different place names"],
    [`width=2000&height=2000&scale=3&${CENTER}&zoom=4&format=webp`, "format", "webp has up to 6000000 pixels"],
    [`width=300&height=200&${CENTER}&zoom=4&bearing=90`, "bearing", "Valid range: [0, 0]."],
    [`width=300&height=200&${CENTER}&zoom=4&pitch=60`, "pitch", "Valid range: [0, 0]."],
    ["width=300&height=200&markers=1,2&padding=1,2,3,4,5", "padding", "top,right,bottom,left"],
    ["width=300&height=200&markers=1,2&padding=0,100,0,200", "padding", "Must leave space"],
    [`width=300&height=200&${CENTER}&zoom=4&before_layer=roads`, "before_layer", "Layers of this style: background,"],
    [`width=300&height=200&${CENTER}&zoom=4&attribution=false`, "attribution", "Only with a secret key"],
    ["width=300&height=200&markers=label:Long|1,2", "markers", "1 to 3 letters"],
    ["width=300&height=200&path=weight:3|1,2", "path", "No such option. Options: stroke, width,"],
    ["width=300&height=200&geojson={", "geojson", "not valid JSON"],
    [
      `width=300&height=200&geojson=${encodeURIComponent('{"type":"Point","coordinates":[200,0]}')}`,
      "geojson",
      "coordinates: Expected [longitude",
    ],
    ["width=300&height=200&bbox=1,2,3", "bbox", "minLat,minLon,maxLat,maxLon"],
    ["width=300&height=200&bbox=3,2,1,4", "bbox", "minLat,minLon,maxLat,maxLon"],
    [`width=300&height=200&${CENTER}&zoom=4&style=radar-pink-v1`, "style", "Valid values: radar-default-v1"],
    [`width=300&height=200&${CENTER}&zoom=4&format=gif`, "format", "png"],
    [`width=300&height=200&${CENTER}&zoom=4&language=english`, "language", "language code"],
    [`width=300&height=200&${CENTER}&zoom=4&attribution=none`, "attribution", "auto, long, short, false"],
    ["width=300&height=200&markers=color:grn|1,2", "markers", 'Section 1 ("color:grn")'],
    ["width=300&height=200&markers=1,2&markers=size:huge|1,2", "markers", 'No. 2. Section 1 ("size:huge")'],
    ["width=300&height=200&path=enc:_p~iF", "path", "cut off"],
    [`width=300&height=200&markers=${Array(501).fill("1,2").join("|")}`, "markers", "Up to 500 markers."],
    [
      `width=300&height=200&${[1, 2, 3, 4, 5, 6].map((i) => `markers=icon:i${i}|1,2`).join("&")}`,
      "markers",
      "Up to 5 different icons.",
    ],
    [
      `width=300&height=200&path=${"1,2|".repeat(5000)}1,2`,
      "path",
      "The URL may have up to 16384 characters; use POST",
    ],
  ])("refuses %s with a 400 that names the parameter and the rule", async (query, param, rule) => {
    const { status, body } = await get(`/maps/static?${query}`, world.keys.testPublishable);
    expect([status, body.meta?.param, body.meta?.message]).toEqual([400, param, expect.stringContaining(rule)]);
  });

  it("says with streets_note that no import has streets, from zoom 12 on, and is silent by default", async () => {
    const isNoted = async (center: string, zoom: number) => {
      const path = `/maps/static?width=300&height=200&center=${center}&zoom=${zoom}`;
      const [plain, noted] = await Promise.all([png(path), png(`${path}&streets_note=true`)]);
      return !Buffer.from(plain.bytes).equals(noted.bytes);
    };
    expect(await isNoted("20,15", 12)).toBe(true);
    expect(await isNoted("0,-140", 20)).toBe(true);
    expect(await isNoted("20,15", 11.9)).toBe(false);
    expect(await isNoted("48.99,-111.2", 12)).toBe(false);
    // A field of the demo world, with no street in view.
    expect(await isNoted("48.99,-111.2", 22)).toBe(false);
    const path = "/maps/static?width=300&height=200&center=20,15&zoom=12&streets_note=true&format=svg";
    const inLanguage = async (language: string) => {
      const letters = (await (await image(`${path}${language}`)).text()).replace(/<[^>]*>/g, "");
      return letters.replaceAll(" ", "");
    };
    expect(await inLanguage("")).toContain("Nostreetsimportedhere");
    expect(await inLanguage("&language=de-CH")).toContain("HiersindkeineStraßenimportiert");
    expect(await inLanguage("&language=ar")).toContain("Nostreetsimportedhere");
  });

  it("draws each markers parameter in its own style", async () => {
    const map = await png(
      `${MAP}&markers=color:0xFF0000|48.99,-111.205&markers=color:0xFF00FF|size:small|48.99,-111.195`,
    );
    const { data, info } = await sharp(map.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    /** Pixels of about this color, left and right of the middle. */
    const count = (color: readonly number[]) => {
      const sides = [0, 0];
      for (let at = 0; at < info.width * info.height; at++) {
        const isLike = color.every((value, i) => Math.abs(data[at * 3 + i] - value) < 24);
        if (isLike) sides[at % info.width < info.width / 2 ? 0 : 1]++;
      }
      return sides;
    };
    const [red, magenta] = [count([255, 0, 0]), count([255, 0, 255])];
    expect([red[1], magenta[0]]).toEqual([0, 0]);
    expect(magenta[1]).toBeGreaterThan(20);
    // A small marker has fewer pixels than one of the default size.
    expect(red[0]).toBeGreaterThan(magenta[1]);
  });

  it("answers the same bytes to the same request, and to one that says the same in another way", async () => {
    const [first, second] = await Promise.all([png(`${MAP}&markers=48.99,-111.2`), png(`${MAP}&markers=48.99,-111.2`)]);
    expect(second.bytes).toEqual(first.bytes);
    const other = await image(`/maps/static?markers=48.990,-111.20&zoom=14.0&${CENTER}&height=200&width=300&scale=1`);
    const same = await image(`${MAP}&markers=48.99,-111.2`);
    expect(other.headers.get("etag")).toBe(same.headers.get("etag"));
  });

  it("answers 304 to who has the map already, and another tag for another map", async () => {
    const first = await image(MAP);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(first.headers.get("cache-control")).toContain("public, max-age=86400, stale-while-revalidate=");
    for (const header of [etag, `"x", W/${etag}`, "*"]) {
      const again = await image(MAP, { "if-none-match": header });
      expect([again.status, again.headers.get("etag"), (await again.arrayBuffer()).byteLength]).toEqual([304, etag, 0]);
    }
    const tags = new Set([etag]);
    const others = [
      "&scale=2",
      "&style=radar-dark-v1",
      "&language=de",
      "&format=svg",
      "&markers=48.99,-111.2",
      "&attribution=short",
    ];
    for (const more of others) tags.add((await image(`${MAP}${more}`)).headers.get("etag") ?? "");
    expect(tags.size).toBe(others.length + 1);
  });

  it("checks the key before it answers from a cache", async () => {
    const { headers } = await image(MAP);
    const answer = await fetch(`${inject("baseUrl")}${MAP}`, {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect(answer.status).toBe(401);
  });

  it("is a WebP or a JPEG where that is asked for", async () => {
    const start = async (format: string) => {
      const answer = await image(`${MAP}&format=${format}`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return [answer.headers.get("content-type"), Buffer.from(bytes.subarray(0, 16)).toString("latin1")];
    };
    expect(await start("webp")).toEqual(["image/webp", expect.stringMatching(/^RIFF....WEBPVP8L/s)]);
    expect(await start("jpeg")).toEqual(["image/jpeg", expect.stringMatching(/^\xff\xd8\xff\xe0..JFIF/s)]);
  });

  it("as SVG has every text as text, and no script", async () => {
    const response = await image(`${MAP}&format=svg&markers=color:red|48.99,-111.2`);
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const text = await response.text();
    expect(text).toMatch(/^<svg [^>]*width="300" height="200"/);
    expect(text).toContain("OpenStreetMap".slice(0, 4));
    expect(text).toContain("#ff0000");
    expect(text).not.toContain("<script");
  });

  it("finds places by their names, as center and as markers", async () => {
    const named = await image("/maps/static?width=300&height=200&center=Meridale&zoom=12&markers=color:red|Meridale");
    const { body } = await get("/v1/geocode/forward?query=Meridale", world.keys.testPublishable);
    const [{ latitude, longitude }] = body.addresses;
    const spot = `${latitude},${longitude}`;
    const placed = await image(`/maps/static?width=300&height=200&center=${spot}&zoom=12&markers=color:red|${spot}`);
    expect([named.status, named.headers.get("etag")]).toEqual([200, placed.headers.get("etag")]);
  });

  it("leaves the words of attribution to who asks with a secret key, and tells them in a header", async () => {
    const [shown, bare] = [
      await image(MAP),
      await image(`${MAP}&attribution=false`, { authorization: world.keys.testSecret }),
    ];
    expect(bare.status).toBe(200);
    const words = bare.headers.get("x-graticule-attribution");
    expect(words).toBeTruthy();
    expect(shown.headers.get("x-graticule-attribution")).toBe(words);
    expect(new Uint8Array(await bare.arrayBuffer())).not.toEqual(new Uint8Array(await shown.arrayBuffer()));
    const again = await image(`${MAP}&attribution=false`, { authorization: world.keys.testSecret });
    expect(again.headers.get("x-graticule-attribution")).toBe(words);
  });

  it("draws paths below the layer that is named", async () => {
    const area = "&path=fill:red|width:0|borderWidth:0|48.98,-111.3|49,-111.3|49,-111.1|48.98,-111.1";
    const [above, below] = await Promise.all([png(`${MAP}${area}`), png(`${MAP}${area}&before_layer=buildings`)]);
    expect(below.bytes).not.toEqual(above.bytes);
  });

  it("keeps as much free around what is shown as padding says", async () => {
    const fit = "/maps/static?width=300&height=200&path=48.9,-111.3|49,-111.1";
    const [usual, same, wide] = await Promise.all(
      ["", "&padding=16", "&padding=10,100,10,10"].map((more) => image(fit + more)),
    );
    expect(same.headers.get("etag")).toBe(usual.headers.get("etag"));
    expect(wide.headers.get("etag")).not.toBe(usual.headers.get("etag"));
  });

  it("draws something, and markers on it, anywhere in the world", async () => {
    const places = ["0,0", "89.9,0", "-89.9,12", "-17,179.9", "51.5,-0.1"];
    for (const place of places) {
      const bare = await png(`/maps/static?width=200&height=150&center=${place}&zoom=3`);
      const marked = await png(`/maps/static?width=200&height=150&center=${place}&zoom=3&markers=${place}`);
      expect(bare.bytes).not.toEqual(marked.bytes);
    }
  });

  it("draws the world at zoom 0, side by side where the image is wider", async () => {
    const world = await png("/maps/static?width=512&height=300&center=20,0&zoom=0");
    const twice = await png("/maps/static?width=1024&height=300&center=20,0&zoom=0");
    expect(world.bytes.length).toBeGreaterThan(5000);
    expect(twice.bytes.length).toBeGreaterThan(world.bytes.length);
  });
});

describe("POST /maps/static", () => {
  const post = (json: unknown) =>
    fetch(`${inject("baseUrl")}/maps/static`, {
      method: "POST",
      headers: { authorization: world.keys.testPublishable, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
  const look = { width: 300, height: 200, scale: 2 };

  it("draws what GET draws, from texts or from objects", async () => {
    const get = await image(
      `/maps/static?width=300&height=200&scale=2&markers=color:red|label:A|48.99,-111.2|48.98,-111.21&path=fill:gold|48.97,-111.2|48.98,-111.2|48.98,-111.19|hole:|48.975,-111.198|48.978,-111.198|48.978,-111.196`,
    );
    const texts = await post({
      ...look,
      markers: "color:red|label:A|48.99,-111.2|48.98,-111.21",
      path: ["fill:gold|48.97,-111.2|48.98,-111.2|48.98,-111.19|hole:|48.975,-111.198|48.978,-111.198|48.978,-111.196"],
    });
    const objects = await post({
      ...look,
      markers: [{ color: "red", label: "A", locations: ["48.99,-111.2", "48.98,-111.21"] }],
      path: {
        fill: "gold",
        locations: ["48.97,-111.2", "48.98,-111.2", "48.98,-111.19"],
        holes: [["48.975,-111.198", "48.978,-111.198", "48.978,-111.196"]],
      },
    });
    expect([texts.status, objects.status]).toEqual([200, 200]);
    const tag = get.headers.get("etag");
    expect([texts.headers.get("etag"), objects.headers.get("etag")]).toEqual([tag, tag]);
    expect(objects.headers.get("content-type")).toBe("image/png");
  });

  it("takes overlays that no URL holds, as GeoJSON", async () => {
    const ring = Array.from({ length: 4000 }, (_, i) => {
      const turn = (i / 3999) * 2 * Math.PI;
      return [-111.2 + 0.01 * Math.cos(turn), 48.99 + 0.01 * Math.sin(turn)];
    });
    ring[3999] = ring[0];
    const answer = await post({
      ...look,
      geojson: {
        type: "FeatureCollection",
        features: [
          { type: "Feature", properties: { fill: "#c00" }, geometry: { type: "Polygon", coordinates: [ring] } },
          {
            type: "Feature",
            properties: { "marker-symbol": "b", "marker-size": "large" },
            geometry: { type: "Point", coordinates: [-111.2, 48.99] },
          },
        ],
      },
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  it.each([
    [{ ...look, markers: [1] }, "markers", "Expected texts, or objects"],
    [{ ...look, markers: { colour: "red", locations: ["1,2"] } }, "markers", "No such option. Options: color,"],
    [{ ...look, markers: { color: ["red"], locations: ["1,2"] } }, "markers", "color: Expected a string"],
    [{ ...look, path: { locations: [[1, 2]] } }, "path", "locations: Expected a list of strings"],
    [{ ...look, path: { fill: "red", locations: ["1,2"], holes: "1,2" } }, "path", "holes: Expected a list of lists"],
    [{ ...look, geojson: { type: "Circle" } }, "geojson", "type: No such type of GeoJSON."],
    [{ ...look, geojson: [] }, "geojson", "Expected an object of GeoJSON."],
    [{ width: 300, path: "1,2" }, "height", "Required."],
  ])("refuses %j with a 400 that names the parameter and the rule", async (json, param, rule) => {
    const answer = await post(json);
    const { meta } = (await answer.json()) as { meta: { param: string; message: string } };
    expect([answer.status, meta.param, meta.message]).toEqual([400, param, expect.stringContaining(rule)]);
  });
});

describe("a signed URL", () => {
  const sign = (json: unknown, key = world.keys.testSecret) => call("POST", "/v1/maps/sign", { key, json });

  it("shows its map without a key, also where pages may not use one, and no other map", async () => {
    const { keys } = await makeWorld({ settings: { allowedReferrers: ["https://*.shop.example"] } });
    const { status, body } = await sign(
      { url: `${MAP}&markers=color:red|48.99,-111.2`, expiresIn: 60 },
      keys.testSecret,
    );
    expect([status, Date.parse(body.expiresAt) > Date.now()]).toEqual([200, true]);
    expect(body.url).not.toContain(keys.testSecret);
    const shown = await fetch(body.url);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
    await shown.arrayBuffer();
    const other = await fetch(body.url.replace("zoom=14", "zoom=15"));
    expect([other.status, ((await other.json()) as { meta: { message: string } }).meta.message]).toEqual([
      401,
      expect.stringContaining("signature does not match"),
    ]);
    // What the server remembers of signed URLs, by the name they give a key, is no key.
    const { searchParams } = new URL(body.url);
    const { status: asKey } = await call("GET", "/v1/users", { key: `signed:${searchParams.get("keyId")}` });
    expect(asKey).toBe(401);
  });

  it("is what its owner makes offline, ends when it says, and leaves the words of attribution to its page", async () => {
    const hash = createHash("sha256").update(world.keys.testSecret).digest("hex");
    const signed = async (expires: number) =>
      fetch(`${inject("baseUrl")}${await signUrl(hash, `${MAP}&attribution=false`, expires)}`);
    const soon = Math.floor(Date.now() / 1000) + 60;
    const [good, late] = [await signed(soon), await signed(soon - 120)];
    expect([good.status, good.headers.get("x-graticule-attribution")]).toEqual([200, expect.stringContaining("(c)")]);
    await good.arrayBuffer();
    expect([late.status, await late.text()]).toEqual([401, expect.stringContaining("expired")]);
  });

  it("is made for static maps only, from a whole address as well, without the key that stood in it", async () => {
    const url = `https://elsewhere.example${MAP}&publishableKey=${world.keys.testPublishable}`;
    const { body } = await sign({ url });
    expect(body.url).not.toContain(world.keys.testPublishable);
    expect((await fetch(body.url)).status).toBe(200);
    for (const wrong of ["/v1/users", "https://", "/maps/static/../tiles.json"])
      expect((await sign({ url: wrong })).body.meta).toMatchObject({ code: 400, param: "url" });
    expect((await sign({ url: MAP, expiresIn: 0 })).body.meta).toMatchObject({ code: 400, param: "expiresIn" });
    expect((await sign({ url: MAP }, world.keys.testPublishable)).status).toBe(403);
  });
});

it("a project may say which pages show its maps with a publishable key", async () => {
  const settings = { allowedReferrers: ["https://*.shop.example"], rateLimits: { staticMap: 100 } };
  const { keys } = await makeWorld({ settings });
  const shown = async (headers: Record<string, string>, key = keys.testPublishable) => {
    const answer = await image(MAP, { authorization: key, ...headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await shown({ referer: "https://www.shop.example/" })).toBe(200);
  expect(await shown({ origin: "https://www.shop.example" })).toBe(200);
  expect(await shown({ referer: "https://elsewhere.example/" })).toBe(403);
  expect(await shown({})).toBe(403);
  expect(await shown({}, keys.testSecret)).toBe(200);
  // What is no map, an app asks without a page.
  expect((await get("/v1/geocode/forward?query=Meridale", keys.testPublishable)).status).toBe(200);
  for (const wrong of [["shop.example"], ["https://shop.example/a"], "all"])
    expect(
      (await call("PATCH", "/v1/settings", { key: keys.testSecret, json: { allowedReferrers: wrong } })).body.meta,
    ).toMatchObject({ code: 400, param: expect.stringMatching(/^allowedReferrers/) });
});
