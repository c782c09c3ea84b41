import { DurableObject } from "cloudflare:workers";
import { toMessages } from "../../../core/webhooks/messages.ts";
import { nextAttempt, parseSchedule } from "../../../core/webhooks/schedule.ts";
import { objectName } from "../../../core/webhooks/sink-settings.ts";
import type { Attempt, Message, Notice, WebhookConfig } from "../../../core/webhooks/types.ts";
import { judge } from "../../../core/webhooks/verdict.ts";
import { disableWebhook } from "../../db/customers/webhooks.ts";
import { envOf } from "../../db/databases.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { type RecoveryPoint, recoverTo } from "../point-in-time.ts";
import { DeadLetterWriter } from "./dead-letter-writer.ts";
import { DeliveryClock } from "./delivery-clock.ts";
import { deliveryFigures } from "./delivery-figures.ts";
import type { Waiting } from "./message-queue.ts";
import { type LaneWork, SendLanes } from "./send-lanes.ts";
import { type Group, SendQueue } from "./send-queue.ts";
import type { Posted } from "./sinks/sink.ts";
import { sinkOf } from "./sinks/sink-of.ts";
import { type Owner, WebhookSettings } from "./webhook-settings.ts";

/**
 * Maximum time until a message that is being sent is written to disk [ms], and if its caller may wait: trackers resend their events after
 * eight seconds (safety-net.ts).
 */
const [PROMPT_MS, MAY_WAIT_MS] = [500, 3_000];
/** Messages that become dead letters in one write. */
const DEAD_LETTERS_AT_ONCE = 100;
/** Pause after the database has failed [ms]. */
const PAUSE_MS = 15_000;

/**
 * One object per webhook: accepts events, stores them until the receiver has acknowledged them, retries by the
 * schedule, and turns failed messages into dead letters. New messages are sent immediately; those not acknowledged
 * immediately are written to disk and sent by the alarm. Before a call returns, each of its events is delivered or on
 * disk.
 */
export class WebhookSender extends DurableObject<Env> {
  #owner: Owner | undefined;
  readonly #settings: WebhookSettings;
  readonly #queue: SendQueue;
  readonly #lanes = new SendLanes();
  readonly #clock = new DeliveryClock();
  readonly #deadLetters: DeadLetterWriter;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #isSuspended = false;

  constructor(context: DurableObjectState, env: Env) {
    super(context, env);
    this.#owner = context.storage.kv.get<Owner>("owner");
    this.#settings = new WebhookSettings(env, context.storage.kv);
    this.#queue = new SendQueue(context.storage);
    this.#deadLetters = new DeadLetterWriter(env);
  }

