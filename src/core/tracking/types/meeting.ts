import type { Metadata } from "./metadata.ts";

/** A rule about meetings, as its events name it. */
export interface MeetingLabel {
  _id: string;
  name: string;
  /** [m] */
  radius: number;
}

/** Whom a user has met, or parted from. */
export interface OtherUser {
  _id: string;
  userId?: string;
  deviceId: string;
  metadata?: Metadata;
  /** Between both positions [m]. */
  distance: number;
  /** Of the other position, when the event was generated [s]. */
  age: number;
}
