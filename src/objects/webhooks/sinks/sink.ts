import type { Message } from "../../../webhooks/types.ts";

/** What became of one message of a sending. */
export interface Posted {
  /** HTTP status, or what stands for it; absent: there was no answer. */
  status?: number;
  /** Why it was not taken. */
  error?: string;
  /** Seconds the receiver asked us to wait. */
  retryAfter?: number;
  /** The beginning of what the receiver said to a failure. */
  response?: string;
  durationMs: number;
}

/** What carries messages to a receiver. The sender keeps them, retries, and gives up; a sink only sends. */
export interface Sink {
  /** Most messages of one sending, and most bytes of their bodies together. */
  readonly mostAtOnce: number;
  readonly mostBytes: number;
  /** Most sendings at the same time. One where the order counts, or where a batch must stay as it is. */
  readonly parallel: number;
  /**
   * Whether a batch that may have arrived is sent again as it was, under the same name: then it can only write the same once
   * more.
   */
  readonly keepsBatches: boolean;
  /** When a message that is taken now is to be sent [ms]: later ones travel with it. */
  dueAt(now: number): number;
  /**
   * Sends messages, in order. Never throws, and calls nothing that the rules for outgoing addresses do not allow.
   * @param batch the name of the batch, where batches are kept
   * @returns one result per message
   */
  send(messages: readonly Message[], batch: string): Promise<Posted[]>;
}

/** The same result for every message. */
export const sameFor = (messages: readonly Message[], posted: Posted): Posted[] => messages.map(() => posted);

/** Messages that arrive within this time travel together, where a sink takes several [ms]. */
export const GATHER_MS = 1000;
