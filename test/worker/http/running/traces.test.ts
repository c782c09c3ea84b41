import { expect, it } from "vitest";
import { call, control, eventually } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}
interface Received {
  path: string;
  contentType: string;
  token: string;
  body: string;
}

const spansIn = ({ body }: Received): Span[] => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans;
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

it("a request of a sampled trace is a span at the collector, with route, status and outcome, and no key, position or id", async () => {
  const { id, keys } = await openWorld();
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736".replace("4736", id.toString(16).padStart(4, "0"));
  const parent = "00f067aa0ba902b7";
  const traceparent = `00-${traceId}-${parent}-01`;
  const position = {
    deviceId: "device-of-ann",
    userId: "ann-herself",
    latitude: 12.3456789,
    longitude: 98.7654321,
    accuracy: 4,
  };
  const sent = (method: string, path: string, more: object, header = traceparent) =>
    call(method, path, {
      key: keys.testSecret,
      headers: { traceparent: header, "content-type": "application/json" },
      ...more,
    });
  await sent("POST", "/v1/track", { body: JSON.stringify(position) });
  await sent("POST", "/v1/track", { body: JSON.stringify({ ...position, latitude: 91 }) });
  await sent("GET", "/v1/users/ann-herself", {});
  await sent("GET", "/v1/nowhere/ann-herself", {});
  // Not sampled by its caller; without a trace, the sampler decides, which takes none here.
  await sent("GET", "/v1/config", {}, `00-${traceId}-${parent}-00`);
  await call("GET", "/v1/config", { key: keys.testSecret });
  const received = await eventually(
    () => control<Received[]>("traces"),
    (some) => some.flatMap(spansIn).filter((span) => span.traceId === traceId).length >= 4,
  );
  expect(received[0]).toMatchObject({ path: "/otlp/v1/traces", contentType: "application/json", token: "of tests" });
  const text = received.map((one) => one.body).join();
  for (const secret of ["ann-herself", "device-of-ann", "12.345", "98.765", ...Object.values(keys)])
    expect(text).not.toContain(secret);
  const spans = received.flatMap(spansIn).filter((span) => span.traceId === traceId);
  expect(
    spans.map((span) => [
      span.name,
      attributesOf(span)["http.response.status_code"],
      attributesOf(span)["graticule.outcome"],
    ]),
  ).toEqual([
    ["POST /v1/track", "200", "accepted"],
    ["POST /v1/track", "400", "rejected"],
    ["GET /v1/users/:id", "200", "accepted"],
    ["GET *", "404", "rejected"],
  ]);
  expect(attributesOf(spans[1])).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/v1/track",
    "graticule.endpoint": "track",
    "graticule.environment": "test",
    "graticule.project": String(id),
    "graticule.param": "latitude",
  });
  for (const { kind, parentSpanId, spanId, startTimeUnixNano, endTimeUnixNano, status } of spans) {
    expect([kind, parentSpanId, status]).toEqual([2, parent, {}]);
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(startTimeUnixNano).toMatch(/^\d{19}$/);
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
});
