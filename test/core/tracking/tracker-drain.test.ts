import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import { TrackerStore } from "../../../src/worker/objects/tracker/tracker-store.ts";
import { memorySql } from "../../bench/support/sqlite.ts";
import { NOON } from "./world.ts";

/** Without its types, which are those of Workers. */
const { TrackerDrain } = await import(
  new URL("../../../src/worker/objects/tracker/tracker-drain.ts", import.meta.url).href
);

interface Drain {
  arm(afterMs: number): void;
  disarm(): Promise<void>;
  send(scope: number): void;
  drain(scope: number | undefined): Promise<void>;
  drained(scope: number | undefined): Promise<void>;
  ring(scope: number | undefined): Promise<void>;
  idle(): Promise<void>;
  heedHanded(): void;
  handedOver(): Promise<void>;
}

const SCOPE = 2;

const state = (over: Partial<UserState> = {}) =>
  ({
    _id: "00ff",
    live: false,
    deviceId: "d",
    seq: 0,
    locationAccuracy: 5,
    createdAt: 1,
    updatedAt: 1,
    actualUpdatedAt: 1,
    chronology: 1,
    location: { latitude: 48.2, longitude: 16.37 },
    geofences: {},
    left: {},
    regions: {},
    regionChanges: {},
    nearbyChains: {},
    ...over,
  }) as UserState;

const event = (n: number) =>
  ({ _id: `00ff${n}`, type: "user.entered_geofence", user: { _id: "00ff" } }) as unknown as TrackEvent;

/** A tracker's drain, with a database writer that a test lets fail, and the alarm of its object. */
class World {
  readonly store = new TrackerStore(memorySql());
  /** What the writer got: "store" with the number of events, or "take". */
  readonly calls: string[] = [];
  /** Called at the beginning of each call of the writer. */
  onCall: (call: string) => void | Promise<void> = () => {};
  alarm: number | null;
  /** All alarms that were set. */
  readonly alarms: number[] = [];
  settled = 0;
  stubs = 0;
  readonly drain: Drain;

  constructor({ alarm = null, gather = false }: { alarm?: number | null; gather?: boolean } = {}) {
    this.alarm = alarm;
    const call = async (name: string) => {
      this.calls.push(name);
      await this.onCall(name);
    };
    const writer = {
      store: (_: unknown, events: unknown[]) => call(`store ${events.length}`),
      take: () => call("take"),
      storeAll: async (writes: { isTaken: boolean }[]) => {
        await call(writes.map(({ isTaken }) => (isTaken ? "taken" : "stored")).join());
        return [];
      },
      settle: async () => {
        this.settled++;
        throw new Error("away");
      },
    };
    const get = () => {
      this.stubs++;
      return writer;
    };
    const env = {
      DATABASE_WRITER: { get, idFromName: (name: string) => name },
      ...(gather && { WRITE_GATHER_MS: "100" }),
    };
    const storage = {
      getAlarm: async () => this.alarm,
      setAlarm: async (at: number) => {
        this.alarm = at;
        this.alarms.push(at);
      },
      deleteAlarm: async () => {
        this.alarm = null;
      },
    };
    const blockConcurrencyWhile = (work: () => Promise<void>) => work();
    const context = { id: "a".repeat(64), storage, blockConcurrencyWhile };
    this.drain = new TrackerDrain(env, context, () => this.store) as Drain;
  }

