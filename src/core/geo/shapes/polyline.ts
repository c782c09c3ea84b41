import polyline from "@mapbox/polyline";
import type { Coordinate } from "../coordinate.ts";

export type GeometryFormat = "linestring" | "polyline5" | "polyline6";
export type LineGeometry = { type: "LineString"; coordinates: [number, number][] } | { polyline: string };

/** A line in one of the three formats of the API. */
export function formatLine(line: readonly Coordinate[], format: GeometryFormat): LineGeometry {
  if (format === "linestring") {
    return { type: "LineString", coordinates: line.map(({ latitude, longitude }) => [longitude, latitude]) };
  }
  return { polyline: encodeLine(line, format === "polyline5" ? 5 : 6) };
}

/**
 * Encodes a line as an encoded polyline (Google's format), with the same output as `@mapbox/polyline`. That package
 * concatenates character by character, which takes up to twice as long and leaves a string in so many pieces that JSON
 * serialization takes the slow path.
 */
export function encodeLine(line: readonly Coordinate[], decimals: 2 | 3 | 5 | 6): string {
  const factor = 10 ** decimals;
  const parts: string[] = [];
  let length = 0;
  let north = 0;
  let east = 0;
  for (const { latitude, longitude } of line) {
    const y = roundAway(latitude * factor);
    const x = roundAway(longitude * factor);
    length = writeDelta(x - east, writeDelta(y - north, length));
    north = y;
    east = x;
    if (length < FULL) continue;
    parts.push(writtenText(length));
    length = 0;
  }
  if (parts.length === 0) return writtenText(length);
  parts.push(writtenText(length));
  return parts.join("");
}

/** Encoded lines as one, each of which begins with the last point of the one before. Differences do not depend on where a line begins. */
export function joinEncoded(lines: readonly string[]): string {
  return lines.length === 1
    ? lines[0]
    : lines.map((line, i) => (i === 0 ? line : line.slice(endOfPoint(line)))).join("");
}

function endOfPoint(line: string): number {
  let end = 0;
  for (let numbers = 0; numbers < 2; end++) if (line.charCodeAt(end) - 63 < 0x20) numbers++;
  return end;
}

/** Characters that are decoded per call: a number of arguments that every engine accepts. */
const FULL = 4096;

const SHORT = 100;
const ascii = new TextDecoder();

/** Bytes written but not yet decoded; no call awaits between the two. A point takes 14 characters at most. */
const written = new Uint8Array(FULL + 32);

function writtenText(length: number): string {
  // A call of a decoder costs as much as about a hundred characters here.
  if (length > SHORT) return ascii.decode(written.subarray(0, length));
  const codes = new Array<number>(length);
  for (let i = 0; i < length; i++) codes[i] = written[i];
  return String.fromCharCode.apply(null, codes);
}

/** To the nearest integer, halves away from 0, as the format wants it. */
function roundAway(value: number): number {
  const rounded = Math.floor(Math.abs(value) + 0.5);
  return value >= 0 ? rounded : -rounded;
}

/**
 * Five bits per character, the lowest first; the sign is bit 0. At 6 decimals 31 bits hold any difference. @returns the
 * position of the next value
 */
function writeDelta(delta: number, at: number): number {
  let left = delta < 0 ? -2 * delta - 1 : 2 * delta;
  let next = at;
  for (; left >= 0x20; left >>>= 5) written[next++] = (0x20 | (left & 0x1f)) + 63;
  written[next++] = left + 63;
  return next;
}

/** Whether a text is an encoded polyline: its characters only, and pairs of whole numbers. */
export function isEncodedLine(text: string): boolean {
  let numbers = 0;
  let code = 0;
  for (let i = 0; i < text.length; i++) {
    code = text.charCodeAt(i) - 63;
    if (code < 0 || code > 63) return false;
    // Below 32 it ends a number.
    if (code < 32) numbers++;
  }
  return code < 32 && numbers % 2 === 0;
}

/**
 * Decodes an encoded polyline: 5 or 6 decimals in the API, 2 in internal lists. Invalid input returns the readable
 * part.
 */
export function decodeLine(encoded: string, decimals: 2 | 3 | 5 | 6): Coordinate[] {
  return polyline.decode(encoded, decimals).map(([latitude, longitude]) => ({ latitude, longitude }));
}
