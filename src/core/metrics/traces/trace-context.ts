/** The trace that a request belongs to, from its header `traceparent` (W3C Trace Context, level 1). */
export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** Span of the caller, 16 hex digits; absent: this server begins the trace. */
  parentId?: string;
  isSampled: boolean;
}

/** version-traceid-parentid-flags; later versions may add fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the header; undefined if it is absent or invalid: then a new trace begins. */
export function readTraceparent(header: string | null): TraceContext | undefined {
  if (header === null || header.length > 512) return undefined;
  const found = TRACEPARENT.exec(header.trim());
  if (!found) return undefined;
  const [, version, traceId, parentId, flags, more] = found;
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Values of `OTEL_TRACES_SAMPLER`, as OpenTelemetry names them; those without `parentbased_` ignore what callers ask for. */
export const SAMPLERS = ["traceidratio", "parentbased_traceidratio"] as const;
export type Sampler = (typeof SAMPLERS)[number];

/**
 * Is a request traced? Callers of a public API are strangers, so only `parentbased_traceidratio` lets their `traceparent` decide.
 * @param ratio share of traces, from 0 to 1
 */
export function isTraced(
  traceId: string,
  parent: TraceContext | undefined,
  { sampler, ratio }: { sampler: Sampler; ratio: number },
): boolean {
  return sampler === "parentbased_traceidratio" && parent ? parent.isSampled : isInSample(traceId, ratio);
}

/**
 * Is a new trace sampled? By its id, as OpenTelemetry's TraceIdRatioBased: services with the same ratio decide the same.
 * @param ratio from 0 to 1
 */
function isInSample(traceId: string, ratio: number): boolean {
  if (ratio >= 1) return true;
  // 52 random bits are as exact as a number.
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}
