import { describe, expect, it } from "vitest";
import type { Mode } from "../../../src/core/routing/graph/modes.ts";
import { build, type Scenario, type World } from "./scenario.ts";

/** Seconds from a place to another. */
async function seconds(world: World, from: string, to: string, mode: Mode = "car"): Promise<number> {
  const route = await world.find([from, to], { mode });
  if (!route) throw new Error(`no way from ${from} to ${to}`);
  return route.duration;
}

/** How much longer each way takes than without what stands at the nodes: rows of "from to: seconds". */
async function check(scenario: Scenario, rows: string, mode: Mode = "car"): Promise<void> {
  const world = await build(scenario);
  const bare = await build({ ...scenario, nodes: {} });
  const expected = rows
    .trim()
    .split("\n")
    .map((row) => row.trim());
  const found: string[] = [];
  for (const row of expected) {
    const [from, to] = row.split(":")[0].split(" ");
    const more = (await seconds(world, from, to, mode)) - (await seconds(bare, from, to, mode));
    found.push(`${from} ${to}: ${Math.round(more * 2) / 2}`);
  }
  expect(found).toEqual(expected);
}

describe("a sign in the middle of a road", () => {
  const road = (sign: string): Scenario => ({ map: "a-----s-----b", ways: { asb: "" }, nodes: { s: sign } });

  for (const [sign, there, back] of [
    ["highway=traffic_signals", 2, 2],
    ["highway=traffic_signals direction=forward", 2, 0],
    ["highway=traffic_signals direction=forward traffic_signals:direction=backward", 0, 2],
    ["highway=traffic_signals traffic_signals:direction=both", 2, 2],
    ["highway=stop", 2, 2],
    ["highway=stop direction=forward", 2, 0],
    ["highway=stop direction=backward", 0, 2],
    ["highway=stop direction=both", 2, 2],
    ["highway=give_way", 1, 1],
    ["highway=give_way direction=forward", 1, 0],
    ["highway=give_way direction=backward", 0, 1],
    ["highway=crossing", 0, 0],
    ["highway=turning_circle", 0, 0],
  ] as const) {
    it(`costs ${there} s along and ${back} s against it: ${sign}`, () =>
      check(road(sign), `aas ssb: ${there}\n      ssb aas: ${back}`));
  }

  it("holds up walkers and bikes at lights alone", async () => {
    for (const mode of ["foot", "bike"] as const) {
      await check(road("highway=traffic_signals"), "aas ssb: 2", mode);
      await check(road("highway=stop"), "aas ssb: 0", mode);
      await check(road("highway=give_way"), "aas ssb: 0", mode);
      await check(road("barrier=gate"), "aas ssb: 0", mode);
    }
  });
});

describe("a stop sign beside a crossing", () => {
  it("without a direction is for those who come towards the crossing", () =>
    check(
      {
        grid: 8,
        map: `
          c
          |
      a---x-s-----------------b
          |
          d`,
        ways: { axsb: "", cxd: "" },
        nodes: { s: "highway=stop" },
      },
      `b a: 2
       a b: 0
       c b: 0
       b d: 2
       c d: 0`,
    ));

  it("far from the crossing binds both", () =>
    check(
      { grid: 30, map: "c   \n|   \nx--s-----b\n|   \nd   ", ways: { xsb: "", cxd: "" }, nodes: { s: "highway=stop" } },
      `b c: 2
       c b: 2`,
    ));
});

describe("a stop sign in the middle of a crossing", () => {
  const crossing = (sign: string): Scenario => ({
    map: `
          c
          |
      a---x---b
          |
          d`,
    ways: { axb: "highway=primary", cxd: "highway=tertiary" },
    nodes: { x: sign },
  });

  it("stops everybody", () =>
    check(
      crossing("highway=stop"),
      `a b: 2
       c d: 2
       c b: 2
       b d: 2`,
    ));

  it("for the lesser road stops those who come on it", () =>
    check(
      crossing("highway=stop stop=minor"),
      `a b: 0
       b a: 0
       a d: 0
       c d: 2
       d c: 2
       d a: 2`,
    ));

  it("for a lesser road stops nobody where none is less", () =>
    check(
      { ...crossing("highway=stop stop=minor"), ways: { axb: "", cxd: "" } },
      `a b: 0
       c d: 0`,
    ));
});

