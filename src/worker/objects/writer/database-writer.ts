import { DurableObject } from "cloudflare:workers";
import { GATHER_MS } from "../../../core/limits/capacity.ts";
import { isDatabaseAway } from "../../db/away.ts";
import { storeTracked } from "../../db/customers/tracked.ts";
import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";
import { envOf, hasMore } from "../../db/databases.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { WebhookDispatch } from "../webhooks/webhook-dispatch.ts";
import { type GatheredWrite, type NotArrived, noteReceived } from "./gathered-writes.ts";
import { type LateFigures, LateWrites, scopeOf } from "./late-writes.ts";
import { StatCounts } from "./stat-counts.ts";
import { TakenWrites } from "./taken-writes.ts";
import { WatchedScopes } from "./watched-scopes.ts";

/** Retry delay for accepted writes after the database was unavailable [ms]. */
const AGAIN_MS = 5_000;

interface Waiting {
  users: readonly UserWrite[];
  events: readonly EventWrite[];
  /** Nobody waits for its outcome before anything else: its webhooks may take some seconds. */
  isGathered: boolean;
  done(): void;
  failed(error: unknown): void;
}

/** Of a caller of `settle`. */
const isEmpty = ({ users, events }: Pick<Waiting, "users" | "events">) => users.length === 0 && events.length === 0;

/**
 * Combines concurrent writes of many trackers into one database batch (group commit: DeWitt et al. 1984), and forwards
 * the events to webhooks and viewers. It stores none of them: a tracker keeps its data until the promise of `store`
 * resolves.
 */
export class DatabaseWriter extends DurableObject<Env> {
  #waiting: Waiting[] = [];
  #busy = false;
  /** Ends the wait for other writes. */
  #hurry: (() => void) | undefined;
  readonly #webhooks = new WebhookDispatch(this.env);
  readonly #late = new LateWrites(this.ctx.storage.kv);
  readonly #counts = new StatCounts(this.env);
  readonly #taken = new TakenWrites();
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #watched = new WatchedScopes(this.env, this.ctx.storage);

  /**
   * Resolves when users and events are in the database and the events have reached the senders of the scope's webhooks.
   * Rejects if one of the two failed: then everything must be sent again, which is harmless for data that has arrived.
   * @param tracker id of the tracker that sent them
   */
  store(users: readonly UserWrite[], events: readonly EventWrite[], tracker?: string): Promise<void> {
    return this.#store(users, events, tracker, false);
  }

