/** An event as stored in D1 and the archive. */
export interface EventRow {
  id: string;
  /** When it happened [ms]: an integer, not negative. */
  time: number;
  type: string;
  /** The _id of the user record. */
  user: string;
  /** JSON TrackEvent, stored unchanged. */
  doc: string;
}

/** Values of a doc that have their own column, for programs that read the files directly. */
export interface DocColumns {
  confidence: number | null;
  userId: string | null;
  deviceId: string | null;
  latitude: number | null;
  longitude: number | null;
  geofenceTag: string | null;
  geofenceExternalId: string | null;
}

/** An unreadable doc has none of them; it is stored unchanged. */
export function docColumns(doc: string): DocColumns {
  let event: Partial<Record<string, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(doc);
    if (isObject(parsed)) event = parsed;
  } catch {
    // Lists omit such a row and report it; archiving must not change that.
  }
  const [user, location, geofence] = [event.user, event.location, event.geofence].map((part) =>
    isObject(part) ? part : {},
  );
  return {
    confidence: Number.isInteger(event.confidence) ? smallNumber(event.confidence) : null,
    userId: text(user.userId),
    deviceId: text(user.deviceId),
    latitude: number(location.latitude),
    longitude: number(location.longitude),
    geofenceTag: text(geofence.tag),
    geofenceExternalId: text(geofence.externalId),
  };
}

function isObject(value: unknown): value is Partial<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The column has 32 bits. */
function smallNumber(value: unknown): number | null {
  return typeof value === "number" && Math.abs(value) < 2 ** 31 ? value : null;
}

/** Newest first, and within one millisecond the greatest _id first: the order of all lists. */
export function newestFirst(a: Pick<EventRow, "time" | "id">, b: Pick<EventRow, "time" | "id">): number {
  return b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** Position of an event in an object by user. */
export type UserPlace = Pick<EventRow, "user" | "time" | "id">;

/** The order of objects by user: user by user, newest first within a user. */
export function byUser(a: UserPlace, b: UserPlace): number {
  return a.user < b.user ? -1 : a.user > b.user ? 1 : newestFirst(a, b);
}
