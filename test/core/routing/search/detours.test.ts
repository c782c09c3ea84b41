import { describe, expect, it } from "vitest";
import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import { build, type Scenario, TUESDAY_AT_TEN } from "../scenario.ts";

/**
 * A straight road from a to d with something on its middle piece bc, and a way round it. Who may not or would rather not
 * pass goes round: "round"; who passes: "through". Columns: car, truck, foot, bike.
 */
const MODES: readonly Mode[] = ["car", "truck", "foot", "bike"];
const AROUND = `
    a---b---x---c---d
        |       |
        e-------f
`;

async function who(middle: string, node: string, around: string): Promise<string> {
  const world = await build({
    map: AROUND,
    ways: { ab: "", bxc: middle, cd: "", be: around, ef: around, fc: around },
    nodes: { x: node },
  });
  const told: string[] = [];
  for (const mode of MODES) {
    const names = await world.names("ab cd", { mode });
    told.push(names === "ab,bxc,cd" ? "through" : names === "ab,be,ef,fc,cd" ? "round" : names || "-");
  }
  return told.join(" ");
}

const OBSTACLES: [what: string, middle: string, node: string, expected: string, around?: string][] = [
  ["an open road", "", "", "through through through through"],
  ["a bollard", "", "barrier=bollard", "round round through through"],
  ["a rising bollard", "", "barrier=bollard bollard=rising", "through through through through"],
  ["a block of stone", "", "barrier=block", "round round through through"],
  ["a wall", "", "barrier=wall", "round round round round"],
  ["a fence", "", "barrier=fence", "round round round round"],
  ["a fence that is heard only", "", "barrier=fence sensory=audible", "through through through through"],
  ["a kerb", "", "barrier=kerb", "round round through through"],
  ["a lowered kerb", "", "barrier=kerb kerb=lowered", "through through through through"],
  ["a gate for residents", "", "barrier=gate access=residents", "round round through through"],
  ["a gate that is closed to all", "", "barrier=gate access=no", "round round round round"],
  ["a gate for walkers", "", "barrier=gate access=no foot=yes", "round round through round"],
  ["a gate for buses", "", "barrier=gate motor_vehicle=bus", "round round through through"],
  ["a low arch", "", "barrier=height_restrictor maxheight=1.9", "round round through through"],
  ["an arch of three metres", "", "barrier=height_restrictor maxheight=3", "through round through through"],
  ["a toll booth", "", "barrier=toll_booth", "through through through through"],
  ["a cattle grid", "", "barrier=cattle_grid", "through through through through"],
  ["a stile", "", "barrier=stile", "round round through through"],
  ["a road for walkers", "highway=footway", "", "round round through round"],
  ["steps", "highway=steps", "", "round round through round"],
  ["a cycleway", "highway=cycleway", "", "round round round through"],
  ["a road under construction", "highway=construction", "", "round round round round"],
  ["a road yet to be built", "highway=proposed", "", "round round round round"],
  ["a road to be widened one day", "proposed=motorway", "", "through through through through"],
  ["a one-way in the right direction", "oneway=yes", "", "through through through through"],
  ["a one-way in the wrong direction", "oneway=-1", "", "round round through round"],
  ["a one-way but for bikes", "oneway=-1 oneway:bicycle=no", "", "round round through through"],
  ["a one-way with a lane against it", "oneway=-1 cycleway=opposite_lane", "", "round round through through"],
  ["a road for buses", "access=bus", "", "round round through through"],
  ["a road of the army", "access=military", "", "round round through through"],
  ["a private road", "access=private", "", "round round round round"],
  ["a road for residents", "motor_vehicle=destination", "", "round round through through"],
  ["a road for deliveries", "motor_vehicle=delivery", "", "round round through through"],
  ["a road closed to vehicles", "vehicle=no", "", "round round through round"],
  ["a road closed to motors", "motor_vehicle=no", "", "round round through through"],
  ["a road closed to trucks", "hgv=no", "", "through round through through"],
  ["a road closed to walkers", "foot=no", "", "through through round through"],
  ["a road closed to bikes", "bicycle=no", "", "through through through round"],
  ["a road with a walk beside it on the map", "sidewalk=separate", "", "through through round through"],
  ["a road with a cycleway beside it on the map", "cycleway=separate", "", "through through through round"],
  ["a motorroad", "motorroad=yes", "", "through through round round"],
  ["a low bridge", "maxheight=3.2", "", "through round through through"],
  ["a very low bridge", "maxheight=1.8", "", "round round through through"],
  ["a weak bridge", "maxweight=3.5", "", "through round through through"],
  ["a bridge for bicycles' weight", "maxweight=1", "", "round round through through"],
  ["a narrow lane", "maxwidth=1.8", "", "round round through through"],
  ["a short bend", "maxlength=10", "", "through round through through"],
  ["deep mud", "surface=mud", "", "round round round round"],
  ["a road nobody can pass", "impassable=yes", "", "round round round round"],
  ["a road that changes its direction by the day", "oneway=reversible", "", "round round through through"],
  ["a slow zone", "maxspeed=5", "", "round round through round"],
  ["a moving walkway that runs the other way", "highway=footway conveying=backward", "", "round round round round"],
  ["a moving walkway that runs this way", "highway=footway conveying=forward", "", "round round through round"],
  [
    "the only other way being forbidden",
    "motor_vehicle=destination",
    "",
    "through through through through",
    "access=no",
  ],
  ["a private road that is the only one", "access=private", "", "through through - -", "access=no"],
  ["a wall without a way round", "", "barrier=wall", "- - - -", "access=no"],
];

