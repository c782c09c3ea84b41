import type { Proof } from "../../db/projects/sessions.ts";
import type { LiveMessage } from "../../wire/live.ts";

/** A viewer's credential: the hash of a key, or a session. */
export type Credential = { key: string } | Proof;

/** A viewer, its filters and its credential. */
export interface Viewer {
  scope: number;
  credential: Credential;
  kinds: readonly LiveMessage["kind"][];
  /** _id, userId or deviceId of the only user to report; absent = all. */
  user?: string;
  /** Types of events to report; absent = all. */
  eventTypes?: readonly string[];
}
