import type { WebhookConfig } from "../../../core/webhooks/types.ts";
import { configOf, findWebhook } from "../../db/customers/webhooks.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import type { Sink } from "./sinks/sink.ts";
import { sinkOf } from "./sinks/sink-of.ts";

/** How long the cached webhook settings are used [ms]. */
const BELIEVED_MS = 10_000;

/** The webhook of a sender. */
export interface Owner {
  scope: number;
  id: string;
}

/** The settings of a webhook and the sink that they describe. The object's storage has the last known ones. */
export class WebhookSettings {
  readonly #env: Env;
  readonly #kv: SyncKvStorage;
  #known: { value: WebhookConfig; sink: Sink; until: number } | undefined;

  #last: { value: WebhookConfig; sink: Sink } | undefined;

  constructor(env: Env, kv: SyncKvStorage) {
    this.#env = env;
    this.#kv = kv;
  }

  /** As read last; undefined before, and after a change. */
  get known(): { value: WebhookConfig; sink: Sink } | undefined {
    return this.#known;
  }

  forget(): void {
    this.#known = undefined;
  }

  /** From the database, or the last known ones if it can't be reached; undefined if the webhook was deleted. */
  async read(owner: Owner | undefined): Promise<WebhookConfig | undefined> {
    const now = Date.now();
    if (this.#known && this.#known.until > now && this.#known.until - now <= BELIEVED_MS) return this.#known.value;
    if (!owner) return undefined;
    const { scope, id } = owner;
    try {
      const row = await findWebhook((await envOf(this.#env, scope)).DB, scope, id);
      if (!row) {
        this.#known = undefined;
        return undefined;
      }
      const value = configOf(row, now);
      this.#kv.put("config", value);
      return this.#remember(value, now);
    } catch (error) {
      const kept = this.#known?.value ?? this.#kv.get<WebhookConfig>("config");
      if (!kept) throw error;
      // Stored before webhooks had types.
      return this.#remember({ ...kept, scope, id, type: kept.type ?? "webhook", settings: kept.settings ?? {} }, now);
    }
  }

  #remember(value: WebhookConfig, now: number): WebhookConfig {
    // A sink remembers how long its receiver wants it to wait.
    const isSame = this.#last && JSON.stringify(this.#last.value) === JSON.stringify(value);
    this.#last = isSame && this.#last ? this.#last : { value, sink: sinkOf(value, this.#env) };
    this.#known = { ...this.#last, until: now + BELIEVED_MS };
    return value;
  }
}
