import { beforeEach, describe, expect, it, vi } from "vitest";
import { GatheredLines } from "../../../src/worker/http/serve/gathered-lines.ts";

describe("lines of a log that are written together", () => {
  let written: string[] = [];
  const lines = () => new GatheredLines((text) => written.push(text));

  beforeEach(() => {
    written = [];
    vi.useFakeTimers({ now: 1_000_000 });
    return () => vi.useRealTimers();
  });

  it("go out at once after a pause, and together in their order where they follow each other", async () => {
    const log = lines();
    expect(log.add("first", Date.now(), 100)).toBeUndefined();
    expect(written).toEqual(["first"]);
    const later = log.add("second", Date.now(), 100);
    expect(log.add("third", Date.now() + 40, 100)).toBeUndefined();
    expect(written).toEqual(["first"]);
    await vi.advanceTimersByTimeAsync(100);
    await later;
    expect(written).toEqual(["first", "second\nthird"]);
    vi.advanceTimersByTime(100);
    void log.add("fourth", Date.now(), 100);
    expect(written.at(-1)).toBe("fourth");
  });

  it("do not wait for ever for a request that ended before it wrote them", () => {
    const log = lines();
    void log.add("first", 0, 100);
    void log.add("second", 10, 100);
    // The timer of that request is gone with it.
    vi.clearAllTimers();
    const taken = log.add("third", 600, 100);
    expect(taken).toBeInstanceOf(Promise);
  });

  it("are written when two hundred wait, and when somebody asks for it", () => {
    const log = lines();
    for (let i = 0; i <= 200; i++) void log.add(String(i), 0, 100);
    expect(written.map((text) => text.split("\n").length)).toEqual([1, 200]);
    void log.add("late", 0, 100);
    log.flush();
    expect(written.at(-1)).toBe("late");
  });

  it("are not held by a clock that is set back, nor where nothing may wait", () => {
    const log = lines();
    void log.add("first", 5_000, 100);
    void log.add("an hour before", 5_000 - 3_600_000, 100);
    expect(written).toEqual(["first", "an hour before"]);
    const never = lines();
    for (const line of ["a", "b", "c"]) void never.add(line, 0, 0);
    expect(written.slice(2)).toEqual(["a", "b", "c"]);
  });
});
