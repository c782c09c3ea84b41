import { accuracyIn, defined, type Fix, fieldsIn, knownNumber, numberIn } from "./fix.ts";

/**
 * Parses the batches of Overland for iOS and Android (github.com/aaronpk/Overland-iOS, "API"): GeoJSON points, oldest
 * first, with the phone's data in `properties`. Entries without a place, such as the start of a trip, are omitted.
 */
export function overlandFixes(locations: readonly unknown[]): Fix[] {
  return locations.flatMap((one) => {
    const { geometry, properties } = fieldsIn(one);
    const { type, coordinates } = fieldsIn(geometry);
    if (type !== "Point" || !Array.isArray(coordinates)) return [];
    const told = fieldsIn(properties);
    const motion: unknown[] = Array.isArray(told.motion) ? told.motion : [];
    return [
      defined({
        deviceId: told.device_id || told.unique_id || undefined,
        latitude: coordinates[1],
        longitude: coordinates[0],
        accuracy: accuracyIn(told.horizontal_accuracy),
        updatedAt: told.timestamp === undefined || told.timestamp === null ? undefined : String(told.timestamp),
        altitude: numberIn(told.altitude),
        speed: knownNumber(told.speed),
        course: knownNumber(told.course),
        stopped: motion.length === 0 ? undefined : motion.includes("stationary"),
      }),
    ];
  });
}
