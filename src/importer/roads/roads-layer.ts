import { TILE_VERSION } from "../../routing/tile.ts";
import type { Layer } from "../layer.ts";
import type { OsmNode } from "../osm/element.ts";
import { GraphBuilder } from "./build-graph.ts";
import { leftHandTraffic } from "./driving-side.ts";
import { writeRoads } from "./write-roads.ts";

/** The road network for car, truck, foot and bike: tiles, overlay packs and a manifest. */
export const roadsLayer: Layer = {
  name: "roads",
  formatVersion: TILE_VERSION,
  summary: "roads, paths and ferries for routing by car, truck, foot and bike",
  reads: {
    nodes: [
      "barrier",
      "highway=traffic_signals",
      "highway=motorway_junction",
      "highway=mini_roundabout",
      "highway=crossing",
      "access",
      "vehicle",
      "motor_vehicle",
      "motorcar",
      "hgv",
      "bicycle",
      "foot",
    ],
    ways: [
      "highway",
      "route=ferry",
      "route=shuttle_train",
      "man_made=pier",
      "railway",
      "public_transport=platform",
      "amenity=parking",
      "amenity=parking_entrance",
      "leisure=track",
      "bridge=movable",
      "boundary=administrative",
    ],
    relations: ["type=restriction", "boundary=administrative"],
  },

  async build(input, out, progress) {
    const builder = new GraphBuilder({ leftHand: leftHandTraffic() });
    await input.scan({
      way: (way) => builder.addWay(way),
      relation: (relation) => builder.addRelation(relation),
    });
    // Nodes with tags come from the scan; of the others only the place matters.
    await input.scan({ node: (node: OsmNode) => builder.addNode(node) });
    for (const id of builder.unplaced()) {
      const place = input.location(id);
      if (place) builder.addNode({ type: "node", id, ...place, tags: {} });
    }
    const graph = builder.finish();
    const { report } = graph;
    out.count("ways", report.ways);
    out.count("junctions", graph.nodeCount);
    out.count("directed edges", graph.edges.count);
    out.count("turn restrictions", report.restrictions - report.brokenRestrictions);
    if (report.brokenRestrictions > 0) out.count("left out: restrictions that fit no road", report.brokenRestrictions);
    if (report.brokenWays > 0) out.count("left out: ways without nodes", report.brokenWays);
    if (report.missingNodes > 0) out.count("nodes missing from roads", report.missingNodes);
    if (graph.nodeCount === 0) return;
    await writeRoads(graph, async (key, bytes) => {
      progress.advance();
      await out.write(key, bytes);
    });
  },
};
