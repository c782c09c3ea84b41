/** How events travel: one per message, or up to five of one user. */
export const DELIVERIES = ["single", "multiple"] as const;
export type Delivery = (typeof DELIVERIES)[number];

/** An event on its way to webhooks, its wire form made once for all of them. */
export interface Notice {
  /** The event's _id. */
  id: string;
  type: string;
  /** _id of its user; absent where nobody is known. */
  user?: string;
  /** The event as the API shows it, JSON. */
  json: string;
}

/** One request to a receiver, however often it is tried. */
export interface Message {
  /** The _id of its first event: unique, and the same at every try. */
  id: string;
  user?: string;
  events: readonly { id: string; type: string }[];
  /** JSON */
  body: string;
  /** When its events were handed over [ms]. */
  createdAt: number;
}

/** A message that is not tried any more, until it is replayed. */
export interface DeadLetter extends Message {
  attempts: number;
  /** Why it was given up: the last failure, or the state of the webhook. */
  reason: string;
  diedAt: number;
}

/** What a sender needs to know of its webhook. */
export interface WebhookConfig {
  url: string;
  delivery: Delivery;
  enabled: boolean;
  /** Sign with the first; a receiver may still check with the second, after a rotation. */
  secrets: readonly string[];
}

/** One try. */
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
