import { expect, it } from "vitest";
import { destination } from "../../../../src/core/geo/distance.ts";
import { encodeLine } from "../../../../src/core/geo/shapes/polyline.ts";
import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import { routeKey } from "../../../../src/core/tracking/steps/follow-route.ts";
import type { TrackEvent } from "../../../../src/core/tracking/types/event.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../../src/core/tracking/types/state.ts";
import type { Trip } from "../../../../src/core/tracking/types/trip.ts";
import { random } from "../journeys/simulated-day.ts";
import { fenceOf, HOME, NOON } from "../world.ts";

/** `PAIRS_SEEDS=5000` takes more walks. */
const SEEDS = Number(process.env.PAIRS_SEEDS ?? 150);
const PAIRS = [
  ["user.exceeded_speed_limit", "user.kept_to_speed_limit"],
  ["user.left_route", "user.returned_to_route"],
  ["user.started_idling", "user.stopped_idling"],
] as const;
const lineAt = (bearing: number) => encodeLine([HOME, destination(HOME, bearing, 20_000)], 5);

/** Which pairs are switched off: their end must be an event of the next update. */
const isOff = (settings: TrackingSettings, trip: Trip | undefined): boolean[] => [
  !settings.speedLimits,
  (trip?.routeTolerance ?? settings.routeTolerance ?? 0) === 0,
  !settings.idling,
];

/** A walk in which settings, plans and the way of driving change at random: its events, and how often each began. */
class Walk {
  readonly begun = [0, 0, 0];
  readonly open = [false, false, false];
  #state: UserState | undefined;
  #clock = NOON;
  #metres = 0;
  #aside = 0;
  #manner = 0;
  #settings: TrackingSettings = { ...DEFAULT_SETTINGS, eventTypes: PAIRS.flat() };
  #trip: Trip;
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = random(seed);
    this.#trip = {
      ...{ _id: "t1", live: false, externalId: "order-1", mode: "car", status: "started", version: 1 },
      ...{ createdAt: NOON, updatedAt: NOON, startedAt: NOON, plannedRoute: lineAt(90) },
    };
  }

  /** Changes one thing or none, then sends an update. */
  step(): void {
    this.#change();
    this.#clock += 5000;
    const speed = [0, 12, 30][this.#manner % 3];
    this.#metres += speed * 5;
    this.#aside = this.#manner > 2 ? this.#aside + 60 : Math.max(0, this.#aside - 60);
    const onLine = destination(HOME, 90, this.#metres);
    const trip = this.#trip;
    const outcome = applyUpdate(
      this.#state && { ...this.#state, ...(this.#state.trip && { trip }) },
      {
        ...{ deviceId: "van", replayed: false, receivedAt: this.#clock, speed },
        accuracy: this.#next() < 0.1 ? 5000 : 8,
        location: destination(onLine, 0, this.#aside),
      },
      {
        fences: [fenceOf("zone", HOME, 300)],
        road: { name: "Main Street", limitKmh: 50, sureness: 20 },
        trip: {
          ...(!this.#state && { adopted: trip }),
          route: { trip: routeKey(trip), ...(trip.plannedRoute !== undefined && { line: trip.plannedRoute }) },
        },
      },
      this.#settings,
      { _id: "00ff", live: false },
    );
    this.#state = outcome.state;
    for (const { type } of outcome.events) this.#count(type);
    isOff(this.#settings, trip).forEach((off, pair) => {
      if (off) expect(this.open[pair], PAIRS[pair][0]).toBe(false);
    });
  }

  #count(type: TrackEvent["type"]): void {
    PAIRS.forEach(([begins, ends], pair) => {
      if (type !== begins && type !== ends) return;
      expect(this.open[pair], type).toBe(type === ends);
      this.open[pair] = type === begins;
      if (type === begins) this.begun[pair]++;
    });
  }

  #change(): void {
    const next = this.#next;
    if (next() < 0.03) this.#manner = Math.floor(next() * 6);
    const settings = { ...this.#settings };
    if (next() < 0.03) settings.speedLimits = next() < 0.7;
    if (next() < 0.03) settings.routeTolerance = next() < 0.7 ? 50 : 0;
    if (next() < 0.03) settings.idling = next() < 0.7 ? 1 : 0;
    this.#settings = settings;
    const { routeTolerance: _, plannedRoute: _line, ...trip } = this.#trip;
    if (next() < 0.02) this.#trip = { ...this.#trip, plannedRoute: lineAt(90 + Math.floor(next() * 3)) };
    else if (next() < 0.01)
      this.#trip = { ...trip, ...(next() < 0.5 && { routeTolerance: 0, plannedRoute: lineAt(90) }) };
  }
}

it("each event about driving that begins something is followed by its end, whatever is switched off or planned anew", () => {
  const begun = [0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const walk = new Walk(seed);
    for (let k = 0; k < 400; k++) walk.step();
    for (const [pair, count] of walk.begun.entries()) begun[pair] += count;
  }
  // The walks are not empty.
  for (const count of begun) expect(count).toBeGreaterThan(SEEDS / 3);
});
