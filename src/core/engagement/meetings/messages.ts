import type { Coordinate } from "../../geo/coordinate.ts";
import type { Confidence } from "../../tracking/types/event.ts";
import type { MeetingLabel, OtherUser } from "../../tracking/types/meeting.ts";
import type { SidedRule } from "../meeting.ts";
import type { Fix } from "./judge-pair.ts";

/** What trackers and cells send each other. */

/** Greatest distance that a device moves without a report, if no other is near [m]. */
export const SAFE_METRES = 150;

/** The updates of a device since its last call, in order. */
export interface Placement {
  _id: string;
  deviceId: string;
  userId?: string;
  fixes: readonly Fix[];
  /** So many of the first may have been applied already: the tracker has restarted since. */
  repeated?: number;
  rules: readonly SidedRule[];
  /** The position is far from the cell, which keeps the device only as long as it is together with another. */
  leaves?: boolean;
}

export interface Placed {
  /** The device need not report updates within this distance of its position [m]. */
  safe: number;
  /** The cell has the device. */
  stays: boolean;
}

/** Of a pair that met, parted, or ended without an event, for one device of one person. */
export interface MeetingMessage {
  kind: "met" | "parted" | "ended";
  rule: MeetingLabel;
  /** The other person. */
  person: string;
  /** Its name until now: it has signed in, and the meeting goes on. */
  was?: string;
  at: number;
  to: { _id: string; deviceId: string };
  /** A meeting that went on in this cell goes on in another. */
  from?: string;
  /** Devices of the other person that may have met this one, by its name, in another cell by another device. */
  ask?: { person: string; devices: readonly { _id: string; deviceId: string }[] };
  /** They have: this device takes part in that cell, and has no event. */
  joins?: string;
  /** Absent: another device of the person has the event. */
  event?: {
    location: Coordinate;
    accuracy: number;
    confidence: Confidence;
    other: Omit<OtherUser, "userId" | "metadata">;
  };
}

/** A message as a cell sends it: repeated until it is received. Numbers of a cell rise. */
export interface NumberedMessage extends MeetingMessage {
  cell: string;
  n: number;
}