  save(...events: TrackEvent[]): void {
    this.store.save(state(), events);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the alarm of a tracker", () => {
  it("is set for a time, and moved only to an earlier one", () => {
    const { drain, alarms } = new World();
    drain.arm(5_000);
    drain.arm(5_000);
    drain.arm(6_000);
    expect(alarms).toEqual([NOON + 5_000]);
    drain.arm(4_999);
    expect(alarms).toEqual([NOON + 5_000, NOON + 4_999]);
  });

  it("that an earlier machine has set stays", async () => {
    const world = new World({ alarm: NOON + 1_000 });
    await vi.advanceTimersByTimeAsync(0);
    world.drain.arm(2_000);
    expect(world.alarms).toEqual([]);
    world.drain.arm(500);
    expect(world.alarms).toEqual([NOON + 500]);
  });

  it("is set again after it was deleted", async () => {
    const { drain, alarms } = new World();
    drain.arm(5_000);
    await drain.disarm();
    drain.arm(6_000);
    expect(alarms).toEqual([NOON + 5_000, NOON + 6_000]);
  });

  it("is not set while it rings: it would cut itself short", async () => {
    const world = new World();
    world.save(event(1));
    let during: number | undefined;
    world.onCall = () => {
      world.drain.arm(1);
      during = world.alarms.length;
    };
    await world.drain.ring(SCOPE);
    expect(during).toBe(0);
    expect(world.alarms).toEqual([]);
    world.drain.arm(1);
    expect(world.alarms).toEqual([NOON + 1]);
  });

  it("sends what is left, and is not set again when all has arrived", async () => {
    const world = new World();
    world.save(event(1));
    const note = vi.spyOn(world.store, "noteArrived");
    await world.drain.ring(SCOPE);
    expect(world.calls).toEqual(["store 1"]);
    expect(world.store.hasUnstored()).toBe(false);
    expect(note).toHaveBeenCalledTimes(1);
    expect(world.alarms).toEqual([]);
    await world.drain.ring(SCOPE);
    expect(world.calls).toEqual(["store 1"]);
  });

  it("rings again after a failure: at first soon, then later and later, up to half a minute", async () => {
    const world = new World();
    world.save(event(1));
    const note = vi.spyOn(world.store, "noteArrived");
    world.onCall = () => {
      throw new Error("no database");
    };
    for (let i = 0; i < 12; i++) await world.drain.ring(SCOPE);
    const pauses = world.alarms.map((at) => at - NOON);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, ...Array(7).fill(30_000)]);
    expect(note).not.toHaveBeenCalled();
    expect(world.store.hasUnstored()).toBe(true);
    world.onCall = () => {};
    await world.drain.ring(SCOPE);
    expect(world.store.hasUnstored()).toBe(false);
  });

  it("of an object that does not know its project is set again without a call", async () => {
    const world = new World();
    world.save(event(1));
    await world.drain.ring(undefined);
    expect([world.calls, world.alarms]).toEqual([[], [NOON + 500]]);
  });
});

describe("what a tracker has for the database", () => {
  it("is stored while a caller waits where it is a new user or has events, else taken over", async () => {
    const world = new World();
    world.save();
    await world.drain.drain(SCOPE);
    world.save();
    await world.drain.drain(SCOPE);
    world.save(event(1));
    await world.drain.drain(SCOPE);
    expect(world.calls).toEqual(["store 0", "take", "store 1"]);
    expect(world.store.hasUnstored()).toBe(false);
  });

  it("goes out in pieces of 200 updates with events", async () => {
    const world = new World();
    world.store.keepEvents([event(0)]);
    for (let n = 1; n < 450; n++) world.store.keepEvents([event(n)]);
    await world.drain.drain(SCOPE);
    expect(world.calls).toEqual(["store 200", "store 200", "store 50"]);
  });

  it("goes out one drain at a time; what comes meanwhile goes with it", async () => {
    const world = new World();
    world.save(event(1));
    world.onCall = (call) => {
      if (call === "store 1" && world.calls.length === 1) world.save(event(2), event(3));
    };
    const [first, second] = [world.drain.drain(SCOPE), world.drain.drain(SCOPE)];
    expect(second).toBe(first);
    await first;
    expect(world.calls).toEqual(["store 1", "store 2"]);
  });

  it("waits for the alarm after a failure, also when more is to be sent", async () => {
    const world = new World();
    world.save(event(1));
    world.onCall = () => {
      throw new Error("no database");
    };
    world.drain.send(SCOPE);
    await world.drain.idle();
    expect(world.alarms).toEqual([NOON + 8_000]);
    world.drain.send(SCOPE);
    await world.drain.idle();
    expect(world.calls.length).toBe(1);
    world.onCall = () => {};
    await world.drain.ring(SCOPE);
    world.save(event(2));
    world.drain.send(SCOPE);
    await world.drain.idle();
    expect(world.calls.slice(1)).toEqual(["store 1", "store 1"]);
  });

  it("goes to another stub of the writer after a failure, and to the same one before", async () => {
    const world = new World();
    world.save(event(1));
    await world.drain.drain(SCOPE);
    world.save(event(2));
    await world.drain.drain(SCOPE);
    expect(world.stubs).toBe(1);
    world.onCall = () => {
      throw new Error("broken stub");
    };
    world.save(event(3));
    await world.drain.drain(SCOPE);
    await world.drain.drain(SCOPE);
    expect(world.stubs).toBe(2);
  });

  it("is drained when it has arrived, with what came behind the last look at it", async () => {
    const world = new World();
    world.save(event(1));
    const { unstored } = world.store;
    let looks = 0;
    // Behind the last look, before the drain has ended.
    vi.spyOn(world.store, "unstored").mockImplementation((...args) => {
      const due = unstored.apply(world.store, args);
      if (++looks === 2) queueMicrotask(() => world.save(event(2)));
      return due;
    });
    await world.drain.drained(SCOPE);
    expect(world.calls).toEqual(["store 1", "store 1"]);
    expect(world.settled).toBe(1);
  });

  it("is not tried a second time where the first one failed", async () => {
    const world = new World();
    world.save(event(1));
    world.onCall = () => {
      throw new Error("no database");
    };
    await world.drain.drained(SCOPE);
    expect(world.calls).toEqual(["store 1"]);
  });
});

