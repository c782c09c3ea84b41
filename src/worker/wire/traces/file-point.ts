import { type Coordinate, isCoordinate } from "../../../core/geo/coordinate.ts";

/** A point of a trace in a file. */
export interface FilePoint extends Coordinate {
  /** [ms since 1970] */
  at?: number;
}

/** Below this, a number counts seconds since 1970, above it milliseconds. */
const MAX_SECONDS = 1e11;
/** Maximum length of a time string [characters]. */
const MAX_TIME_LENGTH = 64;

export function pointOf(latitude: unknown, longitude: unknown): Coordinate | undefined {
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  return isCoordinate(latitude, longitude) ? { latitude, longitude } : undefined;
}

/** Reads a time as a string, or in milliseconds or seconds since 1970. Anything else is ignored. */
export function timed(value: unknown): { at?: number } {
  const at = timeOf(value);
  return Number.isFinite(at) ? { at } : {};
}

function timeOf(value: unknown): number {
  if (typeof value === "number") return value < MAX_SECONDS ? value * 1000 : value;
  return typeof value === "string" && value.length <= MAX_TIME_LENGTH ? Date.parse(value) : Number.NaN;
}
