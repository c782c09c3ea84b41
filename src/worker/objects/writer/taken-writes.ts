import type { UserWrite } from "../../db/customers/writes.ts";

/** Maximum number of users waiting here for an unavailable database: about 20 MB. Beyond that, trackers keep theirs. */
const MAX_COUNT = 10_000;
/** Maximum attempts for a user that an available database rejects. */
const MAX_TRIES = 5;

interface Taken {
  user: UserWrite;
  tries: number;
}

/**
 * Users accepted from trackers that don't wait, whose write has failed: the newest version of each, until it arrives. A
 * writer that stops forgets them; their trackers find out when they wake up (safety-net.ts).
 */
export class TakenWrites {
  #users = new Map<string, Taken>();

  get size(): number {
    return this.#users.size;
  }

  get isFull(): boolean {
    return this.#users.size >= MAX_COUNT;
  }

  /** Handles a failed write. Returns the users that are dropped. */
  failed(users: readonly UserWrite[], isAway: boolean): UserWrite[] {
    const given: UserWrite[] = [];
    for (const user of users) {
      const known = this.#users.get(keyOf(user));
      if (known && known.user.version > user.version) continue;
      const tries = isAway ? 0 : (known?.tries ?? 0) + 1;
      if (tries < MAX_TRIES) this.#users.set(keyOf(user), { user, tries });
      else if (this.#users.delete(keyOf(user))) given.push(user);
    }
    return given;
  }

  arrived(users: readonly UserWrite[]): void {
    if (this.#users.size === 0) return;
    for (const user of users) {
      const known = this.#users.get(keyOf(user));
      if (known && known.user.version <= user.version) this.#users.delete(keyOf(user));
    }
  }

  /** All waiting users, to be retried. */
  all(): UserWrite[] {
    return [...this.#users.values()].map(({ user }) => user);
  }
}

const keyOf = ({ scope, id }: UserWrite) => `${scope} ${id}`;
