import type { BeaconLabel } from "./types/surroundings.ts";

/** What a device hears of a beacon, or what a beacon sends. */
export type BeaconIdentifiers = Partial<Pick<BeaconLabel, "uuid" | "major" | "minor" | "uid" | "instance">> &
  Pick<BeaconLabel, "type">;

/** One text for what a beacon sends: the same for the beacon of the project and the one a device hears. */
export function signalOf({ type, uuid, major, minor, uid, instance }: BeaconIdentifiers): string {
  const parts = type === "ibeacon" ? [uuid, major, minor] : [uid, instance];
  return [type, ...parts].join(":").toLowerCase();
}
