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

type Platform = (typeof PLATFORMS)[EngagementType];
type Request = (items: readonly Item[]) => Promise<Posted & { text?: string }>;

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

  const request: Request = async (items) => {
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
      const items = messages.flatMap(({ body }, n) => itemsOf(body, n, config.type));
      const results = await new Halving(platform, request).send(items, messages.length);
      // Nothing to send: the platform has no users without a userId.
      return results.map((posted) => posted ?? { status: 204, durationMs: 0 });
    },
  };
}

/** Sends items together; what the platform rejects because of its content is sent again by halves. */
class Halving {
  readonly #platform: Platform;
  readonly #request: Request;
  #results: (Posted | undefined)[] = [];
  #requests = 0;
  #lastRejection: Posted | undefined;

  constructor(platform: Platform, request: Request) {
    this.#platform = platform;
    this.#request = request;
  }

  /** By message; undefined for those without an item. */
  async send(items: readonly Item[], messages: number): Promise<readonly (Posted | undefined)[]> {
    this.#results = new Array(messages).fill(undefined);
    await this.#deliver(items);
    return this.#results;
  }

  async #deliver(some: readonly Item[]): Promise<void> {
    if (some.length === 0) return;
    if (this.#lastRejection && this.#requests >= MAX_REQUESTS) {
      for (const { n } of some) this.#results[n] = this.#lastRejection;
      return;
    }
    const { text, ...posted } = await this.#request(some);
    this.#requests++;
    const isByContent = posted.status !== undefined && BY_CONTENT.includes(posted.status);
    if (isByContent && some.length > 1) {
      this.#lastRejection = posted;
      const half = some.length >> 1;
      await this.#deliver(some.slice(0, half));
      return this.#deliver(some.slice(half));
    }
    this.#note(some, posted, text, isByContent);
  }

  /** `isFinal`: a single event that the platform rejects is rejected again. */
  #note(some: readonly Item[], posted: Posted, text: string | undefined, isFinal: boolean): void {
    const { status, durationMs } = posted;
    const rejected = status === undefined || status >= 300 ? undefined : this.#rejectedIn(some, text);
    for (const [i, { n }] of some.entries()) {
      const reason = rejected?.get(i);
      if (reason !== undefined)
        this.#results[n] = { error: `The platform rejected the event: ${reason}`, isFinal: true, durationMs };
      else if (this.#results[n]?.error === undefined) this.#results[n] = { ...posted, ...(isFinal && { isFinal }) };
    }
  }

  #rejectedIn(some: readonly Item[], text: string | undefined) {
    try {
      const response = JSON.parse(text || "{}") as Record<string, unknown>;
      return this.#platform.rejected(
        response,
        some.map(({ item }) => item),
      );
    } catch {
      return undefined; // accepted by its status
    }
  }
}

function itemsOf(body: Message["body"], n: number, type: EngagementType): Item[] {
  return eventsOf(body).flatMap((event) => {
    const item = PLATFORMS[type].item(event);
    return item ? [{ n, item }] : [];
  });
}
