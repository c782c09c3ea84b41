import { DurableObject } from "cloudflare:workers";
import { storeDeadLetters } from "../db/dead-letters.ts";
import { configOf, disableWebhook, findWebhook } from "../db/webhooks.ts";
import type { Env } from "../env.ts";
import { toMessages } from "../webhooks/messages.ts";
import { nextAttempt, parseSchedule } from "../webhooks/schedule.ts";
import type { Attempt, Message, Notice, WebhookConfig } from "../webhooks/types.ts";
import { judge } from "../webhooks/verdict.ts";
import { deliveryFigures } from "./delivery-figures.ts";
import { MessageQueue, toDeadLetter, type Waiting } from "./message-queue.ts";
import { type Posted, postMessage } from "./post-message.ts";

/** Most requests to the receiver at the same time. */
const PARALLEL = 6;
/** Due messages that are read at a time. */
const READ_AT_ONCE = 64;
/**
 * Deliveries that are noted in one write, and how long one may wait for it [ms]. Who is stopped meanwhile sends them once
 * more.
 */
const NOTED_AT_ONCE = 32;
const NOTED_WITHIN_MS = 250;
/** Most attempts within one alarm: its requests and its time are limited by the platform. */
const MOST_TRIES = 400;
const LONGEST_RUN_MS = 5 * 60_000;
/** How long the webhook's settings are used before they are read again [ms]. */
const BELIEVED_MS = 10_000;
/** Most messages that may wait. Further ones are given up at once; they can be replayed. */
const MOST_WAITING = 50_000;
/** Messages that become dead letters in one write. */
const DEAD_LETTERS_AT_ONCE = 100;
/** An alarm that is this late is set again [ms]. */
const LATE_MS = 30_000;
/** A clock that reads this much less than before was set back [ms]. */
const SET_BACK_MS = 60_000;
/** Pause after the database has failed [ms]. */
const PAUSE_MS = 15_000;

/** Which webhook a sender is for. */
interface Owner {
  scope: number;
  id: string;
}

/**
 * One per webhook: takes events, keeps them until the receiver has acknowledged them, retries by the schedule, and
 * turns messages that are given up into dead letters. Only its alarm sends. Everything is on disk before a call
 * returns.
 */
