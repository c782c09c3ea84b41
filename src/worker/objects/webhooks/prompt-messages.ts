import type { Waiting } from "./message-queue.ts";

/** Messages that were handed over together. */
interface Handed {
  left: number;
  /** When, and how long the caller waits [ms]. */
  at: number;
  waitMs: number;
  done(): void;
}

/**
 * Messages that are being sent before they are written to disk. The caller keeps them on disk and waits. So a message
 * that is delivered immediately is never written here, which would cost more than sending it. Each has the number 0,
 * because it has no row.
 */
export class PromptMessages {
  /** By id, in order of arrival. */
  readonly #held = new Map<string, { message: Waiting; handed: Handed }>();
  /** Messages that are not being sent yet. */
  #next: Waiting[] = [];
  readonly #events = new Set<string>();

  get size(): number {
    return this.#held.size;
  }

  /** When the oldest of them arrived [ms]. */
  oldest(): number | undefined {
    for (const { message } of this.#held.values()) return message.createdAt;
    return undefined;
  }

  /** Is this event in one of them? */
  has(event: string): boolean {
    return this.#events.has(event);
  }

  /**
   * Resolves when each message has been settled. Their ids must be new here.
   * @param waitMs how long the caller wants to wait from `at` on [ms]
   */
  hold(messages: readonly Waiting[], at: number, waitMs: number): Promise<void> {
    if (messages.length === 0) return Promise.resolve();
    return new Promise((done) => {
      const handed = { left: messages.length, at, waitMs, done };
      for (const message of messages) {
        this.#held.set(message.id, { message, handed });
        for (const { id } of message.events) this.#events.add(id);
        this.#next.push(message);
      }
    });
  }

  /** The next one to send. */
  next(): Waiting | undefined {
    return this.#next.shift();
  }

  /** Does a caller not want to wait any longer? */
  isLate(now: number): boolean {
    for (const { handed } of this.#held.values()) if (Math.abs(now - handed.at) >= handed.waitMs) return true;
    return false;
  }

  /** Is it still here? Not if it was settled meanwhile, for example because its user was deleted. */
  holds({ id }: Waiting): boolean {
    return this.#held.has(id);
  }

  /** Settles a message: it was delivered, written to disk, or need not be delivered any more. */
  settle({ id, events }: Waiting): void {
    const held = this.#held.get(id);
    if (!held || !this.#held.delete(id)) return;
    for (const event of events) this.#events.delete(event.id);
    held.handed.left--;
    if (held.handed.left === 0) held.handed.done();
  }

  /** Removes and returns all messages; none of them is sent from here any more. */
  takeAll(): { message: Waiting; isSending: boolean }[] {
    const next = new Set(this.#next.splice(0));
    return [...this.#held.values()].map(({ message }) => ({ message, isSending: !next.has(message) }));
  }

  /** Cancels the messages of a user. */
  removeUser(user: string): void {
    this.#next = this.#next.filter((message) => message.user !== user);
    for (const { message } of [...this.#held.values()]) if (message.user === user) this.settle(message);
  }
}