describe("who goes round what stands in the way", () => {
  it.each(OBSTACLES)("%s", async (_, middle, node, expected, around = "") => {
    expect(await who(middle, node, around)).toBe(expected);
  });
});

const LADDER: Scenario = {
  map: `
    a---b---c---d
        |   |
    e---f---g---h
`,
  ways: { ab: "", bc: "", cd: "", bf: "", cg: "", ef: "", fg: "", gh: "" },
};

/** Turn signs, then from, to and the roads that a car takes. */
const SIGNS: [what: string, turns: Record<string, string>, from: string, to: string, expected: string][] = [
  ["no sign at all", {}, "ab", "bf", "ab,bf"],
  ["no right turn", { "ab b bf": "no_right_turn" }, "ab", "bf", "ab,bc,cg,fg,bf"],
  ["no right turn, for those who go straight", { "ab b bf": "no_right_turn" }, "ab", "cd", "ab,bc,cd"],
  ["no right turn, for those who come the other way", { "ab b bf": "no_right_turn" }, "bf", "ab", "bf,ab"],
  ["no left turn from below", { "bf b ab": "no_left_turn" }, "ef", "ab", "ef,fg,cg,bc,ab"],
  ["only straight on", { "ab b bc": "only_straight_on" }, "ab", "bf", "ab,bc,cg,fg,bf"],
  ["only right", { "ab b bf": "only_right_turn" }, "ab", "cd", "ab,bf,fg,cg,cd"],
  ["an order that buses alone obey", { "ab b bf": "restriction=no_right_turn except=motorcar" }, "ab", "bf", "ab,bf"],
  [
    "an order that buses, bikes and cars are spared",
    { "ab b bf": 'restriction=no_right_turn except="bus, bicycle; motorcar"' },
    "ab",
    "bf",
    "ab,bf",
  ],
  ["a ban for cars", { "ab b bf": "restriction:motorcar=no_right_turn" }, "ab", "bf", "ab,bc,cg,fg,bf"],
  ["a ban for trucks", { "ab b bf": "restriction:hgv=no_right_turn" }, "ab", "bf", "ab,bf"],
  ["a ban for bicycles", { "ab b bf": "restriction:bicycle=no_right_turn" }, "ab", "bf", "ab,bf"],
  [
    "a ban by day",
    { "ab b bf": 'restriction:conditional="no_right_turn @ (06:00-22:00)"' },
    "ab",
    "bf",
    "ab,bc,cg,fg,bf",
  ],
  ["a ban by night", { "ab b bf": 'restriction:conditional="no_right_turn @ (22:00-06:00)"' }, "ab", "bf", "ab,bf"],
  ["a ban on Sundays", { "ab b bf": 'restriction:conditional="no_right_turn @ (Su)"' }, "ab", "bf", "ab,bf"],
  [
    "a ban in rush hours",
    { "ab b bf": 'restriction:conditional="no_right_turn @ (Mo-Fr 07:00-09:00)"' },
    "ab",
    "bf",
    "ab,bf",
  ],
  ["a ban when it is wet", { "ab b bf": 'restriction:conditional="no_right_turn @ (wet)"' }, "ab", "bf", "ab,bf"],
  ["a ban over a road", { "ab bf fg": "no_left_turn" }, "ab", "fg", "ab,bc,cg,fg"],
  ["a ban over a road, for those who join it on the way", { "ab bf fg": "no_left_turn" }, "bc", "ef", "bc,bf,ef"],
  ["an order over a road", { "ab bf fg": "only_left_turn" }, "ab", "ef", "ab,bf,fg,cg,bc,bf,ef"],
  ["a ban over two roads", { "ab bc+cg gh": "no_left_turn" }, "ab", "gh", "ab,bf,fg,gh"],
  ["a ban no way leads to", { "ab b gh": "no_right_turn" }, "ab", "bf", "ab,bf"],
  ["an order that cannot be followed", { "ab b gh": "only_right_turn" }, "ab", "bf", "ab,bf"],
  ["two bans at one junction", { "ab b bf": "no_right_turn", "ef f bf": "no_left_turn" }, "ef", "ab", "ef,fg,cg,bc,ab"],
];

describe("a car before turn signs", () => {
  it.each(SIGNS)("%s", async (_, turns, from, to, expected) => {
    const world = await build({ ...LADDER, turns });
    expect(await world.names(`${from} ${to}`, { departure: TUESDAY_AT_TEN })).toBe(expected);
  });
});