describe("a gate", () => {
  const lane = (gate: string): Scenario => ({
    map: `
      a-----b--g--c-----d
            |     |
            e-----f`,
    ways: { ab: "", bgc: "", cd: "", be: "", ef: "", fc: "" },
    nodes: { g: gate },
  });

  for (const [gate, mode, expected] of [
    ["barrier=gate", "car", "ab,be,ef,fc,cd"],
    ["barrier=lift_gate", "car", "ab,be,ef,fc,cd"],
    ["barrier=swing_gate", "car", "ab,be,ef,fc,cd"],
    ["barrier=swing_gate", "foot", "ab,bgc,cd"],
    ["barrier=swing_gate motor_vehicle=yes", "car", "ab,bgc,cd"],
    ["barrier=gate", "truck", "ab,be,ef,fc,cd"],
    ["barrier=gate", "bike", "ab,bgc,cd"],
    ["barrier=gate", "foot", "ab,bgc,cd"],
    ["barrier=gate motor_vehicle=yes", "car", "ab,bgc,cd"],
    ["barrier=gate access=yes", "car", "ab,bgc,cd"],
    ["barrier=gate access=private", "car", "ab,be,ef,fc,cd"],
    ["barrier=gate access=private", "truck", "ab,be,ef,fc,cd"],
    ["barrier=bollard motor_vehicle=private", "car", "ab,be,ef,fc,cd"],
    ["barrier=gate access=no motorcar=destination", "car", "ab,be,ef,fc,cd"],
    ["barrier=gate access=private motor_vehicle=yes", "car", "ab,bgc,cd"],
    ["barrier=toll_booth", "car", "ab,bgc,cd"],
    ["barrier=cattle_grid", "car", "ab,bgc,cd"],
  ] as const) {
    it(`with ${gate} leads a ${mode} over ${expected}`, async () => {
      const world = await build(lane(gate));
      expect(await world.names("a d", { mode })).toBe(expected);
    });
  }

  it("that is locked, or one for the fire brigade, is no way through for a car", async () => {
    for (const tags of ["barrier=gate locked=yes", "barrier=swing_gate emergency=designated"]) {
      const world = await build({ map: "a--g--b", ways: { agb: "" }, nodes: { g: tags } });
      expect(await world.names("a b")).toBe("");
    }
  });

  it("costs a minute where there is no other way", () =>
    check(
      { map: "a--g--b", ways: { agb: "" }, nodes: { g: "barrier=gate" } },
      `a b: 60
       b a: 60`,
    ));
});

describe("a lift", () => {
  /** Two floors, that lie side by side on this map, with a lift at l and steps at the far end. */
  const floors = (far: string): Scenario => ({
    map: `
      a--l--b
      ${far}
      c-----d`,
    ways: {
      al: "highway=corridor level=0",
      lb: "highway=corridor level=1",
      ac: "highway=corridor",
      cd: "highway=steps",
      db: "highway=corridor",
    },
    nodes: { l: "highway=elevator level=0;1" },
  });

  it("that is a node takes a minute", () =>
    check(
      floors(""),
      `a b: 60
       b a: 60`,
      "foot",
    ).then(() =>
      check({ map: "a--l--b", ways: { alb: "highway=corridor" }, nodes: { l: "highway=elevator" } }, `a b: 60`, "foot"),
    ));

  it("that is a way takes a minute however long it is drawn, or what the map says", async () => {
    for (const [tags, expected] of [
      ["highway=elevator", 60],
      ["highway=elevator duration=00:00:30", 30],
    ] as const) {
      for (const grid of [10, 30]) {
        const world = await build({
          grid,
          map: "a--b--c--d",
          ways: { ab: "highway=corridor", bc: tags, cd: "highway=corridor" },
        });
        const walked = ((grid * 6) / 5) * 3.6;
        expect((await seconds(world, "a", "d", "foot")) - walked).toBeCloseTo(expected, 0);
      }
    }
  });

  it("is left aside where steps are quicker, and taken where they are not", async () => {
    const near = { ...floors("|     |"), grid: 5 };
    expect(await (await build(near)).names("a b", { mode: "foot" })).toBe("ac,cd,db");
    expect(await (await build({ ...near, grid: 30 })).names("a b", { mode: "foot" })).toBe("al,lb");
  });

  it("is for walkers, not for what drives", async () => {
    const world = await build({ map: "a--b--c", ways: { ab: "highway=corridor", bc: "highway=elevator" } });
    for (const mode of ["car", "truck", "bike"] as const) expect(await world.names("a c", { mode })).toBe("");
  });
});

describe("an escalator", () => {
  const station = (conveying: string): Scenario => ({
    map: `
      a--b--c--d
         |  |
         e--f`,
    ways: {
      ab: "highway=corridor",
      bc: `highway=steps ${conveying}`,
      cd: "highway=corridor",
      be: "highway=corridor",
      ef: "highway=steps",
      fc: "highway=corridor",
    },
  });

  it("is walked the way it runs, and steps beside it the other way", async () => {
    const there = "ab,bc,cd";
    const back = "cd,bc,ab";
    const aside = "cd,fc,ef,be,ab";
    for (const [conveying, up, down] of [
      ["conveying=forward", there, aside],
      ["conveying=backward", "ab,be,ef,fc,cd", back],
      ["conveying=reversible", there, back],
      ["conveying=yes", there, back],
      ["oneway=yes conveying=forward", there, aside],
      ["indoor=yes level=0;1", there, back],
    ]) {
      const world = await build(station(conveying));
      expect([
        conveying,
        await world.names("a d", { mode: "foot" }),
        await world.names("d a", { mode: "foot" }),
      ]).toEqual([conveying, up, down]);
    }
  });
});
