import type { BeaconLabel } from "./types/surroundings.ts";

/** The identifiers a beacon sends, as it is set up or as a device ranges it. */
export type BeaconIdentifiers = Partial<Pick<BeaconLabel, "uuid" | "major" | "minor" | "uid" | "instance">> &
  Pick<BeaconLabel, "type">;

/** A beacon's identifiers as one text, by which a ranged beacon is found among those of the project. */
export function signalOf({ type, uuid, major, minor, uid, instance }: BeaconIdentifiers): string {
  const parts = type === "ibeacon" ? [uuid, major, minor] : [uid, instance];
  return [type, ...parts].join(":").toLowerCase();
}
