import { type ByteReader, ByteWriter } from "../../geo/bytes/bytes.ts";
import { MODES } from "../graph/modes.ts";
import { openObject, withHeader } from "../graph/object.ts";
import type { Drive } from "./drives.ts";
import type { EdgeKey } from "./edge-key.ts";
import { Observations } from "./observations.ts";

const CONTRIBUTION_MAGIC = "GRLC";
const CONTRIBUTION_VERSION = 1;

/**
 * What one user's device contributed in one week. An object per user and week, so that deleting the user deletes it:
 *
 *     header      as all routing objects (graph/object.ts), magic GRLC
 *     days        u         bits of the days that are in it, Monday 1
 *     edges       u         number; then of each, sorted by its coordinates:
 *       y, x      s × 4     its first and second point [1e-6°]: the first as the difference to the edge before, the second to the first
 *       hours     u         number; then of each, ascending:
 *         hour    u         of the week, as the difference to the one before
 *         count   u
 *         logs    s         sum of the logarithms of the pace [1e-3]
 *         squares u         [1e-3]
 *         waits   u         [1e-3 s/m]
 *     drives      u         number; then of each:
 *       day       u         since 1970
 *       mode      u         its number
 *       hour      u
 *       times     u × 3     profile, learned, actual [0.1 s]
 *       features  u, f64 …  number and values
 */
export interface Contribution {
  days: number;
  observations: Observations;
  /** Journeys for training the residual model; without positions. */
  drives: Drive[];
}

export function emptyContribution(): Contribution {
  return { days: 0, observations: new Observations(), drives: [] };
}

export async function writeContribution({ days, observations, drives }: Contribution): Promise<Uint8Array> {
  const out = new ByteWriter();
  out.unsigned(days);
  writeEdges(out, observations.edges, (hour) => {
    out.unsigned(hour.count);
    out.signed(Math.round(hour.logs * SCALE));
    out.unsigned(Math.round(hour.squares * SCALE));
    out.unsigned(Math.round(hour.waits * SCALE));
  });
  out.unsigned(drives.length);
  for (const { day, mode, hour, profile, learned, actual, features } of drives) {
    for (const value of [day, MODES.indexOf(mode), hour]) out.unsigned(value);
    for (const seconds of [profile, learned, actual]) out.unsigned(Math.round(seconds * 10));
    out.unsigned(features.length);
    for (const value of features) out.f64(Math.fround(value));
  }
  return withHeader(CONTRIBUTION_MAGIC, CONTRIBUTION_VERSION, await deflate(out.finish()));
}

export async function readContribution(bytes: Uint8Array): Promise<Contribution> {
  const reader = await openObject(bytes, CONTRIBUTION_MAGIC, CONTRIBUTION_VERSION);
  const days = reader.unsigned();
  const observations = new Observations();
  readEdges(reader, (key, hour) => {
    const count = reader.unsigned();
    const logs = reader.signed() / SCALE;
    const squares = reader.unsigned() / SCALE;
    const waits = reader.unsigned() / SCALE;
    observations.addSum(key, { hour, count, logs, squares, waits });
  });
  const drives = Array.from({ length: reader.unsigned() }, () => readDrive(reader));
  return { days, observations, drives };
}

function readDrive(reader: ByteReader): Drive {
  const day = reader.unsigned();
  const mode = MODES[reader.unsigned()];
  const hour = reader.unsigned();
  const [profile, learned, actual] = [reader.unsigned() / 10, reader.unsigned() / 10, reader.unsigned() / 10];
  const features = Float64Array.from({ length: reader.unsigned() }, () => reader.f64());
  return { day, mode, hour, profile, learned, actual, features };
}

const SCALE = 1000;

/** Writes edges with their hours, sorted, so that objects are small and equal data gives equal bytes. */
export function writeEdges<T extends { hour: number }>(
  out: ByteWriter,
  edges: ReadonlyMap<EdgeKey, readonly T[]>,
  write: (hour: T) => void,
): void {
  const rows = [...edges].map(([key, hours]) => ({ at: key.split(",").map(Number), hours }));
  rows.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1] || a.at[2] - b.at[2] || a.at[3] - b.at[3]);
  out.unsigned(rows.length);
  let [y, x] = [0, 0];
  for (const { at, hours } of rows) {
    out.signed(at[0] - y);
    out.signed(at[1] - x);
    out.signed(at[2] - at[0]);
    out.signed(at[3] - at[1]);
    [y, x] = at;
    out.unsigned(hours.length);
    let before = 0;
    for (const hour of [...hours].sort((a, b) => a.hour - b.hour)) {
      out.unsigned(hour.hour - before);
      before = hour.hour;
      write(hour);
    }
  }
}

export function readEdges(reader: ByteReader, read: (key: EdgeKey, hour: number) => void): void {
  let [y, x] = [0, 0];
  for (let left = reader.unsigned(); left > 0; left--) {
    y += reader.signed();
    x += reader.signed();
    const key = `${y},${x},${y + reader.signed()},${x + reader.signed()}`;
    let hour = 0;
    for (let hours = reader.unsigned(); hours > 0; hours--) {
      hour += reader.unsigned();
      read(key, hour);
    }
  }
}

export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { writable, readable } = new CompressionStream("deflate-raw");
  const deflated = new Response(readable).arrayBuffer();
  const writer = writable.getWriter();
  await writer.write(bytes);
  await writer.close();
  return new Uint8Array(await deflated);
}
