import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { learnAt } from "../../../../src/server/start/learn-at.ts";
import { type learnOnce, startNightlyLearning } from "../../../../src/server/start/nightly-learning.ts";

describe("nightly learning of npm start", () => {
  beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 10, 26, 7, 40, 30) }));
  afterEach(() => {
    vi.useRealTimers();
  });

  it("runs daily at its time, never twice at once, and continues after a failed run", async () => {
    const began: string[] = [];
    let end: (fail?: Error) => void = () => undefined;
    const learn: typeof learnOnce = () => {
      began.push(new Date().toISOString().slice(0, 16));
      return new Promise((resolve, reject) => {
        end = (fail) => (fail ? reject(fail) : resolve(0));
      });
    };
    const errors: string[] = [];
    const nightly = startNightlyLearning(
      "state",
      (level, text) => void errors.push(`${level} ${text}`),
      learnAt("07:41"),
      learn,
    );
    await vi.advanceTimersByTimeAsync(29_000);
    expect(began).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(began).toEqual(["2026-11-26T07:41"]);
    // The first run takes longer than a day.
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(began).toHaveLength(1);
    end(new Error("no space"));
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(errors).toEqual([expect.stringContaining("no space")]);
    expect(began).toEqual(["2026-11-26T07:41", "2026-11-28T07:41"]);
    nightly.stop();
    end();
    await vi.advanceTimersByTimeAsync(3 * 86_400_000);
    expect(began).toHaveLength(2);
  });

  it("accepts a time in UTC, and nothing else", () => {
    expect(learnAt("3:05")).toBe("5 3 * * *");
    for (const text of ["24:00", "7", "07:60", "", "7:41 pm"]) expect(() => learnAt(text)).toThrow("--learn-at");
  });
});
