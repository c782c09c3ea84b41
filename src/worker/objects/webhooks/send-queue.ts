import type { Attempt, Message, Notice } from "../../../core/webhooks/types.ts";
import type { Sql } from "../fences/fence-store.ts";
import { MessageQueue, type Waiting } from "./message-queue.ts";
import { PromptMessages } from "./prompt-messages.ts";
import type { Sink } from "./sinks/sink.ts";

/** Due messages read at a time. */
const READ_AT_ONCE = 64;
/**
 * Deliveries recorded in one write, and the maximum delay of that write [ms]. After an interruption, unrecorded
 * messages are sent again.
 */
const NOTED_AT_ONCE = 32;
const NOTED_WITHIN_MS = 250;
/** Maximum number of messages sent before they are written to disk: some 10 MB. */
const MAX_PROMPT = 4_000;
/** How often the ids of events are checked for expired ones [ms]. */
const FORGET_EVERY_MS = 3600_000;
/** Maximum number of waiting messages. Further ones fail immediately; they can be replayed. */
const MAX_WAITING = 50_000;

/** Row fields of a message without a row. */
const UNWRITTEN = { n: 0, attempts: 0, reason: undefined };

/** Messages sent together, with the name of their batch if batches are kept. */
export interface Group {
  messages: Waiting[];
  batch: string;
}

/** The part of a Durable Object's storage that the queue uses. */
interface QueueStorage {
  sql: Sql;
  transactionSync<T>(write: () => T): T;
}

/** The messages of one sender: on disk, being sent before they are written there, and delivered but not recorded yet. */
export class SendQueue {
  readonly #storage: QueueStorage;
  #opened: MessageQueue | undefined;
  /** Rows that are being sent. */
  readonly #busy = new Set<number>();
  /** Those of them that were deleted meanwhile: nothing may be stored about them. */
  readonly #gone = new Set<number>();
  /** Due messages read from disk; the next lane takes the first. */
  #ready: Waiting[] = [];
  /** Messages that were delivered but not recorded yet; their rows are still marked as being sent. */
  #delivered: { message: Waiting; attempt: Attempt }[] = [];
  readonly #prompt = new PromptMessages();
  #forgotAt = 0;

  constructor(storage: QueueStorage) {
    this.#storage = storage;
  }

  /** The messages on disk. Opening them creates their tables. */
  get rows(): MessageQueue {
    this.#opened ??= new MessageQueue(this.#storage.sql);
    return this.#opened;
  }

  /** How many messages are waiting. */
  get size(): number {
    return this.rows.size + this.#prompt.size;
  }

  /** When the oldest of them was accepted [ms]. */
  oldest(): number | undefined {
    return this.rows.oldest() ?? this.#prompt.oldest();
  }

  /** Are there messages that are not on disk? */
  get hasPrompt(): boolean {
    return this.#prompt.size > 0;
  }

  /** Must these be written to disk? See PromptMessages.isLate. */
  isPromptLate(now: number): boolean {
    return this.#prompt.isLate(now);
  }

  /** May these be sent before they are written to disk? Not if others are waiting: the receiver doesn't respond. */
  isIdle(notices: readonly Notice[]): boolean {
    const isRoom = this.#prompt.size + notices.length <= MAX_PROMPT;
    return isRoom && this.rows.size === 0 && !notices.some(({ id }) => this.#prompt.has(id));
  }

  /** Accepts messages without writing them. Resolves when each is settled: delivered, or on disk. */
  hold(
    notices: readonly Notice[],
    toMessages: (fresh: Notice[]) => Message[],
    now: number,
    waitMs: number,
  ): Promise<void> {
    const messages = toMessages(this.rows.unknown(notices));
    return this.#prompt.hold(
      messages.map((message) => ({ ...message, ...UNWRITTEN })),
      now,
      waitMs,
    );
  }