  /**
   * Accepts events: when this returns, they are delivered or stored here. An event that was accepted before is ignored.
   * @param users as the API returns them (JSON), by _id
   * @param mayWait the caller has the events on disk, and can wait until those before them are delivered: none is written here, unless the
   * receiver can't keep up
   */
  async accept(
    owner: Owner,
    notices: readonly Notice[],
    users: Readonly<Record<string, string>>,
    mayWait = false,
  ): Promise<void> {
    this.#own(owner);
    const config = await this.#settings.read(this.#owner);
    if (!config) return this.clear(); // deleted since the events were generated
    const now = Date.now();
    const sink = this.#settings.known?.sink ?? sinkOf(config, this.env);
    const dueAt = sink.dueAt(now) + this.#schedule()[0] * 1000;
    const toOwn = (fresh: Notice[]) => toMessages(fresh, users, config.delivery, now);
    const mayBePrompt = config.enabled && dueAt <= now && sink.mostAtOnce === 1 && !this.#clock.isSlow(now);
    if (mayBePrompt && this.#queue.isIdle(notices)) {
      const settled = this.#queue.hold(notices, toOwn, now, mayWait ? MAY_WAIT_MS : PROMPT_MS);
      this.#sendPrompt();
      return settled;
    }
    if (this.#queue.store(notices, toOwn, dueAt, now)) this.#wake();
    this.#wake(dueAt);
  }

  /** Sends messages that are not on disk, several at a time; slow ones are written to disk meanwhile. */
  #sendPrompt(): void {
    this.#lanes.fill(this.#settings.known?.sink.parallel ?? 0, this.#promptWork);
    if (this.#queue.hasPrompt) this.#patience ??= setTimeout(() => this.#losePatience(), PROMPT_MS);
  }

  readonly #promptWork: LaneWork<Waiting> = {
    next: () => (this.#isSuspended ? undefined : this.#queue.nextPrompt()),
    send: async (message) => {
      try {
        await this.#deliver({ messages: [message], batch: "" });
      } catch (error) {
        this.#complain(error);
      }
      // An internal failure, or the webhook was disabled meanwhile: leave it to the alarm.
      if (this.#queue.endPrompt(message)) this.#wake();
    },
    // The caller of the last messages waits for this.
    onLast: () => this.#queue.noteDelivered(),
  };

  #losePatience(): void {
    this.#patience = undefined;
    if (!this.#queue.hasPrompt) return;
    const now = Date.now();
    if (this.#queue.isPromptLate(now)) {
      this.#clock.noteSlow(now);
      if (this.#queue.writePrompt()) this.#wake();
    }
    this.#sendPrompt();
  }

  /** Sends messages again, from the start of the schedule. */
  async replay(owner: Owner, messages: readonly Message[]): Promise<void> {
    this.#own(owner);
    this.#queue.replay(messages, Date.now());
    this.#wake();
  }

  /** Sends one message now, with a single attempt. */
  async test(owner: Owner, message: Message): Promise<Attempt> {
    this.#own(owner);
    this.#settings.forget();
    const config = await this.#settings.read(this.#owner);
    if (!config) throw new Error("the webhook does not exist");
    const at = Date.now();
    const [posted] = await sinkOf(config, this.env).send([message], nameOf(config, message));
    const attempt = toAttempt({ ...message, attempts: 0 }, posted, at, "test");
    this.#queue.rows.log([{ attempt, user: undefined }]);
    return attempt;
  }

  /** The webhook's settings have changed: read them again. */
  async changed(owner: Owner): Promise<void> {
    this.#own(owner);
    this.#queue.readAgain();
    this.#settings.forget();
    this.#wake();
  }

  /** The latest attempts, newest first, and the number of waiting messages. */
  async state(owner: Owner, limit: number): Promise<{ attempts: Attempt[]; waiting: number }> {
    this.#own(owner);
    this.#queue.noteDelivered();
    return { attempts: this.#queue.rows.lastAttempts(limit), waiting: this.#queue.size };
  }

  /** How many messages are waiting, and since when the oldest is [ms]. */
  figures(): { waiting: number; since: number | undefined } {
    if (!this.#owner) return { waiting: 0, since: undefined };
    this.#queue.noteDelivered();
    return { waiting: this.#queue.size, since: this.#queue.oldest() };
  }

  /** Deletes all data about some users. When this returns, pending dead letters have reached the database. */
  async forgetUsers(users: readonly string[]): Promise<void> {
    this.#queue.removeUsers(users);
    await this.#deadLetters.settled;
  }

  /** The webhook was deleted: deletes everything. */
  async clear(): Promise<void> {
    await this.#deadLetters.settled;
    this.#queue.clear();
    this.#settings.forget();
    this.#owner = undefined;
    this.#clock.clearAlarm();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** Never throws, because an alarm that fails six times is dropped. */
  override async alarm(): Promise<void> {
    this.#clock.startRun(Date.now());
    this.#heedClock();
    let failed = false;
    try {
      await this.#work();
    } catch (error) {
      failed = true;
      this.#complain(error);
    }
    this.#clock.endRun();
    this.#queue.readAgain();
    if (!this.#owner) return;
    this.#queue.noteDelivered();
    const next = this.#queue.rows.nextDue();
    if (next === undefined) this.#queue.rows.forgetSeen(Date.now());
    else this.#setAlarm(Math.max(next, this.#pausedUntil(), failed ? Date.now() + PAUSE_MS : 0));
  }

  /** Sends due messages until none is left, or until the alarm has reached its limits. */
  async #work(): Promise<void> {
    for (;;) {
      const config = await this.#settings.read(this.#owner);
      if (!config) return this.clear();
      if (!config.enabled) this.#queue.giveUpAll("The webhook is disabled.", Date.now());
      await this.#storeGivenUp();
      if (!this.#owner) return;
      this.#sendDue();
      if (this.#lanes.size === 0) return this.#queue.noteDelivered();
      await this.#lanes.firstEnd();
    }
  }

  /** The receiver's rate limit was reached: nothing is sent before this time [ms]. */
  #pausedUntil(): number {
    return this.#settings.known?.sink.pausedUntil?.() ?? 0;
  }

  #sendDue(): void {
    this.#lanes.fill(this.#settings.known?.sink.parallel ?? 0, this.#dueWork);
  }

  readonly #dueWork: LaneWork<Group> = {
    next: () => {
      const known = this.#settings.known;
      const now = Date.now();
      if (this.#isSuspended || !known?.value.enabled || !this.#clock.mayTry(now)) return undefined;
      if (this.#pausedUntil() > now) return undefined;
      return this.#queue.nextGroup(known.sink, (first) => nameOf(known.value, first));
    },
    send: async (group) => {
      this.#clock.countTry();
      this.#queue.begin(group);
      try {
        await this.#deliver(group);
      } catch (error) {
        // An internal failure, not the receiver's: it is not an attempt.
        this.#complain(error);
        if (this.#owner) this.#queue.postpone(group, Date.now() + PAUSE_MS);
      }
      this.#queue.end(group);
    },
  };

  async #deliver({ messages, batch }: Group): Promise<void> {
    const config = await this.#settings.read(this.#owner);
    const sink = this.#settings.known?.sink;
    if (!config?.enabled || !sink) return;
    const at = Date.now();
    const results = await sink.send(messages, batch);
    messages.forEach((message, i) => {
      this.#settle(message, results[i], at);
    });
    // Messages sent together are recorded together: a batch is stored completely or not at all.
    if (messages.length > 1 || this.#queue.isNotingDue(Date.now())) this.#queue.noteDelivered();
    const gone = results.find((posted) => judge(posted).kind === "gone");
    if (gone) await this.#disable(config.url, (judge(gone) as { error: string }).error, Date.now());
  }

  /** Records the result of a message: delivered, to be retried, or failed. */
  #settle(message: Waiting, posted: Posted, at: number): void {
    // Deleted during the request: store nothing about it.
    if (!this.#owner || !this.#queue.isWaiting(message)) return;
    const verdict = judge(posted);
    const now = Date.now();
    const next = nextAttempt(message.attempts + 1, now, Math.random(), posted.retryAfter, this.#schedule());
    if (verdict.kind === "delivered") {
      this.#queue.deliver(message, toAttempt(message, posted, at, "delivered"));
      return;
    }
    const outcome = verdict.kind === "failed" && next && !posted.isFinal ? "retrying" : "dead";
    const attempt = toAttempt(message, posted, at, outcome);
    const [dueAt, reason] = outcome === "retrying" ? [next as number, undefined] : [now, verdict.error];
    if (this.#queue.fail(message, attempt, dueAt, reason)) this.#wake(next ?? now);
  }

  /** Disables the webhook: the receiver rejects all further messages. If that can't be stored, the response to the next message will repeat it. */
  async #disable(url: string, reason: string, now: number): Promise<void> {
    const { scope, id } = this.#owner as Owner;
    try {
      await disableWebhook((await envOf(this.env, scope)).DB, scope, id, url, reason, now);
    } catch (error) {
      this.#complain(error);
    }
    this.#settings.forget();
  }

  /** Stores failed messages in the database as dead letters, then deletes them here. */
  async #storeGivenUp(): Promise<void> {
    for (;;) {
      const now = Date.now();
      const some = this.#queue.rows.givenUp(now, DEAD_LETTERS_AT_ONCE);
      if (some.length === 0) return;
      try {
        await this.#deadLetters.store(this.#owner as Owner, some, now);
      } catch (error) {
        this.#complain(error);
        if (this.#owner) this.#queue.rows.postponeGivenUp(now + PAUSE_MS);
        return;
      }
      if (!this.#owner) return;
      this.#queue.removeGivenUp(some.map(({ n }) => n));
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
    if (this.#clock.isRunning) {
      this.#sendDue();
      return;
    }
    const alarm = this.#clock.alarmFor(at, Date.now(), () => this.#queue.rows.nextDue());
    if (alarm !== undefined) this.#setAlarm(alarm);
  }

  /**
   * If a clock that ran ahead is set back, moves all due times back too: a retry due in some minutes stays due in some
   * minutes.
   */
  #heedClock(): void {
    const shift = this.#clock.advance(Date.now());
    if (shift === 0) return;
    this.#queue.readAgain();
    this.#queue.rows.shift(shift);
  }

  #setAlarm(at: number): void {
    this.#clock.setAlarm(at);
    void this.ctx.storage.setAlarm(at);
  }

  #schedule(): readonly number[] {
    return parseSchedule(this.env.WEBHOOK_SCHEDULE);
  }

  /** Logs an error for the operator, without the content of messages. */
  #complain(error: unknown): void {
    console.error(JSON.stringify({ what: "webhook", error: describeBriefly(error) }));
  }

  /** Before its state is handed over: begins no request, and records the results of those in progress. */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
    this.#queue.writePrompt();
    while (this.#lanes.size > 0) await this.#lanes.firstEnd();
    this.#queue.noteDelivered();
    await this.#deadLetters.settled;
  }

  /** The state at an earlier time, which is restored if wanted. */
  recover(at: number, restores: boolean): Promise<RecoveryPoint> {
    return recoverTo(this.ctx, at, restores);
  }
}

function nameOf({ scope }: WebhookConfig, { id, createdAt }: Message): string {
  return objectName(scope % 2 === 1, createdAt, id);
}

function toAttempt(
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
