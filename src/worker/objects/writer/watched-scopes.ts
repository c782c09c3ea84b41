import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { type LiveMessage, liveMessages } from "../../wire/live.ts";
import { liveFeedOf } from "../viewers/live-feed-stub.ts";

/**
 * The only kind of value that a writer stores on disk: viewers may stay for hours, and a writer is restarted now and
 * then.
 */
const PREFIX = "watched:";

/**
 * The scopes with viewers, as announced by their feeds, and until when. For all others, notifying costs one in-memory
 * lookup.
 */
export class WatchedScopes {
  readonly #env: Env;
  readonly #storage: DurableObjectStorage;
  readonly #until = new Map<number, number>();
  /** Batches are sent in order, so that no user appears to move back. */
  #sending: Promise<void> = Promise.resolve();

  constructor(env: Env, storage: DurableObjectStorage) {
    this.#env = env;
    this.#storage = storage;
    for (const [name, until] of storage.kv.list<number>({ prefix: PREFIX }))
      this.#until.set(Number(name.slice(PREFIX.length)), until);
  }

  /** The scope has viewers until then [ms]; 0 = none. */
  note(scope: number, until: number): void {
    if (until > Date.now()) {
      this.#until.set(scope, until);
      this.#storage.kv.put(PREFIX + scope, until);
    } else if (this.#until.delete(scope)) this.#storage.kv.delete(PREFIX + scope);
  }

  /**
   * Sends the stored rows to the feeds of the scopes that have viewers. Not awaited: viewers must not slow down writes.
   */
  notify(users: readonly UserWrite[], events: readonly EventWrite[]): void {
    if (this.#until.size === 0) return;
    const now = Date.now();
    for (const [scope, until] of this.#until) {
      if (until <= now) this.note(scope, 0);
      else this.#notifyFeed(scope, liveMessages(docsOf(scope, users), docsOf(scope, events), unreadable));
    }
  }

  #notifyFeed(scope: number, messages: readonly LiveMessage[]): void {
    if (messages.length === 0) return;
    this.#sending = this.#sending.then(async () => {
      try {
        if (!(await liveFeedOf(this.#env, scope).tell(messages))) this.note(scope, 0);
      } catch (error) {
        console.error(JSON.stringify({ what: "live", error: describeBriefly(error) }));
      }
    });
  }
}

const docsOf = (scope: number, rows: readonly { scope: number; doc: string }[]): string[] =>
  rows.filter((row) => row.scope === scope).map(({ doc }) => doc);

function unreadable(error: unknown): void {
  console.error(JSON.stringify({ what: "live", unreadable: describeBriefly(error) }));
}
