import { describe, expect, it } from "vitest";
import { distance } from "../../../../src/core/geo/distance.ts";
import { lanesFor } from "../../../../src/core/routing/guidance/lanes.ts";
import { buildSteps, guidedStep } from "../../../../src/core/routing/guidance/steps/build-steps.ts";
import { maneuverWord } from "../../../../src/core/routing/guidance/steps/maneuver-word.ts";
import type { Maneuver, Step } from "../../../../src/core/routing/guidance/types.ts";
import { World } from "./drawing.ts";
import { step } from "./some-steps.ts";

const world = new World({
  map: `
    a---b---c
          \`d--e--f
              |
              g
              | 1
              |
              h`,
  ways: `
    abc  highway=motorway name= ref=A_1 turn:lanes=through|through|right
    bde  highway=motorway_link name= destination=Porto;Braga destination:ref=A_3
    ef   highway=secondary name=Rua_Nova
    egh  highway=secondary name=Rua_Velha`,
  nodes: "b highway=motorway_junction ref=12 name=Centro",
});

describe("the steps of a leg", () => {
  const path = world.path("a", "1");
  const steps = buildSteps(path, { lang: "en", units: "metric" }, world);

  it("carry everything a client shows", () => {
    expect(steps.map((one) => [one.maneuver, one.streetName, one.exitName, one.instructions])).toEqual([
      ["start", "A 1", undefined, "Head east on A 1"],
      ["exit-right", "", "12 Centro", "Take exit 12 towards A 3: Porto, Braga"],
      ["right", "Rua Velha", undefined, "Turn right onto Rua Velha"],
      ["destination-left", "Rua Velha", undefined, "You have arrived at your destination, on the left"],
    ]);
    expect(steps[1].bannerInstructions).toBe("Exit 12: A 3 Porto, Braga");
    expect(steps[1].voiceInstructions).toBe("In 400 meters, take exit 12 towards A 3: Porto, Braga");
    expect(steps[1].step.lanes).toEqual([
      { indications: ["straight"], valid: false, active: false },
      { indications: ["straight"], valid: false, active: false },
      { indications: ["right"], valid: true, active: true },
    ]);
  });

  it("join without a gap and end in a step without length", () => {
    for (let i = 1; i < steps.length; i++) expect(steps[i].startLocation).toEqual(steps[i - 1].endLocation);
    const last = steps[steps.length - 1];
    expect([last.distance, last.duration, last.geometry.length]).toEqual([0, 0, 2]);
    expect(distance(last.startLocation, last.endLocation)).toBe(0);
  });

  it("turn from one bearing to the next", () => {
    expect(steps[0].bearingBefore).toBe(0);
    expect(steps[0].bearingAfter).toBeCloseTo(90, 1);
    expect(steps[2].bearingBefore).toBeCloseTo(90, 1);
    expect(steps[2].bearingAfter).toBeCloseTo(180, 1);
    expect(steps[3].bearingAfter).toBe(0);
  });

  it("tell the sign of a ramp that stands behind its first piece, but not that of the road it leads to", () => {
    const split = new World({
      map: `
    a---b---c
          \`d--e--f--h`,
      ways: `
    abc  highway=motorway name= ref=A_1
    bd   highway=motorway_link name=
    de   highway=motorway_link name= destination=Porto destination:ref=A_3
    efh  highway=secondary name=Rua_Nova oneway=yes destination=Gaia`,
    });
    const told = buildSteps(split.path("a", "f"), { lang: "en", units: "metric" }, split);
    expect(told.slice(1, -1).map(({ instructions }) => instructions)).toContain("Take the ramp towards A 3: Porto");
  });

  it("name the destination of an earlier leg by its number", () => {
    const first = buildSteps(path, { lang: "en", units: "metric", leg: { index: 0, count: 3 } }, world);
    const last = buildSteps(path, { lang: "en", units: "metric", leg: { index: 2, count: 3 } }, world);
    expect(first.at(-1)?.instructions).toBe("You have arrived at your 1st destination, on the left");
    expect(last.at(-1)?.instructions).toBe("You have arrived at your destination, on the left");
  });

  it("do without knowing the roads beyond the path", () => {
    const blind = buildSteps(path, { lang: "en", units: "metric" });
    expect(blind.map(({ maneuver }) => maneuver)).toEqual(steps.map(({ maneuver }) => maneuver));
  });
});

