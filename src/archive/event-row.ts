/** An event as D1 and the archive keep it. */
export interface EventRow {
  id: string;
  /** When it happened [ms]: a whole number, not negative. */
  time: number;
  type: string;
  /** The _id of the user record. */
  user: string;
  /** JSON TrackEvent, kept letter for letter. */
  doc: string;
}

/** What a doc says that is worth a column of its own, for whoever reads the files by themselves. */
export interface DocColumns {
  confidence: number | null;
  userId: string | null;
  deviceId: string | null;
  latitude: number | null;
  longitude: number | null;
  geofenceTag: string | null;
  geofenceExternalId: string | null;
}

/** A doc that cannot be read has none of them; it is kept as it is. */
export function docColumns(doc: string): DocColumns {
  let event: Partial<Record<string, unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(doc);
    if (isObject(parsed)) event = parsed;
  } catch {
    // Lists leave such a row out and say so; archiving it must not change that.
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

/** The column is of 32 bits. */
function smallNumber(value: unknown): number | null {
  return typeof value === "number" && Math.abs(value) < 2 ** 31 ? value : null;
}

/** Newest first, and of one millisecond the greatest _id first: the order of all lists. */
export function newestFirst(a: Pick<EventRow, "time" | "id">, b: Pick<EventRow, "time" | "id">): number {
  return b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** Where an event stands in an object by users. */
export type UserPlace = Pick<EventRow, "user" | "time" | "id">;

/** The order of objects by users: user by user, of one the newest first. */
export function byUser(a: UserPlace, b: UserPlace): number {
  return a.user < b.user ? -1 : a.user > b.user ? 1 : newestFirst(a, b);
}
