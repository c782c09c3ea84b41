import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Notice } from "../../../core/webhooks/types.ts";
import { userDocs } from "../../db/customers/users.ts";
import { type EnabledWebhook, enabledWebhooks } from "../../db/customers/webhooks.ts";
import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";
import { byDatabase, envOf } from "../../db/databases.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { toNotices } from "../../wire/notices.ts";
import { wireUser } from "../../wire/user.ts";
import { webhookSenderOf } from "./webhook-sender-stub.ts";

/** How long the cached list of a scope's webhooks is used [ms]. Changes are announced and take effect immediately. */
const BELIEVED_MS = 10_000;
const MAX_SCOPES = 10_000;
/** Timeout for a sender to store events [ms]. */
const PATIENCE_MS = 10_000;

/**
 * Hands stored events to the senders of their scope's webhooks. For a scope without webhooks this costs one in-memory
 * lookup.
 */
export class WebhookDispatch {
  readonly #env: Env;
  readonly #known = new BoundedMap<number, { webhooks: EnabledWebhook[]; until: number }>(MAX_SCOPES);

  constructor(env: Env) {
    this.#env = env;
  }

  /** The scope's webhooks have changed. */
  forget(scope: number): void {
    this.#known.delete(scope);
  }

  /**
   * Resolves when the sender of every webhook has stored or delivered its messages.
   * @param mayWait see WebhookSender.accept
   * @returns the scopes with a failure: their events must be handed over again, which is harmless
   */
  async handOver(users: readonly UserWrite[], events: readonly EventWrite[], mayWait: boolean): Promise<Set<number>> {
    const scopes = new Set<number>();
    for (const { scope } of events) scopes.add(scope);
    const failed = new Set<number>();
    const receivers = await this.#receivers([...scopes]);
    const handed = receivers.map(async ({ scope, webhooks }) => {
      try {
        await this.#handScopeOver(scope, webhooks, users, events, mayWait);
      } catch (error) {
        failed.add(scope);
        console.error(JSON.stringify({ what: "webhooks", error: describeBriefly(error) }));
      }
    });
    await Promise.all(handed);
    return failed;
  }

  /** The scopes among these that have webhooks. */
  async #receivers(scopes: readonly number[]): Promise<{ scope: number; webhooks: EnabledWebhook[] }[]> {
    const now = Date.now();
    const believed = (until: number) => until > now && until - now <= BELIEVED_MS;
    const asked = scopes.filter((scope) => !believed(this.#known.get(scope)?.until ?? 0));
    if (asked.length > 0) {
      const databases = await byDatabase(this.#env, asked);
      const found = (await Promise.all([...databases].map(([{ DB }, own]) => enabledWebhooks(DB, own)))).flat();
      for (const scope of asked) {
        const webhooks = found.filter((webhook) => webhook.scope === scope);
        this.#known.set(scope, { webhooks, until: now + BELIEVED_MS });
      }
    }
    return scopes
      .map((scope) => ({ scope, webhooks: this.#known.get(scope)?.webhooks ?? [] }))
      .filter(({ webhooks }) => webhooks.length > 0);
  }

  async #handScopeOver(
    scope: number,
    webhooks: readonly EnabledWebhook[],
    users: readonly UserWrite[],
    events: readonly EventWrite[],
    mayWait: boolean,
  ): Promise<void> {
    const wanted = (type: string) =>
      webhooks.some(({ eventTypes }) => eventTypes === undefined || eventTypes.includes(type));
    const docs = events.flatMap((event) => (event.scope === scope ? event.doc : []));
    const notices = toNotices(docs, wanted, unreadable);
    if (notices.length === 0) return;
    const shown = await this.#usersOf(scope, notices, users);
    await Promise.all(
      webhooks.map(async ({ id, eventTypes }) => {
        const own = eventTypes === undefined ? notices : notices.filter(({ type }) => eventTypes.includes(type));
        if (own.length === 0) return;
        await withPatience(webhookSenderOf(this.#env, scope, id).accept({ scope, id }, own, shown, mayWait));
      }),
    );
  }

  /** The users of some events as the API returns them (JSON, by _id): as just written, else as in the database. */
  async #usersOf(
    scope: number,
    notices: readonly Notice[],
    users: readonly UserWrite[],
  ): Promise<Record<string, string>> {
    const needed = new Set(notices.flatMap(({ user }) => user ?? []));
    const shown: Record<string, string> = {};
    const show = (doc: string) => {
      try {
        const state = JSON.parse(doc) as UserState;
        if (needed.delete(state._id)) shown[state._id] = JSON.stringify(wireUser(state));
      } catch (error) {
        unreadable(error);
      }
    };
    for (const user of users) if (user.scope === scope) show(user.doc);
    if (needed.size === 0) return shown;
    const { DB } = await envOf(this.#env, scope);
    for (const doc of (await userDocs(DB, scope, [...needed])).values()) show(doc);
    return shown;
  }
}

/** Logs a row that can't be serialized, for the operator. */
function unreadable(error: unknown): void {
  console.error(JSON.stringify({ what: "webhooks", unreadable: describeBriefly(error) }));
}

/** A sender that doesn't respond must not block a tracker forever. */
async function withPatience(promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("a webhook's sender did not respond")), PATIENCE_MS);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
