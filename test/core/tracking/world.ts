import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import type { Ring } from "../../../src/core/geo/shapes/polygon.ts";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import type { CircleShape, Fence } from "../../../src/core/tracking/types/fence.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../src/core/tracking/types/settings.ts";
import { polygonShape } from "../../../src/core/tracking/types/shape.ts";
import type { Outcome, UserState } from "../../../src/core/tracking/types/state.ts";
import type { Surroundings } from "../../../src/core/tracking/types/surroundings.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";

/**
 * A small world: a circle of 100 m around HOME. `at(n)` is n metres east of its centre, so at(130) lies 30 m outside.
 *
 *     HOME ·──────── 100 m ───────┤fence├──── 30 m ────· at(130)
 */
export const HOME = { latitude: 40.7, longitude: -73.95 };
export const at = (metres: number, bearing = 90) => destination(HOME, bearing, metres);
export const NOON = Date.UTC(2026, 6, 1, 12); // a Wednesday
export const MINUTE = 60_000;

export const circleShape = (center: Coordinate, radius: number): CircleShape => ({ type: "circle", center, radius });

export const home: Fence = {
  id: "f1",
  revision: 1,
  tag: "house",
  externalId: "1",
  description: "Home",
  shape: circleShape(HOME, 100),
  enabled: true,
};

export const fenceOf = (id: string, center = HOME, radius = 100, more: Partial<Fence> = {}): Fence => ({
  id,
  revision: 1,
  shape: circleShape(center, radius),
  enabled: true,
  ...more,
});

export const polygonFence = (id: string, ring: Ring, more: Partial<Fence> = {}): Fence => ({
  id,
  revision: 1,
  shape: polygonShape(ring),
  enabled: true,
  ...more,
});

/** A device that sends updates a minute apart and remembers what came of them. */
export class Device {
  state: UserState | undefined;
  settings: TrackingSettings = DEFAULT_SETTINGS;
  around: Surroundings = { fences: [home] };
  clock = NOON;
  readonly log: string[] = [];

  send(metres: number, more: Partial<LocationUpdate> = {}): Outcome {
    return this.report({ location: at(metres), ...more });
  }

  report(more: Partial<LocationUpdate>): Outcome {
    this.clock += MINUTE;
    const outcome = applyUpdate(this.state, this.update(more), this.around, this.settings, {
      _id: "a1b2c3d4e5f6a1b2c3d4e5f6",
      live: false,
    });
    this.state = outcome.state;
    if (!outcome.repeated) this.log.push(...typesOf(outcome));
    return outcome;
  }

  update(more: Partial<LocationUpdate> = {}): LocationUpdate {
    return { deviceId: "phone", location: HOME, accuracy: 10, replayed: false, receivedAt: this.clock, ...more };
  }

  inside(): string[] {
    return Object.keys(this.state?.geofences ?? {});
  }
}

export const typesOf = ({ events }: Outcome): string[] => events.map(({ type }) => type.replace("user.", ""));

/** Freezes a value through and through, so that a test fails where something given is changed. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}
