import { storeDeadLetters } from "../../db/customers/dead-letters.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { toDeadLetter, type Waiting } from "./message-queue.ts";
import type { Owner } from "./webhook-settings.ts";

/** Stores failed messages in the database, one write at a time. */
export class DeadLetterWriter {
  readonly #env: Env;
  #storing: Promise<void> = Promise.resolve();

  constructor(env: Env) {
    this.#env = env;
  }

  /** Resolves when the current write has ended, in success or failure. */
  get settled(): Promise<void> {
    return this.#storing;
  }

  store({ scope, id }: Owner, failed: readonly Waiting[], now: number): Promise<void> {
    const letters = failed.map((message) => toDeadLetter(message, now));
    const stored = Promise.resolve(envOf(this.#env, scope)).then(({ DB }) => storeDeadLetters(DB, scope, id, letters));
    this.#storing = stored.catch(() => {});
    return stored;
  }
}
