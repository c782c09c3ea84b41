import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { mayComeWithin, project } from "../graph/pieces.ts";
import type { NodeRecord, RoadRecord } from "../graph/road-record.ts";
import type { Tile } from "../graph/tile.ts";
import { edgeGeometry } from "../search/path.ts";
import type { Metric, RoadStore } from "../store/road-store.ts";

/** A piece of road between two junctions, as the search sees it for one mode. */
export interface GraphPiece {
  /** Its tile, and its number there: stable within one build. */
  tile: number;
  piece: number;
  line: Coordinate[];
  record: RoadRecord;
  /** [m] */
  length: number;
  /** Travel time along the line and against it [s]; undefined where the mode may not travel. */
  forward: number | undefined;
  backward: number | undefined;
}

/** A junction. */
export interface GraphNode {
  tile: number;
  node: number;
  location: Coordinate;
  record: NodeRecord | undefined;
}

/** Cost of a tile whose pieces are compared with a circle [µs]. */
const TILE_COST = 300;

/** The graph within a number of meters of a point, for debugging. Roads that the mode may not use are included. */
export async function graphAround(
  store: RoadStore,
  point: Coordinate,
  metric: Metric,
  metres: number,
): Promise<{ pieces: GraphPiece[]; nodes: GraphNode[] }> {
  await store.districts.openAround([point], metres, metric);
  const pieces: GraphPiece[] = [];
  const nodes: GraphNode[] = [];
  const y = point.latitude * 1e6;
  const x = point.longitude * 1e6;
  const ky = METRES_PER_DEGREE / 1e6;
  const kx = ky * Math.cos(point.latitude * RADIANS);
  for (const index of [...store.districts.tilesAround(point, metres)].sort((a, b) => a - b)) {
    const tile = await store.tile(index);
    if (!tile) continue;
    const { arcs } = store.view(tile, metric);
    const ends = new Set<number>();
    const time = (edge: number) => (edge >= 0 && arcs.duration[edge] > 0 ? arcs.duration[edge] / 10 : undefined);
    for (let piece = 0; piece < tile.pieceCount; piece++) {
      if (!mayComeWithin(tile, piece, y, x, ky, kx, metres)) continue;
      if (project(tile, piece, y, x, ky, kx) > metres * metres) continue;
      for (const node of [tile.startOf(piece), tile.endOf(piece)]) if (node < tile.insideCount) ends.add(node);
      if (isOfNeighbor(tile, piece)) continue;
      const [along, against] = [tile.forwardEdge(piece), tile.backwardEdge(piece)];
      const edge = along >= 0 ? along : against;
      const line = edgeGeometry(tile, edge);
      pieces.push({
        tile: index,
        piece,
        line: along >= 0 ? line : line.reverse(),
        record: tile.recordOf(piece),
        length: tile.lengthOf(edge) / 10,
        forward: time(along),
        backward: time(against),
      });
    }
    for (const node of [...ends].sort((a, b) => a - b)) {
      const location = { latitude: tile.latitude[node] / 1e6, longitude: tile.longitude[node] / 1e6 };
      nodes.push({ tile: index, node, location, record: tile.nodeRecords.get(node) });
    }
    await store.spend(TILE_COST);
  }
  return { pieces, nodes };
}

/** A piece that crosses a border is in both tiles: it is listed with the tile of the lower number. */
function isOfNeighbor(tile: Tile, piece: number): boolean {
  return [tile.startOf(piece), tile.endOf(piece)].some(
    (node) => node >= tile.insideCount && tile.outsideTile[node - tile.insideCount] < tile.index,
  );
}
