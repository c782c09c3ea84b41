import { knownAltitude } from "./no-fix.ts";

/**
 * One position as reported by a device's own app, in the fields of POST /v1/track. Values that need no conversion are
 * unchanged; they are validated when they are stored.
 */
export interface Fix {
  deviceId: unknown;
  latitude: unknown;
  longitude: unknown;
  /** [m] */
  accuracy: number;
  /** ISO 8601; absent: now. */
  updatedAt?: string;
  /** [m] */
  altitude?: number;
  /** [m/s] */
  speed?: number;
  /** [degrees from north] */
  course?: number;
  stopped?: boolean;
}

/** Assumed accuracy of a position if the app doesn't report one [m]: typical for a phone in a street. */
export const DEFAULT_ACCURACY = 20;

/** A number, also as a string; undefined for anything else. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A number that apps set to a negative value if it is unknown: speed, course. */
export function knownNumber(value: unknown): number | undefined {
  const number = numberIn(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** Half the circumference of the earth [m]: a larger accuracy is meaningless. */
const MAX_ACCURACY = 20_000_000;

/**
 * Accuracy as accepted by track: the default if the app doesn't report it; 0 and less as it is, because it says that there is no fix
 * (CoreLocation, CLLocation.horizontalAccuracy: negative if the position is invalid).
 */
export function accuracyIn(value: unknown): number {
  const metres = numberIn(value);
  if (metres === undefined || metres > MAX_ACCURACY) return DEFAULT_ACCURACY;
  return metres > 0 ? Math.max(metres, 0.1) : metres;
}

/** An altitude, unless it is unknown. */
export function altitudeIn(value: unknown, verticalAccuracy: unknown): number | undefined {
  return knownAltitude(numberIn(value), numberIn(verticalAccuracy));
}

/** An object's fields; none for anything else. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Removes undefined values, so that an absent field stays absent. */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Seconds since 1970 → ISO 8601. Undefined without a time; an unreadable one stays unchanged, to be rejected later. */
export function isoOfSeconds(seconds: unknown): string | undefined {
  if (seconds === undefined || seconds === null) return undefined;
  const number = numberIn(seconds);
  const date = new Date(number === undefined ? Number.NaN : number * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}