  /**
   * Writes messages to disk, and all others that are not there.
   * @returns whether there were others
   */
  store(notices: readonly Notice[], toMessages: (fresh: Notice[]) => Message[], dueAt: number, now: number): boolean {
    return this.#storage.transactionSync(() => {
      const others = this.writePrompt();
      const messages = toMessages(this.rows.unseen(notices, now));
      this.rows.add(messages, dueAt);
      const tooMany = Math.min(this.rows.size - MAX_WAITING, messages.length);
      if (tooMany > 0) {
        this.#ready = [];
        this.rows.giveUpNewest(tooMany, "Too many messages are waiting.", now);
      }
      return others;
    });
  }

  /** Adds messages again, due now. */
  replay(messages: readonly Message[], now: number): void {
    this.#storage.transactionSync(() => this.rows.add(messages, now));
  }

  /** The next message that is not on disk, to be sent from here. */
  nextPrompt(): Waiting | undefined {
    return this.#prompt.next();
  }

  /**
   * An attempt of a message that was not on disk has ended. If it had no result, the message is written.
   * @returns whether it was written
   */
  endPrompt(message: Waiting): boolean {
    if (this.#delivered.some((one) => one.message === message)) return false;
    this.#release(message.n);
    return this.#prompt.holds(message) && this.writePrompt([{ message, isSending: false }]);
  }

  /**
   * Writes messages to disk that are not there, by default all; `nextGroup` omits those in progress.
   * @returns whether there were any
   */
  writePrompt(late = this.#prompt.takeAll()): boolean {
    this.noteDelivered();
    const written = late.filter(({ message }) => this.#prompt.holds(message));
    if (written.length === 0) return false;
    const now = Date.now();
    this.#storage.transactionSync(() => {
      for (const { message } of written) this.#write(message, now);
    });
    for (const { message, isSending } of written) if (isSending) this.#busy.add(message.n);
    return true;
  }

  /** Inserts the row of a message. */
  #write(message: Waiting, dueAt: number): void {
    this.rows.unseen(message.events, dueAt);
    this.rows.add([message], dueAt);
    message.n = this.rows.rowOf(message.id) as number;
    this.#prompt.settle(message);
  }

  /** The message that has been due longest and is not being sent, with others if the sink accepts several. */
  nextGroup(sink: Sink, nameOf: (first: Message) => string): Group | undefined {
    if (sink.mostAtOnce > 1) {
      this.noteDelivered();
      const most = { messages: sink.mostAtOnce, bytes: sink.mostBytes };
      return this.rows.dueBatch(Date.now(), this.#busy, most, sink.keepsBatches ? nameOf : undefined);
    }
    if (this.#ready.length === 0) {
      this.noteDelivered();
      this.#ready = this.rows.due(Date.now(), this.#busy, READ_AT_ONCE);
    }
    const message = this.#ready.shift();
    return message && { messages: [message], batch: "" };
  }

  /** Marks messages as being sent. */
  begin({ messages }: Group): void {
    for (const { n } of messages) this.#busy.add(n);
  }

  /** The attempt has ended. Delivered messages stay marked until that is recorded. */
  end({ messages }: Group): void {
    const noted = new Set(this.#delivered.map(({ message }) => message.n));
    for (const { n } of messages) if (!noted.has(n)) this.#release(n);
  }

  /** Postpones messages whose attempt had no result. */
  postpone({ messages }: Group, until: number): void {
    for (const { n, attempts, reason } of messages) this.rows.postpone(n, attempts, until, reason);
  }

  /** Is it still waiting? Not if it was deleted during the request. */
  isWaiting(message: Waiting): boolean {
    return message.n === UNWRITTEN.n ? this.#prompt.holds(message) : !this.#gone.has(message.n);
  }

  #release(n: number): void {
    this.#busy.delete(n);
    this.#gone.delete(n);
  }

  /** Rows were deleted: asks once for those being sent, not for each result. */
  #noteGone(): void {
    for (const n of this.#busy) if (!this.rows.has(n)) this.#gone.add(n);
  }

  /** Deletes the rows of messages that have become dead letters. */
  removeGivenUp(rows: readonly number[]): void {
    this.#storage.transactionSync(() => this.rows.remove(rows));
    this.#noteGone();
  }

  /** A message was delivered. `noteDelivered` records it. */
  deliver(message: Waiting, attempt: Attempt): void {
    this.#delivered.push({ message, attempt });
  }

  /**
   * Records a failed attempt: the message is due again at `dueAt` [ms], or failed for `reason`.
   * @returns whether its row is new
   */
  fail(message: Waiting, attempt: Attempt, dueAt: number, reason: string | undefined): boolean {
    const isUnwritten = message.n === UNWRITTEN.n;
    this.#storage.transactionSync(() => {
      if (isUnwritten) this.#write(message, Date.now());
      this.rows.log([{ attempt, user: message.user }]);
      this.rows.postpone(message.n, attempt.attempt, dueAt, reason);
    });
    return isUnwritten;
  }

  /** Must deliveries be recorded now? */
  isNotingDue(now: number): boolean {
    if (this.#delivered.length >= NOTED_AT_ONCE) return true;
    const [oldest] = this.#delivered;
    return oldest !== undefined && now - (oldest.attempt.at + oldest.attempt.durationMs) >= NOTED_WITHIN_MS;
  }

  /** Records deliveries in one write: deletes their rows, and remembers the events of messages without a row. */
  noteDelivered(): void {
    const some = this.#delivered.splice(0);
    if (some.length === 0) return;
    const now = Date.now();
    const isUnwritten = ({ message }: { message: Waiting }) => message.n === UNWRITTEN.n;
    const events = some.filter(isUnwritten).flatMap(({ message }) => message.events);
    const mayForget = Math.abs(now - this.#forgotAt) >= FORGET_EVERY_MS;
    try {
      this.#storage.transactionSync(() => {
        this.rows.log(some.map(({ message, attempt }) => ({ attempt, user: message.user })));
        this.rows.remove(some.flatMap((one) => (isUnwritten(one) ? [] : one.message.n)));
        if (events.length > 0) this.rows.unseen(events, now);
        if (mayForget) this.rows.forgetSeen(now);
      });
      if (mayForget) this.#forgotAt = now;
    } finally {
      for (const { message } of some) {
        this.#release(message.n);
        this.#prompt.settle(message);
      }
    }
  }

  /** Discards what was read ahead: the rows may have changed. */
  readAgain(): void {
    this.#ready = [];
  }

  /** Marks all messages on disk as failed. */
  giveUpAll(reason: string, now: number): void {
    this.noteDelivered();
    this.#ready = [];
    this.rows.giveUpAll(reason, now);
  }

  /** Deletes all data about some users. */
  removeUsers(users: readonly string[]): void {
    this.noteDelivered();
    this.#ready = [];
    for (const user of users) this.#prompt.removeUser(user);
    this.#storage.transactionSync(() => {
      for (const user of users) this.rows.removeUser(user);
    });
    this.#noteGone();
  }

  /** Drops everything in memory; the caller deletes the storage. */
  clear(): void {
    this.#ready = [];
    for (const { message } of this.#delivered.splice(0)) this.#release(message.n);
    for (const n of this.#busy) this.#gone.add(n);
    for (const { message } of this.#prompt.takeAll()) this.#prompt.settle(message);
    this.#opened = undefined;
  }
}
