import { type Block, blockOf } from "../../../src/core/elevation/block.ts";
import { type BlockId, blockKey, columnsOf, cornerOf, ROWS } from "../../../src/core/elevation/grid.ts";
import { SmoothGround } from "../../../src/importer/layers/roads/grades/smooth-ground.ts";
import { graphOf } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import type { RoadGraph } from "../../../src/importer/layers/roads/graph/road-graph.ts";
import type { OsmElement, OsmNode } from "../../../src/importer/osm/pbf/element.ts";
import { layerInput } from "../regions/layer-harness.ts";

/** Elevation of a point [m]; NaN: unknown. */
export type Ground = (latitude: number, longitude: number) => number;

/** The graph of an extract as the import of roads makes it where elevations of this ground are imported. */
export function graphOnGround(elements: readonly OsmElement[], ground: Ground): Promise<RoadGraph> {
  const nodes = new Map(
    elements.filter((one): one is OsmNode => one.type === "node").map((node) => [node.id, node] as const),
  );
  return graphOf(
    layerInput({
      scan: async (handlers) => {
        for (const one of elements) {
          if (one.type === "node") handlers.node?.(one);
          else if (one.type === "relation") handlers.relation?.(one);
          else {
            const line = one.refs.flatMap((ref) => {
              const { longitude, latitude } = nodes.get(ref) as OsmNode;
              return [Math.round(longitude * 1e7), Math.round(latitude * 1e7)];
            });
            handlers.way?.({ ...one, line: Int32Array.from(line) });
          }
        }
      },
    }),
    { ground: new SmoothGround(blocksOf(ground)) },
  );
}

/** Blocks of elevations, sampled when they are opened. */
export function blocksOf(ground: Ground): (id: BlockId) => Promise<Block> {
  const blocks = new Map<string, Block>();
  return async (id) => {
    let block = blocks.get(blockKey(id));
    if (!block) {
      const { latitude, longitude } = cornerOf(id);
      const columns = columnsOf(id);
      const meters = Float64Array.from({ length: ROWS * columns }, (_, i) =>
        ground(latitude + Math.floor(i / columns) / (ROWS - 1) / 10, longitude + (i % columns) / (columns - 1) / 10),
      );
      block = blockOf(id, meters);
      blocks.set(blockKey(id), block);
    }
    return block;
  };
}
