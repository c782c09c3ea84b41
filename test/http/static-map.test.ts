import { beforeAll, describe, expect, inject, it } from "vitest";
import { get, makeWorld, type World, withGeodata } from "../support/world.ts";

/** Meridale of the demo world. */
const CENTER = "center=48.99,-111.2";
const MAP = `/maps/static?width=300&height=200&${CENTER}&zoom=14`;

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { staticMap: 1000 } } });
}, 120_000);

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
    [`width=300.5&height=200&${CENTER}&zoom=14`, "width", "Whole numbers only."],
    [`height=200&${CENTER}&zoom=14`, "width", "Required."],
    [`width=300&${CENTER}&zoom=14`, "height", "Required."],
    [`width=300&height=200&${CENTER}&zoom=14&scale=4`, "scale", "Valid range: [1, 3]."],
    [`width=300&height=200&${CENTER}&zoom=0.5`, "zoom", "Valid range: [1, 23]."],
    [`width=300&height=200&${CENTER}&zoom=24`, "zoom", "Valid range: [1, 23]."],
    [`width=300&height=200&${CENTER}`, "zoom", "Required. Unless markers, path or bbox are given."],
    ["width=300&height=200&zoom=4", "center", "Required. Unless markers, path or bbox are given."],
    ["width=300&height=200&center=91,0&zoom=4", "center", "latitude in [-90, 90]"],
    ["width=300&height=200&bbox=1,2,3", "bbox", "minLat,minLon,maxLat,maxLon"],
    ["width=300&height=200&bbox=3,2,1,4", "bbox", "minLat,minLon,maxLat,maxLon"],
    [`width=300&height=200&${CENTER}&zoom=4&style=radar-pink-v1`, "style", "Valid values: radar-default-v1"],
    [`width=300&height=200&${CENTER}&zoom=4&format=gif`, "format", "png"],
    [`width=300&height=200&${CENTER}&zoom=4&language=english`, "language", "language code"],
    [`width=300&height=200&${CENTER}&zoom=4&attribution=none`, "attribution", "auto"],
    ["width=300&height=200&markers=color:grn|1,2", "markers", 'Section 1 ("color:grn")'],
    ["width=300&height=200&markers=1,2&markers=size:huge|1,2", "markers", 'No. 2. Section 1 ("size:huge")'],
    ["width=300&height=200&path=enc:_p~iF", "path", "cut off"],
    [`width=300&height=200&markers=${Array(501).fill("1,2").join("|")}`, "markers", "Up to 500 markers."],
    [
      `width=300&height=200&${[1, 2, 3, 4, 5, 6].map((i) => `markers=icon:i${i}|1,2`).join("&")}`,
      "markers",
      "Up to 5 different icons.",
    ],
    [`width=300&height=200&path=${"1,2|".repeat(5000)}1,2`, "path", "The URL may have up to 16384 characters."],
  ])("refuses %s with a 400 that names the parameter and the rule", async (query, param, rule) => {
    const { status, body } = await get(`/maps/static?${query}`, world.keys.testPublishable);
    expect([status, body.meta?.param, body.meta?.message]).toEqual([400, param, expect.stringContaining(rule)]);
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

  it("draws something, and markers on it, anywhere in the world", async () => {
    const places = ["0,0", "89.9,0", "-89.9,12", "-17,179.9", "51.5,-0.1"];
    for (const place of places) {
      const bare = await png(`/maps/static?width=200&height=150&center=${place}&zoom=3`);
      const marked = await png(`/maps/static?width=200&height=150&center=${place}&zoom=3&markers=${place}`);
      expect(bare.bytes).not.toEqual(marked.bytes);
    }
  });
});
