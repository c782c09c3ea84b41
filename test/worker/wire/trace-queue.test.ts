import { afterEach, expect, it, vi } from "vitest";
import { spanFigures, traceAnswer } from "../../../src/worker/http/serve/traces.ts";

const MAX_WAITING = 2_048;
const line = { at: Date.now(), method: "GET", route: "/v1/config", status: 200, requestId: "r" };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("beyond 2,048 waiting spans new ones are dropped, and a collector that is away costs those, once", async () => {
  vi.useFakeTimers();
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("away"));
  const sent: Promise<unknown>[] = [];
  const execution = { waitUntil: (promise: Promise<unknown>) => sent.push(promise) };
  const before = { ...spanFigures };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  for (let i = 0; i < MAX_WAITING + 10; i++)
    traceAnswer(env, "config", { headers: new Headers() }, line as never, 1, execution as never);
  expect([spanFigures.dropped - before.dropped, sent.length]).toEqual([10, 1]);
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.all(sent);
  expect([spanFigures.failed - before.failed, spanFigures.exported - before.exported]).toEqual([MAX_WAITING, 0]);
  expect(said).toHaveBeenCalledTimes(4);
});