export class WebhookSender extends DurableObject<Env> {
  #opened: MessageQueue | undefined;
  #owner: Owner | undefined;
  #config: { value: WebhookConfig; until: number } | undefined;
  /** Rows that are being sent. */
  readonly #busy = new Set<number>();
  readonly #lanes = new Set<Promise<void>>();
  /** Due messages, as they were read; the next lane takes the first. */
  #ready: Waiting[] = [];
  /** What was delivered and is not noted yet; its rows count as being sent. */
  #delivered: { message: Waiting; attempt: Attempt }[] = [];
  #storing: Promise<void> = Promise.resolve();
  #running = false;
  /** The time the alarm is set for, if known. */
  #alarmAt: number | undefined;
  #triesLeft = 0;
  /** The latest time this object has seen. */
  #latest = 0;
  #runUntil = 0;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#owner = context.storage.kv.get<Owner>("owner");
  }

  get #queue(): MessageQueue {
    this.#opened ??= new MessageQueue(this.ctx.storage.sql);
    return this.#opened;
  }

  /**
   * Takes events over: when this returns, they are stored here. An event that was here before is ignored.
   * @param users as the API shows them (JSON), by _id
   */
  async accept(owner: Owner, notices: readonly Notice[], users: Readonly<Record<string, string>>): Promise<void> {
    this.#own(owner);
    const config = await this.#settings();
    if (!config) return this.clear(); // deleted since the events were made
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      const messages = toMessages(this.#queue.unseen(notices, now), users, config.delivery, now);
      this.#queue.add(messages, now + this.#schedule()[0] * 1000);
      const tooMany = Math.min(this.#queue.size - MOST_WAITING, messages.length);
      if (tooMany > 0) {
        this.#ready = [];
        this.#queue.giveUpNewest(tooMany, "Too many messages wait.", now);
      }
    });
    this.#wake();
  }

  /** Sends messages again, from the start of the schedule. */
  async replay(owner: Owner, messages: readonly Message[]): Promise<void> {
    this.#own(owner);
    const now = Date.now();
    this.ctx.storage.transactionSync(() => this.#queue.add(messages, now));
    this.#wake();
  }

  /** Sends one message now, with a single attempt. */
  async test(owner: Owner, message: Message): Promise<Attempt> {
    this.#own(owner);
    this.#config = undefined;
    const config = await this.#settings();
    if (!config) throw new Error("there is no such webhook");
    const at = Date.now();
    const posted = await postMessage(config, message, this.#rules());
    const attempt = this.#toAttempt({ ...message, attempts: 0 }, posted, at, "test");
    this.#queue.log(attempt, undefined);
    return attempt;
  }

  /** The webhook's settings have changed: read them again. */
  async changed(owner: Owner): Promise<void> {
    this.#own(owner);
    this.#ready = [];
    this.#config = undefined;
    this.#wake();
  }

  /** The latest attempts, newest first, and the number of waiting messages. */
  async state(owner: Owner, limit: number): Promise<{ attempts: Attempt[]; waiting: number }> {
    this.#own(owner);
    this.#noteDelivered();
    return { attempts: this.#queue.lastAttempts(limit), waiting: this.#queue.size };
  }

  /** How many messages wait, and since when the first of them does [ms]. */
  figures(): { waiting: number; since: number | undefined } {
    if (!this.#owner) return { waiting: 0, since: undefined };
    this.#noteDelivered();
    return { waiting: this.#queue.size, since: this.#queue.oldest() };
  }

  /**
   * Removes everything about some users. Dead letters that are on their way to the database have arrived afterwards.
   */
  async forgetUsers(users: readonly string[]): Promise<void> {
    this.#noteDelivered();
    this.#ready = [];
    this.ctx.storage.transactionSync(() => {
      for (const user of users) this.#queue.removeUser(user);
    });
    await this.#storing;
  }

  /** The webhook was deleted: removes everything. */
  async clear(): Promise<void> {
    await this.#storing;
    this.#ready = [];
    for (const { message } of this.#delivered.splice(0)) this.#busy.delete(message.n);
    this.#opened = undefined;
    this.#config = undefined;
    this.#owner = undefined;
    this.#alarmAt = undefined;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Never throws, because an alarm that fails six times is dropped. */
  override async alarm(): Promise<void> {
    // The alarm counts as set until this one ends: setting it earlier would cut this one short.
    this.#running = true;
    this.#alarmAt = undefined;
    this.#heedClock();
    this.#triesLeft = MOST_TRIES;
    this.#runUntil = Date.now() + LONGEST_RUN_MS;
    let failed = false;
    try {
      await this.#work();
    } catch (error) {
      failed = true;
      this.#complain(error);
    }
    this.#running = false;
    this.#ready = [];
    if (!this.#owner) return;
    this.#noteDelivered();
    const next = this.#queue.nextDue();
    if (next === undefined) this.#queue.forgetSeen(Date.now());
    else this.#setAlarm(failed ? Math.max(next, Date.now() + PAUSE_MS) : next);
  }

  /** Sends what is due until nothing is left, or until the alarm has reached its limits. */
  async #work(): Promise<void> {
    for (;;) {
      const config = await this.#settings();
      if (!config) return this.clear();
      if (!config.enabled) {
        this.#noteDelivered();
        this.#ready = [];
        this.#queue.giveUpAll("The webhook is disabled.", Date.now());
      }
      await this.#storeGivenUp();
      if (!this.#owner) return;
      this.#fill();
      if (this.#lanes.size === 0) return this.#noteDelivered();
      await Promise.race(this.#lanes);
    }
  }

  /** Starts lanes while there is work for them. Each lane sends one message at a time. */
  #fill(): void {
    while (this.#lanes.size < PARALLEL && this.#mayTry()) {
      const message = this.#nextDue();
      if (!message) return;
      const lane: Promise<void> = this.#lane(message).finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
  }

  /** The message that has been due longest and is not being sent. */
  #nextDue(): Waiting | undefined {
    if (this.#ready.length === 0) {
      this.#noteDelivered();
      this.#ready = this.#queue.due(Date.now(), this.#busy, READ_AT_ONCE);
    }
    return this.#ready.shift();
  }

  /** Removes what was delivered, in one write. */
  #noteDelivered(): void {
    const some = this.#delivered.splice(0);
    if (some.length === 0) return;
    try {
      this.ctx.storage.transactionSync(() => {
        for (const { message, attempt } of some) {
          this.#queue.log(attempt, message.user);
          this.#queue.remove(message.n);
        }
      });
    } finally {
      for (const { message } of some) this.#busy.delete(message.n);
    }
  }

  #mayTry(): boolean {
    return this.#triesLeft > 0 && Date.now() < this.#runUntil && this.#config?.value.enabled === true;
  }

  /** Sends one message after the other, as long as some are due. */
  async #lane(first: Waiting): Promise<void> {
    let message: Waiting | undefined = first;
    while (message) {
      this.#triesLeft--;
      this.#busy.add(message.n);
      try {
        await this.#deliver(message);
      } catch (error) {
        // Our failure, not the receiver's: it does not count as an attempt.
        this.#complain(error);
        if (this.#owner) this.#queue.postpone(message.n, message.attempts, Date.now() + PAUSE_MS, message.reason);
      }
      const { n } = message;
      if (!this.#delivered.some((one) => one.message.n === n)) this.#busy.delete(n);
      message = this.#mayTry() ? this.#nextDue() : undefined;
    }
  }

  async #deliver(message: Waiting): Promise<void> {
    const config = await this.#settings();
    if (!config?.enabled) return;
    const at = Date.now();
    const posted = await postMessage(config, message, this.#rules());
    // Deleted while the request was under way: store nothing about it.
    if (!this.#owner || !this.#queue.has(message.n)) return;
    const verdict = judge(posted);
    const now = Date.now();
    const attempts = message.attempts + 1;
    const next = nextAttempt(attempts, now, Math.random(), posted.retryAfter, this.#schedule());
    const outcome =
      verdict.kind === "delivered" ? "delivered" : verdict.kind === "failed" && next ? "retrying" : "dead";
    const attempt = this.#toAttempt(message, posted, at, outcome);
    if (verdict.kind === "delivered") {
      this.#delivered.push({ message, attempt });
      const since = this.#delivered[0].attempt.at + this.#delivered[0].attempt.durationMs;
      if (this.#delivered.length >= NOTED_AT_ONCE || now - since >= NOTED_WITHIN_MS) this.#noteDelivered();
      return;
    }
    this.ctx.storage.transactionSync(() => {
      this.#queue.log(attempt, message.user);
      if (outcome === "retrying") this.#queue.postpone(message.n, attempts, next as number);
      else this.#queue.postpone(message.n, attempts, now, verdict.error);
    });
    if (verdict.kind === "gone") await this.#disable(config.url, verdict.error, now);
  }

  /**
   * The receiver wants no more messages. If that cannot be stored, the answer to the next message will say so again.
   */
  async #disable(url: string, reason: string, now: number): Promise<void> {
    const { scope, id } = this.#owner as Owner;
    try {
      await disableWebhook(this.env.DB, scope, id, url, reason, now);
    } catch (error) {
      this.#complain(error);
    }
    this.#config = undefined;
  }

  /** Stores what is given up in the database as dead letters, then removes it here. */
  async #storeGivenUp(): Promise<void> {
    for (;;) {
      const now = Date.now();
      const some = this.#queue.givenUp(now, DEAD_LETTERS_AT_ONCE);
      if (some.length === 0) return;
      const { scope, id } = this.#owner as Owner;
      const letters = some.map((message) => toDeadLetter(message, now));
      const stored = storeDeadLetters(this.env.DB, scope, id, letters);
      this.#storing = stored.catch(() => {});
      try {
        await stored;
      } catch (error) {
        this.#complain(error);
        if (this.#owner) this.#queue.postponeGivenUp(now + PAUSE_MS);
        return;
      }
      if (!this.#owner) return;
      this.ctx.storage.transactionSync(() => {
        for (const { n } of some) this.#queue.remove(n);
      });
    }
  }

  /**
   * The webhook's settings from the database, or the last known ones when it cannot be reached; undefined when it was
   * deleted.
   */
  async #settings(): Promise<WebhookConfig | undefined> {
    const now = Date.now();
    if (this.#config && this.#config.until > now && this.#config.until - now <= BELIEVED_MS) return this.#config.value;
    if (!this.#owner) return undefined;
    const { scope, id } = this.#owner;
    try {
      const row = await findWebhook(this.env.DB, scope, id);
      if (!row) {
        this.#config = undefined;
        return undefined;
      }
      const value = configOf(row, now);
      this.ctx.storage.kv.put("config", value);
      this.#config = { value, until: now + BELIEVED_MS };
      return value;
    } catch (error) {
      const known = this.#config?.value ?? this.ctx.storage.kv.get<WebhookConfig>("config");
      if (!known) throw error;
      this.#config = { value: known, until: now + BELIEVED_MS };
      return known;
    }
  }

  #own(owner: Owner): void {
    if (this.#owner) return;
    this.#owner = owner;
    this.ctx.storage.kv.put("owner", owner);
  }

  /** Has due messages sent now: by the running alarm, or by a new one at once. */
  #wake(): void {
    this.#heedClock();
    if (this.#running) {
      this.#fill();
      return;
    }
    const now = Date.now();
    // An alarm that is about to run is left alone: each new setting would delay it.
    if (this.#alarmAt !== undefined && this.#alarmAt <= now && this.#alarmAt > now - LATE_MS) return;
    this.#setAlarm(now);
  }

  /**
   * When a clock that ran ahead is set back, moves all due times back too: a retry in some minutes stays in some
   * minutes.
   */
  #heedClock(): void {
    const now = Date.now();
    if (now < this.#latest - SET_BACK_MS) {
      this.#ready = [];
      this.#queue.shift(now - this.#latest);
      this.#alarmAt = undefined;
    }
    this.#latest = now;
  }

  #setAlarm(at: number): void {
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }

  #schedule(): readonly number[] {
    return parseSchedule(this.env.WEBHOOK_SCHEDULE);
  }

  /** Logs an error for the operator, without the content of messages. */
  #complain(error: unknown): void {
    console.error(JSON.stringify({ what: "webhook", error: String(error).slice(0, 300) }));
  }

  #rules() {
    return { allowPrivate: this.env.ALLOW_PRIVATE_HOSTS === "true" };
  }

  #toAttempt(
    { id, events, attempts }: Message & { attempts: number },
    { status, response, durationMs, ...posted }: Posted,
    at: number,
    outcome: Attempt["outcome"],
  ): Attempt {
    const verdict = judge({ status, error: posted.error });
    deliveryFigures[outcome]++;
    return {
      messageId: id,
      eventTypes: [...new Set(events.map(({ type }) => type))],
      attempt: attempts + 1,
      at,
      durationMs,
      outcome,
      status,
      error: verdict.kind === "delivered" ? undefined : verdict.error,
      response,
    };
  }
}
