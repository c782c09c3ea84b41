import { DurableObject } from "cloudflare:workers";
import { storeDeadLetters } from "../../db/customers/dead-letters.ts";
import { configOf, disableWebhook, findWebhook } from "../../db/customers/webhooks.ts";
import { envOf } from "../../db/databases.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { toMessages } from "../../webhooks/messages.ts";
import { nextAttempt, parseSchedule } from "../../webhooks/schedule.ts";
import { objectName } from "../../webhooks/sinks/settings.ts";
import type { Attempt, Message, Notice, WebhookConfig } from "../../webhooks/types.ts";
import { judge } from "../../webhooks/verdict.ts";
import { deliveryFigures } from "./delivery-figures.ts";
import { MessageQueue, toDeadLetter, type Waiting } from "./message-queue.ts";
import { PromptMessages } from "./prompt-messages.ts";
import type { Posted, Sink } from "./sinks/sink.ts";
import { sinkOf } from "./sinks/sink-of.ts";

/** Due messages read at a time. */
const READ_AT_ONCE = 64;
/**
 * Deliveries recorded in one write, and the maximum delay of that write [ms]. After an interruption, unrecorded
 * messages are sent again.
 */
const NOTED_AT_ONCE = 32;
const NOTED_WITHIN_MS = 250;
/** Maximum attempts within one alarm: the platform limits its requests and time. */
const MAX_TRIES = 400;
const MAX_RUN_MS = 5 * 60_000;
/** Maximum number of messages sent before they are written to disk, and maximum time until one is written [ms]. */
const MAX_PROMPT = 400;
const PROMPT_MS = 500;
/**
 * After a message was not delivered within that time, all are written to disk first for this long [ms]: sending first
 * then costs more than it saves.
 */
const SLOW_MS = 10_000;
/** How often the ids of events are checked for expired ones [ms]. */
const FORGET_EVERY_MS = 3600_000;
/** How long the cached webhook settings are used [ms]. */
const BELIEVED_MS = 10_000;
/** Maximum number of waiting messages. Further ones fail immediately; they can be replayed. */
const MAX_WAITING = 50_000;
/** Messages that become dead letters in one write. */
const DEAD_LETTERS_AT_ONCE = 100;
/** An alarm that is this late is set again [ms]. */
const LATE_MS = 30_000;
/** A clock that is this far behind its latest time was set back [ms]. */
const SET_BACK_MS = 60_000;
/** Pause after the database has failed [ms]. */
const PAUSE_MS = 15_000;

/** Row fields of a message without a row. */
const UNWRITTEN = { n: 0, attempts: 0, reason: undefined };

/** Messages sent together, with the name of their batch if batches are kept. */
interface Group {
  messages: Waiting[];
  batch: string;
}

/** The webhook of a sender. */
interface Owner {
  scope: number;
  id: string;
}

/**
 * One object per webhook: accepts events, stores them until the receiver has acknowledged them, retries by the
 * schedule, and turns failed messages into dead letters. New messages are sent immediately; those not acknowledged
 * immediately are written to disk and sent by the alarm. Before a call returns, each of its events is delivered or on
 * disk.
 */
