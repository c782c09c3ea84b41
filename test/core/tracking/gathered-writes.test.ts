import { describe, expect, it, vi } from "vitest";
import {
  type GatheredWrite,
  GatheredWrites,
  type NotArrived,
} from "../../../src/worker/objects/writer/gathered-writes.ts";

const write = (tracker: string): GatheredWrite => ({ users: [], events: [], isTaken: false, tracker });

/** Time as trackers see it: what was to run later runs when it is told to. */
function world(failing: () => readonly NotArrived[] = () => []) {
  const later: (() => void)[] = [];
  const sent: string[][] = [];
  const send = async (writes: readonly GatheredWrite[]) => {
    sent.push(writes.map(({ tracker }) => tracker));
    return failing();
  };
  const gathered = new GatheredWrites();
  const add = (tracker: string) => gathered.add(write(tracker), 100, send, (run) => later.push(run));
  return { gathered, later, sent, send, add };
}

const settled = () => new Promise((done) => setTimeout(done));

describe("what the trackers of an isolate have for the database", () => {
  it("travels in one call, which the first of them makes; each finds out what became of its own", async () => {
    const { later, sent, add } = world(() => [{ place: 1, error: "no such table" }]);
    const handed = ["a", "b", "c"].map(add);
    expect(later).toHaveLength(1);
    expect(handed.map(({ outcome }) => outcome)).toEqual(["pending", "pending", "pending"]);
    later[0]();
    await settled();
    expect(sent).toEqual([["a", "b", "c"]]);
    expect(handed.map(({ outcome }) => outcome)).toEqual(["arrived", "failed", "arrived"]);
    expect(handed[1].error).toBe("no such table");
    add("d");
    expect(later).toHaveLength(2);
  });

  it("is sent at once when a reader wants it, and not again by who had promised to", async () => {
    const { gathered, later, sent, send, add } = world();
    const handed = add("a");
    await gathered.flush(send);
    expect(handed.outcome).toBe("arrived");
    later[0]();
    await settled();
    expect(sent).toEqual([["a"]]);
  });

  it("is under way for whoever watches until it has arrived, and no longer than who sends it may live", async () => {
    const { gathered, add } = world();
    let arrive: (value: readonly NotArrived[]) => void = () => {};
    const slow = () => new Promise<readonly NotArrived[]>((done) => (arrive = done));
    expect(gathered.watch()()).toBe(false);
    add("a");
    const sending = gathered.flush(slow);
    const isUnderWay = gathered.watch();
    expect(isUnderWay()).toBe(true);
    // What begins later is none of it.
    add("b");
    const lost = gathered.flush(() => new Promise(() => {}));
    arrive([]);
    await sending;
    expect(isUnderWay()).toBe(false);
    expect(gathered.watch()()).toBe(true);
    vi.useFakeTimers({ now: Date.now() + 6_000 });
    try {
      expect(gathered.watch()()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
    void lost;
  });

  it("is sent by another tracker when the one that had promised to is gone", async () => {
    const { later, sent, add } = world();
    vi.useFakeTimers();
    try {
      add("a");
      vi.advanceTimersByTime(600);
      add("b");
    } finally {
      vi.useRealTimers();
    }
    expect(later).toHaveLength(2);
    later[1]();
    await settled();
    expect(sent).toEqual([["a", "b"]]);
  });

  it("has failed, all of it, where the writer does not answer", async () => {
    const { later, add } = world(() => {
      throw new Error("away");
    });
    const handed = ["a", "b"].map(add);
    later[0]();
    await settled();
    expect(handed).toMatchObject([
      { outcome: "failed", error: "Error: away" },
      { outcome: "failed", error: "Error: away" },
    ]);
  });

  it("is at most five thousand writes: then trackers send their own", () => {
    const { gathered, add } = world();
    for (let i = 0; i < 4_999; i++) add("a");
    expect(gathered.isFull).toBe(false);
    add("a");
    expect(gathered.isFull).toBe(true);
  });
});
