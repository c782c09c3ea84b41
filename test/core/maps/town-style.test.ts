import { describe, expect, it } from "vitest";
import { unpaced } from "../../../src/core/geo/pace.ts";
import { layOutScene } from "../../../src/core/maps/scene.ts";
import { builtInIcons, builtInStyle } from "../../../src/core/maps/style/built-in.ts";
import { compileStyle } from "../../../src/core/maps/style/compile-style.ts";
import { compile, compileFilter, type Json, type Subject } from "../../../src/core/maps/style/expression.ts";
import { PALETTES, STYLE_NAMES } from "../../../src/core/maps/style/palettes.ts";
import { roadClasses } from "../../../src/core/maps/style/road-classes.ts";
import type { StyleLayer } from "../../../src/core/maps/style/style.ts";
import { encodeTile, LINE, POINT, type TileFeature } from "../../../src/core/maps/tiles/mvt.ts";
import { at, ready, townTiles } from "./town.ts";

const ZOOMS = Array.from({ length: 101 }, (_, i) => 9 + i / 10);
const TYPES = { point: 1, line: 2, area: 3 } as const;

/** Ids of the layers that draw a feature of a layer of the tiles at a zoom. */
function drawn(
  source: string,
  type: keyof typeof TYPES,
  tags: Subject["tags"],
  zoom: number,
  { transit = false, style = STYLE_NAMES[0] } = {},
): string[] {
  return builtInStyle(style, undefined, transit)
    .layers.filter((layer) => {
      if (layer["source-layer"] !== source) return false;
      if (zoom < (layer.minzoom ?? 0) || zoom >= (layer.maxzoom ?? 99)) return false;
      // A fill draws areas only, a line never points.
      if (layer.type === "fill" ? type !== "area" : layer.type === "line" ? type === "point" : false) return false;
      return compileFilter(layer.filter)({ zoom, type: TYPES[type], tags });
    })
    .map(({ id }) => id);
}

const road = (tags: Subject["tags"], zoom: number, options = {}) => drawn("roads", "line", tags, zoom, options);
const style = builtInStyle(STYLE_NAMES[0]);
const layerOf = (id: string) => style.layers.find((layer) => layer.id === id) as StyleLayer;
const order = (id: string) => style.layers.findIndex((layer) => layer.id === id);
const widthOf = (layer: StyleLayer, zoom: number) =>
  compile(layer.paint?.["line-width"] as Json)({ zoom, type: 2, tags: { kind: "rail" } }) as number;

describe("a street on foot", () => {
  const street = { kind: "path", kind_detail: "pedestrian", name: "Hauptstraße" };

  it("is a surface with an edge and its name, never dashes", () => {
    expect(road(street, 16)).toEqual(["road-pedestrian-ground-casing", "road-pedestrian-ground", "label-pedestrian"]);
    for (const id of road(street, 16)) expect(layerOf(id).paint).not.toHaveProperty(["line-dasharray"]);
    expect(road({ ...street, is_bridge: true }, 16)).toEqual([
      ...["road-pedestrian-bridge-casing", "road-pedestrian-bridge", "label-pedestrian"],
    ]);
  });

  it("is an alley if it is a paved footway with a name; without the attribute, as in older tiles, a trail", () => {
    const alley = { kind: "path", kind_detail: "footway", name: "Kettengasse" };
    expect(road({ ...alley, is_paved: true }, 17)).toEqual([
      ...["road-alley-ground-casing", "road-alley-ground", "label-pedestrian"],
    ]);
    expect(road(alley, 17)).toEqual(["road-path-ground", "label-path"]);
  });

  it("opens into squares, and is below buildings, which are its edge where they are closer", () => {
    const ids = ["landuse-pedestrian-casing", "road-pedestrian-ground-casing", "landuse-pedestrian"];
    const places = [...ids, "road-pedestrian-ground", "buildings"].map(order);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(drawn("landuse", "area", { kind: "pedestrian" }, 15)).toEqual([
      ...["landuse-pedestrian-casing", "landuse-pedestrian"],
    ]);
  });

  it("shows in arcades and passages, above the buildings, with its name; in a tunnel below them, without", () => {
    const arcade = { ...street, is_tunnel: true, is_covered: true };
    expect(road(arcade, 16)).toEqual(["road-passage-casing", "road-passage", "label-pedestrian"]);
    expect(order("road-passage")).toBeGreaterThan(order("buildings"));
    const tunnel = { kind: "minor_road", kind_detail: "residential", name: "Tunnel", is_tunnel: true };
    expect(road(tunnel, 16)).toEqual(["road-minor-tunnel-casing", "road-minor-tunnel"]);
    expect(order("road-minor-tunnel")).toBeLessThan(order("buildings"));
  });

  it("of steps shows its treads, before that dashes", () => {
    const steps = { kind: "path", kind_detail: "steps" };
    expect([14, 15, 17].map((zoom) => road(steps, zoom))).toEqual([
      ...[[], ["road-steps-far"], ["road-steps", "road-steps-treads"]],
    ]);
  });
});

