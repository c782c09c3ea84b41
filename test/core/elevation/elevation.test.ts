import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Block, blockOf, encodeBlock, NO_SAMPLE, PackedBlock } from "../../../src/core/elevation/block.ts";
import { type BlockId, blockAt, blockKey, columnsOf, cornerOf, ROWS } from "../../../src/core/elevation/grid.ts";
import { interpolated } from "../../../src/core/elevation/interpolate.ts";
import { climbOf, climbPoints, pointsAlong, structuresOf } from "../../../src/core/elevation/profile.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { climbsOf } from "../../support/worlds/climbs.ts";
import { fractalGround } from "../../support/worlds/fractal-ground.ts";

/** A block of a ground, as it is stored. */
function packed(id: BlockId, ground: (point: Coordinate) => number): PackedBlock {
  const { latitude, longitude } = cornerOf(id);
  const columns = columnsOf(id);
  const meters = new Float64Array(ROWS * columns);
  for (let i = 0; i < meters.length; i++)
    meters[i] = ground({
      latitude: latitude + Math.floor(i / columns) / (ROWS - 1) / 10,
      longitude: longitude + (i % columns) / (columns - 1) / 10,
    });
  return new PackedBlock(id, encodeBlock(blockOf(id, meters), deflate));
}
const deflate = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 6 });

async function elevationsAt(points: readonly Coordinate[], open: (id: BlockId) => Promise<Block>) {
  const blocks = new Map<string, Block>();
  for (const id of points.map(blockAt)) if (!blocks.has(blockKey(id))) blocks.set(blockKey(id), await open(id));
  return points.map((point) => interpolated(blocks.get(blockKey(blockAt(point))) as Block, blockAt(point), point));
}

/** Blocks made when they are opened. */
function groundOf(ground: (point: Coordinate) => number) {
  const blocks = new Map<string, PackedBlock>();
  return async (id: BlockId) => {
    const block = blocks.get(blockKey(id)) ?? packed(id, ground);
    blocks.set(blockKey(id), block);
    return block.open();
  };
}

describe("the elevation grid", () => {
  it("has samples at most 32 m apart in both directions, at every latitude", () => {
    for (let row = 0; row < 1800; row++) {
      const id = { row, column: 0 };
      const { latitude } = cornerOf(id);
      const south = distance({ latitude, longitude: 0 }, { latitude: latitude + 0.1 / (ROWS - 1), longitude: 0 });
      expect(south).toBeLessThan(32);
      for (const edge of [latitude, latitude + 0.1]) {
        const side = distance({ latitude: edge, longitude: 0 }, { latitude: edge, longitude: 0.1 });
        expect(side / (columnsOf(id) - 1)).toBeLessThan(32);
      }
    }
  });

  it("finds the block of every point, poles and the date line included", () => {
    const at = (latitude: number, longitude: number) => blockAt({ latitude, longitude });
    expect(at(0, 0)).toEqual({ row: 900, column: 1800 });
    expect(at(-0.01, -0.01)).toEqual({ row: 899, column: 1799 });
    expect([at(90, 180), at(-90, -180)]).toEqual([
      { row: 1799, column: 3599 },
      { row: 0, column: 0 },
    ]);
    expect(cornerOf(at(49.41, 8.69)).latitude).toBeCloseTo(49.4, 9);
  });
});

