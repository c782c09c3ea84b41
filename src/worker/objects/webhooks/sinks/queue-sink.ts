import { GATHER_MS, type Sink, sameFor } from "./sink.ts";

/** Cloudflare Queues: up to 100 messages and 256 KB at a time (platform limits of 2026). */
export function queueSink(queue: Queue | undefined): Sink {
  return {
    mostAtOnce: 100,
    mostBytes: 240_000,
    parallel: 1,
    keepsBatches: false,
    dueAt: (now) => now + GATHER_MS,
    async send(messages) {
      const started = Date.now();
      const took = () => Date.now() - started;
      if (!queue) return sameFor(messages, { error: NO_QUEUE, durationMs: 0 });
      try {
        await queue.sendBatch(messages.map(({ body }) => ({ body: JSON.parse(body), contentType: "json" as const })));
        return sameFor(messages, { status: 200, durationMs: took() });
      } catch {
        return sameFor(messages, { error: "The queue did not accept the messages.", durationMs: took() });
      }
    },
  };
}

export const NO_QUEUE = "This deployment has no queue: bind one as EVENTS_QUEUE.";
