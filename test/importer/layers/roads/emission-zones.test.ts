import { describe, expect, it } from "vitest";
import { CAR, FOOT } from "../../../../src/core/routing/graph/modes.ts";
import { LIMIT } from "../../../../src/core/routing/graph/vehicle.ts";
import { graphOf } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { EmissionZones } from "../../../../src/importer/layers/roads/profiles/emission-zones.ts";
import type { OsmNode, OsmRelation, OsmWay } from "../../../../src/importer/osm/pbf/element.ts";
import type { Line } from "../../../../src/importer/osm/polygons/polygon.ts";
import { layerInput, testResources } from "../../../core/regions/layer-harness.ts";

const square = (west: number, south: number, side: number): Line => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];
const ZONE = { boundary: "low_emission_zone" };

describe("low-emission zones", () => {
  it("overlap, have holes, and are one if they have one name", () => {
    const zones = new EmissionZones();
    zones.add({ ...ZONE, name: "Ultra" }, [square(1, 1, 1)]);
    zones.add({ ...ZONE, name: "Low" }, [square(0, 0, 4), square(3, 3, 0.5)]);
    zones.add({ ...ZONE, name: "Low" }, [square(10, 10, 1)]);
    zones.add(ZONE, [square(20, 20, 1)]);
    zones.add(ZONE, [[[30, 30]]]);
    expect(zones.names).toEqual(["", "Low", "Ultra"]);
    const at = (longitude: number, latitude: number) => zones.at(latitude * 1e6, longitude * 1e6);
    expect(at(1.5, 1.5)).toEqual([2, 3]);
    expect(at(0.5, 0.5)).toEqual([2]);
    expect(at(3.2, 3.2)).toEqual([]);
    expect(at(10.5, 10.5)).toEqual([2]);
    expect(at(20.5, 20.5)).toEqual([1]);
    expect(at(30, 30)).toEqual([]);
  });

  it("come from relations, and concern the cars and trucks of the roads inside", async () => {
    const nodes = [0, 1, 2].map(
      (i): OsmNode => ({ type: "node", id: i + 1, latitude: 0.005, longitude: i * 0.01, tags: {} }),
    );
    const ways = [1, 2].map((id): OsmWay => {
      const line = Int32Array.from([id - 1, id].flatMap((i) => [i * 0.01 * 1e7, 0.005 * 1e7]));
      return { type: "way", id, refs: [id, id + 1], line, tags: { highway: id === 1 ? "primary" : "footway" } };
    });
    const relation: OsmRelation = {
      type: "relation",
      id: 1,
      tags: { type: "boundary", name: "Centre", ...ZONE },
      members: [],
    };
    const graph = await graphOf(
      layerInput({
        resources: testResources(),
        multipolygon: () => [{ outer: square(0, 0, 0.03), inner: [] }],
        scan: async (handlers) => {
          for (const node of nodes) handlers.node?.(node);
          for (const way of ways) handlers.way?.(way);
          handlers.relation?.(relation);
        },
      }),
    );
    expect(graph.zones).toEqual(["Centre"]);
    const limits = (piece: number, mode: number) => graph.profiles[graph.pieceForward[piece]].limited?.[mode]?.limits;
    expect(limits(0, CAR)?.map(({ kind, value }) => [kind, value])).toEqual([[LIMIT.zone, 1]]);
    expect(limits(0, FOOT)).toBeUndefined();
    expect(limits(1, CAR)).toBeUndefined();
  });
});
