import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../../src/core/geo/distance.ts";
import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import { DEFAULT_SETTINGS } from "../../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../../src/core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../../src/core/tracking/types/update.ts";

/** A simulated device with a known life: where it is at each time, and what it sends of that. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Monday, at midnight. */
export const MONDAY = Date.UTC(2026, 5, 1);

export interface Happened {
  type: string;
  at: number;
}

export class Life {
  state: UserState | undefined;
  now: number;
  here: Coordinate;
  readonly happened: Happened[] = [];
  readonly random: () => number;
  settings = { ...DEFAULT_SETTINGS, insights: true };
  timeZone = "UTC";
  accuracy = 15;

  constructor(random: () => number, here: Coordinate, now = MONDAY) {
    this.random = random;
    this.here = here;
    this.now = now;
  }

  /** Sends a fix with a normally distributed error, two times out of three within the accuracy. */
  send(more: Partial<LocationUpdate> = {}): void {
    const error = this.accuracy * Math.sqrt(-Math.log(1 - this.random() * 0.999)) * 0.94;
    const location = destination(this.here, this.random() * 360, error);
    const update: LocationUpdate = {
      deviceId: "phone",
      location,
      accuracy: this.accuracy,
      replayed: false,
      receivedAt: this.now,
      ...more,
    };
    const around = { fences: [], timeZone: this.timeZone };
    const before = this.state;
    const outcome = applyUpdate(before, update, around, this.settings, { _id: "00ff", live: false });
    this.state = outcome.state;
    for (const { type, createdAt } of outcome.events) this.happened.push({ type: type.slice(5), at: createdAt });
  }

  /** Remains here until a time. `every` [ms] between fixes; absent = one when it has stopped, then none, as phones do. */
  stay(until: number, every?: number): void {
    if (every === undefined) {
      this.send({ stopped: true });
      this.now = until;
      return;
    }
    while (this.now + every <= until) {
      this.send();
      this.now += every;
    }
    this.now = until;
  }

  /** Moves in a straight line, with a fix each minute. */
  go(to: Coordinate, speedKmh: number, more: Partial<LocationUpdate> = {}): void {
    const step = (speedKmh / 3.6) * 60;
    let left = distance(this.here, to);
    while (left > step) {
      this.now += MINUTE;
      const bearing = bearingTo(this.here, to);
      this.here = destination(this.here, bearing, step);
      left = distance(this.here, to);
      this.send({ stopped: false, ...more });
    }
    this.now += (left / step) * MINUTE;
    this.here = to;
  }

  types(from = 0): string[] {
    return this.happened.filter(({ at }) => at >= from).map(({ type }) => type);
  }
}

function bearingTo(from: Coordinate, to: Coordinate): number {
  const rad = Math.PI / 180;
  const dLon = (to.longitude - from.longitude) * rad;
  const y = Math.sin(dLon) * Math.cos(to.latitude * rad);
  const x =
    Math.cos(from.latitude * rad) * Math.sin(to.latitude * rad) -
    Math.sin(from.latitude * rad) * Math.cos(to.latitude * rad) * Math.cos(dLon);
  return Math.atan2(y, x) / rad;
}
