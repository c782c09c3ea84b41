import type { Speaker } from "../../auth/token.ts";
import type { ProjectSettings } from "../../db/projects.ts";

/** Who may call: `publishable` takes both levels of key, `secret` only secret keys, `open` needs none. */
export type Level = "publishable" | "secret" | "open";

/** Who calls: a key's project, environment and level, with what the request needs to know of the project. */
export interface Caller {
  project: number;
  live: boolean;
  secret: boolean;
  /** project × 2 + live: the first part of every key, row and object name. */
  scope: number;
  disabled: boolean;
  overQuota: boolean;
  settings: ProjectSettings;
  /** Epoch of the scope's geofences as last seen by this isolate. */
  fenceEpoch: number;
  /** The same for its beacons; 0 = it has never had any. */
  beaconEpoch: number;
  /** The scope has, or has had, trips. */
  hasTrips: boolean;
  /** The user a signed token speaks for; absent = the call came with a key alone. */
  speaker?: Speaker;
}