  #store(
    users: readonly UserWrite[],
    events: readonly EventWrite[],
    tracker: string | undefined,
    isGathered: boolean,
  ): Promise<void> {
    return new Promise((done, failed) => {
      this.#queue(this.#watchedOver({ users, events, isGathered, done, failed }, tracker));
    });
  }

  #queue(write: Waiting): void {
    this.#waiting.push(write);
    if (this.#busy) return;
    this.#busy = true;
    void this.#gather().then(() => this.#work());
  }

  /**
   * Accepts users with no change outside their row without making their trackers wait: trackers are billed as long as
   * they wait. Rejects if too many are waiting: then the tracker keeps its data.
   */
  take(users: readonly UserWrite[]): void {
    if (this.#taken.isFull) throw new Error("the database can't keep up");
    this.#queueTaken(users);
  }

  /**
   * Combines both of these for the trackers of one isolate: they have already been gathered there, and are written
   * immediately.
   * @param batch of the caller, who may be waiting until it is received
   * @returns the writes that have not arrived
   */
  async storeAll(writes: readonly GatheredWrite[], batch: number): Promise<NotArrived[]> {
    const failed: NotArrived[] = [];
    const stored: Promise<void>[] = [];
    writes.forEach(({ users, events, isTaken, tracker }, place) => {
      const fail = (error: unknown) => void failed.push({ place, error: describeBriefly(error) });
      if (!isTaken) stored.push(this.#store(users, events, tracker, true).catch(fail));
      else if (this.#taken.isFull) fail(new Error("the database can't keep up"));
      else this.#queueTaken(users);
    });
    this.#hurry?.();
    noteReceived(batch);
    await Promise.all(stored);
    return failed;
  }

  #queueTaken(users: readonly UserWrite[]): void {
    for (const user of users) this.#late.begin(user, user.scope);
    const done = () => {
      for (const user of users) this.#late.arrived(user, undefined);
      this.#taken.arrived(users);
    };
    const failed = (error: unknown) => {
      const lost = this.#taken.failed(users, isDatabaseAway(error));
      for (const user of lost) this.#late.arrived(user, undefined);
      if (lost.length > 0) console.error(JSON.stringify({ what: "taken", lost: lost.length, error: String(error) }));
      this.#again ??= setTimeout(() => this.#tryAgain(), AGAIN_MS);
    };
    this.#queue({ users, events: [], isGathered: true, done, failed });
  }

  /** Separately, so that one that can't be written doesn't block the others. */
  #tryAgain(): void {
    clearTimeout(this.#again);
    this.#again = undefined;
    for (const user of this.#taken.all()) this.#queueTaken([user]);
  }

  /** Late writes, for metrics and alerts. */
  figures(): LateFigures {
    return this.#late.figures(Date.now());
  }

  /** Tracks how long a write is in progress, and whether it arrives. */
  #watchedOver(write: Waiting, tracker: string | undefined): Waiting {
    const { users, events, done, failed } = write;
    const scope = scopeOf(users, events);
    if (scope === undefined) return write;
    this.#late.begin(write, scope);
    write.done = () => {
      this.#late.arrived(write, tracker);
      done();
    };
    write.failed = (error) => {
      this.#late.failed(write, tracker, events);
      failed(error);
    };
    return write;
  }

  /**
   * Resolves when everything received so far is in the database, or has failed.
   * @param figures include the counts
   */
  async settle(figures = false): Promise<void> {
    if (this.#taken.size > 0) this.#tryAgain();
    const settled = this.store([], []);
    this.#hurry?.();
    await settled;
    if (figures) await this.#counts.write();
  }

  #gather(): Promise<void> {
    return new Promise((ready) => {
      const timer = setTimeout(ready, GATHER_MS);
      this.#hurry = () => {
        clearTimeout(timer);
        ready();
      };
    });
  }

  /** A webhook of the scope was created, changed or deleted. */
  webhooksChanged(scope: number): void {
    this.#webhooks.forget(scope);
  }

  /** The scope has viewers until then [ms]; 0 = none. */
  viewersChanged(scope: number, until: number): void {
    this.#watched.note(scope, until);
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#write(group);
    }
    this.#busy = false;
  }

  /** Writes the data of each database separately. */
  async #write(group: Waiting[]): Promise<void> {
    if (!hasMore(this.env)) return this.#writeTo(this.env, group);
    const parts = new Map<Env, Waiting[]>();
    for (const one of group.filter((one) => !isEmpty(one))) {
      try {
        const scope = scopeOf(one.users, one.events);
        const env = scope === undefined ? this.env : await envOf(this.env, scope);
        parts.set(env, [...(parts.get(env) ?? []), one]);
      } catch (error) {
        one.failed(error);
      }
    }
    await Promise.all([...parts].map(([env, part]) => this.#writeTo(env, part)));
    // Callers of `settle` wait for every database: a reader may ask any of them.
    for (const one of group) if (isEmpty(one)) one.done();
  }

  async #writeTo(env: Env, group: Waiting[]): Promise<void> {
    const users = group.flatMap((one) => one.users);
    const events = group.flatMap((one) => one.events);
    try {
      this.#counts.add(await storeTracked(env.DB, users, events));
    } catch (error) {
      if (group.length === 1) return group[0].failed(error);
      // An entry that can't be written must not block the others.
      const half = group.length >> 1;
      await this.#writeTo(env, group.slice(0, half));
      await this.#writeTo(env, group.slice(half));
      return;
    }
    // Callers of `settle` wait for the database only, not for webhooks.
    for (const one of group) if (isEmpty(one)) one.done();
    this.#watched.notify(users, events);
    // Not awaited: a webhook that is slow to accept its events must not block the database for all others.
    void this.#handOver(group, users, events);
  }

  async #handOver(
    group: readonly Waiting[],
    users: readonly UserWrite[],
    events: readonly EventWrite[],
  ): Promise<void> {
    try {
      const mayWait = group.every((one) => one.isGathered || one.events.length === 0);
      const failed = events.length > 0 ? await this.#webhooks.handOver(users, events, mayWait) : new Set<number>();
      for (const one of group) {
        if (one.events.some(({ scope }) => failed.has(scope)))
          one.failed(new Error("a webhook did not accept its events"));
        else one.done();
      }
    } catch (error) {
      for (const one of group) one.failed(error);
    }
  }
}
