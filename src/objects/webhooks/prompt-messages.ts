import type { Waiting } from "./message-queue.ts";

/** Messages that were handed over together. */
interface Handed {
  left: number;
  done(): void;
}

/**
 * Messages that are being sent before they are written down. Who has handed them over waits, and has them on disk until then: so what
 * is delivered at once is never written here, which would cost more than sending it. Each has the number 0, for it has no row.
 */
export class PromptMessages {
  /** By their ids, in the order in which they came. */
  readonly #held = new Map<string, { message: Waiting; handed: Handed }>();
  /** Those of which no sending has begun. */
  #next: Waiting[] = [];
  readonly #events = new Set<string>();

  get size(): number {
    return this.#held.size;
  }

  /** When the first of them came [ms]. */
  oldest(): number | undefined {
    for (const { message } of this.#held.values()) return message.createdAt;
    return undefined;
  }

  /** Is this event in one of them? */
  has(event: string): boolean {
    return this.#events.has(event);
  }

  /** Resolves when each of them has been settled. Their ids are new here. */
  hold(messages: readonly Waiting[]): Promise<void> {
    if (messages.length === 0) return Promise.resolve();
    return new Promise((done) => {
      const handed = { left: messages.length, done };
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

  /** Is it still here? Not when it was settled meanwhile, as when its user was deleted. */
  holds({ id }: Waiting): boolean {
    return this.#held.has(id);
  }

  /** It was delivered, written down, or need not be delivered any more. */
  settle({ id, events }: Waiting): void {
    const held = this.#held.get(id);
    if (!held || !this.#held.delete(id)) return;
    for (const event of events) this.#events.delete(event.id);
    held.handed.left--;
    if (held.handed.left === 0) held.handed.done();
  }

  /** All that are here; none of them is sent from here any more. */
  takeAll(): { message: Waiting; isUnderWay: boolean }[] {
    const next = new Set(this.#next.splice(0));
    return [...this.#held.values()].map(({ message }) => ({ message, isUnderWay: !next.has(message) }));
  }

  /** Those of a user are not to be sent any more. */
  removeUser(user: string): void {
    this.#next = this.#next.filter((message) => message.user !== user);
    for (const { message } of [...this.#held.values()]) if (message.user === user) this.settle(message);
  }
}
