import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CallLimits } from "../../../src/worker/objects/webhooks/sinks/call-limits.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("aborts a call after its limit, within half a second; one that ended or began later goes on", () => {
  const limits = new CallLimits();
  const [first, ended, later] = [new AbortController(), new AbortController(), new AbortController()];
  limits.set(first, 15_000);
  limits.set(ended, 2_000);
  vi.advanceTimersByTime(300);
  limits.end(ended);
  limits.set(later, 15_000);
  vi.advanceTimersByTime(14_700);
  expect([first.signal.aborted, ended.signal.aborted, later.signal.aborted]).toEqual([false, false, false]);
  vi.setSystemTime(0);
  vi.advanceTimersByTime(500);
  expect([first.signal.aborted, ended.signal.aborted]).toEqual([true, false]);
  vi.advanceTimersByTime(500);
  expect(later.signal.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it("replaces the limit of a call, and needs no timer between calls", () => {
  const limits = new CallLimits();
  const call = new AbortController();
  limits.set(call, 15_000);
  vi.advanceTimersByTime(14_000);
  limits.set(call, 2_000);
  vi.advanceTimersByTime(1_900);
  expect(call.signal.aborted).toBe(false);
  vi.advanceTimersByTime(700);
  expect(call.signal.aborted).toBe(true);
  const next = new AbortController();
  limits.set(next, 1_000);
  limits.end(next);
  expect(vi.getTimerCount()).toBe(0);
});
