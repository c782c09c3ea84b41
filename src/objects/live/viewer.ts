import type { Proof } from "../../db/projects/sessions.ts";
import type { LiveMessage } from "../../wire/live.ts";

/** By which a viewer was let in: the hash of a key, or a session. */
export type Credential = { key: string } | Proof;

/** Who looks, at what, and by which right. */
export interface Viewer {
  scope: number;
  credential: Credential;
  kinds: readonly LiveMessage["kind"][];
  /** _id, userId or deviceId of the one user to be told of; absent = of all. */
  user?: string;
  /** Types of events to be told of; absent = of all. */
  eventTypes?: readonly string[];
}
