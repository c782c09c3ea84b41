import { describe, expect, it } from "vitest";
import { lanesSign } from "../../../../src/core/routing/guidance/steps/signs.ts";
import { banner } from "../../../../src/core/routing/guidance/text/banner.ts";
import { instruction } from "../../../../src/core/routing/guidance/text/instruction.ts";
import type { Language } from "../../../../src/core/routing/guidance/text/translation.ts";
import type { Road, Step } from "../../../../src/core/routing/guidance/types.ts";
import { EngineWorld } from "./engine-world.ts";

/** A motorway that an exit leaves at b; what stands at b, on the ramp's first piece and on the motorway before it. */
async function exit(ramp: string, { node = "", before = "", second = "" } = {}): Promise<Step> {
  const world = await EngineWorld.of({
    map: `
    a---b-------c
         \`
          \`-d---e`,
    ways: `
      ab highway=motorway name=A_7 oneway=yes ${before}
      bc highway=motorway name=A_7 oneway=yes
      bd highway=motorway_link name= ${ramp}
      de highway=motorway_link name= oneway=yes ${second}`,
    nodes: node && `b highway=motorway_junction ${node}`,
  });
  return (await world.steps("a", "e"))[1];
}

const EXITS: [what: string, ramp: string, said: string, more?: { node?: string; before?: string; second?: string }][] =
  [
    ["a town", "oneway=yes destination=Porto", "Take the ramp towards Porto"],
    ["a road", "oneway=yes destination:ref=A_3", "Take the ramp towards A 3"],
    ["a road and a town", "oneway=yes destination=Porto destination:ref=A_3", "Take the ramp towards A 3: Porto"],
    [
      "the first two of many",
      "oneway=yes destination=Porto;Braga;Viana destination:ref=A_3;A_28;IC_1",
      "Take the ramp towards A 3, A 28: Porto, Braga",
    ],
    ["a comma in a name", "oneway=yes destination=Washington,_DC;Bowie", "Take the ramp towards Washington, DC, Bowie"],
    ["towns parted by commas", "oneway=yes destination=Porto,Braga,Viana", "Take the ramp towards Porto, Braga"],
    ["a street", "oneway=yes destination:street=Rua_Nova", "Take the ramp towards Rua Nova"],
    [
      "a town before a street",
      "oneway=yes destination:street=Rua_Nova destination=Porto",
      "Take the ramp towards Porto",
    ],
    ["a road that it leads to", "oneway=yes destination:ref:to=I_95", "Take the ramp towards I 95"],
    [
      "its direction",
      "oneway=yes destination:forward=Porto destination:backward=Lisboa",
      "Take the ramp towards Porto",
    ],
    [
      "its direction against the way as it is drawn",
      "oneway=no destination:forward=Porto destination:ref:forward=A_3 destination:backward=Lisboa",
      "Take the ramp towards A 3: Porto",
    ],
    ["a number", "oneway=yes junction:ref=12 destination=Porto", "Take exit 12 towards Porto"],
    ["a sign on its second piece", "oneway=yes", "Take the ramp towards Porto", { second: "destination=Porto" }],
    ["nothing, where a tag fits no direction", "oneway=no destination=Porto", "Take the ramp"],
    [
      "what is noted at the junction",
      "oneway=yes",
      "Take exit 91A towards US 1 North, Baltimore",
      { node: "ref=91A exit_to=to_US_1_North;Baltimore;Towson" },
    ],
    [
      "what is noted at the junction for its side",
      "oneway=yes",
      "Take exit 91A towards Towson",
      { node: "ref:right=91A exit_to:right=Towson ref:left=91B exit_to:left=Essex" },
    ],
    [
      "its own sign before that of the junction",
      "oneway=yes destination=Porto",
      "Take the ramp towards Porto",
      { node: "exit_to=Baltimore" },
    ],
    [
      "what stands over the lanes before it",
      "oneway=yes",
      "Take the ramp towards A 4: Praha",
      {
        before:
          "turn:lanes=through|through;slight_right|slight_right destination:lanes=Graz|Graz;Praha|Praha " +
          "destination:ref:lanes=A_1|A_1;A_4|A_4",
      },
    ],
  ];