describe("a bike", () => {
  const mall = new World({
    mode: "cycling",
    map: `
    a---b---e
        |
        c---d`,
    ways: `
      abe name=Lane
      bc  name=Mall highway=pedestrian mode=pushing
      cd  name=Mall highway=pedestrian mode=pushing`,
  });
  const sentences = (lang: "en" | "ja" | "ko") =>
    buildSteps(mall.path("a", "d"), { lang, units: "metric" }, mall).map(({ instructions }) => instructions);

  it("is pushed from where the sentence says so", () => {
    expect(sentences("en")).toEqual([
      "Head east on Lane",
      "Turn right onto Mall. Get off your bike and walk",
      "You have arrived at your destination",
    ]);
    expect(sentences("ja")[1]).toBe("右折してMallを進む。自転車を降りて歩く");
    expect(sentences("ko")[1]).toBe("우회전 하시고 Mall로 가세요. 자전거에서 내려 걸어가세요.");
  });
});

describe("a street one is told to stay on", () => {
  it.each([
    ["fork", {}, {}, "Keep right at the fork", "Main Street"],
    ["fork", { name: "Other" }, {}, "Keep right onto Main Street", "Main Street"],
    ["fork", {}, { destination: "Porto" }, "Keep right towards Porto", "Porto"],
    ["turn", { name: "", ref: "7" }, { name: "", ref: "7" }, "Make a slight right to stay on 7", "7"],
    ["continue", { name: "", ref: "7" }, { name: "", ref: "8" }, "Make a slight right onto 8", "8"],
  ] as const)("%s from %j to %j", (type, from, to, text, onBanner) => {
    const next = step({ type, modifier: "slight right" }, to);
    const before = step({ type: "depart" }, from);
    const { instructions, bannerInstructions } = guidedStep(next, before, { lang: "en", units: "metric" }, () => []);
    expect([instructions, bannerInstructions]).toEqual([text, onBanner]);
  });

  it("is one whose name was announced before", () => {
    const stay = new World({ map: "  c\n  |\na-b-d", ways: "ab name=Main\nbc name=Main\nbd name=Other" });
    const steps = buildSteps(stay.path("a", "c"), { lang: "en", units: "metric" }, stay);
    expect(steps[1].instructions).toBe("Turn left to stay on Main");
  });

  it("is announced as a turn when its name changed in silence", () => {
    const silent = new World({
      map: "    d\n    |\na-b-c-e",
      ways: "ab name= ref=L_6\nbc name=Main ref=L_6\ncd name=Main ref=L_6\nce name=Other",
    });
    const steps = buildSteps(silent.path("a", "d"), { lang: "en", units: "metric" }, silent);
    expect(steps.map(({ instructions }) => instructions)).toEqual([
      "Head east on L 6",
      "Turn left onto Main (L 6)",
      "You have arrived at your destination",
    ]);
    expect(steps[1].step.maneuver.type).toBe("continue");
  });
});

describe("a leg that stays where it is", () => {
  it("starts and arrives", () => {
    const point = { latitude: 1, longitude: 1 };
    const { road } = world.path("a", "c").pieces[0];
    const pieces = [{ road, distance: 0, duration: 0, geometry: [point, point] }];
    const steps = buildSteps({ pieces, junctions: [], drivingSide: "right" }, { lang: "en", units: "metric" });
    expect(steps.map(({ maneuver }) => maneuver)).toEqual(["start", "destination"]);
  });
});

