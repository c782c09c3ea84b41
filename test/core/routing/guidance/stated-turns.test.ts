import { describe, expect, it } from "vitest";
import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import { guide } from "../../../../src/core/routing/guidance/steps/steps.ts";
import type { Step } from "../../../../src/core/routing/guidance/types.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { samples } from "../../../support/night.ts";
import { build, type Scenario, type World } from "../scenario.ts";

async function stepsOf(world: World, from: string, to: string, mode: Mode = "car"): Promise<Step[]> {
  const route = await world.find([from, to], { mode });
  if (!route) return [];
  const { path, network } = world.router.view(route.legs[0], world.at(to));
  return guide(path, network);
}

const told = (steps: readonly Step[]) => steps.map(({ maneuver: { type, modifier } }) => `${type} ${modifier}`);

/** With the relation `turn`, the steps of the route between two places. */
async function toldWith(scenario: Scenario, [turn, tags]: [string, string], places: string): Promise<string[]> {
  const [from, to] = places.split(" ");
  return told(await stepsOf(await build({ ...scenario, turns: { [turn]: tags } }), from, to));
}

//  a ── b ── c ── d
//       │
//       e
const CROSSING: Scenario = { map: "a--b--c--d\n\n   e", ways: { ab: "", bcd: "", be: "" } };

const SUPPRESSED = "type=manoeuvre manoeuvre=suppress";

describe("a maneuver that mappers state", () => {
  const cases: [tags: string, expected: string][] = [
    ["type=manoeuvre manoeuvre=turn direction=sharp_right", "turn sharp right"],
    ["type=maneuver maneuver=turn direction=slight_right", "turn slight right"],
    ["type=maneuvre maneuvre=fork direction=left", "fork left"],
    ["type=manoeuvre manoeuvre=off_ramp", "off ramp right"],
    ["type=manoeuvre direction=slight_left", "turn slight left"],
    ["type=manoeuvre manoeuvre=uturn", "turn uturn"],
    ["type=manoeuvre manoeuvre=turn direction=through", "turn straight"],
    ["type=manoeuvre manoeuvre=nonsense direction=also", "turn right"],
    ["type=manoeuvre", "turn right"],
  ];
  it.each(cases)("%s is told as %s", async (tags, expected) => {
    expect((await toldWith(CROSSING, ["ab b be", tags], "a e"))[1]).toBe(expected);
  });

  it("is told of no other turn", async () => {
    const stated: [string, string] = ["ab b be", "type=manoeuvre manoeuvre=turn direction=sharp_left"];
    for (const places of ["a d", "d e", "e a", "e d", "d a"]) {
      const plain = told(await stepsOf(await build(CROSSING), ...(places.split(" ") as [string, string])));
      expect(await toldWith(CROSSING, stated, places)).toEqual(plain);
    }
  });

  it("is told where the road goes on in silence, or not where it says so", async () => {
    const along: [string, string] = ["ab b bcd", "type=manoeuvre manoeuvre=turn direction=slight_left"];
    const same = { ...CROSSING, ways: { ab: "name=Main", bcd: "name=Main", be: "" } };
    expect((await toldWith(same, along, "a d")).slice(1, -1)).toEqual(["turn slight left"]);
    const silent: [string, string] = ["ab b be", SUPPRESSED];
    expect((await toldWith(CROSSING, silent, "a e")).slice(1, -1)).toEqual([]);
  });

  it("lacks nothing: one node, a way before it and a way after it", async () => {
    const two: [string, string] = ["ab b+c be", "type=manoeuvre manoeuvre=turn direction=sharp_left"];
    expect((await toldWith(CROSSING, two, "a e"))[1]).toBe("turn right");
  });

  it("leaves roundabouts as they are", async () => {
    const circle: Scenario = {
      map: " b \na c-d\n e ",
      ways: { bae: "junction=roundabout", ecb: "junction=roundabout", cd: "" },
      grid: 20,
    };
    const scenario = { ...circle, map: `${circle.map}\n\n f`, ways: { ...circle.ways, fe: "" } };
    const [plain, stated] = [build(scenario), build({ ...scenario, turns: { "fe e ecb": SUPPRESSED } })];
    expect(told(await stepsOf(await stated, "f", "d"))).toEqual(told(await stepsOf(await plain, "f", "d")));
  });
});

