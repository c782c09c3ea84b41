import { otlpBody, otlpHeaders, type RequestSpan, tracesUrl } from "../../../core/metrics/traces/otlp.ts";
import { isTraced, readTraceparent, SAMPLERS, type Sampler } from "../../../core/metrics/traces/trace-context.ts";
import { VERSION } from "../../../core/metrics/version.ts";
import { fetchOwnService } from "../../outgoing/outgoing.ts";
import type { Execution } from "../../platform/call.ts";
import type { Env } from "../../platform/env.ts";
import type { LogLine } from "./log.ts";

/** Maximum spans that wait: beyond that, new ones are dropped. At 50 requests per second, 40 s. */
const MAX_WAITING = 2_048;
/** Maximum spans of a request to the collector. */
const MAX_SENT = 512;
/** How long spans are gathered [ms], and the time limit of the collector. */
const [GATHER_MS, TIMEOUT_MS] = [2_000, 5_000];

type Settings = Pick<
  Env,
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_HEADERS"
  | "OTEL_SERVICE_NAME"
  | "OTEL_TRACES_SAMPLER"
  | "OTEL_TRACES_SAMPLER_ARG"
>;

/** Spans of this isolate by their end, for /metrics. */
export const spanFigures = { exported: 0, dropped: 0, failed: 0 };

let waiting: RequestSpan[] = [];
/** Until then another request is expected to send the waiting spans [ms]. */
let promised = Number.NEGATIVE_INFINITY;

/**
 * Adds a span of a finished request, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set and the trace is sampled. One request sends those of all, after its
 * response; a collector that does not respond costs spans, and no request waits for it.
 */
export function traceAnswer(
  env: Settings,
  endpoint: string,
  { headers }: Pick<Request, "headers">,
  line: LogLine,
  durationMs: number,
  execution: Execution,
): void {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const context = readTraceparent(headers.get("traceparent"));
  const traceId = context?.traceId ?? randomHex(16);
  if (!isTraced(traceId, context, { sampler: samplerOf(env), ratio: ratioOf(env) })) return;
  if (waiting.length >= MAX_WAITING) {
    spanFigures.dropped++;
    return;
  }
  const { at, method, route, status, requestId, project, live, param, leftOut } = line;
  const named = { endpoint, method, route, status, requestId, project, live, param, leftOut };
  waiting.push({ traceId, spanId: randomHex(8), parentId: context?.parentId, at, durationMs, ...named });
  const now = Date.now();
  if (now < promised && promised - now <= 5 * GATHER_MS) return;
  // Another request takes over if this one ends without sending.
  promised = now + 3 * GATHER_MS;
  execution.waitUntil(
    new Promise<void>((wake) => setTimeout(wake, GATHER_MS)).then(() => {
      promised = Number.NEGATIVE_INFINITY;
      return sendAll(env);
    }),
  );
}

async function sendAll(env: Settings): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let i = 0; i < all.length; i += MAX_SENT) {
    const some = all.slice(i, i + MAX_SENT);
    const isSent = await send(env, some);
    spanFigures[isSent ? "exported" : "failed"] += some.length;
  }
}

/** Never throws. The log has the cause, without the URL or the headers, which may contain a token. */
async function send(env: Settings, spans: readonly RequestSpan[]): Promise<boolean> {
  const url = tracesUrl(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "");
  try {
    if (!url) throw new Error("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL");
    const body = otlpBody(spans, env.OTEL_SERVICE_NAME || "graticule", VERSION);
    const headers = { ...otlpHeaders(env.OTEL_EXPORTER_OTLP_HEADERS), "content-type": "application/json" };
    const response = await fetchOwnService(new Request(url, { method: "POST", headers, body }), TIMEOUT_MS);
    await response.body?.cancel();
    if (!response.ok) throw new Error(`status ${response.status}`);
    return true;
  } catch (error) {
    const cause = error instanceof Error ? error.name : "unknown";
    const message = /^(status|OTEL_)/.test(String((error as Error)?.message)) ? (error as Error).message : cause;
    console.error(JSON.stringify({ what: "traces", failed: spans.length, error: message }));
    return false;
  }
}

function samplerOf({ OTEL_TRACES_SAMPLER: name }: Settings): Sampler {
  return SAMPLERS.find((one) => one === name) ?? "traceidratio";
}

function ratioOf({ OTEL_TRACES_SAMPLER_ARG: text }: Settings): number {
  const ratio = Number(text ?? 1);
  return text !== "" && ratio >= 0 && ratio <= 1 ? ratio : 1;
}

function randomHex(bytes: number): string {
  let text = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) text += byte.toString(16).padStart(2, "0");
  return text;
}