describe("near the ground", () => {
  it("one-way arrows and crossings show from zoom 18 on, not in tunnels", () => {
    const oneway = { kind: "minor_road", kind_detail: "residential", oneway: "yes" };
    const crossing = { kind: "path", kind_detail: "crossing" };
    const shows = (tags: Subject["tags"], id: string) => ZOOMS.filter((zoom) => road(tags, zoom).includes(id));
    expect(Math.min(...shows(oneway, "oneway"))).toBe(18);
    expect(Math.min(...shows(crossing, "road-crossing"))).toBe(18);
    expect(shows({ ...oneway, is_tunnel: true }, "oneway")).toEqual([]);
  });

  it("parts of buildings show from zoom 15.5 on, with colors by height; a part without one as the building", () => {
    const part = { kind: "building_part" };
    expect(drawn("buildings", "area", part, 15.4)).toEqual([]);
    expect(drawn("buildings", "area", part, 16)).toEqual(["building-parts", "building-part-edges"]);
    const color = compile(layerOf("building-parts").paint?.["fill-color"] as Json);
    const of = (height?: number) => color({ zoom: 16, type: 3, tags: { ...part, ...(height && { height }) } });
    expect(of()).toBe(PALETTES[STYLE_NAMES[0]].building);
    expect(new Set([of(5), of(20), of(80)]).size).toBe(3);
  });

  it("a car park has its sign without a name; other places need one", () => {
    const place = (tags: Subject["tags"]) => drawn("pois", "point", { min_zoom: 17, ...tags }, 17);
    expect(place({ kind: "parking" })).toEqual(["poi"]);
    expect(place({ kind: "cafe" })).toEqual([]);
    expect(drawn("landuse", "area", { kind: "parking" }, 15)).toEqual(["landuse-parking"]);
  });

  it("house numbers give way to every other label, and never overlap each other", async () => {
    const symbols = style.layers.filter(({ type }) => type === "symbol").map(({ id }) => id);
    // Labels of later layers are placed first.
    expect(symbols[0]).toBe("housenumber");
    // A block of houses that are closer than their numbers.
    const houses = Array.from({ length: 400 }, (_, i): TileFeature => {
      const [x, y] = [2300 + 9 * (i % 20), 2300 + 7 * Math.floor(i / 20)];
      return { type: POINT, properties: { kind: "address", addr_housenumber: `${i + 1}` }, parts: [[x, y]] };
    });
    const bytes = encodeTile([{ name: "buildings", extent: 4096, features: houses }]);
    let count = 0;
    for (const zoom of [17, 18.3]) {
      const view = { center: at(580, 580), zoom, width: 300, height: 200 };
      const request = {
        ...{ view, scale: 1, style: compileStyle(style), icons: builtInIcons(STYLE_NAMES[0]), sources: [] },
        ...{ tiles: townTiles(view, bytes), overlay: { markers: [], paths: [] }, attribution: "none" as const },
      };
      const { labels } = await layOutScene(request, await ready(), unpaced());
      const boxes = labels.texts.flatMap((text) => text.boxes);
      expect(boxes.length).toBeLessThan(houses.length);
      count += boxes.length;
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1))
          expect(a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom).toBe(true);
    }
    expect(count).toBeGreaterThan(20);
  });
});

it("a square, the streets on foot across it and the road around it have one name", async () => {
  const [x, y] = [2375, 2375];
  const line = (kind: string, detail: string, dy: number): TileFeature => ({
    type: LINE,
    properties: { kind, kind_detail: detail, name: "Marktplatz" },
    parts: [[x - 120, y + dy, x + 120, y + dy]],
  });
  const bytes = encodeTile([
    { name: "roads", extent: 4096, features: [line("path", "pedestrian", 40), line("minor_road", "residential", -45)] },
    {
      name: "pois",
      extent: 4096,
      features: [{ type: POINT, properties: { kind: "square", name: "Marktplatz", min_zoom: 15 }, parts: [[x, y]] }],
    },
  ]);
  const view = { center: at(x / 4.096, y / 4.096), zoom: 17, width: 400, height: 300 };
  const request = {
    ...{ view, scale: 1, style: compileStyle(style), icons: builtInIcons(STYLE_NAMES[0]), sources: [] },
    ...{ tiles: townTiles(view, bytes), overlay: { markers: [], paths: [] }, attribution: "none" as const },
  };
  const { labels } = await layOutScene(request, await ready(), unpaced());
  expect(labels.texts.map(({ text }) => text)).toEqual(["Marktplatz"]);
});

