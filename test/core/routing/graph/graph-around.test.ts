import { describe, expect, it } from "vitest";
import { graphAround } from "../../../../src/core/routing/route/graph-around.ts";
import { build } from "../scenario.ts";
import { roadsOfTown } from "./road-build.ts";

const CROSS = {
  map: `
    a-----b-----c
          |
          d-----e
  `,
  ways: { ab: "", bc: "oneway=yes", bd: "highway=footway", de: "" },
  nodes: { b: "highway=traffic_signals name=Corner" },
};

describe("the graph around a point", () => {
  it("has the pieces and junctions within the radius, with times by direction", async () => {
    const world = await build(CROSS);
    const metric = world.router.metric({ mode: "car" });
    const { pieces, nodes } = await graphAround(world.router.store, world.at("b"), metric, 50);
    const seen = pieces.map(({ record, forward, backward }) => [
      record.name,
      forward !== undefined,
      backward !== undefined,
    ]);
    expect(seen.sort()).toEqual([
      ["ab", true, true],
      ["bc", true, false],
      ["bd", false, false],
    ]);
    for (const { length } of pieces) expect(length).toBeGreaterThan(190);
    expect(nodes.some(({ record }) => record?.name === "Corner")).toBe(true);
    const onFoot = await graphAround(world.router.store, world.at("b"), world.router.metric({ mode: "foot" }), 50);
    expect(onFoot.pieces.find(({ record }) => record.name === "bd")?.forward).toBeGreaterThan(100);
    expect((await graphAround(world.router.store, world.at("e"), metric, 50)).pieces).toHaveLength(1);
  });

  it("has each piece once, also where tiles meet", async () => {
    const { router, build: town } = await roadsOfTown(12, 5, [8, 24, 96]);
    const { nodeLatitude, nodeLongitude } = town.graph;
    const center = { latitude: nodeLatitude[70] / 1e6, longitude: nodeLongitude[70] / 1e6 };
    const { pieces } = await graphAround(router.store, center, router.metric({ mode: "car" }), 100_000);
    expect(new Set(pieces.map(({ tile }) => tile)).size).toBeGreaterThan(2);
    expect(pieces.length).toBe(town.graph.pieceCount);
  });
});
