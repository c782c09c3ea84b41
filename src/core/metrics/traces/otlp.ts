/** A finished request, as a span of kind SERVER. */
export interface RequestSpan {
  traceId: string;
  spanId: string;
  parentId?: string;
  /** When it began [ms], and how long it took. */
  at: number;
  durationMs: number;
  method: string;
  /** The endpoint's pattern, never the path itself. */
  route: string;
  endpoint: string;
  status: number;
  requestId: string;
  project?: number;
  live?: boolean;
  /** The parameter of an error. */
  param?: string;
  /** Missing data of the response. */
  leftOut?: string;
}

type Value = string | number | boolean;
const SERVER = 2;
const ERROR = 2;

/** "accepted", "rejected" (4xx), "limited" (429), "failed" (5xx). */
function outcomeOf(status: number): string {
  if (status >= 500) return "failed";
  return status === 429 ? "limited" : status >= 400 ? "rejected" : "accepted";
}

/**
 * The body of POST /v1/traces (OTLP/HTTP, JSON): opentelemetry.io/docs/specs/otlp. Attributes have the names of the semantic conventions for HTTP
 * servers; none contains a key, a coordinate, a query or the id of a user.
 */
export function otlpBody(spans: readonly RequestSpan[], service: string, version: string): string {
  const resource = {
    attributes: attributes({ "service.name": service, "service.version": version, "telemetry.sdk.name": "graticule" }),
  };
  const scope = { name: "graticule", version };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(spanOf) }] }] });
}

function spanOf(span: RequestSpan) {
  const { traceId, spanId, parentId, at, durationMs, method, route, status } = span;
  const isFailed = status >= 500;
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name: `${method} ${route}`,
    kind: SERVER,
    startTimeUnixNano: nanoseconds(at),
    endTimeUnixNano: nanoseconds(at + Math.max(0, durationMs)),
    attributes: attributes({
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
      "error.type": isFailed ? String(status) : undefined,
      "graticule.endpoint": span.endpoint,
      "graticule.outcome": outcomeOf(status),
      "graticule.request_id": span.requestId,
      "graticule.project": span.project,
      "graticule.environment": span.live === undefined ? undefined : span.live ? "live" : "test",
      "graticule.param": span.param,
      "graticule.left_out": span.leftOut,
    }),
    status: isFailed ? { code: ERROR } : {},
  };
}

/** 64 bits do not fit into a number: JSON of OTLP has them as text. */
const nanoseconds = (ms: number) => `${Math.round(ms)}000000`;

function attributes(values: Readonly<Record<string, Value | undefined>>) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: Value) {
  if (typeof value === "string") return { stringValue: value };
  return typeof value === "boolean" ? { boolValue: value } : { intValue: String(value) };
}

/** `OTEL_EXPORTER_OTLP_HEADERS`: "name=value,name=value" with percent-encoded values; those that are not stay as they are. */
export function otlpHeaders(text: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of (text ?? "").split(",")) {
    const at = pair.indexOf("=");
    if (at < 1) continue;
    headers[pair.slice(0, at).trim().toLowerCase()] = decoded(pair.slice(at + 1).trim());
  }
  return headers;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** `OTEL_EXPORTER_OTLP_ENDPOINT` is the base of the signals' paths; undefined if it is no http(s) URL. */
export function tracesUrl(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return url.href;
}
