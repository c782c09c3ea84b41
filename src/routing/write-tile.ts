import { ByteWriter } from "../geo/bytes.ts";
import type { EdgeProfile } from "./modes.ts";
import { writeAll, writeSteps } from "./object.ts";
import type { NodeRecord, RoadRecord } from "./road-record.ts";
import type { TurnException } from "./topology.ts";

/** What a tile holds, as plain columns; its format and what each column means stands at `Tile`. */
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
  /** By piece. */
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
  const { start, end, forward, backward, copies, traffic, exceptions } = content;
  const edges = [...forward, ...backward].filter((profile) => profile !== 0).length + copies.length;
  if (edges >= 32768) throw new Error(`${edges} edges do not fit a tile`);
  const out = new ByteWriter();
  const counts = [content.insideCount, content.latitude.length, start.length, copies.length, exceptions.length];
  writeAll(out, [...counts, content.profiles.length, content.cells.length, content.firstEntering]);
  writeSteps(out, content.latitude);
  writeSteps(out, content.longitude);
  writeAll(out, content.cells);
  writeBytes(out, content.blocked);
  writeAll(out, content.outside);
  for (const profile of content.profiles) writeProfile(out, profile);
  writeSteps(out, start);
  for (let piece = 0; piece < start.length; piece++) out.signed(end[piece] - start[piece]);
  for (const column of [content.length, forward, backward, content.record]) writeAll(out, column);
  for (const column of [content.marks, content.bearingStart, content.bearingEnd]) writeBytes(out, column);
  for (const { latitude } of content.shapes) out.unsigned(latitude.length);
  for (const axis of ["latitude", "longitude"] as const) {
    for (let piece = 0; piece < start.length; piece++) {
      const points = content.shapes[piece][axis];
      let last = content[axis][start[piece]];
      for (let i = 0; i < points.length; i++) {
        out.signed(points[i] - last);
        last = points[i];
      }
    }
  }
  writeAll(out, copies);
  writeSteps(out, content.leaving);
  let from = 0;
  for (const exception of exceptions) {
    out.signed(exception.from - from);
    from = exception.from;
    out.unsigned(exception.to);
    out.byte(exception.modes);
  }
  out.unsigned(traffic.windows);
  out.unsigned(traffic.rows.length);
  if (traffic.rows.length > 0) for (const row of [...traffic.rows, traffic.along, traffic.against]) writeAll(out, row);
  out.text(JSON.stringify(content.records));
  out.text(JSON.stringify(content.nodeRecords));
  return out;
}

function writeProfile(out: ByteWriter, { leftHand, passages }: EdgeProfile): void {
  out.byte(leftHand ? 1 : 0);
  for (const { speed, preference, travel, restricted, avoid, private: drive } of passages) {
    out.unsigned(speed);
    out.byte(preference);
    out.byte(travel | (restricted ? 4 : 0) | (avoid << 3) | (drive ? 128 : 0));
  }
}

function writeBytes(out: ByteWriter, values: readonly number[]): void {
  for (const value of values) out.byte(value);
}