describe("names in blue italics", () => {
  it.each(STYLE_NAMES)("in %s are those of waters alone", (name) => {
    const { waterText } = PALETTES[name];
    const blue = builtInStyle(name).layers.filter(
      ({ paint, layout }) =>
        paint?.["text-color"] === waterText && JSON.stringify(layout?.["text-font"]).includes("Italic"),
    );
    expect(blue.map((layer) => layer["source-layer"])).toEqual(blue.map(() => "water"));
    expect(blue.length).toBeGreaterThan(2);
  });

  it("are not those of fountains, pools, gardens", () => {
    const water = (tags: Subject["tags"], zoom = 16) =>
      drawn("water", "point", { name: "Name", min_zoom: 9, ...tags }, zoom);
    expect(water({ kind: "lake" })).toEqual(["water-label"]);
    for (const tags of [{ kind: "fountain" }, { kind: "water", kind_detail: "fountain" }, { kind: "swimming_pool" }])
      expect(water(tags)).toEqual([]);
    expect(drawn("pois", "point", { kind: "fountain", name: "Name", min_zoom: 17 }, 17)).toEqual(["poi"]);
    expect(drawn("landuse", "area", { kind: "garden" }, 15)).toEqual(["landuse-garden"]);
  });

  it("of a river are along its line, not in its area too, where the line has a name", () => {
    const area = (zoom: number) => drawn("water", "point", { kind: "river", name: "Neckar", min_zoom: 9 }, zoom);
    expect([10, 12].map(area)).toEqual([["water-label"], []]);
    expect(drawn("water", "line", { kind: "river", name: "Neckar" }, 12)).toContain("water-line-label");
  });
});

describe("lines of transit", () => {
  const lines: Subject["tags"][] = [
    { kind: "rail", kind_detail: "rail" },
    { kind: "rail", kind_detail: "tram" },
    { kind: "rail", kind_detail: "subway", is_tunnel: true },
    { kind: "rail", kind_detail: "rail", colour: "#ff0000" },
    { kind: "rail", kind_detail: "light_rail", is_bridge: true },
  ];

  it.each(lines)("%j are not shown below zoom 12, unless requested", (tags) => {
    const first = (transit: boolean) => ZOOMS.find((zoom) => road(tags, zoom, { transit }).length > 0);
    expect([first(false), first(true)]).toEqual([12, 9]);
  });

  it("are thinner than the streets that they cross, at every zoom", () => {
    const rails = style.layers.filter(({ id }) => /^road-(rail|transit)/.test(id) && !id.endsWith("sleepers"));
    const streets = roadClasses(PALETTES[STYLE_NAMES[0]]).filter(({ id }) => id !== "service");
    expect(rails.length).toBeGreaterThan(5);
    const wide = ZOOMS.filter((zoom) => zoom >= 12).flatMap((zoom) =>
      rails.flatMap((rail) => {
        const narrowest = Math.min(...streets.map(({ id }) => widthOf(layerOf(`road-${id}-ground`), zoom)));
        return widthOf(rail, zoom) < narrowest ? [] : [[rail.id, zoom, widthOf(rail, zoom), narrowest]];
      }),
    );
    expect(wide).toEqual([]);
  });
});

describe("roads of an import below the zooms of its neighborhood", () => {
  it("appear slowly: the world base around it has none", () => {
    const opacity = (id: string, zoom: number) => {
      const layer = layerOf(id);
      if (zoom < (layer.minzoom ?? 0)) return 0;
      return compile(layer.paint?.["line-opacity"] as Json)({ zoom, type: 2, tags: {} }) as number;
    };
    for (const id of ["road-highway-ground", "road-highway-ground-casing", "road-major-ground"]) {
      expect([4, 6, 7].map((zoom) => opacity(id, zoom))).toEqual([0, 0, 0]);
      expect(opacity(id, 7.5)).toBeLessThan(0.4);
      expect(opacity(id, 9)).toBe(1);
    }
  });
});

describe("tiles of older imports and of others", () => {
  it.each(STYLE_NAMES)("are drawn by %s: every road of the schema without our attributes has a line", (name) => {
    const kinds: Subject["tags"][] = [
      ...["residential", "service", "living_street"].map((kind_detail) => ({ kind: "minor_road", kind_detail })),
      ...["primary", "tertiary_link"].map((kind_detail) => ({ kind: "major_road", kind_detail })),
      ...["footway", "path", "cycleway", "pedestrian", "steps", "track", "sidewalk"].map((kind_detail) => ({
        ...{ kind: "path", kind_detail },
      })),
      { kind: "highway", kind_detail: "motorway" },
      { kind: "path" },
    ];
    const none = kinds.filter((tags) => !road(tags, 17, { style: name }).some((id) => id.startsWith("road-")));
    expect(none).toEqual([]);
  });
});
