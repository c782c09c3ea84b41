import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import type { Fence } from "../../../src/core/tracking/types/fence.ts";
import { circleShape } from "../../core/tracking/world.ts";
import { randomPoint } from "./fences.ts";

const DAY_MS = 24 * 3600_000;
const HOUR_MS = 3600_000;

/** Of a month in which a user sends a hundred updates: ten days with ten each. */
const ACTIVE_DAYS = 10;
/** One user in so many has geofences at home and at work. */
const WITH_FENCES = 20;
const FENCE_RADIUS = 150;
/** Mean distance between home and work [m], exponentially distributed. */
const MEAN_WAY = 6_000;

/** When [h] and where on the way from home (0) to work (1) a user sends an update. */
const ACTIVE_DAY: readonly (readonly [hour: number, share: number])[] = [
  ...([7.9, 8.1, 8.2, 8.3, 8.4] as const).map((hour, i) => [hour, i / 4] as const),
  ...([17, 17.1, 17.2, 17.3, 19] as const).map((hour, i) => [hour, Math.max(0, 1 - i / 3)] as const),
];

export interface MonthUser {
  deviceId: string;
  fences: Fence[];
  /** In their order. */
  updates: { at: number; location: Coordinate }[];
}

/** A user of a simulated month that begins at `start` [ms]: to work and back on ten days, and silent on the others. */
export function monthOf(n: number, start: number, random: () => number): MonthUser {
  const home = randomPoint(random);
  const [bearing, way] = [random() * 360, -Math.log(1 - random()) * MEAN_WAY];
  const days = Array.from({ length: 30 }, (_, day) => ({ day, draw: random() }))
    .sort((a, b) => a.draw - b.draw)
    .slice(0, ACTIVE_DAYS)
    .map(({ day }) => day)
    .sort((a, b) => a - b);
  const updates = days.flatMap((day) =>
    ACTIVE_DAY.map(([hour, share]) => ({
      at: Math.round(start + day * DAY_MS + (hour + random() * 0.05) * HOUR_MS),
      location: destination(destination(home, bearing, way * share), random() * 360, random() * 20),
    })),
  );
  const places = n % WITH_FENCES === 0 ? [home, destination(home, bearing, way)] : [];
  const fences = places.map((center, i): Fence => {
    return { id: `${n}-${i}`, revision: 1, enabled: true, shape: circleShape(center, FENCE_RADIUS) };
  });
  return { deviceId: `device-${n}`, fences, updates };
}
