import type { Env } from "../../env.ts";
import { type EndpointFigures, RequestFigures } from "../../metrics/request-figures.ts";
import type { LogLine } from "./log.ts";

/**
 * What this isolate has answered since it began. A workerd on one machine has one isolate, so there these are the true
 * figures; on Cloudflare each machine has its own, and what all have answered together stands in Analytics Engine.
 */
export const requestFigures = new RequestFigures();

/** What callers ask for that is no endpoint: one name for all of it. */
export const NO_ENDPOINT = "none";

/** Counts an answer: a few additions in memory, and a point for Analytics Engine where that is bound. */
export function noteAnswer(
  { ANALYTICS }: Pick<Env, "ANALYTICS">,
  endpoint: string,
  figures: EndpointFigures,
  { status, at, project, live }: LogLine,
  durationMs: number,
): void {
  // A clock that was set back meanwhile.
  const took = Math.max(0, durationMs);
  requestFigures.since ??= at;
  figures.note(status, took, at);
  ANALYTICS?.writeDataPoint({
    // What is sampled under load is sampled by project, so that a small one does not vanish beside a large one.
    indexes: [String(project ?? 0)],
    blobs: [endpoint, String(status), live === undefined ? "" : live ? "live" : "test"],
    doubles: [took],
  });
}