describe("a block of elevations", () => {
  it("keeps every sample to a sixteenth of a meter, below sea level and on high mountains, and which are unknown", async () => {
    const random = seededRandom(1);
    for (const [base, relief] of [
      [-430, 20],
      [0, 3],
      [2100, 6700],
    ]) {
      const id = { row: 1394, column: 1886 };
      const meters = Float64Array.from({ length: ROWS * columnsOf(id) }, () =>
        random() < 0.01 ? Number.NaN : base + relief * random(),
      );
      const { base: stored, samples } = await new PackedBlock(id, encodeBlock(blockOf(id, meters), deflate)).open();
      const off = meters.map((one, i) =>
        Number.isNaN(one) ? Number(samples[i] !== NO_SAMPLE) : Math.abs(one - stored - samples[i] / 8),
      );
      expect(off.reduce((most, one) => Math.max(most, one), 0)).toBeLessThanOrEqual(1 / 16);
    }
  });

  it("rejects other objects, versions and lengths", async () => {
    const id = { row: 1394, column: 1886 };
    const object = encodeBlock(blockOf(id, new Float64Array(ROWS * columnsOf(id))), deflate);
    const changed = (at: number, value: number) => Uint8Array.from(object, (byte, i) => (i === at ? value : byte));
    expect(() => new PackedBlock(id, changed(0, 65))).toThrow(/expected GELV/);
    expect(() => new PackedBlock(id, changed(4, 9))).toThrow(/version 9/);
    await expect(new PackedBlock({ row: 1550, column: 0 }, object).open()).rejects.toThrow(/bytes in place of/);
  });

  it("is smooth between samples and across blocks, and exact on a slope", async () => {
    const slope = ({ latitude, longitude }: Coordinate) => 100 + 500 * (latitude - 49.4) - 300 * (longitude - 8.7);
    const open = groundOf(slope);
    const random = seededRandom(2);
    const points = Array.from({ length: 300 }, () => ({
      latitude: 49.35 + 0.1 * random(),
      longitude: 8.65 + 0.1 * random(),
    }));
    const found = await elevationsAt(points, open);
    for (const [i, point] of points.entries()) expect(found[i]).toBeCloseTo(slope(point), 0);
    const off = points.map((point, i) => Math.abs((found[i] as number) - slope(point)));
    expect(Math.max(...off)).toBeLessThan(0.07);
  });

  it("is known near known samples only", async () => {
    const open = groundOf(({ longitude }) => (longitude < 8.65 ? 10 : Number.NaN));
    const at = (longitude: number) => elevationsAt([{ latitude: 49.45, longitude }], open);
    expect([await at(8.6499), await at(8.6502)]).toEqual([[10], [undefined]]);
  });
});

describe("points along a line", () => {
  it("are at equal distances, from end to end, also across 180°", () => {
    const line = [
      { latitude: 49.4, longitude: 179.999 },
      { latitude: 49.4, longitude: 179.9995 },
      { latitude: 49.4005, longitude: -179.998 },
    ];
    const points = pointsAlong(line, 21);
    expect([points[0], points[20]]).toMatchObject([line[0], { latitude: 49.4005 }]);
    expect(points[20].longitude).toBeCloseTo(180.002, 9);
    const steps = points.slice(1).map((point, i) => distance(points[i], { ...point }));
    // Less where it bends.
    for (const step of steps) expect(Math.abs(step - points[20].distance / 20)).toBeLessThan(0.1);
    expect(pointsAlong([line[0], line[0]], 2).map(({ distance: along }) => along)).toEqual([0, 0]);
  });
});

