import type { RoadGraph } from "../../../../src/importer/layers/roads/graph/road-graph.ts";

/** Everything a graph says, as plain values that can be compared. */
export function contentOf(graph: RoadGraph) {
  const { records, nodeRecords, shapeLatitude, shapeLongitude, edges, traffic, ...rest } = graph;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, plain(value)])),
    edges: Object.fromEntries(Object.entries(edges).map(([name, value]) => [name, plain(value)])),
    shapes: [...shapeLatitude, ...shapeLongitude],
    records: Array.from({ length: records.count }, (_, number) => records.get(number)),
    nodeRecords: Array.from({ length: graph.nodeCount }, (_, node) => nodeRecords.get(node)),
    traffic: traffic && {
      windows: traffic.windows,
      rows: traffic.rows.map((row) => [...row]),
      forward: [...traffic.forward],
      backward: [...traffic.backward],
    },
  };
}

const plain = (value: unknown) =>
  ArrayBuffer.isView(value) ? Array.from(value as unknown as Iterable<number>) : value;
