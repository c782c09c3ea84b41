import type { UserWrite } from "../../db/customers/writes.ts";

/** Most users that wait here for a database that is out of reach: some 20 MB. Beyond that, trackers keep theirs. */
const MAX_COUNT = 10_000;
/** How often one is tried that the database refuses, though it is there. */
const MAX_TRIES = 5;

interface Taken {
  user: UserWrite;
  tries: number;
}

/**
 * Users that a writer has taken over from trackers that do not wait, and whose writing has failed: the newest version of each,
 * until it arrives. A writer that stops forgets them; their trackers find out when they wake up (safety-net.ts).
 */
export class TakenWrites {
  #users = new Map<string, Taken>();

  get size(): number {
    return this.#users.size;
  }

  get isFull(): boolean {
    return this.#users.size >= MAX_COUNT;
  }

  /** Their writing has failed. Returns those that are given up. */
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

  /** All that wait, to be tried again. */
  all(): UserWrite[] {
    return [...this.#users.values()].map(({ user }) => user);
  }
}

const keyOf = ({ scope, id }: UserWrite) => `${scope} ${id}`;