describe("the climb of a line", () => {
  /** Ground with hills of known shape, and the noise of a satellite's samples [m]. */
  const hills = (noise: number, seed: number, flat = false) => {
    const random = seededRandom(seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const phases = Array.from({ length: 4 }, () => 2 * Math.PI * random());
    const shape = ({ latitude, longitude }: Coordinate) =>
      flat
        ? 110
        : 300 +
          120 * Math.sin(latitude * 210 + phases[0]) * Math.cos(longitude * 190 + phases[1]) +
          45 * Math.sin(latitude * 520 + phases[2]) +
          30 * Math.cos(longitude * 610 + phases[3]);
    return { shape, open: groundOf((point) => shape(point) + noise * normal()) };
  };
  /** A way of some kilometers with bends. */
  const way = (seed: number) => {
    const random = seededRandom(seed);
    const line = [{ latitude: 49.42 + 0.05 * random(), longitude: 8.63 + 0.05 * random() }];
    let heading = 360 * random();
    for (let i = 0; i < 60; i++) {
      heading += 60 * (random() - 0.5);
      line.push(destination(line[i], heading, 120));
    }
    return line;
  };
  const lengthOf = (line: readonly Coordinate[]) =>
    line.slice(1).reduce((sum, point, i) => sum + distance(line[i], point), 0);

  it("is within 5 % of the truth in total on hilly ground, with noise of 1 m", async () => {
    const { shape, open } = hills(1, 5);
    let [found, truth] = [0, 0];
    for (let seed = 0; seed < 8; seed++) {
      const line = way(seed);
      const climb = climbOf(await elevationsAt(climbPoints(line, lengthOf(line)), open), lengthOf(line));
      found += climb?.ascent ?? 0;
      const exact = pointsAlong(line, 5000).map(shape);
      truth += exact.slice(1).reduce((sum, height, i) => sum + Math.max(0, height - exact[i]), 0);
    }
    expect(found / truth).toBeGreaterThan(0.95);
    expect(found / truth).toBeLessThan(1.05);
  });

  it.each([
    { ground: "mountains", relief: 2400, kilometers: 14, noise: 0 },
    { ground: "mountains with noise of 1 m", relief: 2400, kilometers: 14, noise: 1 },
    { ground: "hills", relief: 250, kilometers: 8, noise: 0 },
    { ground: "hills with noise of 1 m", relief: 250, kilometers: 8, noise: 1 },
  ])(
    "is within 5 % of all climbs of 5 m, of the ground at the samples' distance, on fractal $ground",
    async (options) => {
      const { relief, kilometers, noise } = options;
      const ground = fractalGround({ relief, kilometers, seed: 3 });
      const random = seededRandom(9);
      const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const open = groundOf((point) => ground(point.latitude, point.longitude) + noise * normal());
      let [found, truth] = [0, 0];
      for (let seed = 0; seed < 16; seed++) {
        const line = way(seed);
        const points = climbPoints(line, lengthOf(line));
        found += climbOf(await elevationsAt(points, open), lengthOf(line))?.ascent ?? 0;
        truth += climbsOf(
          points.map(({ latitude, longitude }) => ground(latitude, longitude)),
          5,
        );
      }
      expect(found / truth).toBeGreaterThan(0.95);
      expect(found / truth).toBeLessThan(1.05);
    },
  );

  it("is nothing on flat ground, with noise of 1.5 m", async () => {
    const { open } = hills(1.5, 6, true);
    for (let seed = 0; seed < 8; seed++) {
      const line = way(seed);
      const climb = climbOf(await elevationsAt(climbPoints(line, lengthOf(line)), open), lengthOf(line));
      expect(climb).toEqual({ ascent: 0, descent: 0 });
    }
  });

  it("counts the full height of each hill and valley, and ends where the line ends", () => {
    const line = (...heights: number[]) => climbOf(heights, 1000 * (heights.length - 1));
    expect(line(0, 100, 40, 90)).toEqual({ ascent: 150, descent: 60 });
    expect(line(50, 46, 20, 24, 23)).toEqual({ ascent: 0, descent: 30 });
    expect(line(10, 12, 9, 13, 10)).toEqual({ ascent: 0, descent: 0 });
    // Small steps up one hill are one climb.
    expect(line(0, 4, 2, 6, 4, 8, 6, 10)).toEqual({ ascent: 10, descent: 0 });
    expect(line(7)).toEqual({ ascent: 0, descent: 0 });
  });

  it("is straight on bridges and in tunnels, each from its first to its last meter", () => {
    const structures = structuresOf([
      { distance: 1500, isStructure: false },
      { distance: 600, isStructure: true },
      { distance: 900, isStructure: true },
      { distance: 2000, isStructure: false },
    ]);
    expect(structures).toEqual([{ from: 1500, to: 3000 }]);
    // A ravine below a bridge, or a hill above a tunnel, every 1,000 m.
    expect(climbOf([100, 100, 20, 20, 120, 120], 5000)).toEqual({ ascent: 100, descent: 80 });
    expect(climbOf([100, 100, 20, 20, 120, 120], 5000, structures)).toEqual({ ascent: 20, descent: 0 });
    expect(climbOf([100, 100, 320, 20, 120, 120], 5000, structures)).toEqual({ ascent: 20, descent: 0 });
    expect(climbOf([10, 400, 10], 2000, [{ from: 0, to: 2000 }])).toEqual({ ascent: 0, descent: 0 });
  });

  it("interpolates what is unknown, and is undefined where most is", () => {
    expect(climbOf([undefined, 10, undefined, undefined, 40, 40, 40], 6000)).toEqual({ ascent: 30, descent: 0 });
    expect(climbOf([10, undefined, undefined, undefined, 40], 4000)).toBeUndefined();
    expect(climbOf([undefined, undefined], 10)).toBeUndefined();
  });
});
