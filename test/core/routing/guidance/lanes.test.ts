import { describe, expect, it } from "vitest";
import type { Step } from "../../../../src/core/routing/guidance/types.ts";
import { type Drawing, World } from "./drawing.ts";
import { EngineWorld } from "./engine-world.ts";

/**
 * Situations of OSRM's scenarios about lanes, in drawings of our own. A lane is written as its arrows and a mark: "o" to
 * take it, "v" valid, but in the wrong place for what follows soon, "x" leads elsewhere; lanes from the left, steps
 * separated by "|".
 */
interface LaneScenario extends Drawing {
  title: string;
  lanes: Record<string, string>;
}

const written = (steps: Step[]) =>
  steps
    .slice(1, -1)
    .map(({ lanes }) =>
      (lanes ?? []).map((lane) => `${lane.indications.join(";")}:${lane.active ? "o" : lane.valid ? "v" : "x"}`),
    )
    .map((lanes) => lanes.join(" ") || "-")
    .join(" | ");

const T = `
    a-------b-------c
            |
            |
            d`;
const CROSS = `
            e
            |
            |
    a-------b-------c
            |
            |
            d`;
const FOUR = "bc name=Ahead\n bd name=South\n be name=North";

const SCENARIOS: LaneScenario[] = [
  {
    title: "carried past a one-way street that leads in",
    grid: 10,
    map: `
    a-------b-c-----d
            | |
            | f
            e`,
    ways: "ab name=Road turn:lanes:forward=through|right\n bcd name=Road\n eb name=In oneway=yes\n cf name=Turn",
    lanes: { "a f": "straight:x right:o" },
  },
  {
    title: "carried past a street on the other side",
    grid: 10,
    map: `
            e
            |
    a-------b-c-----d
              |
              f`,
    ways: "ab name=Road turn:lanes:forward=left;through|right\n bcd name=Road\n be name=Left\n cf name=Turn",
    lanes: { "a f": "left;straight:x right:o", "a e": "left;straight:o right:x" },
  },
  {
    title: "not carried past a street on the same side",
    grid: 10,
    map: `
    a-------b-c-----d
            | |
            e f`,
    ways: "ab name=Road turn:lanes:forward=through|right\n bcd name=Road\n be name=First\n cf name=Turn",
    lanes: { "a f": "-" },
  },
  {
    title: "of a T",
    map: T,
    ways: "ab name=In turn:lanes:forward=through|right\n bc name=Ahead turn:lanes:backward=left|through||\n bd name=South",
    lanes: {
      "a c": "straight:o right:x",
      "a d": "straight:x right:o",
      "c a": "left:x straight:o none:o none:o",
      "c d": "left:o straight:x none:x none:x",
    },
  },
  {
    title: "of a crossing, unmarked ones for what has no arrow",
    map: CROSS,
    ways: `ab name=In turn:lanes:forward=|right\n ${FOUR}`,
    lanes: { "a c": "none:o right:x", "a d": "none:x right:o", "a e": "none:o right:x" },
  },
  {
    title: "with two arrows each",
    map: CROSS,
    ways: `ab name=In turn:lanes:forward=reverse;left|through;right\n ${FOUR}`,
    lanes: {
      "a c": "uturn;left:x straight;right:o",
      "a d": "uturn;left:x straight;right:o",
      "a e": "uturn;left:o straight;right:x",
    },
  },
  {
    title: "for both directions of a road",
    map: CROSS,
    ways: "ab name=In turn:lanes:forward=left|through;right turn:lanes:backward=through\n bc name=Ahead\n bd name=South turn:lanes:backward=left|right\n be name=North",
    lanes: { "a e": "left:o straight;right:x", "d a": "left:o right:x", "d c": "left:x right:o" },
  },
  {
    title: "of a one-way street with plain tags",
    map: T,
    ways: "ab name=In oneway=yes turn:lanes=through|through;right|right\n bc name=Ahead\n bd name=South",
    lanes: { "a d": "straight:x straight;right:o right:o", "a c": "straight:o straight;right:o right:x" },
  },
  {
    title: "of a fork",
    map: `
              ,------c
    a------b--<
              \`------d`,
    ways: "ab name=In oneway=yes turn:lanes=slight_left|slight_left;slight_right|slight_right\n bc name=Left oneway=yes\n bd name=Right oneway=yes",
    lanes: {
      "a c": "slight left:o slight left;slight right:o slight right:x",
      "a d": "slight left:x slight left;slight right:o slight right:o",
    },
  },
  {
    title: "before an exit",
    map: `
    a------b-------c
            \`
             \`-----d`,
    ways: "ab highway=motorway name= ref=A_1 oneway=yes turn:lanes=none|none|slight_right\n bc highway=motorway name= ref=A_1 oneway=yes\n bd highway=motorway_link name= ref=A_3 oneway=yes",
    lanes: { "a d": "none:x none:x slight right:o" },
  },
  {
    title: "with merge arrows, which lead straight on",
    map: T,
    ways: "ab name=In turn:lanes:forward=merge_to_right|through|right\n bc name=Ahead\n bd name=South",
    lanes: { "a d": "straight:x straight:x right:o", "a c": "straight:o straight:o right:x" },
  },
  {
    title: "without any arrow are not shown",
    map: T,
    ways: "ab name=In turn:lanes:forward=none|none\n bc name=Ahead\n bd name=South",
    lanes: { "a d": "-" },
  },
  {
    title: "that no arrow serves are not shown",
    map: CROSS,
    ways: `ab name=In turn:lanes:forward=through|right\n ${FOUR}`,
    lanes: { "a e": "-" },
  },
  {
    title: "where one of three right lanes leads to the left turn after it",
    map: `
    a---b---x
        |
        c---d
        |
        y`,
    grid: 20,
    ways: "ab name=A turn:lanes:forward=through|right|right|right\n bx name=A\n bc name=B turn:lanes:forward=left|left|through\n cd name=C\n cy name=B",
    lanes: { "a d": "straight:x right:o right:o right:v | left:o left:o straight:x" },
  },
  {
    title: "where a chain of turns determines the first lane",
    map: `
    a---b---x
        |
        c---d---z
        |   |
        y   e`,
    grid: 20,
    ways: "ab name=A turn:lanes:forward=through|right|right|right\n bx name=A\n bc name=B turn:lanes:forward=left|left|through\n cy name=B\n cd name=C turn:lanes:forward=through|right\n dz name=C\n de name=D",
    lanes: {
      "a e": "straight:x right:v right:o right:v | left:v left:o straight:x | straight:x right:o",
    },
  },
  {
    title: "side by side through three turns, of which the last one decides",
    map: `
      a---b---i
          |
    f-e-g |
      |   |
    j-d---c
          |
          h`,
    grid: 10,
    ways: "abi name=A turn:lanes:forward=||right|right\n bch name=B turn:lanes:forward=||right|right\n cdj name=C turn:lanes:forward=||right|right\n de name=D turn:lanes:forward=left|right|right\n feg name=E",
    lanes: {
      "a f":
        "none:x none:x right:o right:v | none:x none:x right:o right:v | none:x none:x right:o right:v | left:o right:x right:x",
      "a g":
        "none:x none:x right:o right:o | none:x none:x right:o right:o | none:x none:x right:o right:o | left:x right:o right:o",
    },
  },
  {
    title: "where there is room after the turn, all of them",
    map: `
    a---b---x
        |
        c---d---z
        |   |
        y   e`,
    grid: 20,
    ways: "ab name=A turn:lanes:forward=through|right\n bx name=A\n bc name=B turn:lanes:forward=left|left|through\n cy name=B\n cd name=C turn:lanes:forward=through|right|right|right\n dz name=C\n de name=D",
    lanes: {
      "a e": "straight:x right:o | left:o left:o straight:x | straight:x right:o right:o right:o",
    },
  },
  {
    title: "before a turn far from the next one, all that lead there",
    map: `
    a---b---x
        |
        |
        c---d
        |
        y`,
    grid: 400,
    ways: "ab name=A turn:lanes:forward=through|right|right\n bx name=A\n bc name=B turn:lanes:forward=left|through\n cd name=C\n cy name=B",
    lanes: { "a d": "straight:x right:o right:o | left:o straight:x" },
  },
  {
    title: "of quick turns to the same side",
    map: `
    a---b---x
        |
        |
    e---d---y`,
    grid: 20,
    ways: "ab name=A turn:lanes:forward=through|right|right\n bx name=A\n bd name=B turn:lanes:forward=left|right\n de name=C\n dy name=C",
    lanes: { "a e": "straight:x right:v right:o | left:x right:o" },
  },
  {
    title: "of a merge before an exit",
    map: `
    a
     \`
    x--b---c----y
             \`
               d`,
    grid: 30,
    ways: "ab highway=motorway_link name=On oneway=yes turn:lanes=slight_left|slight_left\n xb highway=motorway name=Hwy oneway=yes\n bc highway=motorway name=Hwy oneway=yes turn:lanes=through|slight_right\n cy highway=motorway name=Hwy oneway=yes\n cd highway=motorway_link name=Off oneway=yes",
    lanes: { "a d": "slight left:v slight left:o | straight:x slight right:o" },
  },
  {
    title: "before a roundabout, by where its exit leads",
    map: `
          a
          |
          b
     d--c   g--h
          e
          |
          f`,
    ways: "ab name=North turn:lanes:forward=left|through|right\n cd name=West\n ef name=South\n gh name=East\n bcegb junction=roundabout name=",
    lanes: {
      "a f": "left:x straight:o right:x | -",
      "a h": "left:o straight:x right:x | -",
      "a d": "left:x straight:x right:o | -",
    },
  },
  {
    title: "marked just before a crossing for walkers",
    map: `
    a------pb-------c
            |
            d`,
    grid: 20,
    ways: "ap name=In turn:lanes:forward=through|right\n pb name=In\n bc name=Ahead\n bd name=South",
    nodes: "p highway=traffic_signals",
    lanes: { "a d": "straight:x right:o" },
  },
  {
    title: "do not concern people who walk",
    map: T,
    mode: "walking",
    ways: "ab name=In turn:lanes:forward=through|right\n bc name=Ahead\n bd name=South",
    lanes: { "a d": "-" },
  },
];

