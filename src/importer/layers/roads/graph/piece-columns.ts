import type { EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import type { TimedBarrier } from "./barriers.ts";
import { Column } from "./column.ts";
import type { NodeRecords } from "./node-records.ts";
import type { ObstructedNodes } from "./obstacles.ts";
import type { RecordTable } from "./record-table.ts";

/** The columns of pieces and junctions while they grow. */
export class PieceColumns {
  readonly nodeLatitude: Column<Int32Array>;
  readonly nodeLongitude: Column<Int32Array>;
  readonly nodeBlocked: Column<Uint8Array>;
  readonly start: Column<Int32Array>;
  readonly end: Column<Int32Array>;
  /** [0.1 m]. */
  readonly length: Column<Int32Array>;
  /** Into the profiles, along and against the piece. */
  readonly forward: Column<Uint32Array>;
  readonly backward: Column<Uint32Array>;
  /** Into the records. */
  readonly record: Column<Int32Array>;
  readonly bearingStart: Column<Uint8Array>;
  readonly bearingEnd: Column<Uint8Array>;
  readonly shapeFirst: Column<Int32Array>;
  readonly shapeLatitude: Column<Int32Array>;
  readonly shapeLongitude: Column<Int32Array>;
  /** Speeds by time: by piece 0 or row + 1. */
  readonly trafficForward: Column<Uint32Array>;
  readonly trafficBackward: Column<Uint32Array>;

  /** `refs`: nodes of all roads; there are no more pieces, junctions and points than these. `speeds`: are there any? */
  constructor(refs: number, speeds: boolean) {
    const node = <T extends Int32Array | Uint8Array>(kind: ConstructorParameters<typeof Column<T>>[0]) =>
      new Column<T>(kind, "junctions of roads", refs);
    const piece = <T extends Int32Array | Uint32Array | Uint8Array>(
      kind: ConstructorParameters<typeof Column<T>>[0],
      count = refs,
    ) => new Column<T>(kind, "pieces of roads", count);
    const point = () => new Column(Int32Array, "points on roads", refs);
    this.nodeLatitude = node(Int32Array);
    this.nodeLongitude = node(Int32Array);
    this.nodeBlocked = node(Uint8Array);
    this.start = piece(Int32Array);
    this.end = piece(Int32Array);
    this.length = piece(Int32Array);
    this.forward = piece(Uint32Array);
    this.backward = piece(Uint32Array);
    this.record = piece(Int32Array);
    this.bearingStart = piece(Uint8Array);
    this.bearingEnd = piece(Uint8Array);
    this.shapeFirst = piece(Int32Array, refs + 1);
    this.shapeLatitude = point();
    this.shapeLongitude = point();
    this.trafficForward = piece(Uint32Array, speeds ? refs : 0);
    this.trafficBackward = piece(Uint32Array, speeds ? refs : 0);
    this.shapeFirst.push(0);
  }
}

export interface TimedJunction {
  node: number;
  closed: readonly TimedBarrier[];
}

/**
 * The ways of an extract cut into pieces, and the junctions between them. Columns by piece, unless they say otherwise.
 */
export interface Pieces {
  count: number;
  nodeCount: number;
  /** By junction. */
  nodeLatitude: Int32Array;
  nodeLongitude: Int32Array;
  nodeBlocked: Uint8Array;
  nodeRecords: NodeRecords;
  obstructed: ObstructedNodes;
  /** Junctions that some modes cannot pass at some hours. */
  timedBarriers: readonly TimedJunction[];
  start: Int32Array;
  end: Int32Array;
  length: Int32Array;
  forward: Uint32Array;
  backward: Uint32Array;
  record: Int32Array;
  bearingStart: Uint8Array;
  bearingEnd: Uint8Array;
  shapeFirst: Int32Array;
  shapeLatitude: Int32Array;
  shapeLongitude: Int32Array;
  profiles: readonly EdgeProfile[];
  records: RecordTable;
  rows: readonly number[][];
  trafficForward: Uint32Array;
  trafficBackward: Uint32Array;
  /** The pieces of the ways that a restriction names. */
  piecesOfWay: ReadonlyMap<number, readonly number[]>;
  brokenWays: number;
  missingNodes: number;
}
