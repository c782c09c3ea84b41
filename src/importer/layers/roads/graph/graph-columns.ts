import { Interned } from "../../../../core/geo/bytes/interned.ts";
import type { EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import type { NodeRecord } from "../../../../core/routing/graph/road-record.ts";
import type { TurnException } from "../../../../core/routing/graph/topology.ts";
import type { TimeWindow } from "../../../../core/routing/graph/traffic.ts";
import { type Numbers, type NumbersOf, sharedNumbers } from "./column.ts";
import { NodeRecords } from "./node-records.ts";
import { RoadRecords } from "./record-table.ts";
import type { GraphReport, RoadGraph } from "./road-graph.ts";

/**
 * A graph as plain data: its columns by name, and the few things that are no columns. It may be posted to threads, which
 * see the same memory, or are in a file (`saveGraph`).
 */
export interface SharedGraph {
  columns: Record<ColumnName, Numbers>;
  plain: PlainParts;
}

type TurnHours = NonNullable<TurnException["hours"]>;

/** Values that are few for extracts of any size. */
export interface PlainParts {
  profiles: EdgeProfile[];
  nodeRecords: readonly NodeRecord[];
  /** Windows of time with their own speeds, and how many speeds a row has; absent without an operator's speeds. */
  traffic?: { windows: readonly TimeWindow[]; width: number };
  /** When turns are open to which modes, where that depends on the hour: each schedule once, as every job of a thread gets a copy. */
  turnHours: readonly TurnHours[];
  zones?: readonly string[];
  report: GraphReport;
}

/** All columns and what they are built from. */
export const COLUMNS = {
  nodeLatitude: Int32Array,
  nodeLongitude: Int32Array,
  nodeBlocked: Uint8Array,
  nodeRecordNodes: Int32Array,
  nodeRecordNumbers: Int32Array,
  pieceStart: Int32Array,
  pieceEnd: Int32Array,
  pieceLength: Int32Array,
  pieceForward: Uint32Array,
  pieceBackward: Uint32Array,
  pieceRecord: Int32Array,
  pieceObstacles: Uint8Array,
  pieceBearingStart: Uint8Array,
  pieceBearingEnd: Uint8Array,
  shapeFirst: Int32Array,
  edgePiece: Int32Array,
  edgeAlong: Uint8Array,
  edgeOriginal: Int32Array,
  exceptionFrom: Int32Array,
  exceptionTo: Int32Array,
  exceptionModes: Uint8Array,
  /** Into `turnHours`, from 1 on; 0: the same all week. */
  exceptionHours: Int32Array,
  trafficRows: Uint16Array,
  trafficForward: Uint32Array,
  trafficBackward: Uint32Array,
  shapeLatitude: Int32Array,
  shapeLongitude: Int32Array,
  recordStarts: Float64Array,
  recordBytes: Uint8Array,
} as const;

export type ColumnName = keyof typeof COLUMNS;

/** The columns of a graph, without copying the long ones. */
export function shareGraph(graph: RoadGraph): SharedGraph {
  const { edges, exceptions, traffic, records, nodeRecords } = graph;
  const width = traffic?.rows[0]?.length ?? 0;
  const turnHours = new Interned<TurnHours>(JSON.stringify);
  return {
    columns: {
      nodeLatitude: graph.nodeLatitude,
      nodeLongitude: graph.nodeLongitude,
      nodeBlocked: graph.nodeBlocked,
      pieceStart: graph.pieceStart,
      pieceEnd: graph.pieceEnd,
      pieceLength: graph.pieceLength,
      pieceForward: graph.pieceForward,
      pieceBackward: graph.pieceBackward,
      pieceRecord: graph.pieceRecord,
      pieceObstacles: graph.pieceObstacles,
      pieceBearingStart: graph.pieceBearingStart,
      pieceBearingEnd: graph.pieceBearingEnd,
      shapeFirst: graph.shapeFirst,
      shapeLatitude: graph.shapeLatitude,
      shapeLongitude: graph.shapeLongitude,
      nodeRecordNodes: nodeRecords.columns.nodes,
      nodeRecordNumbers: nodeRecords.columns.numbers,
      edgePiece: edges.piece,
      edgeAlong: edges.along,
      edgeOriginal: edges.original,
      exceptionFrom: column(Int32Array, exceptions, ({ from }) => from),
      exceptionTo: column(Int32Array, exceptions, ({ to }) => to),
      exceptionModes: column(Uint8Array, exceptions, ({ modes }) => modes),
      exceptionHours: column(Int32Array, exceptions, ({ hours }) => (hours ? turnHours.add(hours) + 1 : 0)),
      trafficRows: joined(traffic?.rows ?? [], width),
      trafficForward: traffic?.forward ?? new Uint32Array(0),
      trafficBackward: traffic?.backward ?? new Uint32Array(0),
      recordStarts: records.columns.starts,
      recordBytes: records.columns.bytes,
    },
    plain: {
      profiles: graph.profiles,
      nodeRecords: nodeRecords.columns.records,
      ...(traffic && { traffic: { windows: traffic.windows, width } }),
      turnHours: turnHours.values,
      ...(graph.zones && { zones: graph.zones }),
      report: graph.report,
    },
  };
}

/** The graph over columns that were shared. */
export function openGraph({ columns, plain }: SharedGraph): RoadGraph {
  const of = <N extends ColumnName>(name: N) => columns[name] as InstanceType<(typeof COLUMNS)[N]>;
  const { traffic } = plain;
  const rows = traffic && rowsOf(of("trafficRows"), traffic.width);
  return {
    nodeCount: of("nodeLatitude").length,
    nodeLatitude: of("nodeLatitude"),
    nodeLongitude: of("nodeLongitude"),
    nodeBlocked: of("nodeBlocked"),
    nodeRecords: new NodeRecords({
      nodes: of("nodeRecordNodes"),
      numbers: of("nodeRecordNumbers"),
      records: plain.nodeRecords,
    }),
    pieceCount: of("pieceStart").length,
    pieceStart: of("pieceStart"),
    pieceEnd: of("pieceEnd"),
    pieceLength: of("pieceLength"),
    pieceForward: of("pieceForward"),
    pieceBackward: of("pieceBackward"),
    pieceRecord: of("pieceRecord"),
    pieceObstacles: of("pieceObstacles"),
    pieceBearingStart: of("pieceBearingStart"),
    pieceBearingEnd: of("pieceBearingEnd"),
    shapeFirst: of("shapeFirst"),
    shapeLatitude: of("shapeLatitude"),
    shapeLongitude: of("shapeLongitude"),
    profiles: plain.profiles,
    records: new RoadRecords({ bytes: of("recordBytes"), starts: of("recordStarts") }),
    edges: {
      count: of("edgePiece").length,
      piece: of("edgePiece"),
      along: of("edgeAlong"),
      original: of("edgeOriginal"),
    },
    exceptions: exceptionsOf(
      [of("exceptionFrom"), of("exceptionTo"), of("exceptionModes"), of("exceptionHours")],
      plain.turnHours,
    ),
    ...(traffic &&
      rows && {
        traffic: { windows: traffic.windows, rows, forward: of("trafficForward"), backward: of("trafficBackward") },
      }),
    ...(plain.zones && { zones: plain.zones }),
    report: plain.report,
  };
}

function column<T extends Numbers, V>(kind: NumbersOf<T>, list: readonly V[], numberOf: (value: V) => number): T {
  const numbers = sharedNumbers(kind, list.length);
  for (let i = 0; i < list.length; i++) numbers[i] = numberOf(list[i]);
  return numbers;
}

function joined(rows: readonly Uint16Array[], width: number): Uint16Array {
  const all = sharedNumbers(Uint16Array, rows.length * width);
  for (let i = 0; i < rows.length; i++) all.set(rows[i], i * width);
  return all;
}

function rowsOf(all: Uint16Array, width: number): Uint16Array[] {
  return Array.from({ length: width === 0 ? 0 : all.length / width }, (_, i) =>
    all.subarray(i * width, (i + 1) * width),
  );
}

function exceptionsOf(
  [from, to, modes, hours]: readonly [Int32Array, Int32Array, Uint8Array, Int32Array],
  schedules: readonly TurnHours[],
): TurnException[] {
  return Array.from(from, (edge, i): TurnException => {
    const exception = { from: edge, to: to[i], modes: modes[i] };
    return hours[i] === 0 ? exception : { ...exception, hours: schedules[hours[i] - 1] };
  });
}
