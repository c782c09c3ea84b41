import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import type { Scenario } from "../scenario.ts";

export interface MatchScenario extends Scenario {
  what: string;
  /** Places of the drawing in order, "~" before one: taken with accuracy 40 m. "a@12": 12 seconds after the first. */
  trace: string;
  /** Names of the roads travelled, each once in a row; "|" where the trace breaks. */
  roads: string;
  /** Numbers of the points that are dropped. */
  dropped?: number[];
  /** Length of the courses [m], ± 3. */
  metres?: number;
  mode?: Mode;
}

const LINE = "a----b----c----d";
const CROSS = `
       b
       |
  a----x----c
       |
       d
`;
const GRID = `
  a--b--c
  |  |  |
  d--e--f
  |  |  |
  g--h--i
`;
const GRID_WAYS = { abc: "", def: "", ghi: "", adg: "", beh: "", cfi: "" };
const PARALLEL = `
  a----------b
  c----------d
`;
const SQUARE = `
  a--b
  |  |
  d--c
`;

export const SCENARIOS: readonly MatchScenario[] = [
  { what: "a straight road", map: LINE, ways: { abcd: "" }, trace: "a b c d", roads: "abcd", metres: 1500 },
  {
    what: "points beside the road",
    map: LINE,
    ways: { abcd: "" },
    trace: "a+0,0.1 b+0,-0.1 c+0,0.15 d+0,-0.05",
    roads: "abcd",
    metres: 1500,
  },
  {
    what: "a road between two of its crossings",
    map: LINE,
    ways: { ab: "", bc: "", cd: "" },
    trace: "aab bc ccd",
    roads: "ab,bc,cd",
  },
  { what: "two points", map: LINE, ways: { abcd: "" }, trace: "ab bc", roads: "abcd", metres: 500 },
  { what: "a point twice", map: LINE, ways: { abcd: "" }, trace: "a b b c", roads: "abcd", metres: 1000 },
  { what: "a single place all along", map: LINE, ways: { abcd: "" }, trace: "ab ab ab ab", roads: "abcd", metres: 0 },
  { what: "a turn to the right", map: CROSS, ways: { axc: "", bxd: "" }, trace: "a ax xd d", roads: "axc,bxd" },
  { what: "a turn to the left", map: CROSS, ways: { axc: "", bxd: "" }, trace: "a ax xb b", roads: "axc,bxd" },
  { what: "a way straight over a crossing", map: CROSS, ways: { axc: "", bxd: "" }, trace: "a ax xc c", roads: "axc" },
  {
    what: "a point right at a crossing without a turn into the side street",
    map: CROSS,
    ways: { axc: "", bxd: "" },
    trace: "a ax x+0,0.1 xc c",
    roads: "axc",
    metres: 1000,
  },
  {
    what: "a detour round a one-way street",
    map: SQUARE,
    ways: { ab: "oneway=-1", bc: "", cd: "", ad: "" },
    trace: "d a b c",
    roads: "ad,cd,bc",
    dropped: [],
  },
  {
    what: "a one-way street in its direction",
    map: LINE,
    ways: { abcd: "oneway=yes" },
    trace: "a b c",
    roads: "abcd",
    metres: 1000,
  },
  {
    what: "a walk against a one-way street",
    map: LINE,
    ways: { abcd: "oneway=yes" },
    trace: "d c b a",
    roads: "abcd",
    metres: 1500,
    mode: "foot",
  },
  {
    what: "noise that seems to go back on a one-way street",
    map: LINE,
    ways: { abcd: "oneway=yes" },
    trace: "~a ~ab ~ab+-0.3,0.1 ~b ~c",
    roads: "abcd",
    metres: 1000,
  },
  {
    what: "the two carriageways of a road, out and back",
    map: PARALLEL,
    ways: { ba: "oneway=yes", cd: "oneway=yes", ac: "", bd: "" },
    trace: "c ccd cdd d b bba baa a",
    roads: "cd,bd,ba",
  },
  {
    what: "the carriageway of the direction although the other is nearer",
    map: `
      a----------b
      c----------d
    `,
    grid: 15,
    ways: { ba: "oneway=yes", cd: "oneway=yes" },
    trace: "ca+0,0 aabccd aabbccdd abbcdd",
    roads: "cd",
  },
  {
    what: "a parallel road that stays the nearer all along",
    map: PARALLEL,
    ways: { ab: "", cd: "", ac: "", bd: "" },
    trace: "a+1,0.2 aab+0,0.3 ab+0,0.2 abb+0,0.1",
    roads: "ab",
  },
  {
    what: "one stray point towards a parallel road without leaving its own",
    map: PARALLEL,
    ways: { ab: "", cd: "", ac: "", bd: "" },
    trace: "~a+1,0 ~aab ~ab+0,0.55 ~abb ~b+-1,0",
    roads: "ab",
  },
  {
    what: "a road under a bridge without climbing it",
    map: `
           b
           |
      a----+----c
           |
           d
    `,
    ways: { ac: "", bd: "bridge=yes layer=1" },
    trace: "a ac+-0.5,0 ac+0.1,0.1 c",
    roads: "ac",
    metres: 1000,
  },
  { what: "a turn at a dead end", map: LINE, ways: { abcd: "" }, trace: "b c d c b", roads: "abcd", metres: 2000 },
  {
    what: "someone who turns round in the road",
    map: LINE,
    ways: { abcd: "" },
    trace: "a ab b ab a",
    roads: "abcd",
    metres: 1000,
  },
  {
    what: "someone who turns round between two crossings",
    map: CROSS,
    ways: { axc: "", bxd: "" },
    trace: "a x xxc xc xxc x a",
    roads: "axc",
  },
  {
    what: "a lap of a block",
    map: SQUARE,
    ways: { ab: "", bc: "", cd: "", ad: "" },
    trace: "a b c d a",
    roads: "ab,bc,cd,ad",
    metres: 1000,
  },
  {
    what: "two laps of a block",
    map: SQUARE,
    ways: { ab: "oneway=yes", bc: "oneway=yes", cd: "oneway=yes", da: "oneway=yes" },
    trace: "a b c d a b c d a",
    roads: "ab,bc,cd,da,ab,bc,cd,da",
    metres: 2000,
  },
  {
    what: "a loop road that comes back to where it left",
    map: `
      a--x--c
        / \\
       d---e
    `,
    ways: { axc: "", xdex: "" },
    trace: "a x d e x c",
    roads: "axc,xdex,axc",
  },
  {
    what: "stairs through a grid of streets",
    map: GRID,
    ways: GRID_WAYS,
    trace: "a b e f i",
    roads: "abc,beh,def,cfi",
  },
  { what: "the outline of a grid", map: GRID, ways: GRID_WAYS, trace: "a b c f i h g d a", roads: "abc,cfi,ghi,adg" },
  {
    what: "a long step over several crossings",
    map: GRID,
    ways: GRID_WAYS,
    trace: "a c i",
    roads: "abc,cfi",
    metres: 1000,
  },
  {
    what: "the fast road where a long step leaves the choice",
    map: SQUARE,
    ways: { ab: "highway=residential", bc: "highway=residential", ad: "highway=primary", cd: "highway=primary" },
    trace: "a c",
    roads: "ad,cd",
  },
  {
    what: "the way round that a forbidden turn asks for",
    map: GRID,
    ways: GRID_WAYS,
    turns: { "abc b beh": "no_right_turn" },
    trace: "a ab bc c f ef e eb",
    roads: "abc,cfi,def,beh",
    metres: 1200,
  },
  {
    what: "a roundabout",
    map: `
         b
         |
         n
        / \\
    a--w   o--c
        \\ /
         s
         |
         d
    `,
    grid: 30,
    ways: { nwson: "junction=roundabout oneway=yes", aw: "", bn: "", oc: "", sd: "" },
    trace: "a aw w s so o oc c",
    roads: "aw,nwson,oc",
  },
  {
    what: "a tunnel in which no point was taken",
    map: "a--b-----------c--d",
    ways: { ab: "", bc: "tunnel=yes", cd: "" },
    trace: "a ab b c cd d",
    roads: "ab,bc,cd",
    metres: 1800,
  },
  {
    what: "a tunnel under a street that runs on above it",
    map: `
      a--b-----------c--d
         |           |
         e-----------f
    `,
    ways: { ab: "", bc: "tunnel=yes", cd: "", be: "", ef: "", cf: "" },
    trace: "a b c d",
    roads: "ab,bc,cd",
  },
  {
    what: "a cluster of points while standing at a crossing",
    map: CROSS,
    ways: { axc: "", bxd: "" },
    trace: "~a ~ax ~x+0.1,0.1 ~x+-0.1,0.2 ~x+0.2,-0.1 ~x+0,0.2 ~x+-0.2,0 ~x+0.1,-0.2 ~xc ~c",
    roads: "axc",
    metres: 1000,
  },
  {
    what: "a cluster of points at the end",
    map: LINE,
    ways: { abcd: "" },
    trace: "~a ~b ~c ~c+0.1,0.1 ~c+-0.1,0 ~c+0,0.1",
    roads: "abcd",
    metres: 1000,
  },
  {
    what: "a point far from every road, which is dropped",
    map: LINE,
    ways: { abcd: "" },
    trace: "a b bc+0,8 c d",
    roads: "abcd",
    dropped: [2],
    metres: 1500,
  },
  {
    what: "a point too far to have been reached in time, which is dropped",
    map: GRID,
    ways: GRID_WAYS,
    grid: 300,
    trace: "a@0 ab@20 h@22 b@40 bc@60 c@80",
    roads: "abc",
    dropped: [2],
  },
  {
    what: "a gap of kilometres, which parts the trace",
    map: "a---b---c---d",
    grid: 1000,
    ways: { abcd: "" },
    trace: "a aab c ccd",
    roads: "abcd|abcd",
    metres: 2667,
  },
  {
    what: "two roads that nothing joins, which part the trace",
    map: "a----b c----d",
    ways: { ab: "", cd: "" },
    trace: "a ab b c cd d",
    roads: "ab|cd",
    metres: 1000,
  },
  {
    what: "a trace without any road",
    map: LINE,
    ways: { abcd: "" },
    trace: "a+0,9 b+0,9 c+0,9",
    roads: "",
    dropped: [0, 1, 2],
    metres: 0,
  },
  {
    what: "a point that is measured badly beside good ones",
    map: PARALLEL,
    ways: { ab: "", cd: "", ac: "", bd: "" },
    trace: "a+1,0 aab ~ab+0,0.7 abb b+-1,0",
    roads: "ab",
  },
  {
    what: "a cyclist on the cycleway beside the road",
    map: PARALLEL,
    grid: 40,
    ways: { ab: "highway=primary", cd: "highway=cycleway", ac: "", bd: "" },
    trace: "c+1,0 ccd cd cdd",
    roads: "cd",
    mode: "bike",
  },
  {
    what: "a car on the road beside the cycleway, however near that is",
    map: PARALLEL,
    grid: 40,
    ways: { ab: "highway=primary", cd: "highway=cycleway", ac: "highway=cycleway" },
    trace: "a+1,0.6 aab+0,0.6 ab+0,0.6 abb+0,0.6",
    roads: "ab",
  },
  {
    what: "someone on foot over a footway that no car may use",
    map: GRID,
    ways: { ...GRID_WAYS, ae: "highway=footway" },
    trace: "a aae aee e",
    roads: "ae",
    mode: "foot",
  },
  {
    what: "a car beside that footway, which goes round",
    map: GRID,
    ways: { abc: "", def: "", adg: "", beh: "", ae: "highway=footway" },
    trace: "a b e",
    roads: "abc,beh",
  },
  {
    what: "a car on a private drive",
    map: CROSS,
    ways: { axc: "", xd: "highway=service access=private" },
    trace: "a x xd d",
    roads: "axc,xd",
  },
  {
    what: "a ferry",
    map: "a--b------c--d",
    ways: { ab: "", bc: "route=ferry highway=", cd: "" },
    trace: "a b bbc bcc c d",
    roads: "ab,bc,cd",
  },
  {
    what: "an exit from the motorway",
    map: `
      a----b----c----d
            \\
             e----f
    `,
    ways: { abcd: "highway=motorway", be: "highway=motorway_link oneway=yes", ef: "highway=primary" },
    trace: "a ab b be e ef f",
    roads: "abcd,be,ef",
  },
  {
    what: "the motorway past an exit",
    map: `
      a----b----c----d
            \\
             e----f
    `,
    ways: { abcd: "highway=motorway", be: "highway=motorway_link oneway=yes", ef: "highway=primary" },
    trace: "a ab b bc+0,0.1 c d",
    roads: "abcd",
  },
  {
    what: "a bend that the points cut",
    map: `
      a-----b
            |
            |
            c
    `,
    ways: { abc: "" },
    trace: "a aab abb+0,0.1 b+-0.1,0.2 bbc c",
    roads: "abc",
    metres: 900,
  },
  {
    what: "a dense trace, a point every ten metres",
    map: LINE,
    ways: { abcd: "" },
    grid: 20,
    trace: "a a+0.5,0 a+1,0 a+1.5,0 a+2,0 a+2.5,0 a+3,0 a+3.5,0 a+4,0 a+4.5,0 b b+0.5,0 b+1,0",
    roads: "abcd",
    metres: 120,
  },
  {
    what: "traffic on the left",
    map: PARALLEL,
    leftHand: true,
    ways: { ab: "oneway=yes", dc: "oneway=yes", bd: "", ac: "" },
    trace: "a aab b d ddc c",
    roads: "ab,bd,dc",
  },
];
