import { beforeAll, describe, expect, inject, it } from "vitest";
import { STYLE_NAMES } from "../../../../src/core/maps/style/palettes.ts";
import { readGlyphs } from "../../../../src/core/maps/text/glyphs.ts";
import { PNG_SIGNATURE, pngSize } from "../../../support/png.ts";
import { get, makeWorld, put, withGeodata } from "../../../support/world.ts";

const STYLES = STYLE_NAMES;

let keys: Awaited<ReturnType<typeof makeWorld>>["keys"];

beforeAll(async () => {
  await withGeodata("world");
  ({ keys } = await makeWorld());
}, 180_000);

const raw = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${inject("baseUrl")}${path}?publishableKey=${keys.testPublishable}`, { headers });

describe("GET /maps/styles/:style", () => {
  it.each(STYLES)("%s is a MapLibre style whose links all answer with the key they carry", async (name) => {
    const { status, body: style } = await get(`/maps/styles/${name}`, keys.testPublishable);
    expect([status, style.version, style.name]).toEqual([200, 8, name]);
    expect(style.metadata["graticule:streets"]).toEqual(expect.any(Array));
    const { tiles, attribution } = style.sources.basemap;
    expect(attribution).toContain("Natural Earth");
    for (const layer of style.layers) {
      expect(layer.source).toBe(layer.type === "background" ? undefined : "basemap");
    }
    const links = [
      tiles[0].replace("{z}", "2").replace("{x}", "2").replace("{y}", "1"),
      style.glyphs.replace("{fontstack}", "Noto%20Sans%20Regular").replace("{range}", "0-255"),
      // As MapLibre completes it: behind the path, before the query.
      ...[".json", ".png", "@2x.json", "@2x.png"].map((end) => style.sprite.replace("?", `${end}?`)),
    ];
    for (const link of links) {
      expect(new URL(link).searchParams.get("publishableKey")).toBe(keys.testPublishable);
      expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    }
  });

  it("has every font and icon that its layers name", async () => {
    for (const name of STYLES) {
      const { body: style } = await get(`/maps/styles/${name}`, keys.testPublishable);
      const fonts = new Set<string>(
        style.layers.flatMap(
          ({ layout }: { layout?: Record<string, [string, string[]]> }) => layout?.["text-font"]?.[1] ?? [],
        ),
      );
      expect(fonts.size).toBeGreaterThan(1);
      for (const font of fonts) {
        const glyphs = await fetch(
          style.glyphs.replace("{fontstack}", encodeURIComponent(font)).replace("{range}", "0-255"),
        );
        expect(readGlyphs(new Uint8Array(await glyphs.arrayBuffer())).length).toBeGreaterThan(180);
      }
      const icons = await (await fetch(style.sprite.replace("?", ".json?"))).json();
      const named = JSON.stringify(
        style.layers.map(({ layout }: { layout?: Record<string, unknown> }) => layout?.["icon-image"]),
      );
      for (const icon of ["arrow", "town", "capital"].filter((icon) => named.includes(`"${icon}"`))) {
        expect(Object.keys(icons)).toContain(icon);
      }
      expect(Object.keys(icons).length).toBeGreaterThan(10);
    }
  });

  it("writes names in the language that is asked for", async () => {
    const { body } = await get("/maps/styles/radar-default-v1?language=de", keys.testPublishable);
    expect(JSON.stringify(body.layers)).toContain("name:de");
    const wrong = await get("/maps/styles/radar-default-v1?language=German!", keys.testPublishable);
    expect([wrong.status, wrong.body.meta.param]).toEqual([400, "language"]);
  });

  it("shows railways below zoom 12 on request", async () => {
    const railwaysFrom = async (query: string) => {
      const { body } = await get(`/maps/styles/white${query}`, keys.testPublishable);
      return body.layers.find(({ id }: { id: string }) => id === "road-rail-ground").minzoom;
    };
    expect([await railwaysFrom(""), await railwaysFrom("?transit=true")]).toEqual([12, 9]);
  });

  it("that the project uploaded is completed with links of ours, and only for that project", async () => {
    const layers = [
      { id: "sky", type: "background", paint: { "background-color": "#abcdef" } },
      { id: "hills", type: "hillshade", source: "dem" },
      { id: "roads", type: "line", source: "protomaps", "source-layer": "roads", paint: { "line-color": "#123456" } },
    ];
    await put("/v1/maps/styles/our-own", keys.testSecret, { version: 8, sources: { protomaps: {} }, layers });
    const { status, body: style } = await get("/maps/styles/our-own", keys.testPublishable);
    expect(status).toBe(200);
    expect(Object.keys(style.sources)).toEqual(["basemap"]);
    expect(style.layers.map(({ id, source }: { id: string; source?: string }) => [id, source])).toEqual([
      ["sky", undefined],
      ["roads", "basemap"],
    ]);
    const icons = await (await fetch(style.sprite.replace("?", "@2x.json?"))).json();
    expect(Object.keys(icons)).toEqual(expect.arrayContaining(["townspot", "capital", "generic_shield-2char"]));
    const stranger = (await makeWorld()).keys.testPublishable;
    expect((await get("/maps/styles/our-own", stranger)).status).toBe(404);
  });

  it("that nobody has is 404", async () => {
    const { status, body } = await get("/maps/styles/radar-neon-v1", keys.testPublishable);
    expect([status, body.meta.message]).toEqual([404, "Style not found."]);
  });

  it("asked for with a secret key does not spread it", async () => {
    const { body } = await get("/maps/styles/radar-dark-v1", keys.testSecret);
    expect(JSON.stringify(body)).not.toContain(keys.testSecret);
    expect(body.sprite).not.toContain("?");
  });

  it("is not sent twice while nothing changes", async () => {
    const first = await raw("/maps/styles/radar-light-v1");
    const again = await raw("/maps/styles/radar-light-v1", { "if-none-match": first.headers.get("etag")! });
    expect([first.status, again.status]).toEqual([200, 304]);
  });
});

describe("GET /maps/glyphs/:fontstack/:range", () => {
  it("answers the first font of the stack that is here, else one that resembles it", async () => {
    const bytes = async (stack: string) =>
      new Uint8Array(await (await raw(`/maps/glyphs/${encodeURIComponent(stack)}/0-255.pbf`)).arrayBuffer());
    const medium = await bytes("Noto Sans Medium");
    expect(await bytes("Comic Sans, Noto Sans Medium")).toEqual(medium);
    expect(await bytes("Roboto Bold")).toEqual(medium);
    expect(await bytes("Roboto")).toEqual(await bytes("Noto Sans Regular"));
    expect(await bytes("Roboto")).not.toEqual(medium);
  });

  it("of characters nobody has is an empty range, so that maps go on", async () => {
    const response = await raw("/maps/glyphs/Noto%20Sans%20Regular/5120-5375.pbf");
    expect(response.status).toBe(200);
    expect(readGlyphs(new Uint8Array(await response.arrayBuffer()))).toEqual([]);
  });

  it("has the characters of other scripts that names on the map use", async () => {
    const idsOf = async (range: string) => {
      const response = await raw(`/maps/glyphs/Noto%20Sans%20Regular/${range}.pbf`);
      return readGlyphs(new Uint8Array(await response.arrayBuffer())).map(({ id }) => String.fromCodePoint(id));
    };
    // Of "भारत" and "ไทย", countries of the world base.
    expect(await idsOf("2304-2559")).toEqual(expect.arrayContaining(["भ", "ा", "र", "त"]));
    expect(await idsOf("3584-3839")).toEqual(expect.arrayContaining(["ไ", "ท", "ย"]));
  });

  it.each(["0-256.pbf", "1-256.pbf", "65536-65791.pbf", "a-b.pbf", "0.pbf"])("refuses the range %s", async (range) => {
    const { status, body } = await get(`/maps/glyphs/Noto%20Sans%20Regular/${range}`, keys.testPublishable);
    expect([status, body.meta.param]).toEqual([400, "range"]);
  });

  it("may be kept and is not sent twice", async () => {
    const first = await raw("/maps/glyphs/Noto%20Sans%20Regular/0-255.pbf");
    expect(first.headers.get("cache-control")).toContain("max-age=86400");
    const etag = first.headers.get("etag")!;
    expect((await raw("/maps/glyphs/Noto%20Sans%20Regular/0-255.pbf", { "if-none-match": etag })).status).toBe(304);
  });
});

describe("GET /maps/sprites/:sprite", () => {
  it("is a sheet of exactly the size that its index needs, at both scales", async () => {
    for (const name of STYLES) {
      for (const scale of [1, 2]) {
        const end = scale === 2 ? "@2x" : "";
        const index: Record<string, { x: number; y: number; width: number; height: number; pixelRatio: number }> =
          await (await raw(`/maps/sprites/${name}${end}.json`)).json();
        const png = new Uint8Array(await (await raw(`/maps/sprites/${name}${end}.png`)).arrayBuffer());
        expect([...png.subarray(0, 8)]).toEqual(PNG_SIGNATURE);
        const { width, height } = pngSize(png);
        const icons = Object.values(index);
        expect(icons.every(({ pixelRatio }) => pixelRatio === scale)).toBe(true);
        expect(Math.max(...icons.map((icon) => icon.x + icon.width))).toBeLessThanOrEqual(width);
        expect(Math.max(...icons.map((icon) => icon.y + icon.height))).toBe(height);
        // No icon lies on another.
        for (const a of icons) {
          const over = icons.filter(
            (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
          );
          expect(over).toEqual([a]);
        }
      }
    }
  });

  it("that no style has is 404", async () => {
    for (const sprite of ["radar-neon-v1.png", "radar-default-v1.gif", "radar-default-v1@3x.png"]) {
      expect((await get(`/maps/sprites/${sprite}`, keys.testPublishable)).status).toBe(404);
    }
  });
});
