import type { BeaconLabel } from "./types/surroundings.ts";

/** The identifiers of a beacon, as configured or as ranged by a device. */
type BeaconIdentifiers = Partial<Pick<BeaconLabel, "uuid" | "major" | "minor" | "uid" | "instance">> &
  Pick<BeaconLabel, "type">;

/** A beacon's identifiers as one string, by which a ranged beacon is matched with those of the project. */
export function signalOf({ type, uuid, major, minor, uid, instance }: BeaconIdentifiers): string {
  const parts = type === "ibeacon" ? [uuid, major, minor] : [uid, instance];
  return [type, ...parts].join(":").toLowerCase();
}
