import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";
import type { Env } from "../../env.ts";
import { type LiveMessage, liveEvent, livePosition } from "../../wire/live.ts";
import { liveFeedOf } from "../stubs/live-feed.ts";

/** The one kind of value that a writer keeps on disk: somebody may look for hours, and a writer is restarted now and then. */
const PREFIX = "watched:";

/**
 * Which scopes somebody looks at, as their feeds have announced it, and until when. For all others telling costs one
 * look-up in memory.
 */
export class WatchedScopes {
  readonly #env: Env;
  readonly #storage: DurableObjectStorage;
  readonly #until = new Map<number, number>();
  /** Batches are told one after the other, so that nobody sees a user go back. */
  #telling: Promise<void> = Promise.resolve();

  constructor(env: Env, storage: DurableObjectStorage) {
    this.#env = env;
    this.#storage = storage;
    for (const [name, until] of storage.kv.list<number>({ prefix: PREFIX }))
      this.#until.set(Number(name.slice(PREFIX.length)), until);
  }

  /** Somebody looks at the scope until then [ms]; 0 = nobody does. */
  note(scope: number, until: number): void {
    if (until > Date.now()) {
      this.#until.set(scope, until);
      this.#storage.kv.put(PREFIX + scope, until);
    } else if (this.#until.delete(scope)) this.#storage.kv.delete(PREFIX + scope);
  }

  /** Tells the feeds of the scopes that are looked at what has been stored. Not waited for: who looks slows nobody. */
  tell(users: readonly UserWrite[], events: readonly EventWrite[]): void {
    if (this.#until.size === 0) return;
    const now = Date.now();
    for (const [scope, until] of this.#until) {
      if (until <= now) this.note(scope, 0);
      else this.#tellFeed(scope, messagesOf(scope, users, events));
    }
  }

  #tellFeed(scope: number, messages: readonly LiveMessage[]): void {
    if (messages.length === 0) return;
    this.#telling = this.#telling.then(async () => {
      try {
        if (!(await liveFeedOf(this.#env, scope).tell(messages))) this.note(scope, 0);
      } catch (error) {
        console.error(JSON.stringify({ what: "live", error: String(error).slice(0, 300) }));
      }
    });
  }
}

/** Where users are before what has happened there. What cannot be written out is left out, as in lists. */
function messagesOf(scope: number, users: readonly UserWrite[], events: readonly EventWrite[]): LiveMessage[] {
  const messages: LiveMessage[] = [];
  const add = (write: (doc: string) => LiveMessage, doc: string) => {
    try {
      messages.push(write(doc));
    } catch (error) {
      console.error(JSON.stringify({ what: "live", unreadable: String(error).slice(0, 300) }));
    }
  };
  for (const user of users) if (user.scope === scope) add(livePosition, user.doc);
  for (const event of events) if (event.scope === scope) add(liveEvent, event.doc);
  return messages;
}
