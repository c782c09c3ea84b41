import { describe, expect, it } from "vitest";
import { otlpBody, otlpHeaders, type RequestSpan, tracesUrl } from "../../../src/core/metrics/traces/otlp.ts";
import { isTraced, readTraceparent } from "../../../src/core/metrics/traces/trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

describe("the header traceparent", () => {
  it("names the trace, the caller's span, and whether it is sampled", () => {
    const context = { traceId: TRACE, parentId: PARENT, isSampled: true };
    expect(readTraceparent(`00-${TRACE}-${PARENT}-01`)).toEqual(context);
    expect(readTraceparent(`00-${TRACE}-${PARENT}-00`)).toEqual({ ...context, isSampled: false });
    // A later version may have more fields and flags.
    expect(readTraceparent(`cc-${TRACE}-${PARENT}-09-what-the-future-brings`)).toEqual(context);
  });

  it.each([
    null,
    "",
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01-${"x".repeat(1_000)}`,
  ])("begins a new trace where it is invalid: %s", (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });
});

describe("the sample of traces", () => {
  it("has the share that is set, decided by the id alone", () => {
    const ids = Array.from({ length: 4_000 }, (_, i) =>
      [i * 2654435761, i * 40503, i * 2246822519, i * 3266489917]
        .map((n) => (n >>> 0).toString(16).padStart(8, "0"))
        .join(""),
    );
    for (const ratio of [0, 0.1, 0.5, 1]) {
      const share = ids.filter((id) => isTraced(id, undefined, { sampler: "traceidratio", ratio })).length / ids.length;
      expect(Math.abs(share - ratio)).toBeLessThan(0.05);
    }
    const isIn = (id: string, ratio: number) => isTraced(id, undefined, { sampler: "traceidratio", ratio });
    for (const id of ids) if (isIn(id, 0.1)) expect(isIn(id, 0.5)).toBe(true);
  });

  it("is decided by the caller only where the operator says so", () => {
    for (const isSampled of [true, false]) {
      const parent = { traceId: TRACE, parentId: PARENT, isSampled };
      const traced = (sampler: "traceidratio" | "parentbased_traceidratio", ratio: number) =>
        isTraced(TRACE, parent, { sampler, ratio });
      expect([traced("traceidratio", 0), traced("traceidratio", 1)]).toEqual([false, true]);
      expect([traced("parentbased_traceidratio", 0), traced("parentbased_traceidratio", 1)]).toEqual([
        isSampled,
        isSampled,
      ]);
    }
  });
});

describe("a span", () => {
  const span: RequestSpan = {
    traceId: TRACE,
    spanId: PARENT,
    at: 1_795_000_000_123,
    durationMs: 7,
    method: "GET",
    route: "/v1/users/:id",
    endpoint: "getUser",
    status: 503,
    requestId: "r-1",
  };
  const written = (more: Partial<RequestSpan>) =>
    JSON.parse(otlpBody([{ ...span, ...more }], "maps", "1.2.3")).resourceSpans[0];

  it("has its times in nanoseconds and, for a server error alone, the status of an error", () => {
    const { resource, scopeSpans } = written({});
    expect(resource.attributes).toContainEqual({ key: "service.name", value: { stringValue: "maps" } });
    expect(scopeSpans[0].spans[0]).toMatchObject({
      name: "GET /v1/users/:id",
      kind: 2,
      startTimeUnixNano: "1795000000123000000",
      endTimeUnixNano: "1795000000130000000",
      status: { code: 2 },
    });
    expect(scopeSpans[0].spans[0].attributes).toContainEqual({ key: "error.type", value: { stringValue: "503" } });
    expect(written({ status: 404 }).scopeSpans[0].spans[0].status).toEqual({});
  });

  it("does not end before it began, where the clock was set back", () => {
    const { startTimeUnixNano, endTimeUnixNano } = written({ durationMs: -5 }).scopeSpans[0].spans[0];
    expect(endTimeUnixNano).toBe(startTimeUnixNano);
  });

  it.each([
    [200, "accepted"],
    [304, "accepted"],
    [404, "rejected"],
    [429, "limited"],
    [500, "failed"],
  ])("with status %i has the outcome %s", (status, outcome) => {
    const { attributes } = written({ status }).scopeSpans[0].spans[0];
    expect(attributes).toContainEqual({ key: "graticule.outcome", value: { stringValue: outcome } });
  });
});

describe("the settings of the exporter", () => {
  it("append the path of traces to the endpoint", () => {
    expect(["http://c:4318", "http://c:4318/", "https://c/otlp/", "https://c/otlp?x=1"].map(tracesUrl)).toEqual([
      ...[
        "http://c:4318/v1/traces",
        "http://c:4318/v1/traces",
        "https://c/otlp/v1/traces",
        "https://c/otlp/v1/traces?x=1",
      ],
    ]);
    expect(["", "c:4318", "file:///etc/passwd"].map(tracesUrl)).toEqual([undefined, undefined, undefined]);
  });

  it("read headers with encoded values", () => {
    expect(otlpHeaders("Authorization=Basic%20YTpi=,x-scope= 7 ,broken,=x,y=50%,z=%ff%20")).toEqual({
      ...{ authorization: "Basic YTpi=", "x-scope": "7", y: "50%", z: "%ff%20" },
    });
    expect(otlpHeaders(undefined)).toEqual({});
  });
});
