import { describe, expect, it } from "vitest";
import { DeliveryClock } from "../../../src/worker/objects/webhooks/delivery-clock.ts";

const NOW = 1_000_000_000;
const none = () => undefined;

describe("the alarm of a sender", () => {
  it("is set for the first message that is due, and not again while it is early enough", () => {
    const clock = new DeliveryClock();
    expect(clock.alarmFor(NOW + 500, NOW, () => NOW + 200)).toBe(NOW + 200);
    clock.setAlarm(NOW + 200);
    expect(clock.alarmFor(NOW + 500, NOW, none)).toBeUndefined();
    expect(clock.alarmFor(NOW + 100, NOW, none)).toBe(NOW + 100);
  });

  it("that is about to run is left as it is, and one that did not run is set again", () => {
    const clock = new DeliveryClock();
    clock.setAlarm(NOW - 1_000);
    expect(clock.alarmFor(NOW, NOW, none)).toBeUndefined();
    expect(clock.alarmFor(NOW + 40_000, NOW + 40_000, none)).toBe(NOW + 40_000);
    expect(clock.alarmFor(NOW + 50_000, NOW + 40_000, none)).toBe(NOW + 50_000);
  });

  it("is forgotten when the clock is set back by more than a minute", () => {
    const clock = new DeliveryClock();
    expect(clock.advance(NOW)).toBe(0);
    clock.setAlarm(NOW + 500);
    expect(clock.advance(NOW - 50_000)).toBe(0);
    expect(clock.alarmFor(NOW + 600, NOW, none)).toBeUndefined();
    expect(clock.advance(NOW)).toBe(0);
    expect(clock.advance(NOW - 3600_000)).toBe(-3600_000);
    expect(clock.alarmFor(NOW + 600, NOW - 3600_000, none)).toBe(NOW + 600);
  });

  it("tries up to 400 times and for five minutes", () => {
    const clock = new DeliveryClock();
    expect(clock.mayTry(NOW)).toBe(false);
    clock.startRun(NOW);
    expect([clock.isRunning, clock.mayTry(NOW + 299_999), clock.mayTry(NOW + 300_000)]).toEqual([true, true, false]);
    for (let i = 0; i < 400; i++) clock.countTry();
    expect(clock.mayTry(NOW)).toBe(false);
    clock.endRun();
    expect(clock.isRunning).toBe(false);
  });
});

it("a receiver is slow for ten seconds, also if the clock is set back meanwhile", () => {
  const clock = new DeliveryClock();
  clock.noteSlow(NOW);
  expect([NOW, NOW + 9_999, NOW + 10_000, NOW - 3600_000].map((now) => clock.isSlow(now))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
