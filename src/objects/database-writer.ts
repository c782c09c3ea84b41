import { DurableObject } from "cloudflare:workers";
import { type EventWrite, storeTracked, type UserWrite } from "../db/tracked.ts";
import type { Env } from "../env.ts";

/** How long the first write of a group waits for others. */
const GATHER_MS = 150;

interface Waiting {
  users: readonly UserWrite[];
  events: readonly EventWrite[];
  done(): void;
  failed(error: unknown): void;
}

/**
 * Joins what many trackers write at the same time into one batch of the database (group commit: DeWitt et al. 1984). It
 * keeps nothing itself: a tracker holds what it has written until the promise of `store` resolves.
 */
export class DatabaseWriter extends DurableObject<Env> {
  private waiting: Waiting[] = [];
  private busy = false;

  /** Resolves when users and events are in the database; rejects when they could not be written. */
  store(users: readonly UserWrite[], events: readonly EventWrite[]): Promise<void> {
    return new Promise((done, failed) => {
      this.waiting.push({ users, events, done, failed });
      if (this.busy) return;
      this.busy = true;
      setTimeout(() => void this.work(), GATHER_MS);
    });
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      await this.write(group);
    }
    this.busy = false;
  }

  private async write(group: Waiting[]): Promise<void> {
    try {
      await storeTracked(
        this.env.DB,
        group.flatMap(({ users }) => users),
        group.flatMap(({ events }) => events),
      );
      for (const { done } of group) done();
    } catch (error) {
      if (group.length === 1) return group[0].failed(error);
      // One that cannot be written must not hold up the others.
      const half = group.length >> 1;
      await this.write(group.slice(0, half));
      await this.write(group.slice(half));
    }
  }
}
