import { deflateRawSync } from "node:zlib";
import { ByteWriter, withHeader } from "../../routing/bytes.ts";
import type { EdgeProfile } from "../../routing/modes.ts";
import { TILE_MAGIC, TILE_VERSION } from "../../routing/tile.ts";
import type { TurnException } from "../../routing/topology.ts";
import { ISLAND, MAINLAND } from "./islands.ts";
import type { TileLayout } from "./tile-layout.ts";

/** Deflated, with the header every routing object has. */
export function sealed(magic: string, version: number, writer: ByteWriter): Uint8Array {
  return withHeader(magic, version, deflateRawSync(writer.finish(), { level: 9 }));
}

/** The exceptions of the graph, grouped by the tile in which the turn lies. */
export function exceptionsByTile({ graph, topology, tileOf, tileCount }: TileLayout): TurnException[][] {
  const byTile: TurnException[][] = Array.from({ length: tileCount }, () => []);
  for (const exception of graph.exceptions) byTile[tileOf[topology.head[exception.from]]].push(exception);
  return byTile;
}

/** Base tile `tile`; the layout is that of `src/routing/tile.ts`. `islands`: per mode, the edges of small islands. */
export function writeTile(
  layout: TileLayout,
  tile: number,
  islands: readonly Uint8Array[],
  exceptions: readonly TurnException[],
): Uint8Array {
  const { graph, topology, tileOf, crossing } = layout;
  const plan = layout.tiles[tile];
  if (plan.edges.length >= 32768) throw new Error(`tile ${tile}: ${plan.edges.length} edges do not fit its format`);
  const nodeAt = new Map(plan.nodes.map((node, i) => [node, i]));
  const edgeAt = new Map(plan.edges.map((edge, i) => [edge, i]));
  const profiles: EdgeProfile[] = [graph.profiles[0]];
  const profileAt = new Map([[0, 0]]);
  const recordAt = new Map<number, number>();
  const profile = (number: number) => {
    let at = profileAt.get(number);
    if (at === undefined) {
      at = profiles.length;
      profileAt.set(number, at);
      profiles.push(graph.profiles[number]);
    }
    return at;
  };
  const forward = plan.pieces.map((piece) => profile(graph.pieceForward[piece]));
  const backward = plan.pieces.map((piece) => profile(graph.pieceBackward[piece]));
  const records = plan.pieces.map((piece) => {
    const number = graph.pieceRecord[piece];
    let at = recordAt.get(number);
    if (at === undefined) {
      at = recordAt.size;
      recordAt.set(number, at);
    }
    return at;
  });

  const out = new ByteWriter();
  const counts = [plan.insideCount, plan.nodes.length, plan.pieces.length, plan.copies.length, exceptions.length];
  for (const count of [...counts, profiles.length, plan.cells.length, plan.firstEntering]) out.number(count);
  writeDifferences(
    out,
    plan.nodes.map((node) => graph.nodeLatitude[node]),
  );
  writeDifferences(
    out,
    plan.nodes.map((node) => graph.nodeLongitude[node]),
  );
  for (const count of plan.cells) out.number(count);
  for (let i = 0; i < plan.insideCount; i++) out.byte(graph.nodeBlocked[plan.nodes[i]]);
  for (let i = plan.insideCount; i < plan.nodes.length; i++) out.number(tileOf[plan.nodes[i]]);
  for (const { leftHand, passages } of profiles) {
    out.byte(leftHand ? 1 : 0);
    for (const { speed, preference, travel, restricted, avoid, private: drive } of passages) {
      out.number(speed);
      out.byte(preference);
      out.byte(travel | (restricted ? 4 : 0) | (avoid << 3) | (drive ? 128 : 0));
    }
  }
  const starts = plan.pieces.map((piece) => nodeAt.get(graph.pieceStart[piece])!);
  writeDifferences(out, starts);
  plan.pieces.forEach((piece, i) => {
    out.signed(nodeAt.get(graph.pieceEnd[piece])! - starts[i]);
  });
  for (const piece of plan.pieces) out.number(graph.pieceLength[piece]);
  for (const at of forward) out.number(at);
  for (const at of backward) out.number(at);
  for (const at of records) out.number(at);
  const onIsland = new Map<number, number>();
  for (const kind of [ISLAND, MAINLAND]) {
    for (const edge of plan.edges) {
      const piece = topology.piece[edge];
      let modes = onIsland.get(piece) ?? 0;
      for (let mode = 0; mode < 4; mode++) {
        if (islands[mode][edge] === kind) modes = kind === ISLAND ? modes | (16 << mode) : modes & ~(16 << mode);
      }
      onIsland.set(piece, modes);
    }
  }
  for (const piece of plan.pieces) out.byte(graph.pieceObstacles[piece] | (onIsland.get(piece) ?? 0));
  for (const piece of plan.pieces) out.byte(graph.pieceBearingStart[piece]);
  for (const piece of plan.pieces) out.byte(graph.pieceBearingEnd[piece]);
  for (const piece of plan.pieces) out.number(graph.shapeFirst[piece + 1] - graph.shapeFirst[piece]);
  for (const [shape, nodes] of [
    [graph.shapeLatitude, graph.nodeLatitude],
    [graph.shapeLongitude, graph.nodeLongitude],
  ]) {
    for (const piece of plan.pieces) {
      let last = nodes[graph.pieceStart[piece]];
      for (let i = graph.shapeFirst[piece]; i < graph.shapeFirst[piece + 1]; i++) {
        out.signed(shape[i] - last);
        last = shape[i];
      }
    }
  }
  for (const copy of plan.copies) out.number(edgeAt.get(topology.original[copy])!);
  let id = 0;
  for (const edge of plan.edges) {
    if (tileOf[topology.tail[edge]] === tile && tileOf[topology.head[edge]] !== tile) {
      out.signed(crossing[edge] - id);
      id = crossing[edge];
    }
  }
  let from = 0;
  for (const exception of exceptions) {
    const at = edgeAt.get(exception.from)!;
    out.signed(at - from);
    from = at;
    out.number(edgeAt.get(exception.to)!);
    out.byte(exception.modes);
  }
  writeTraffic(out, layout, plan.pieces);
  out.text(JSON.stringify([...recordAt.keys()].map((number) => graph.records[number])));
  out.text(
    JSON.stringify(
      plan.nodes.flatMap((node, i) => (graph.nodeRecords.has(node) ? [[i, graph.nodeRecords.get(node)]] : [])),
    ),
  );
  return sealed(TILE_MAGIC, TILE_VERSION, out);
}

function writeTraffic(out: ByteWriter, { graph }: TileLayout, pieces: readonly number[]): void {
  const { windows, rows, forward, backward } = graph.traffic ?? { windows: [], rows: [], forward: [], backward: [] };
  const rowAt = new Map<number, number>();
  const at = (row: number) => {
    if (row === 0) return 0;
    let own = rowAt.get(row);
    if (own === undefined) {
      own = rowAt.size + 1;
      rowAt.set(row, own);
    }
    return own;
  };
  const columns = [forward, backward].flatMap((column) => pieces.map((piece) => at(column[piece] ?? 0)));
  out.number(windows.length);
  out.number(rowAt.size);
  if (rowAt.size === 0) return;
  for (const row of rowAt.keys()) for (const speed of rows[row - 1]) out.number(speed);
  for (const own of columns) out.number(own);
}

function writeDifferences(out: ByteWriter, values: readonly number[]): void {
  let last = 0;
  for (const value of values) {
    out.signed(value - last);
    last = value;
  }
}
