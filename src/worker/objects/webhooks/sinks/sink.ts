import type { Message } from "../../../../core/webhooks/types.ts";

/** The result of sending one message. */
export interface Posted {
  /** HTTP status or its equivalent; absent: no response. */
  status?: number;
  /** Why it was not accepted. */
  error?: string;
  /** The receiver rejected the message for its content: it is not retried. */
  isFinal?: boolean;
  /** Seconds to wait, as requested by the receiver. */
  retryAfter?: number;
  /** The beginning of the receiver's response to a failed attempt. */
  response?: string;
  durationMs: number;
}

/** Delivers messages to a receiver. The sender stores and retries them; a sink only sends. */
export interface Sink {
  /** Maximum messages per call, and maximum total bytes of their bodies. */
  readonly mostAtOnce: number;
  readonly mostBytes: number;
  /** Maximum concurrent calls. 1 if the order matters, or if a batch must stay unchanged. */
  readonly parallel: number;
  /**
   * Whether a batch that may have arrived is retried unchanged, under the same name: then it can only overwrite itself.
   */
  readonly keepsBatches: boolean;
  /** When a message accepted now is sent [ms]: later ones join its batch. */
  dueAt(now: number): number;
  /** No request before this time [ms], because the receiver's rate limit was reached; absent = never. */
  pausedUntil?(): number;
  /**
   * Sends messages in order. Never throws, and calls only addresses that the rules allow.
   * @param batch the name of the batch, if batches are kept
   * @returns one result per message
   */
  send(messages: readonly Message[], batch: string): Promise<Posted[]>;
}

/** The same result for every message. */
export const sameFor = (messages: readonly Message[], posted: Posted): Posted[] => messages.map(() => posted);

/** Messages that arrive within this time are sent together, if a sink accepts several [ms]. */
export const GATHER_MS = 1000;
