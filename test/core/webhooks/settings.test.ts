import { describe, expect, it } from "vitest";
import { ALERT_TYPES, isAlertType } from "../../../src/core/webhooks/alerts.ts";
import { headerProblem, objectName, SETTINGS, shownSettings } from "../../../src/core/webhooks/sink-settings.ts";
import { judge } from "../../../src/core/webhooks/verdict.ts";

describe("settings of a sink", () => {
  it("are shown without secrets, whose names are listed", () => {
    const secret = { headers: { a: "1", b: "2" }, password: "p", secretAccessKey: "s" };
    expect(shownSettings({ topic: "t", ...secret })).toEqual({
      topic: "t",
      secrets: ["headers.a", "headers.b", "password", "secretAccessKey"],
    });
    expect(shownSettings({ password: "" })).toEqual({ secrets: ["password"] });
    expect(shownSettings({ topic: "t" })).toEqual({ topic: "t" });
  });

  it("are those of its type", () => {
    expect(SETTINGS).toEqual({
      webhook: ["template", "contentType", "headers"],
      kafka: ["topic", "clusterId", "headers"],
      mqtt: ["topic", "username", "password"],
      bucket: ["prefix", "seconds", "region", "accessKeyId", "secretAccessKey"],
      queue: [],
      braze: ["apiKey"],
      iterable: ["apiKey"],
      customerio: ["siteId", "apiKey"],
      segment: ["apiKey"],
    });
  });
});

describe("a header of a webhook", () => {
  it.each([
    ["x-key", "v"],
    ["x".repeat(100), "v".repeat(2048)],
    ["cf", " ~"],
  ])("may be %s", (name, value) => {
    expect(headerProblem(name, value)).toBeUndefined();
  });

  it.each([
    ["x".repeat(101), "v", `"${"x".repeat(40)}" is no name`],
    ["", "v", "is no name"],
    ["a b", "v", "is no name"],
    ["Host", "v", "is reserved"],
    ["Webhook-Id", "v", "is reserved"],
    ["cf-ray", "v", "is reserved"],
    ["x-radar-signature", "v", "is reserved"],
    ["x", "v".repeat(2049), "at most 2048"],
    ["x", "é", "printable ASCII"],
    ["x", "a\r\nb", "printable ASCII"],
  ])("may not be %s: %s", (name, value, problem) => {
    expect(headerProblem(name, value)).toContain(problem);
  });
});

it("an object of a bucket is named by day, minute and first event", () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 59);
  expect(objectName(true, at, "e1")).toBe("live/2026/01/02/0304-e1.ndjson");
  expect(objectName(false, at, "e1")).toBe("test/2026/01/02/0304-e1.ndjson");
});

describe("a receiver's answer", () => {
  it.each([
    [199, "failed", "The receiver returned 199."],
    [200, "delivered", undefined],
    [299, "delivered", undefined],
    [300, "failed", "The receiver returned 300; redirects are not followed."],
    [399, "failed", "The receiver returned 399; redirects are not followed."],
    [400, "failed", "The receiver returned 400."],
    [410, "gone", "The receiver returned 410 Gone."],
  ])("%i: %s", (status, kind, error) => {
    expect(judge({ status })).toEqual({ kind, ...(error && { error }) });
  });

  it("that did not come is a failure", () => {
    expect(judge({ error: "Timed out." })).toEqual({ kind: "failed", error: "Timed out." });
    expect(judge({})).toMatchObject({ kind: "failed" });
  });
});

it("types of alerts are told from types of events", () => {
  expect([...ALERT_TYPES, "user.entered_geofence", ""].map(isAlertType)).toEqual([
    ...ALERT_TYPES.map(() => true),
    false,
    false,
  ]);
});
