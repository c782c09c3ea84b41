import type { ByteWriter } from "../../geo/bytes/bytes.ts";
import { ColumnWriter, steps } from "./columns.ts";
import type { EdgeProfile } from "./modes.ts";
import type { NodeRecord, RoadRecord } from "./road-record.ts";
import { TILE_COUNTS, type TileCount, WIDE } from "./tile-counts.ts";
import { writeHours } from "./tile-hours.ts";
import { hasLimits, writeProfiles } from "./tile-profiles.ts";
import { packRecords, writeRecords } from "./tile-records.ts";
import type { TurnException } from "./topology.ts";

/** Content of a tile as plain columns; for the format and the columns see `Tile`. */
export interface TileContent {
  insideCount: number;
  /** Of all nodes, the inside ones first and in the order of their search cells [1e-6 degrees]. */
  latitude: readonly number[];
  longitude: readonly number[];
  /** Number of inside nodes in each search cell. */
  cells: readonly number[];
  /** Of the inside nodes. */
  blocked: readonly number[];
  /** Tiles of the outside nodes. */
  outside: readonly number[];
  /** profiles[0] is closed to all. */
  profiles: readonly EdgeProfile[];
  /**
   * By piece; first those within a search cell, then those within the tile: the reader assumes that few others exist.
   */
  start: readonly number[];
  end: readonly number[];
  length: readonly number[];
  forward: readonly number[];
  backward: readonly number[];
  record: readonly number[];
  marks: readonly number[];
  bearingStart: readonly number[];
  bearingEnd: readonly number[];
  /** Points between the ends [1e-6 degrees]. */
  shapes: readonly { latitude: ArrayLike<number>; longitude: ArrayLike<number> }[];
  copies: readonly number[];
  firstEntering: number;
  /** Ids of the edges that leave, in the order of edges. */
  leaving: readonly number[];
  exceptions: readonly TurnException[];
  traffic: {
    windows: number;
    rows: readonly ArrayLike<number>[];
    /** By piece: 0 or row + 1. */
    along: readonly number[];
    against: readonly number[];
  };
  records: readonly RoadRecord[];
  nodeRecords: readonly (readonly [node: number, record: NodeRecord])[];
}

/** The payload of a tile. @throws Error when it has more edges than the format can number */
export function writeTile(content: TileContent): ByteWriter {
  const { start, end, forward, backward, copies, traffic, exceptions, profiles } = content;
  const edges = [...forward, ...backward].filter((profile) => profile !== 0).length + copies.length;
  if (edges >= 32768) throw new Error(`${edges} edges do not fit a tile`);
  const north = shapeSteps(content, "latitude");
  const east = shapeSteps(content, "longitude");
  const shapeFirst = [0];
  for (const { latitude } of content.shapes) shapeFirst.push(shapeFirst[shapeFirst.length - 1] + latitude.length);
  const records = packRecords(content.records, content.nodeRecords);
  const wide = {
    length: content.length.some((length) => length > 65535),
    shapeFirst: north.length > 65535,
    shapes: [north, east].some((column) => column.some((step) => step !== (step << 16) >> 16)),
    profiles: profiles.length > 256,
    limits: hasLimits(profiles),
  };
  const columns = new ColumnWriter();
  const narrow = (values: ArrayLike<number>, isWide: boolean) => (isWide ? columns.i32(values) : columns.u16(values));
  const counts = countsOf(content, records, wide, north.length);
  columns.i32(TILE_COUNTS.map((name) => counts[name]));
  columns.i32(steps(content.latitude));
  columns.i32(steps(content.longitude));
  columns.i32(content.outside);
  columns.i32(steps(content.leaving));
  narrow(content.length, wide.length);
  for (const column of [north, east]) wide.shapes ? columns.i32(column) : columns.i16(column);
  narrow(steps(shapeFirst), wide.shapeFirst);
  columns.u16(content.cells);
  columns.u16(start.flatMap((node, piece) => [node, end[piece]]));
  columns.u16(content.record);
  columns.u16(copies);
  columns.u16(exceptions.map(({ from }) => from));
  columns.u16(exceptions.map(({ to }) => to));
  for (const row of traffic.rows) columns.u16(row);
  if (traffic.rows.length > 0) for (const column of [traffic.along, traffic.against]) columns.u16(column);
  for (const column of [forward, backward]) wide.profiles ? columns.u16(column) : columns.u8(column);
  for (const column of [content.blocked, content.marks, content.bearingStart, content.bearingEnd]) columns.u8(column);
  columns.u8(exceptions.map(({ modes }) => modes));
  writeProfiles(columns, profiles);
  writeRecords(columns, records);
  writeHours(columns.out, profiles, exceptions);
  return columns.out;
}

function countsOf(
  content: TileContent,
  { texts }: ReturnType<typeof packRecords>,
  wide: Record<keyof typeof WIDE, boolean>,
  points: number,
): Record<TileCount, number> {
  const { traffic } = content;
  return {
    inside: content.insideCount,
    nodes: content.latitude.length,
    cells: content.cells.length,
    pieces: content.start.length,
    ...firstPieces(content),
    points,
    copies: content.copies.length,
    leaving: content.leaving.length,
    firstEntering: content.firstEntering,
    exceptions: content.exceptions.length,
    profiles: content.profiles.length,
    windows: traffic.windows,
    rows: traffic.rows.length,
    records: content.records.length,
    kinds: texts.kinds.length,
    names: texts.names.length,
    nodeText: texts.nodes.length,
    wide: (Object.keys(WIDE) as (keyof typeof WIDE)[]).reduce((sum, bit) => sum + (wide[bit] ? WIDE[bit] : 0), 0),
  };
}

/** The first piece that leads from one search cell to another, and the first that leads out of the tile. */
function firstPieces({ start, end, insideCount, cells }: TileContent): { between: number; border: number } {
  const cellOf = cells.flatMap((size, cell) => new Array<number>(size).fill(cell));
  const first = (test: (piece: number) => boolean) => {
    const found = start.findIndex((_, piece) => test(piece));
    return found < 0 ? start.length : found;
  };
  const border = first((piece) => Math.max(start[piece], end[piece]) >= insideCount);
  return {
    between: Math.min(
      border,
      first((piece) => cellOf[start[piece]] !== cellOf[end[piece]]),
    ),
    border,
  };
}

/** Differences of all points to the one before, the first of each piece to its start. */
function shapeSteps({ shapes, start, ...content }: TileContent, axis: "latitude" | "longitude"): number[] {
  const differences: number[] = [];
  shapes.forEach((shape, piece) => {
    const points = shape[axis];
    let last = content[axis][start[piece]];
    for (let i = 0; i < points.length; i++) {
      differences.push(points[i] - last);
      last = points[i];
    }
  });
  return differences;
}