export class WebhookSender extends DurableObject<Env> {
  #opened: MessageQueue | undefined;
  #owner: Owner | undefined;
  #config: { value: WebhookConfig; sink: Sink; until: number } | undefined;
  /** Rows that are being sent. */
  readonly #busy = new Set<number>();
  readonly #lanes = new Set<Promise<void>>();
  /** Due messages read from disk; the next lane takes the first. */
  #ready: Waiting[] = [];
  /** Messages that were delivered but not recorded yet; their rows are still marked as being sent. */
  #delivered: { message: Waiting; attempt: Attempt }[] = [];
  readonly #prompt = new PromptMessages();
  /** How many of the lanes send these. */
  #promptLanes = 0;
  #patience: ReturnType<typeof setTimeout> | undefined;
  /** Until when the receiver is considered slow [ms]. */
  #slowUntil = 0;
  #forgotAt = 0;
  #storing: Promise<void> = Promise.resolve();
  #running = false;
  /** The time the alarm is set for, if known. */
  #alarmAt: number | undefined;
  #triesLeft = 0;
  /** The latest time that this object has seen. */
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
   * Accepts events: when this returns, they are delivered or stored here. An event that was accepted before is ignored.
   * @param users as the API returns them (JSON), by _id
   */
  async accept(owner: Owner, notices: readonly Notice[], users: Readonly<Record<string, string>>): Promise<void> {
    this.#own(owner);
    const config = await this.#settings();
    if (!config) return this.clear(); // deleted since the events were generated
    const now = Date.now();
    const sink = this.#config?.sink ?? sinkOf(config, this.env);
    const dueAt = sink.dueAt(now) + this.#schedule()[0] * 1000;
    if (config.enabled && dueAt <= now && sink.mostAtOnce === 1 && this.#isIdle(notices)) {
      const messages = toMessages(this.#queue.unknown(notices), users, config.delivery, now);
      const settled = this.#prompt.hold(messages.map((message) => ({ ...message, ...UNWRITTEN })));
      this.#fillPrompt();
      return settled;
    }
    this.ctx.storage.transactionSync(() => {
      this.#writePrompt();
      const messages = toMessages(this.#queue.unseen(notices, now), users, config.delivery, now);
      this.#queue.add(messages, dueAt);
      const tooMany = Math.min(this.#queue.size - MAX_WAITING, messages.length);
      if (tooMany > 0) {
        this.#ready = [];
        this.#queue.giveUpNewest(tooMany, "Too many messages are waiting.", now);
      }
    });
    this.#wake(dueAt);
  }

  /**
   * May these be sent before they are written to disk? Not if others are waiting: the receiver is slow or doesn't
   * respond.
   */
  #isIdle(notices: readonly Notice[]): boolean {
    const slowFor = this.#slowUntil - Date.now();
    if (slowFor > 0 && slowFor <= SLOW_MS) return false;
    const isRoom = this.#prompt.size + notices.length <= MAX_PROMPT;
    return isRoom && this.#queue.size === 0 && !notices.some(({ id }) => this.#prompt.has(id));
  }

  /** Sends messages that are not on disk, several at a time; slow ones are written to disk meanwhile. */
  #fillPrompt(): void {
    const parallel = this.#config?.sink.parallel ?? 0;
    while (this.#lanes.size < parallel) {
      const message = this.#prompt.next();
      if (!message) break;
      this.#promptLanes++;
      const lane: Promise<void> = this.#promptLane(message).finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
    if (this.#prompt.size > 0) this.#patience ??= setTimeout(() => this.#losePatience(), PROMPT_MS);
  }

  async #promptLane(first: Waiting): Promise<void> {
    for (let message: Waiting | undefined = first; message; message = this.#prompt.next()) {
      try {
        await this.#deliver({ messages: [message], batch: "" });
      } catch (error) {
        this.#complain(error);
      }
      if (this.#delivered.some((one) => one.message === message)) continue;
      this.#busy.delete(message.n);
      // An internal failure, or the webhook was disabled meanwhile: leave it to the alarm.
      if (this.#prompt.holds(message)) this.#writePrompt([{ message, isSending: false }]);
    }
    this.#promptLanes--;
    // The caller of the last messages waits for this.
    if (this.#promptLanes === 0) this.#noteDelivered();
  }

  #losePatience(): void {
    this.#patience = undefined;
    const oldest = this.#prompt.oldest();
    if (oldest === undefined) return;
    const now = Date.now();
    if (Math.abs(now - oldest) >= PROMPT_MS) {
      this.#slowUntil = now + SLOW_MS;
      this.#writePrompt();
    }
    this.#fillPrompt();
  }

  /** Writes messages to disk that are not there, by default all; the alarm skips those in progress. */
  #writePrompt(late = this.#prompt.takeAll()): void {
    this.#noteDelivered();
    const written = late.filter(({ message }) => this.#prompt.holds(message));
    if (written.length === 0) return;
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      for (const { message } of written) this.#write(message, now);
    });
    for (const { message, isSending } of written) if (isSending) this.#busy.add(message.n);
    this.#wake();
  }

  /** Inserts the row of a message. */
  #write(message: Waiting, dueAt: number): void {
    this.#queue.unseen(message.events, dueAt);
    this.#queue.add([message], dueAt);
    message.n = this.#queue.rowOf(message.id) as number;
    this.#prompt.settle(message);
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
    if (!config) throw new Error("the webhook does not exist");
    const at = Date.now();
    const batch = this.#nameOf(config, message);
    const [posted] = await sinkOf(config, this.env).send([message], batch);
    const attempt = this.#toAttempt({ ...message, attempts: 0 }, posted, at, "test");
    this.#queue.log([{ attempt, user: undefined }]);
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
    return { attempts: this.#queue.lastAttempts(limit), waiting: this.#queue.size + this.#prompt.size };
  }

  /** How many messages are waiting, and since when the oldest is [ms]. */
  figures(): { waiting: number; since: number | undefined } {
    if (!this.#owner) return { waiting: 0, since: undefined };
    this.#noteDelivered();
    return { waiting: this.#queue.size + this.#prompt.size, since: this.#queue.oldest() ?? this.#prompt.oldest() };
  }

  /** Deletes all data about some users. When this returns, pending dead letters have reached the database. */
  async forgetUsers(users: readonly string[]): Promise<void> {
    this.#noteDelivered();
    this.#ready = [];
    for (const user of users) this.#prompt.removeUser(user);
    this.ctx.storage.transactionSync(() => {
      for (const user of users) this.#queue.removeUser(user);
    });
    await this.#storing;
  }

  /** The webhook was deleted: deletes everything. */
  async clear(): Promise<void> {
    await this.#storing;
    this.#ready = [];
    for (const { message } of this.#delivered.splice(0)) this.#busy.delete(message.n);
    for (const { message } of this.#prompt.takeAll()) this.#prompt.settle(message);
    this.#opened = undefined;
    this.#config = undefined;
    this.#owner = undefined;
    this.#alarmAt = undefined;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Never throws, because an alarm that fails six times is dropped. */
  override async alarm(): Promise<void> {
    // The alarm is considered set until this one ends: an earlier one would interrupt it.
    this.#running = true;
    this.#alarmAt = undefined;
    this.#heedClock();
    this.#triesLeft = MAX_TRIES;
    this.#runUntil = Date.now() + MAX_RUN_MS;
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

  /** Sends due messages until none is left, or until the alarm has reached its limits. */
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

  /** Starts lanes while there is work for them. Each lane sends one group at a time. */
  #fill(): void {
    while (this.#lanes.size < (this.#config?.sink.parallel ?? 0) && this.#mayTry()) {
      const group = this.#nextDue();
      if (!group) return;
      const lane: Promise<void> = this.#lane(group).finally(() => this.#lanes.delete(lane));
      this.#lanes.add(lane);
    }
  }

  /** The message that has been due longest and is not being sent, with others if the sink accepts several. */
  #nextDue(): Group | undefined {
    if (!this.#config) return undefined;
    const { value, sink } = this.#config;
    if (sink.mostAtOnce > 1) {
      this.#noteDelivered();
      const most = { messages: sink.mostAtOnce, bytes: sink.mostBytes };
      const name = sink.keepsBatches ? (first: Waiting) => this.#nameOf(value, first) : undefined;
      return this.#queue.dueBatch(Date.now(), this.#busy, most, name);
    }
    if (this.#ready.length === 0) {
      this.#noteDelivered();
      this.#ready = this.#queue.due(Date.now(), this.#busy, READ_AT_ONCE);
    }
    const message = this.#ready.shift();
    return message && { messages: [message], batch: "" };
  }

  #nameOf({ scope }: WebhookConfig, { id, createdAt }: Message): string {
    return objectName(scope % 2 === 1, createdAt, id);
  }

  /** Records deliveries in one write: deletes their rows, and remembers the events of messages without a row. */
  #noteDelivered(): void {
    const some = this.#delivered.splice(0);
    if (some.length === 0) return;
    const now = Date.now();
    const isUnwritten = ({ message }: { message: Waiting }) => message.n === UNWRITTEN.n;
    const events = some.filter(isUnwritten).flatMap(({ message }) => message.events);
    try {
      this.ctx.storage.transactionSync(() => {
        this.#queue.log(some.map(({ message, attempt }) => ({ attempt, user: message.user })));
        this.#queue.remove(some.flatMap((one) => (isUnwritten(one) ? [] : one.message.n)));
        if (events.length > 0) this.#queue.unseen(events, now);
        if (Math.abs(now - this.#forgotAt) >= FORGET_EVERY_MS) this.#queue.forgetSeen(now);
      });
      if (Math.abs(now - this.#forgotAt) >= FORGET_EVERY_MS) this.#forgotAt = now;
    } finally {
      for (const { message } of some) {
        this.#busy.delete(message.n);
        this.#prompt.settle(message);
      }
    }
  }

  #mayTry(): boolean {
    return this.#triesLeft > 0 && Date.now() < this.#runUntil && this.#config?.value.enabled === true;
  }

  /** Sends one group after the other, as long as some are due. */
  async #lane(first: Group): Promise<void> {
    let group: Group | undefined = first;
    while (group) {
      this.#triesLeft--;
      const { messages } = group;
      for (const { n } of messages) this.#busy.add(n);
      try {
        await this.#deliver(group);
      } catch (error) {
        // An internal failure, not the receiver's: it is not an attempt.
        this.#complain(error);
        if (this.#owner)
          for (const { n, attempts, reason } of messages)
            this.#queue.postpone(n, attempts, Date.now() + PAUSE_MS, reason);
      }
      const noted = new Set(this.#delivered.map(({ message }) => message.n));
      for (const { n } of messages) if (!noted.has(n)) this.#busy.delete(n);
      group = this.#mayTry() ? this.#nextDue() : undefined;
    }
  }

  async #deliver({ messages, batch }: Group): Promise<void> {
    const config = await this.#settings();
    if (!config?.enabled || !this.#config) return;
    const at = Date.now();
    const results = await this.#config.sink.send(messages, batch);
    messages.forEach((message, i) => {
      this.#settle(message, results[i], at);
    });
    const [oldest] = this.#delivered;
    const since = oldest ? oldest.attempt.at + oldest.attempt.durationMs : Number.POSITIVE_INFINITY;
    // Messages sent together are recorded together: a batch is stored completely or not at all.
    const isFull = messages.length > 1 || this.#delivered.length >= NOTED_AT_ONCE;
    if (isFull || Date.now() - since >= NOTED_WITHIN_MS) this.#noteDelivered();
    const gone = results.find((posted) => judge(posted).kind === "gone");
    if (gone) await this.#disable(config.url, (judge(gone) as { error: string }).error, Date.now());
  }

  /** Records the result of a message: delivered, to be retried, or failed. */
  #settle(message: Waiting, posted: Posted, at: number): void {
    // Deleted during the request: store nothing about it.
    if (!this.#owner) return;
    const isUnwritten = message.n === UNWRITTEN.n;
    if (isUnwritten ? !this.#prompt.holds(message) : !this.#queue.has(message.n)) return;
    const verdict = judge(posted);
    const now = Date.now();
    const attempts = message.attempts + 1;
    const next = nextAttempt(attempts, now, Math.random(), posted.retryAfter, this.#schedule());
    const outcome =
      verdict.kind === "delivered" ? "delivered" : verdict.kind === "failed" && next ? "retrying" : "dead";
    const attempt = this.#toAttempt(message, posted, at, outcome);
    if (verdict.kind === "delivered") {
      this.#delivered.push({ message, attempt });
      return;
    }
    this.ctx.storage.transactionSync(() => {
      if (isUnwritten) this.#write(message, now);
      this.#queue.log([{ attempt, user: message.user }]);
      if (outcome === "retrying") this.#queue.postpone(message.n, attempts, next as number);
      else this.#queue.postpone(message.n, attempts, now, verdict.error);
    });
    if (isUnwritten) this.#wake(next ?? now);
  }

  /** Disables the webhook: the receiver rejects all further messages. If that can't be stored, the response to the next message will repeat it. */
  async #disable(url: string, reason: string, now: number): Promise<void> {
    const { scope, id } = this.#owner as Owner;
    try {
      await disableWebhook((await envOf(this.env, scope)).DB, scope, id, url, reason, now);
    } catch (error) {
      this.#complain(error);
    }
    this.#config = undefined;
  }

  /** Stores failed messages in the database as dead letters, then deletes them here. */
  async #storeGivenUp(): Promise<void> {
    for (;;) {
      const now = Date.now();
      const some = this.#queue.givenUp(now, DEAD_LETTERS_AT_ONCE);
      if (some.length === 0) return;
      const { scope, id } = this.#owner as Owner;
      const letters = some.map((message) => toDeadLetter(message, now));
      const stored = Promise.resolve(envOf(this.env, scope)).then(({ DB }) => storeDeadLetters(DB, scope, id, letters));
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
        this.#queue.remove(some.map(({ n }) => n));
      });
    }
  }

  /**
   * The webhook's settings from the database, or the last known ones if it can't be reached; undefined if it was
   * deleted.
   */
  async #settings(): Promise<WebhookConfig | undefined> {
    const now = Date.now();
    if (this.#config && this.#config.until > now && this.#config.until - now <= BELIEVED_MS) return this.#config.value;
    if (!this.#owner) return undefined;
    const { scope, id } = this.#owner;
    try {
      const row = await findWebhook((await envOf(this.env, scope)).DB, scope, id);
      if (!row) {
        this.#config = undefined;
        return undefined;
      }
      const value = configOf(row, now);
      this.ctx.storage.kv.put("config", value);
      this.#config = { value, sink: sinkOf(value, this.env), until: now + BELIEVED_MS };
      return value;
    } catch (error) {
      const kept = this.#config?.value ?? this.ctx.storage.kv.get<WebhookConfig>("config");
      if (!kept) throw error;
      // Stored before webhooks had types.
      const known: WebhookConfig = { ...kept, scope, id, type: kept.type ?? "webhook", settings: kept.settings ?? {} };
      this.#config = { value: known, sink: sinkOf(known, this.env), until: now + BELIEVED_MS };
      return known;
    }
  }

  #own(owner: Owner): void {
    if (this.#owner) return;
    this.#owner = owner;
    this.ctx.storage.kv.put("owner", owner);
  }

  /** Has due messages sent at a time (default: now), by the running alarm or by a new one. */
  #wake(at = 0): void {
    this.#heedClock();
    if (this.#running) {
      this.#fill();
      return;
    }
    const now = Date.now();
    if (at > now) {
      if (this.#alarmAt === undefined || this.#alarmAt > at || this.#alarmAt <= now - LATE_MS)
        this.#setAlarm(this.#queue.nextDue() ?? at);
      return;
    }
    // Don't change an alarm that is about to run: each new setting would delay it.
    if (this.#alarmAt !== undefined && this.#alarmAt <= now && this.#alarmAt > now - LATE_MS) return;
    this.#setAlarm(now);
  }

  /**
   * If a clock that ran ahead is set back, moves all due times back too: a retry due in some minutes stays due in some
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
    console.error(JSON.stringify({ what: "webhook", error: describeBriefly(error) }));
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