describe("a stated turn", () => {
  const stated = "type=manoeuvre manoeuvre=turn direction=sharp_left";

  it.each(["car", "bike", "foot"] as const)("is told by %s, and where traffic keeps left", async (mode) => {
    for (const leftHand of [false, true]) {
      const world = await build({ ...CROSSING, leftHand, turns: { "ab b be": stated } });
      expect(told(await stepsOf(world, "a", "e", mode))[1]).toBe("turn sharp left");
    }
  });

  //  a ── b ── c ── d ── h      A restriction over bc closes the turn to the south at d, so who comes from ab drives a copy of bc.
  //       │    │    │
  //       e    f    g
  it("is told to those whom a restriction over several roads binds", async () => {
    const map = "a--b--c--d--h\n\n   e  f  g";
    const ways = { ab: "", bc: "", cd: "", dh: "", be: "", cf: "", dg: "" };
    const turns = { "ab bc+cd dg": "no_right_turn", "bc c cf": stated };
    const world = await build({ map, ways, turns });
    expect(told(await stepsOf(world, "a", "f"))).toContain("turn sharp left");
    expect(told(await stepsOf(world, "e", "f")).slice(1, -1)).toContain("turn sharp left");
  });

  it("is the first of two that contradict each other, and one that fits no road is none", async () => {
    const turns = { "ab b be": stated, "ab b+bcd be": "type=maneuver maneuver=suppress", "be e ab": stated };
    const world = await build({ ...CROSSING, turns });
    expect(told(await stepsOf(world, "a", "e"))[1]).toBe("turn sharp left");
  });
});

const CORNERS = ["abcde", "fghij", "klmno", "pqrst", "uvwxy"];
const KINDS = ["highway=primary", "highway=residential", "highway=tertiary", "highway=secondary_link oneway=yes"];
const SIDES = ["sharp left", "left", "slight left", "straight", "slight right", "right", "sharp right", "uturn"];

/** A town of square blocks, some without a street; the street along each is a way of its own name. */
function townOf(random: () => number): Scenario & { ways: Record<string, string> } {
  const ways: Record<string, string> = {};
  for (let row = 0; row < CORNERS.length; row++) {
    for (let column = 0; column < CORNERS.length; column++) {
      for (const other of [CORNERS[row][column + 1], CORNERS[row + 1]?.[column]]) {
        if (other && random() < 0.85) ways[CORNERS[row][column] + other] = KINDS[Math.floor(random() * KINDS.length)];
      }
    }
  }
  return { map: CORNERS.map((row) => [...row].join("  ")).join("\n\n\n"), ways };
}

/** Each tile has a few corners: paths cross their borders. */
const SMALL_TILES = [2, 4, 16];

const any = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)];

it("routes through any town are told a stated turn if they make all of its path, and else as without it", async () => {
  const random = seededRandom(20261130);
  const counts = { told: 0, untouched: 0 };
  for (let town = 0; town < samples(25, 120); town++) {
    const scenario = { ...townOf(random), ...(town % 2 === 0 && { levelSizes: SMALL_TILES }) };
    const plain = await build(scenario);
    const streets = Object.keys(scenario.ways);
    const pairs = Array.from({ length: 12 }, () => [any(streets, random), any(streets, random)]);
    const paths = await Promise.all(pairs.map(async ([from, to]) => (await plain.names(`${from} ${to}`)).split(",")));
    const long = paths.filter((path) => path.length > 4);
    if (long.length === 0) continue;
    const path = any(long, random);
    const start = Math.floor(random() * (path.length - 3));
    const stated = path.slice(start, start + 2 + Math.floor(random() * 2));
    const turn = Math.floor(random() * (stated.length - 1));
    const node = [...stated[turn]].find((letter) => stated[turn + 1].includes(letter))!;
    const side = any(SIDES, random);
    const via = [node, ...stated.slice(1, -1)].join("+");
    const turns = {
      [`${stated[0]} ${via} ${stated[stated.length - 1]}`]: `type=manoeuvre manoeuvre=turn direction=${side.replace(" ", "_")}`,
    };
    const world = await build({ ...scenario, turns });
    for (const [index, [from, to]] of pairs.entries()) {
      const steps = await stepsOf(world, from, to);
      if (`,${paths[index].join()},`.includes(`,${stated.join()},`)) {
        const at = world.at(node);
        const there = steps.find(
          ({ maneuver: { location } }) =>
            Math.abs(location.latitude - at.latitude) < 1e-5 && Math.abs(location.longitude - at.longitude) < 1e-5,
        );
        expect(there?.maneuver.modifier).toBe(side);
        counts.told++;
      } else {
        expect(told(steps)).toEqual(told(await stepsOf(plain, from, to)));
        counts.untouched++;
      }
    }
  }
  expect(counts.told).toBeGreaterThan(20);
  expect(counts.untouched).toBeGreaterThan(100);
});