describe("what a tracker hands over together with others", () => {
  it("has arrived when the call has, and is noted then", async () => {
    const world = new World({ gather: true });
    world.save(event(1));
    world.drain.send(SCOPE);
    expect(world.calls).toEqual([]);
    world.drain.heedHanded();
    expect(world.store.hasUnstored()).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    expect(world.calls).toEqual(["stored"]);
    world.drain.heedHanded();
    expect(world.store.hasUnstored()).toBe(false);
    expect(world.alarms).toEqual([]);
  });

  it("is sent at once for a reader, who waits until it is known what became of it", async () => {
    const world = new World({ gather: true });
    world.save(event(1));
    world.drain.send(SCOPE);
    let arrived = false;
    world.onCall = () => new Promise((wake) => setTimeout(wake, 50));
    const handedOver = world.drain.handedOver().then(() => {
      arrived = true;
    });
    await vi.advanceTimersByTimeAsync(40);
    expect([arrived, world.calls]).toEqual([false, ["stored"]]);
    await vi.advanceTimersByTimeAsync(40);
    await handedOver;
    expect(arrived).toBe(true);
  });

  it("is not waited for longer than 20 s", async () => {
    const world = new World({ gather: true });
    world.save(event(1));
    world.drain.send(SCOPE);
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    world.onCall = () => promise;
    let waits = true;
    const handedOver = world.drain.handedOver().then(() => {
      waits = false;
    });
    await vi.advanceTimersByTimeAsync(19_900);
    expect(waits).toBe(true);
    world.drain.heedHanded();
    expect(world.alarms).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    await handedOver;
    expect(waits).toBe(false);
    // Nothing is known of it: it is sent again by itself, when the alarm rings.
    world.drain.heedHanded();
    expect(world.alarms).toEqual([NOON + 20_100 + 8_000]);
    answer();
    world.onCall = () => {};
    await world.drain.ring(SCOPE);
    expect(world.calls).toEqual(["stored", "store 1"]);
  });

  it("is sent again by itself where the call failed", async () => {
    const world = new World({ gather: true });
    world.save(event(1));
    world.onCall = () => {
      throw new Error("no database");
    };
    world.drain.send(SCOPE);
    await vi.advanceTimersByTimeAsync(100);
    world.onCall = () => {};
    await world.drain.ring(SCOPE);
    expect(world.calls).toEqual(["stored", "store 1"]);
    expect(world.store.hasUnstored()).toBe(false);
  });

  it("is sent again where its call failed and a later one arrived before either outcome was read", async () => {
    const world = new World({ gather: true });
    world.onCall = () => {
      if (world.calls.length === 1) throw new Error("the project is moving");
    };
    for (const n of [1, 2]) {
      world.save(event(n));
      world.drain.send(SCOPE);
      await vi.advanceTimersByTimeAsync(100);
    }
    world.drain.heedHanded();
    expect(world.store.unstored(SCOPE, 10)!.events).toHaveLength(1);
    await world.drain.ring(SCOPE);
    expect(world.calls).toEqual(["stored", "stored", "store 1"]);
    expect(world.store.hasUnstored()).toBe(false);
  });

  it("is not sent again by the alarm where it has arrived", async () => {
    const world = new World({ gather: true });
    world.save(event(1));
    world.drain.send(SCOPE);
    await vi.advanceTimersByTimeAsync(100);
    await world.drain.ring(SCOPE);
    expect([world.calls, world.alarms]).toEqual([["stored"], []]);
  });
});
