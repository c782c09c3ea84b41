import type { SinkSettings, SinkType } from "./sink-settings.ts";

/** Delivery of events: one per message, or up to five of one user. */
export const DELIVERIES = ["single", "multiple"] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** An event to send to webhooks. Its wire form is created once for all of them. */
export interface Notice {
  /** The event's _id. */
  id: string;
  type: string;
  /** _id of its user; absent if there is none. */
  user?: string;
  /** The event as returned by the API, JSON. */
  json: string;
}

/** One request to a receiver, including its retries. */
export interface Message {
  /** The _id of its first event: unique, and the same for every attempt. */
  id: string;
  user?: string;
  events: readonly { id: string; type: string }[];
  /** JSON */
  body: string;
  /** When its events were handed over [ms]. */
  createdAt: number;
}

/** A permanently failed message. It is only sent again if a user replays it. */
export interface DeadLetter extends Message {
  attempts: number;
  /** Why it failed: the last failure, or the state of the webhook. */
  reason: string;
  diedAt: number;
}

/** The settings of a webhook needed by its sender. */
export interface WebhookConfig {
  scope: number;
  id: string;
  type: SinkType;
  /** Empty if the type needs none. */
  url: string;
  settings: SinkSettings;
  delivery: Delivery;
  enabled: boolean;
  /** The first secret signs. After a rotation the second one signs too, for receivers that still use it. */
  secrets: readonly string[];
}

/** One attempt to deliver a message. */
export interface Attempt {
  messageId: string;
  eventTypes: string[];
  /** 1 = the first. */
  attempt: number;
  at: number;
  durationMs: number;
  outcome: "delivered" | "retrying" | "dead" | "test";
  status?: number;
  /** Why it failed, in a sentence. */
  error?: string;
  /** The beginning of the receiver's response to a failed attempt. */
  response?: string;
}
