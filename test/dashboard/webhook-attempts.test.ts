import { describe, expect, it } from "vitest";
import { statesOf } from "../../src/dashboard/pages/webhooks/attempts.ts";

type Outcome = "delivered" | "retrying" | "dead" | "test";

/** Words of a log, newest first. */
const words = (waiting: number, ...log: [messageId: string, outcome: Outcome][]) =>
  statesOf(
    log.map(([messageId, outcome]) => ({ messageId, outcome })),
    waiting,
  ).map(([word]) => word);

describe("attempts of a webhook", () => {
  it("that failed are not called retrying once their message has been delivered, or given up", () => {
    expect(words(0, ["a", "delivered"], ["a", "retrying"], ["a", "retrying"])).toEqual([
      "Delivered",
      "Failed, delivered later",
      "Failed, delivered later",
    ]);
    expect(words(1, ["b", "dead"], ["a", "delivered"], ["b", "retrying"])).toEqual(["Failed", "Delivered", "Failed"]);
  });

  it("are retrying while their message waits, the latest of each message", () => {
    expect(words(2, ["a", "retrying"], ["b", "retrying"], ["a", "retrying"], ["c", "test"])).toEqual([
      "Retrying",
      "Retrying",
      "Failed, retried",
      "Test",
    ]);
  });

  it("are not retrying where nothing waits, as after the webhook was disabled", () => {
    expect(words(0, ["a", "retrying"], ["a", "retrying"])).toEqual(["Failed, not retried", "Failed, not retried"]);
  });
});
