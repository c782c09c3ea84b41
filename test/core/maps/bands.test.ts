import { describe, expect, it } from "vitest";
import { Pace, TooMuchWork, unpaced } from "../../../src/core/geo/pace.ts";
import { drawBands } from "../../../src/core/maps/bands.ts";
import { Ground } from "../../../src/core/maps/ground.ts";
import { rasterise } from "../../../src/core/maps/image/rasterise.ts";
import { parseMarkers, parsePath } from "../../../src/core/maps/overlay-parameters.ts";
import { renderPng } from "../../../src/core/maps/render.ts";
import type { Scene } from "../../../src/core/maps/scene.ts";
import { renderSvg } from "../../../src/core/maps/scene-svg.ts";
import { readPng } from "./read-png.ts";
import { at, ready, type TownMap, townScene } from "./town.ts";

const wire = ({ latitude, longitude }: { latitude: number; longitude: number }) => `${latitude},${longitude}`;
const spot = (n: number) => wire(at(320 + ((n * 7919) % 577), 310 + ((n * 104729) % 601)));
const pathOf = (count: number, look = "", place = spot) =>
  parsePath(`${look}${Array.from({ length: count }, (_, i) => place(i)).join("|")}`);
const overlay = { markers: [], paths: [pathOf(9, "width:9|")] };

/** A scene of shapes and paths only: what bands lay on the pixels afterwards would hide their seams. */
const bare = (scene: Scene): Scene => ({
  ...scene,
  labels: { ...scene.labels, texts: [] },
  corners: [],
});

async function pixelsOf(scene: Scene, scale: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const { pixels } of drawBands(scene, await ready(), scale, unpaced())) all.push(pixels.slice());
  return Buffer.concat(all);
}

/** Of all values, the share that differs by more than `most`. */
function shareApart(a: Uint8Array, b: Uint8Array, most: number): number {
  expect(a.length).toBe(b.length);
  let apart = 0;
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i] - b[i]) > most) apart++;
  return apart / a.length;
}

describe("a large map", () => {
  it.each<[string, TownMap, number]>([
    ["at scale 3", { width: 800, height: 700, scale: 3, overlay }, 3],
    ["at scale 2 with dashed borders", { width: 811, height: 703, scale: 2, zoom: 15, overlay }, 2],
    ["at half the scale, as its palette is taken", { width: 1600, height: 1200, zoom: 15, overlay }, 0.5],
  ])(
    "drawn in bands is the one drawn in one piece, without seams, and the one that resvg draws: %s",
    async (_, map, scale) => {
      const scene = bare(await townScene(map));
      const [width, height] = [map.width ?? 0, map.height ?? 0].map((side) => Math.round(side * scale));
      const bands = await pixelsOf(scene, scale);
      const pixels = new Uint8Array(4 * width * height);
      await new Ground(scene, scale).draw({ pixels, width, height, top: 0 }, unpaced());
      expect(shareApart(bands, pixels, 1)).toBe(0);
      // Where many edges meet in a pixel the two judge differently; a line or an area that is missing is more.
      const svg = renderSvg({ ...scene, scale });
      expect(shareApart(bands, rasterise(svg).pixels, 24)).toBeLessThan(2e-4);
    },
  );

  it("has the same bytes whether others had a turn within its bands or not", async () => {
    const scene = await townScene({ width: 900, height: 900, scale: 2, overlay });
    const fonts = await ready();
    let turns = 0;
    const pace = new Pace(
      async () => {
        turns++;
        await new Promise((resolve) => setTimeout(resolve, 1));
      },
      { slice: 5000 },
    );
    const paced = await renderPng(scene, fonts, pace);
    expect(turns).toBeGreaterThan(10);
    expect(paced).toEqual(await renderPng(scene, fonts));
    expect(readPng(paced)).toMatchObject({ width: 1800, height: 1800 });
  });

  it("never holds others up for more than a small share of its work", async () => {
    const scene = await townScene({ width: 1400, height: 1400, scale: 3, overlay });
    let last = 0;
    let longest = 0;
    const pace: Pace = new Pace(async () => {
      longest = Math.max(longest, pace.spent - last);
      last = pace.spent;
    });
    await renderPng(scene, await ready(), pace);
    expect(longest / pace.spent).toBeLessThan(0.15);
  });
});

describe("what is on the map a thousand times", () => {
  const draw = async (map: TownMap) => {
    const pace = unpaced();
    const png = await renderPng(await townScene(map), await ready(), pace);
    return { png, work: pace.spent };
  };

  it("is drawn once: markers of one look on one spot", async () => {
    const { locations } = parseMarkers(Array(500).fill(spot(3)).join("|"));
    const marker = { color: [200, 0, 0, 1], size: "normal" } as const;
    const of = (places: typeof locations) => ({
      paths: [],
      markers: places.map((place) => ({ at: place, ...marker })),
    });
    const [one, many] = [await draw({ overlay: of(locations.slice(0, 1)) }), await draw({ overlay: of(locations) })];
    expect(many.png).toEqual(one.png);
    expect(many.work).toBeLessThan(1.1 * one.work);
  });

  it("is drawn once: a path that stays where it is, or goes to and fro", async () => {
    const look = "width:8|";
    const toAndFro = (n: number) => spot(n % 2);
    const one = await draw({ overlay: { markers: [], paths: [pathOf(2, look, toAndFro)] } });
    const many = await draw({ overlay: { markers: [], paths: [pathOf(7900, look, toAndFro)] } });
    expect(many.png).toEqual(one.png);
    expect(many.work).toBeLessThan(1.1 * one.work);
    const still = await draw({ overlay: { markers: [], paths: [pathOf(7900, look, () => spot(1))] } });
    expect(still.work).toBeLessThan(1.1 * one.work);
  });

  it("is refused where it would take minutes: thousands of wide lines across the largest image", async () => {
    const across = (n: number) => wire(at(((n * 7919) % 99_991) / 100, n % 2 ? -1000 : 2000));
    const scene = townScene({
      width: 2048,
      height: 2048,
      scale: 3,
      zoom: 15,
      overlay: { markers: [], paths: [pathOf(7900, "width:60|", across)] },
    });
    await expect(renderPng(await scene, await ready())).rejects.toThrow(TooMuchWork);
  });
});
