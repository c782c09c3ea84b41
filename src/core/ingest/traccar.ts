import { accuracyIn, altitudeIn, defined, type Fix, fieldsIn, isoOfSeconds, knownNumber, numberIn } from "./fix.ts";

/**
 * Messages of Traccar Client and apps that use OsmAnd's protocol (traccar.org/osmand): JSON since Traccar Client 9;
 * before that, and in OsmAnd, GPSLogger and others, the fields of a query or a form.
 */

/** [m/s] */
const SPEED_UNITS = { kn: 1852 / 3600, kmh: 1 / 3.6, ms: 1 } as const;
export type SpeedUnit = keyof typeof SPEED_UNITS;
export const SPEED_UNIT_NAMES = ["kn", "kmh", "ms"] as const satisfies readonly SpeedUnit[];

/** Meters of accuracy per unit of dilution (HDOP): a receiver's own error of about five meters. */
const METRES_PER_HDOP = 5;

/** `{location: {timestamp, coords: {…}, is_moving}, device_id}`, or `location` as a list of such. */
export function traccarFixes(body: Readonly<Record<string, unknown>>): Fix[] {
  const list = Array.isArray(body.location) ? body.location : [body.location];
  return list.map((one) => {
    const location = fieldsIn(one);
    const coords = fieldsIn(location.coords);
    return defined({
      deviceId: body.device_id,
      latitude: coords.latitude,
      longitude: coords.longitude,
      accuracy: accuracyIn(coords.accuracy),
      updatedAt: timeIn(location.timestamp),
      altitude: altitudeIn(coords.altitude, coords.altitude_accuracy),
      speed: knownNumber(coords.speed),
      course: knownNumber(coords.heading),
      stopped: typeof location.is_moving === "boolean" ? !location.is_moving : undefined,
    });
  });
}

/**
 * The fields of a query or a form. A position marked as invalid is not a fix. OsmAnd's dilution is 0 if it is unknown.
 * @param unit of `speed`: Traccar uses knots, some apps with the same protocol meters per second
 */
export function osmandFixes(fields: Readonly<Record<string, unknown>>, unit: SpeedUnit): Fix[] {
  if (fields.valid === "false" || fields.valid === "0") return [];
  const [latitude, longitude] =
    typeof fields.location === "string" ? fields.location.split(",") : [fields.lat, fields.lon];
  const speed = knownNumber(fields.speed);
  const hdop = knownNumber(fields.hdop);
  return [
    defined({
      deviceId: fields.id ?? fields.deviceid,
      latitude,
      longitude,
      accuracy: accuracyIn(fields.accuracy ?? (hdop ? hdop * METRES_PER_HDOP : undefined)),
      updatedAt: timeIn(fields.timestamp),
      altitude: altitudeIn(fields.altitude, undefined),
      speed: speed === undefined ? undefined : speed * SPEED_UNITS[unit],
      course: knownNumber(fields.bearing ?? fields.heading),
    }),
  ];
}

/** Below this, an integer is in seconds, above it in milliseconds: the year 2038, and 25 days of 1970. */
const MAX_SECONDS = 2 ** 31;

/**
 * Seconds or milliseconds since 1970, ISO 8601, or "2026-01-31 09:30:00" in UTC. Unreadable values are rejected later.
 */
function timeIn(value: unknown): string | undefined {
  const number = numberIn(value);
  if (number !== undefined) return isoOfSeconds(number < MAX_SECONDS ? number : number / 1000);
  if (value === undefined || value === null) return undefined;
  return String(value)
    .trim()
    .replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T");
}