describe("the word for a maneuver", () => {
  const words: [string, Partial<Maneuver>, Partial<Step>?][] = [
    ["start", { type: "depart" }],
    ["destination", { type: "arrive" }],
    ["destination", { type: "arrive", modifier: "straight" }],
    ["destination-left", { type: "arrive", modifier: "left" }],
    ["destination-right", { type: "arrive", modifier: "right" }],
    ["right", { type: "turn", modifier: "right" }],
    ["sharp-left", { type: "turn", modifier: "sharp left" }],
    ["slight-right", { type: "continue", modifier: "slight right" }],
    ["continue", { type: "turn", modifier: "straight" }],
    ["uturn-left", { type: "continue", modifier: "uturn" }],
    ["uturn-right", { type: "continue", modifier: "uturn" }, { drivingSide: "left" }],
    ["becomes", { type: "new name", modifier: "straight" }],
    ["slight-left", { type: "new name", modifier: "slight left" }],
    ["left", { type: "end of road", modifier: "left" }],
    ["ramp-right", { type: "on ramp", modifier: "slight right" }],
    ["ramp-straight", { type: "on ramp", modifier: "straight" }],
    ["exit-left", { type: "off ramp", modifier: "slight left" }],
    ["exit-right", { type: "off ramp", modifier: "straight" }],
    ["stay-left", { type: "fork", modifier: "slight left" }],
    ["stay-straight", { type: "fork", modifier: "straight" }],
    ["merge-left", { type: "merge", modifier: "slight left" }],
    ["merge", { type: "merge", modifier: "straight" }],
    ["roundabout-enter", { type: "roundabout", modifier: "right", exit: 2 }],
    ["roundabout-enter", { type: "rotary", modifier: "right", exit: 2 }],
    ["roundabout-exit", { type: "exit roundabout", modifier: "right" }],
    ["roundabout-exit", { type: "exit rotary", modifier: "right" }],
    ["roundabout-enter", { type: "roundabout turn", modifier: "right" }],
    ["ferry-enter", { type: "notification", modifier: "straight" }, { mode: "ferry" }],
  ];
  it.each(words)("is %s", (word, maneuver, rest = {}) => {
    expect(maneuverWord(step(maneuver, rest), step({}))).toBe(word);
  });

  it("tells when a ferry is left", () => {
    const aboard = step({ type: "notification", modifier: "straight" }, { mode: "ferry" });
    expect(maneuverWord(step({ type: "notification", modifier: "straight" }), aboard)).toBe("ferry-exit");
    expect(maneuverWord(step({ type: "arrive" }, { mode: "ferry" }), aboard)).toBe("destination");
  });
});

describe("lanes", () => {
  const valid = (turnLanes: string, modifier: Parameters<typeof lanesFor>[1]) =>
    lanesFor(turnLanes, modifier)
      ?.map((lane) => (lane.valid ? "o" : "x"))
      .join("");
  it.each([
    ["left|through|right", "left", "oxx"],
    ["left|through|right", "straight", "xox"],
    ["left|through;right", "right", "xo"],
    ["left|through;right", "straight", "xo"],
    ["left|none|none", "straight", "xoo"],
    ["left|through|none", "straight", "xoo"],
    ["none|right", "left", "ox"],
    ["left|none", "right", "xo"],
    ["none|none|right", "left", "oxx"],
    ["reverse|reverse|through", "uturn", "oox"],
    ["none|through|right", "uturn", "oxx"],
    ["through|right", "left", undefined],
    ["through|through|slight_right", "right", "xxo"],
    ["through|through|right", "slight right", "xxo"],
    ["left|left|through", "uturn", "oxx"],
    ["reverse|left|through", "uturn", "oxx"],
    ["through|right", "left", undefined],
    ["none|none", "straight", undefined],
    ["", "straight", undefined],
  ] as const)("%s lead %s on %s", (turnLanes, modifier, lanes) => {
    expect(valid(turnLanes, modifier)).toBe(lanes);
  });

  it("that turn off are left to the road that does, where a fork lies beside it", () => {
    const world = new World({
      map: `
        e
        |
        |         c
    a---b---
                  d`,
      ways: `
        ab  highway=primary name=Main oneway=yes turn:lanes=left|through|through
        bc  highway=primary name=Left oneway=yes
        bd  highway=primary name=Right oneway=yes
        be  highway=primary name=Aside oneway=yes`,
    });
    const lanes = (to: string) => {
      const [, turn] = world.steps("a", to);
      return `${turn.maneuver.modifier}: ${turn.lanes?.map((lane) => (lane.valid ? "o" : "x")).join("")}`;
    };
    expect([lanes("c"), lanes("d"), lanes("e")]).toEqual(["slight left: xoo", "slight right: xoo", "left: oxx"]);
  });
});
