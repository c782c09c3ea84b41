import { accuracyIn, altitudeIn, defined, type Fix, fieldsIn, knownNumber } from "./fix.ts";

/**
 * Parses the batches of Overland for iOS and Android (github.com/aaronpk/Overland-iOS, "API"): GeoJSON points, oldest
 * first, with the phone's data in `properties`. Entries without a place, such as the start of a trip, are omitted.
 */
export function overlandFixes(locations: readonly unknown[]): Fix[] {
  return locations.flatMap((one) => {
    const { geometry, properties } = fieldsIn(one);
    const { type, coordinates } = fieldsIn(geometry);
    if (type !== "Point" || !Array.isArray(coordinates)) return [];
    const fields = fieldsIn(properties);
    const motion: unknown[] = Array.isArray(fields.motion) ? fields.motion : [];
    return [
      defined({
        deviceId: fields.device_id || fields.unique_id || undefined,
        latitude: coordinates[1],
        longitude: coordinates[0],
        accuracy: accuracyIn(fields.horizontal_accuracy),
        updatedAt: fields.timestamp === undefined || fields.timestamp === null ? undefined : String(fields.timestamp),
        altitude: altitudeIn(fields.altitude, fields.vertical_accuracy),
        speed: knownNumber(fields.speed),
        course: knownNumber(fields.course),
        stopped: motion.length === 0 ? undefined : motion.includes("stationary"),
      }),
    ];
  });
}
