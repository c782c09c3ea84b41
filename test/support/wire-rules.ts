/**
 * The habits of the wire that clients rely on, checked over every answer of the whole suite:
 *
 * - no nulls (Android reads them as the text "null"), but for the times of failed fraud checks;
 * - datetimes with milliseconds and Z (iOS reads no other), but for the local time of a time zone and of a schedule;
 * - an `_id` on every user, event, geofence, place, beacon, trip and region (iOS refuses the whole answer without);
 * - `major` and `minor` are strings; a Point has exactly two numbers;
 * - `meta.code` is the status, and there is no `meta.error`.
 */

/** What stands alone, and what stands in lists. */
const ONE = new Set(["user", "event", "geofence", "place", "beacon", "trip"]);
const MANY = new Set(["users", "events", "geofences", "nearbyGeofences", "places", "beacons", "trips"]);
/** Texts that customers choose: theirs to look like a time. */
const CHOSEN = new Set(["description", "type", "userId", "deviceId", "externalId", "tag", "name", "url", "query"]);
const DATETIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/;
const EXACT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What an answer breaks, each with its path. */
export function breachesOf(body: unknown, status: number): string[] {
  if (typeof body !== "object" || body === null || !("meta" in body)) return [];
  const breaches: string[] = [];
  const { meta } = body as { meta: Record<string, unknown> };
  if (meta?.code !== status) breaches.push(`meta.code is ${meta?.code} at status ${status}`);
  if (meta && "error" in meta) breaches.push("meta.error");
  walk(body, "", [], breaches);
  return breaches;
}

function walk(value: unknown, path: string, names: readonly string[], breaches: string[], listed = false): void {
  const name = names[names.length - 1] ?? "";
  if (value === null) {
    if (!(names.at(-2) === "fraud" && /^last\w+At$/.test(name))) breaches.push(`${path} is null`);
    return;
  }
  if (typeof value === "string") {
    const isTime = DATETIME.test(value) && !CHOSEN.has(name) && name !== "currentTime";
    if (names.at(-2) === "schedule" && LOCAL.test(value)) return;
    if (isTime && !EXACT.test(value)) breaches.push(`${path} is ${value}`);
    return;
  }
  if ((name === "major" || name === "minor") && typeof value === "number") breaches.push(`${path} is a number`);
  if (typeof value !== "object") return;
  if (Array.isArray(value)) {
    value.forEach((entry, i) => {
      walk(entry, `${path}[${i}]`, names, breaches, true);
    });
    return;
  }
  const fields = value as Record<string, unknown>;
  if ((listed ? MANY : ONE).has(name) && typeof fields._id !== "string") breaches.push(`${path} has no _id`);
  if (fields.type === "Point" && (!Array.isArray(fields.coordinates) || fields.coordinates.length !== 2)) {
    breaches.push(`${path} is no Point of two numbers`);
  }
  for (const [key, entry] of Object.entries(fields)) {
    // What customers keep in metadata is theirs, and is given back as it came.
    if (/metadata$/i.test(key) && entry !== null) continue;
    walk(entry, `${path}.${key}`, [...names, key], breaches);
  }
}
