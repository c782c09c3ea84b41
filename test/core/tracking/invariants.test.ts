import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destination } from "../../../src/core/geo/distance.ts";
import type { Ring } from "../../../src/core/geo/shapes/polygon.ts";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import type { Fence } from "../../../src/core/tracking/types/fence.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import { distanceToShape } from "../../../src/core/tracking/types/shape.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import type { Surroundings } from "../../../src/core/tracking/types/surroundings.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { samples } from "../../support/night.ts";
import { at, fenceOf, frozen, HOME, MINUTE, NOON, polygonFence } from "./world.ts";

const SEED = 20261121;

/** Circles that overlap, nest and lie apart, a star that crosses itself, within some 600 m of HOME. */
const star: Ring = [0, 144, 288, 72, 216].map((bearing) => {
  const { latitude, longitude } = destination(at(200, 180), bearing, 250);
  return [longitude, latitude];
});
const world: Fence[] = [
  fenceOf("a", HOME, 100),
  fenceOf("b", HOME, 300),
  fenceOf("c", at(250), 200),
  fenceOf("d", at(500, 0), 40),
  polygonFence("star", star, { dwellThreshold: 4 }),
];

const position = fc
  .record({
    metres: fc.double({ min: 0, max: 600, noNaN: true }),
    bearing: fc.double({ min: 0, max: 360, noNaN: true }),
  })
  .map(({ metres, bearing }) => at(metres, bearing));

const report = fc.record({
  location: position,
  accuracy: fc.constantFrom(1, 10, 65, 300, 17_000),
  foreground: fc.option(fc.boolean(), { nil: undefined }),
  stopped: fc.option(fc.boolean(), { nil: undefined }),
  replayed: fc.boolean(),
  minute: fc.integer({ min: 0, max: 60 }),
  timed: fc.boolean(),
  /** Which earlier report to send again, counted back; 0 = none. */
  again: fc.constantFrom(0, 0, 0, 0, 1, 2, 5),
});
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never;

function updatesOf(reports: Report[]): LocationUpdate[] {
  const out: LocationUpdate[] = [];
  for (const [i, { minute, timed, again, ...said }] of reports.entries()) {
    const receivedAt = NOON + i * 1000;
    const before = again > 0 ? out[out.length - again] : undefined;
    const updatedAt = timed ? NOON - 3600_000 + minute * MINUTE : undefined;
    out.push(before ? { ...before, receivedAt } : { deviceId: "phone", ...said, updatedAt, receivedAt });
  }
  return out;
}

/** What a lookup around the point would find, and, like a real one, rather too much than too little. */
function around({ location, accuracy }: LocationUpdate): Surroundings {
  return {
    fences: world.filter(({ shape }) => distanceToShape(shape, location, 1000) <= Math.min(accuracy, 2000) + 50),
  };
}

describe("whatever a device sends", () => {
  it("visits alternate, ids are new and rising, no state given is changed, JSON loses nothing", () => {
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 60 }), fc.boolean(), (reports, bufferedEntries) => {
        const settings = { ...DEFAULT_SETTINGS, bufferedEntries, dwellThreshold: 7 };
        let state: UserState | undefined;
        const events: TrackEvent[] = [];
        for (const update of updatesOf(reports)) {
          const outcome = applyUpdate(frozen(state), update, around(update), settings, { _id: "00ff", live: true });
          const stored = JSON.parse(JSON.stringify(outcome.state)) as UserState;
          expect(
            applyUpdate(state && thawed(state), update, around(update), settings, { _id: "00ff", live: true }),
          ).toEqual(outcome);
          if (outcome.repeated) expect(outcome.state).toBe(state);
          else events.push(...outcome.events);
          state = stored;
        }
        expect(events.map(({ _id }) => _id)).toEqual(
          events.map((_, i) => `00ff${(i + 1).toString(16).padStart(8, "0")}`),
        );
        expect(state?.seq).toBe(events.length);
        const inside = new Map<string, { dwelled: boolean }>();
        for (const { type, geofence, duration } of events) {
          const id = geofence?._id ?? "";
          const visit = inside.get(id);
          if (type === "user.entered_geofence") {
            expect(visit).toBeUndefined();
            inside.set(id, { dwelled: false });
          } else if (type === "user.exited_geofence") {
            expect(visit).toBeDefined();
            expect(duration).toBeGreaterThanOrEqual(0);
            inside.delete(id);
          } else if (type === "user.dwelled_in_geofence") {
            expect(visit?.dwelled).toBe(false);
            inside.set(id, { dwelled: true });
          }
        }
        expect([...inside.keys()].sort()).toEqual(Object.keys(state?.geofences ?? {}).sort());
      }),
      { seed: SEED, numRuns: samples(80, 300) },
    );
  });

  it("is inside of what brute force says when its fixes are exact", () => {
    fc.assert(
      fc.property(fc.array(position, { minLength: 1, maxLength: 40 }), (positions) => {
        let state: UserState | undefined;
        for (const [i, location] of positions.entries()) {
          const receivedAt = NOON + i * MINUTE;
          const update = { deviceId: "phone", location, accuracy: 0.001, replayed: false, receivedAt };
          state = applyUpdate(state, update, { fences: world }, DEFAULT_SETTINGS, { _id: "00ff", live: true }).state;
          const inside = world.filter(({ shape }) => distanceToShape(shape, location, 1) <= 0.001);
          expect(Object.keys(state.geofences).sort()).toEqual(inside.map(({ id }) => id));
        }
      }),
      { seed: SEED, numRuns: samples(60, 200) },
    );
  });

  it("comes to the same whether stragglers arrive or not", () => {
    fc.assert(
      fc.property(fc.array(report, { minLength: 2, maxLength: 40 }), fc.nat(), (reports, shuffle) => {
        const identity = { _id: "00ff", live: true };
        const timed = updatesOf(reports.map((one) => ({ ...one, again: 0, timed: true, replayed: true })));
        // A fixed shuffle; then only the reports that were the newest so far may count.
        const shuffled = timed
          .map((update, i) => ({ update, key: Math.imul(i + 1, shuffle * 2 + 1) >>> 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ update }, i) => ({ ...update, receivedAt: NOON + i }));
        let newest = Number.NEGATIVE_INFINITY;
        const orderly = shuffled.filter(({ updatedAt = 0 }) => {
          if (updatedAt <= newest) return false;
          newest = updatedAt;
          return true;
        });
        const run = (updates: LocationUpdate[]) => {
          let state: UserState | undefined;
          const events: TrackEvent[] = [];
          for (const update of updates) {
            const outcome = applyUpdate(state, update, around(update), DEFAULT_SETTINGS, identity);
            if (!outcome.repeated) events.push(...outcome.events);
            state = outcome.state;
          }
          return { state, events };
        };
        expect(run(shuffled)).toEqual(run(orderly));
      }),
      { seed: SEED, numRuns: samples(60, 200) },
    );
  });
});

function thawed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