describe("the words of an exit tell", () => {
  it.each(EXITS)("%s", async (_, ramp, said, more) => {
    expect(instruction(await exit(ramp, more), "en")).toBe(said);
  });

  it("a sign in its own script, in whatever language the sentence is", async () => {
    const step = await exit("oneway=yes destination=القاهرة;الإسكندرية destination:ref=ط_1");
    expect(instruction(step, "de")).toBe("Ausfahrt nehmen Richtung ط 1: القاهرة, الإسكندرية");
    const japanese = await exit("oneway=yes destination=東京;横浜;名古屋 destination:ref=E1");
    const said: [Language, string][] = [
      ["ja", "E1 東京・横浜"],
      ["en", "E1 東京, 横浜"],
    ];
    for (const [language, text] of said) expect(banner(japanese, language)).toBe(text);
  });
});

describe("a motorway that splits", () => {
  const split = (ways: string) =>
    EngineWorld.of({
      grid: 20,
      map: `
                  ,--c------e
    a------b--<
                  \`--d------f`,
      ways: `
      ab highway=motorway name= ref=A_1 oneway=yes ${ways.includes("lanes") ? ways : ""}
      bc highway=motorway name= ref=A_1 oneway=yes ${ways.includes("lanes") ? "" : "destination=Porto"}
      ce highway=motorway name= ref=A_1 oneway=yes
      bd highway=motorway name= ref=A_3 oneway=yes
      df highway=motorway name= ref=A_3 oneway=yes ${ways.includes("lanes") ? "" : "destination=Braga destination:ref=A_3"}`,
    });
  const said = async (world: EngineWorld, to: string) => instruction((await world.steps("a", to))[1], "en");

  it("is told left and right with what the signs say, also where one stands shortly behind", async () => {
    const world = await split("");
    expect(await said(world, "e")).toBe("Keep left towards Porto");
    expect(await said(world, "f")).toBe("Keep right towards A 3: Braga");
  });

  it("is told with the signs over the lanes where the branches have none", async () => {
    const world = await split(
      "turn:lanes=slight_left|slight_left;slight_right|slight_right destination:lanes=Porto|Porto;Braga|Braga",
    );
    expect(await said(world, "e")).toBe("Keep left towards Porto");
    expect(await said(world, "f")).toBe("Keep right towards Braga");
  });
});

describe("a junction with signals", () => {
  it("has its name in the step that begins there, on the map and in the tiles", async () => {
    const world = await EngineWorld.of({
      map: `
    a---b---c
        |
        d`,
      ways: `
      ab name=
      bc name=
      bd name=`,
      nodes: "b highway=traffic_signals name=Ginza_4",
    });
    const [, turn] = await world.steps("a", "d");
    expect([turn.junctionName, instruction(turn, "en"), banner(turn, "en")]).toEqual([
      "Ginza 4",
      "Turn right at Ginza 4",
      "Ginza 4",
    ]);
  });
});

describe("the signs over lanes", () => {
  const road = (turnLanes: string | undefined, destinationLanes: string) => ({ turnLanes, destinationLanes }) as Road;

  it("count where all lanes that lead there have them", () => {
    const four = road("through|through|through;slight_right|slight_right", "Graz|Graz;Linz|Linz;Praha|Praha");
    expect(lanesSign(four, "slight right")).toEqual({ destination: "Praha" });
    expect(lanesSign(four, "straight")).toBeUndefined();
    expect(lanesSign(road("left|right", "Graz;Linz|Praha"), "left")).toEqual({ destination: "Graz;Linz" });
  });

  it("say nothing where lanes are not marked, or are others", () => {
    expect(lanesSign(road(undefined, "Graz|Praha"), "left")).toBeUndefined();
    expect(lanesSign(road("left|through|right", "Graz|Praha"), "left")).toBeUndefined();
    expect(lanesSign(road("left|right", "|"), "left")).toBeUndefined();
  });
});