describe("lanes", () => {
  it.each(SCENARIOS)("$title", async ({ lanes, ...drawing }) => {
    const world = new World(drawing);
    const engine = await EngineWorld.of(drawing);
    const found: Record<string, string> = {};
    const throughEngine: Record<string, string> = {};
    for (const places of Object.keys(lanes)) {
      const [from, to] = places.split(" ");
      found[places] = written(world.steps(from, to));
      throughEngine[places] = written(await engine.steps(from, to));
    }
    expect(found).toEqual(lanes);
    expect(throughEngine).toEqual(lanes);
  });

  it.each([
    ["turn:lanes:forward=through|through|right vehicle:lanes:forward=yes|no|yes", "straight:x right:o"],
    ["turn:lanes:forward=through|right| lanes:psv:forward=1", "straight:x right:o"],
    ["turn:lanes:forward=|through|right lanes:psv:forward=1", "straight:x right:o"],
    ["turn:lanes:forward=through|through|right bus:lanes:forward=designated||", "straight:x right:o"],
    ["turn:lanes:forward=through|right| lanes:psv:forward=foo", "straight:x right:o none:x"],
    ["turn:lanes:forward=through|right vehicle:lanes:forward=no|no", "-"],
  ])("that only buses use are left out: %s", async (tags, lanes) => {
    const engine = await EngineWorld.of({ map: T, ways: `ab name=In ${tags}\n bc name=Ahead\n bd name=South` });
    expect(written(await engine.steps("a", "d"))).toBe(lanes);
  });
});
