/**
 * One position as a device's own app reports it, in the fields of POST /v1/track. Values are as they came where they need no
 * converting: who stores them checks them.
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

/** What is said of a position whose app does not tell how good it is [m]: a phone's fix in a street. */
export const USUAL_ACCURACY = 20;

/** A number, also as text; undefined for anything else. */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A number that apps give as negative where they do not know it: speed, course, accuracy. */
export function knownNumber(value: unknown): number | undefined {
  const number = numberIn(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** Accuracy as track takes it: above 0, and the usual one where the app does not know. */
export function accuracyIn(value: unknown): number {
  const metres = knownNumber(value);
  return metres === undefined ? USUAL_ACCURACY : Math.max(metres, 0.1);
}

/** An object's fields; none for anything else. */
export function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Leaves out what is undefined, so that an absent field stays absent. */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Seconds since 1970 → ISO 8601; undefined outside of the years that text can hold. */
export function isoOfSeconds(seconds: unknown): string | undefined {
  const number = numberIn(seconds);
  if (number === undefined) return undefined;
  const date = new Date(number * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
