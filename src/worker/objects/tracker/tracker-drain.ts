import type { UserWrite } from "../../db/customers/writes.ts";
import type { Env } from "../../platform/env.ts";
import {
  databaseWriterOf,
  gathersWrites,
  gatherWrite,
  sendWrites,
  shareIsolate,
} from "../writer/database-writers-stub.ts";
import type { Handed } from "../writer/gathered-writes.ts";
import { ALARM_AFTER_MS } from "./safety-net.ts";
import { isOnlyWhereabouts, type TrackerStore, type Unstored } from "./tracker-store.ts";

/** Maximum updates whose events are sent to the database at a time. */
const DRAIN_ENTRIES = 200;
const SHORTEST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Maximum time until the outcome of handed-over data is known [ms]; after that, the sender is considered lost. */
const HANDED_MS = 20_000;

/**
 * Sends a tracker's stored data to the database: directly, through a writer, or together with data of other trackers in
 * the isolate. Data left by a failure or a stopped machine is sent when the alarm rings.
 */
export class TrackerDrain {
  readonly #env: Env;
  readonly #context: DurableObjectState;
  readonly #store: () => TrackerStore;
  #draining: Promise<void> | undefined;
  /** When the alarm rings [ms]; undefined: none is set. */
  #alarmAt: number | undefined;
  #ringing = false;
  /** Data sent with the writes of other trackers, and what to record when it has arrived. */
  #handed: { handed: Handed; confirm: Unstored["confirm"] }[] = [];
  #failures = 0;
  #writer: ReturnType<typeof databaseWriterOf> | undefined;

  /** @param store opened on first use */
  constructor(env: Env, context: DurableObjectState, store: () => TrackerStore) {
    this.#env = env;
    this.#context = context;
    this.#store = store;
    // Data left by a stopped machine always has an alarm on disk, set together with it.
    void context.blockConcurrencyWhile(async () => {
      this.#alarmAt = (await context.storage.getAlarm()) ?? undefined;
    });
  }

  /** Makes sure that an alarm rings by then. An earlier alarm stays. */
  arm(afterMs: number): void {
    const at = Date.now() + afterMs;
    if (this.#ringing || (this.#alarmAt !== undefined && this.#alarmAt <= at)) return;
    this.#alarmAt = at;
    void this.#context.storage.setAlarm(at);
  }

  async disarm(): Promise<void> {
    this.#alarmAt = undefined;
    await this.#context.storage.deleteAlarm();
  }

  /**
   * Sends new data, together with that of other trackers if possible. Not awaited; after a failure the alarm retries.
   * @param isForCaller returns a position instead, for the caller to hand over: a tracker is billed as long as it waits for the writer, and a
   * Worker's request is not. It stays unconfirmed here; the next update contains it, and until then the hourly run would find it.
   */
  send(scope: number, isForCaller: boolean): UserWrite[] | undefined {
    if (this.#failures !== 0 || this.#handOver(scope)) return undefined;
    if (isForCaller && !this.#draining && !shareIsolate(this.#env)) {
      const due = this.#store().unstored(scope, DRAIN_ENTRIES);
      if (due && isOnlyWhereabouts(due)) return due.users;
    }
    void this.drain(scope);
    return undefined;
  }

  /** Hands new data over together with that of other trackers. false: it must be sent separately. */
  #handOver(scope: number): boolean {
    if (this.#draining || !gathersWrites(this.#env)) return false;
    const due = this.#store().handOver(scope, DRAIN_ENTRIES);
    if (!due) return false;
    const { users, events, confirm } = due;
    const write = { users, events, isTaken: isOnlyWhereabouts(due), tracker: this.#context.id.toString() };
    this.#handed.push({ handed: gatherWrite(this.#env, write), confirm });
    return true;
  }

  /** Records the outcome of handed-over data: nothing wakes this object to report it. */
  heedHanded(): void {
    if (this.#handed.length === 0) return;
    const now = Date.now();
    this.#handed = this.#handed.filter(({ handed: { outcome, at, error }, confirm }) => {
      if (outcome === "arrived") this.#store().confirm(confirm);
      else if (outcome === "failed" || Math.abs(now - at) > HANDED_MS) {
        this.#store().takeBack();
        this.#failed(error ?? "no outcome was reported");
      } else return true;
      return false;
    });
  }

  /** Resolves when the outcome of all handed-over data is known. */
  async handedOver(): Promise<void> {
    sendWrites(this.#env);
    const until = Date.now() + HANDED_MS;
    const isPending = () => this.#handed.some(({ handed }) => handed.outcome === "pending");
    while (isPending() && Date.now() < until) await new Promise((wake) => setTimeout(wake, 20));
  }

  /** Sends the data missing in the database, until nothing is left or a write fails. One drain at a time. */
  drain(scope: number | undefined): Promise<void> {
    this.#draining ??= this.#drainAll(scope).finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  async #drainAll(scope: number | undefined): Promise<void> {
    if (scope === undefined) return;
    const next = () => this.#store().unstored(scope, DRAIN_ENTRIES);
    for (let due = next(); due; due = next()) {
      try {
        const tracker = this.#context.id.toString();
        this.#writer ??= databaseWriterOf(this.#env, tracker);
        if (isOnlyWhereabouts(due)) await this.#writer.take(due.users);
        else await this.#writer.store(due.users, due.events, tracker);
        this.#store().confirm(due.confirm);
        this.#failures = 0;
      } catch (error) {
        // A stub stays broken once its object has failed: get a new one.
        this.#writer = undefined;
        return this.#failed(error);
      }
    }
  }

  /** The alarm retries. */
  #failed(error: unknown): void {
    this.#failures = Math.min(this.#failures + 1, 10);
    this.arm(ALARM_AFTER_MS);
    console.error(JSON.stringify({ what: "drain", failures: this.#failures, error: String(error) }));
  }

  /** Resolves when no drain is running. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Resolves when the database has all data, or could not be reached. */
  async drained(scope: number | undefined): Promise<void> {
    await this.drain(scope);
    // Data written during a drain needs another one.
    if (this.#failures === 0 && this.#store().hasUnstored()) await this.drain(scope);
    await this.settled();
  }

  /** Resolves when the writer has no more data of this tracker: it was written, or could not be. */
  async settled(): Promise<void> {
    await this.#writer?.settle().catch(() => {});
  }

  /** Handles the alarm. Never throws, because an alarm that fails six times is dropped. */
  async ring(scope: number | undefined): Promise<void> {
    // No alarm is set until this one ends: an earlier one would interrupt it.
    this.#ringing = true;
    let isLeft = true;
    try {
      this.heedHanded();
      if (this.#store().hasUnstored()) await this.drain(scope);
      isLeft = this.#store().hasUnstored();
    } catch (error) {
      // Such as a full disk.
      this.#failures = Math.min(this.#failures + 1, 10);
      console.error(JSON.stringify({ what: "drain", failures: this.#failures, error: String(error) }));
    }
    this.#ringing = false;
    this.#alarmAt = undefined;
    if (isLeft) this.arm(Math.min(MAX_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** this.#failures));
    else this.#store().noteArrived();
  }
}
