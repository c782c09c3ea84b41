import type { SinkSettings, SinkType } from "./sinks/settings.ts";

/** How events travel: one per message, or up to five of one user. */
export const DELIVERIES = ["single", "multiple"] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** An event on its way to webhooks. Its wire form is made once for all of them. */
export interface Notice {
  /** The event's _id. */
  id: string;
  type: string;
  /** _id of its user; absent when there is none. */
  user?: string;
  /** The event as the API shows it, JSON. */
  json: string;
}

/** One request to a receiver, however often it is tried. */
export interface Message {
  /** The _id of its first event: unique, and the same with every attempt. */
  id: string;
  user?: string;
  events: readonly { id: string; type: string }[];
  /** JSON */
  body: string;
  /** When its events were handed over [ms]. */
  createdAt: number;
}

/** A message that was given up. It is sent again only when somebody replays it. */
export interface DeadLetter extends Message {
  attempts: number;
  /** Why it was given up: the last failure, or the state of the webhook. */
  reason: string;
  diedAt: number;
}

/** What a sender needs to know of its webhook. */
export interface WebhookConfig {
  scope: number;
  id: string;
  type: SinkType;
  /** Empty where the type does without one. */
  url: string;
  settings: SinkSettings;
  delivery: Delivery;
  enabled: boolean;
  /** The first signs. After a rotation the second one signs too, for receivers that still check with it. */
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
  /** The beginning of what the receiver said to a failure. */
  response?: string;
}
