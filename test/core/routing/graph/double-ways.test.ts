import { expect, it } from "vitest";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { OsmElement, OsmWay } from "../../../../src/importer/osm/pbf/element.ts";
import { build } from "../scenario.ts";
import { pointMaker } from "../search/compare.ts";
import { randomTown, seeded } from "./random-town.ts";
import { buildRoads } from "./road-build.ts";

const STREET = `
  a-b-c-d-e
    f   g
`;
const SIDES = { bf: "", dg: "" };
const ONE_WAY = "name=High oneway=yes";

it("a street that is drawn twice is one road", async () => {
  const once = await build({ map: STREET, ways: { abcde: "name=High oneway=yes", ...SIDES } });
  const twice = await build({ map: STREET, ways: { abcde: ONE_WAY, abc: ONE_WAY, bcde: ONE_WAY, ...SIDES } });
  expect(await twice.names("a e")).toBe("High");
  const { graph } = twice.build;
  // The doubles cut the street at c, once more than its own crossings do.
  expect(graph.pieceCount).toBe(once.build.graph.pieceCount + 1);
  expect(graph.edges.count).toBe(once.build.graph.edges.count + 2);
});

it("two one-way streets over the same nodes are one road on which nobody turns around", async () => {
  const ways = { abcde: ONE_WAY, edcba: ONE_WAY, ...SIDES, fg: "" };
  const world = await build({ map: STREET, ways });
  const single = await build({ map: STREET, ways: { abcde: "name=High", ...SIDES, fg: "" } });
  for (const pair of ["a e", "e a", "f g", "g f"]) expect(await world.names(pair)).toBe(await single.names(pair));
  // Eastward by its heading; the way back leads around the block.
  const route = await world.find(["abb", "ab"], { mode: "car", heading: 90 });
  expect(Math.round(route?.distance ?? 0)).toBeGreaterThan(500);
});

it("each direction keeps its signs where two one-way streets are joined", async () => {
  const world = await build({
    map: STREET,
    ways: { abc: `${ONE_WAY} lanes=3`, cba: `${ONE_WAY} lanes=2`, cde: "", ...SIDES },
  });
  const { graph } = world.build;
  const records = Array.from({ length: graph.pieceCount }, (_, piece) => graph.records.get(graph.pieceRecord[piece]));
  const [first] = records.filter(({ name }) => name === "High");
  expect(first).toMatchObject({ forward: { lanes: 3 }, backward: { lanes: 2 } });
});

it("a street along the outline of an area keeps its name, and each mode keeps the better of both", async () => {
  const world = await build({
    map: STREET,
    ways: {
      abcde: "name=High foot=no",
      edcb: "name=Square highway=pedestrian area=yes bicycle=no",
      bcd: "name=Park amenity=parking bicycle=no",
      ...SIDES,
    },
  });
  expect(await world.names("bc cd")).toBe("High");
  expect(await world.names("bc cd", { mode: "bike" })).toBe("High");
  expect(await world.names("bc cd", { mode: "foot" })).toBe("Square");
});

it("a turn restriction holds whichever of two ways it names", async () => {
  const map = `
    a-b-c
      d-e
  `;
  const ways = { ab: "", ba: "", bc: "", bd: "", db: "", de: "", ce: "" };
  expect(await (await build({ map, ways })).names("a d")).toMatch(/^(ab|ba),(bd|db)$/);
  for (const from of ["ab", "ba"]) {
    for (const to of ["bd", "db"]) {
      const world = await build({ map, ways, turns: { [`${from} b ${to}`]: "no_right_turn" } });
      expect(await world.names("a de")).toMatch(/^(ab|ba),bc,ce,de$/);
    }
  }
});

/** Every way between two nodes, so that doubles cut nothing else. */
function plainTown(size: number, seed: number): OsmElement[] {
  const elements = randomTown(size, seed).filter(({ type }) => type !== "relation");
  let id = 1;
  return elements.flatMap((element): OsmElement[] =>
    element.type !== "way"
      ? [element]
      : element.refs.slice(1).map((to, i) => ({ ...element, id: id++, refs: [element.refs[i], to] })),
  );
}

/** The same way drawn from its other end. */
function reversed(way: OsmWay): OsmWay {
  const tags = { ...way.tags };
  if (tags.oneway === "yes") tags.oneway = "-1";
  else if (tags.highway === "motorway") tags.oneway = "-1";
  return { ...way, tags, refs: way.refs.toReversed() };
}

it("routes through a town in which ways are doubled are those through the plain one", { timeout: 60_000 }, async () => {
  for (const seed of [3, 4]) {
    const town = plainTown(14, seed);
    const random = seeded(seed);
    const doubles = town.flatMap((element): OsmElement[] => {
      if (element.type !== "way" || random() < 0.6) return [];
      const way = { ...element, id: element.id + (random() < 0.5 ? 100_000 : -100_000) };
      return [random() < 0.5 ? way : reversed(way)];
    });
    expect(doubles.length).toBeGreaterThan(50);
    const plain = await buildRoads(buildGraph(town));
    const doubled = await buildRoads(buildGraph([...town, ...doubles]));
    expect(doubled.build.graph.pieceCount).toBe(plain.build.graph.pieceCount);
    const point = pointMaker(plain.build, seed);
    for (const mode of ["car", "truck", "foot", "bike"] as const) {
      const points = Array.from({ length: 25 }, point);
      const [expected, found] = await Promise.all([
        plain.router.matrix(points, points, { mode }),
        doubled.router.matrix(points, points, { mode }),
      ]);
      for (const [i, row] of expected.entries()) {
        for (const [j, cell] of row.entries()) {
          if (!cell) expect(found[i][j]).toBeUndefined();
          else expect(Math.abs((found[i][j]?.weight ?? Number.POSITIVE_INFINITY) - cell.weight)).toBeLessThanOrEqual(1);
        }
      }
    }
  }
});
