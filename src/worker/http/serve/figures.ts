import { type EndpointFigures, RequestFigures } from "../../../core/metrics/request-figures.ts";
import type { Env } from "../../platform/env.ts";
import type { LogLine } from "./log.ts";

/**
 * Request metrics of this isolate since its start. workerd on one machine has one isolate, so there they are the complete
 * metrics; on Cloudflare each machine has its own, and Analytics Engine has the totals.
 */
export const requestFigures = new RequestFigures();

/** One name for all requests without an endpoint. */
export const NO_ENDPOINT = "none";

/** Counts a response: a few additions in memory, and a data point for Analytics Engine if bound. */
export function noteAnswer(
  { ANALYTICS }: Pick<Env, "ANALYTICS">,
  endpoint: string,
  figures: EndpointFigures,
  { status, at, project, live }: LogLine,
  durationMs: number,
): void {
  // The clock was set back in the meantime.
  const took = Math.max(0, durationMs);
  requestFigures.since ??= at;
  figures.note(status, took, at);
  ANALYTICS?.writeDataPoint({
    // Under load, sampling is per project, so that a small project stays visible next to a large one.
    indexes: [String(project ?? 0)],
    blobs: [endpoint, String(status), live === undefined ? "" : live ? "live" : "test"],
    doubles: [took],
  });
}
