import type { EngagementType } from "../../../../core/webhooks/sink-settings.ts";
import { eventsOf, PLATFORMS } from "../../../../core/webhooks/sinks/engagement.ts";
import type { Message, WebhookConfig } from "../../../../core/webhooks/types.ts";
import { post, type Way } from "./post.ts";
import { GATHER_MS, type Posted, type Sink } from "./sink.ts";

/** Maximum size of a response to read [bytes]. */
const MAX_RESPONSE = 256 * 1024;
/** Requests with which one call looks for the event that the platform rejects, by halves. */
const MAX_REQUESTS = 24;
/** A request that is rejected because of its content: others with the same events may be accepted. */
const BY_CONTENT = [400, 413, 422];

interface Item {
  /** Position of its message. */
  n: number;
  item: object;
}

/** Sends events to a platform in batches, not faster than it allows. */
export function engagementSink(config: WebhookConfig & { type: EngagementType }, way: Way): Sink {
  const platform = PLATFORMS[config.type];
  const base = (config.url || platform.url || "").replace(/\/$/, "");
  const headers = {
    ...platform.headers(config.settings),
    "content-type": "application/json",
    "user-agent": "Graticule-Webhooks/1",
  };
  let mayRequestAt = 0;
  let pausedUntil = 0;

  const request = async (items: readonly Item[]): Promise<Posted & { text?: string }> => {
    const wait = mayRequestAt - Date.now();
    // A clock that was set back must not delay requests for long.
    if (wait > 0 && wait <= platform.paceMs) await new Promise((resolve) => setTimeout(resolve, wait));
    mayRequestAt = Date.now() + platform.paceMs;
    const body = JSON.stringify(platform.body(items.map(({ item }) => item)));
    const ask = async ({ href }: URL) => ({
      url: `${href.replace(/\/$/, "")}/${platform.path}`,
      init: { method: "POST", headers, body },
    });
    const posted = await post(base, way, ask, MAX_RESPONSE);
    if (posted.status === 429) pausedUntil = Date.now() + 1000 * (posted.retryAfter ?? 0);
    return posted;
  };

  return {
    // A message has up to five events only if the webhook was created for another type.
    mostAtOnce: platform.maxEvents,
    mostBytes: platform.maxBytes,
    parallel: 1,
    keepsBatches: false,
    dueAt: (now) => now + GATHER_MS,
    pausedUntil: () => pausedUntil,
    async send(messages) {
      const results: (Posted | undefined)[] = messages.map(() => undefined);
      const items = messages.flatMap(({ body }, n) => itemsOf(body, n, config.type));
      let requests = 0;
      let lastRejection: Posted | undefined;
      const deliver = async (some: readonly Item[]): Promise<void> => {
        if (some.length === 0) return;
        if (lastRejection && requests >= MAX_REQUESTS) {
          for (const { n } of some) results[n] = lastRejection;
          return;
        }
        const { text, ...posted } = await request(some);
        requests++;
        if (posted.status !== undefined && BY_CONTENT.includes(posted.status) && some.length > 1) {
          lastRejection = posted;
          const half = some.length >> 1;
          await deliver(some.slice(0, half));
          return deliver(some.slice(half));
        }
        // A single event that the platform rejects is rejected again.
        const isFinal = posted.status !== undefined && BY_CONTENT.includes(posted.status);
        const rejected = posted.status === undefined || posted.status >= 300 ? undefined : readRejected(some, text);
        for (const [i, { n }] of some.entries()) {
          const reason = rejected?.get(i);
          if (reason !== undefined)
            results[n] = {
              error: `The platform rejected the event: ${reason}`,
              isFinal: true,
              durationMs: posted.durationMs,
            };
          else if (results[n]?.error === undefined) results[n] = { ...posted, ...(isFinal && { isFinal }) };
        }
      };
      const readRejected = (some: readonly Item[], text: string | undefined) => {
        try {
          const response = JSON.parse(text || "{}") as Record<string, unknown>;
          return platform.rejected(
            response,
            some.map(({ item }) => item),
          );
        } catch {
          return undefined; // accepted by its status
        }
      };
      await deliver(items);
      // Nothing to send: the platform has no users without a userId.
      return results.map((posted) => posted ?? { status: 204, durationMs: 0 });
    },
  };
}

function itemsOf(body: Message["body"], n: number, type: EngagementType): Item[] {
  return eventsOf(body).flatMap((event) => {
    const item = PLATFORMS[type].item(event);
    return item ? [{ n, item }] : [];
  });
}
