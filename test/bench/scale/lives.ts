import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import type { Fence } from "../../../src/core/tracking/types/fence.ts";
import type { Surroundings } from "../../../src/core/tracking/types/surroundings.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { circleShape } from "../../core/tracking/world.ts";
import { randomPoint } from "../support/fences.ts";

/** How a device lives: an update each 20 s of a ride, each 5 minutes at one place, or ten on each day with a way to work. */
export const LIVES = ["riding", "standing", "commuting"] as const;
export type Life = (typeof LIVES)[number];

const START = Date.UTC(2026, 10, 1, 8);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A ride crosses a geofence each so many updates, and a postal code. */
const [FENCE_EVERY, CODE_EVERY, FENCE_RADIUS] = [15, 25, 200];
/** What an SDK sends with each update. */
const SENT = {
  ...{ deviceType: "iOS", deviceMake: "Apple", deviceModel: "iPhone17,2", deviceOS: "19.1", sdkVersion: "3.26.1" },
  ...{ locationAuthorization: "GRANTED_BACKGROUND", locationAccuracyAuthorization: "FULL", foreground: false },
} as const;

interface Lived {
  update: LocationUpdate;
  surroundings: Surroundings;
}

export function lifeOf(life: Life, n: number, count: number, random: () => number): Lived[] {
  const home = randomPoint(random);
  const [bearing, way] = [random() * 360, 5_000 + random() * 10_000];
  const work = destination(home, bearing, way);
  const own = life === "commuting" ? [home, work] : life === "standing" ? [home] : [];
  const fences = own.map((center, i) => fenceAt(`${n}-${i}`, center));
  let at = home;
  const speed = 8 + random() * 15;
  return Array.from({ length: count }, (_, i): Lived => {
    if (life === "riding") {
      at = i === 0 ? home : destination(at, bearing + Math.sin(i / 9) * 40, speed * 20);
      if (i % FENCE_EVERY === 0) fences.push(fenceAt(`${n}-${i}`, destination(at, 90, 50)));
    } else at = destination(life === "standing" ? home : wayAt(home, work, i), random() * 360, random() * 20);
    const receivedAt = Math.round(START + timeOf(life, i) + random() * 900);
    const moving = life === "riding";
    const update: LocationUpdate = {
      ...{ deviceId: `7B2C1F0A-8D1E-4C55-9F0B-${String(n).padStart(12, "0")}`, ...SENT, receivedAt, replayed: false },
      // Phones send as many digits as a double has.
      ...{
        location: at,
        accuracy: 4 + random() * 12,
        stopped: !moving,
        updatedAt: receivedAt - 40 - Math.floor(random() * 400),
      },
      ...(moving && { speed: speed + random(), course: (bearing + random() * 10) % 360 }),
    };
    return {
      update,
      surroundings: {
        fences: fences.slice(-8),
        regions: regionsAt(life === "riding" ? i : 0),
        timeZone: "America/Los_Angeles",
      },
    };
  });
}

function timeOf(life: Life, i: number): number {
  if (life === "riding") return i * 20_000;
  if (life === "standing") return i * 5 * MINUTE_MS;
  return Math.floor(i / 10) * DAY_MS + (i % 10 < 5 ? i % 10 : 108 + (i % 10)) * 5 * MINUTE_MS;
}

function wayAt(home: Coordinate, work: Coordinate, i: number): Coordinate {
  const share = i % 10 < 5 ? (i % 10) / 4 : 1 - ((i % 10) - 5) / 4;
  return {
    latitude: home.latitude + (work.latitude - home.latitude) * share,
    longitude: home.longitude + (work.longitude - home.longitude) * share,
  };
}

const fenceAt = (id: string, center: Coordinate): Fence => ({
  ...{ id: `64${id.replace("-", "a").padStart(22, "0")}`, revision: 1, enabled: true, tag: "store" },
  ...{ externalId: `store-${id}`, description: "A store of some name", metadata: { chain: "a", size: 3 } },
  shape: circleShape(center, FENCE_RADIUS),
});

function regionsAt(i: number): Surroundings["regions"] {
  const code = String(94_000 + Math.floor(i / CODE_EVERY));
  return {
    country: { _id: "c-us", type: "country", code: "US", name: "United States" },
    state: { _id: "s-ca", type: "state", code: "CA", name: "California" },
    dma: { _id: "d-807", type: "dma", code: "807", name: "San Francisco-Oakland-San Jose" },
    postalCode: { _id: `p-${code}`, type: "postalCode", code, name: code },
  } as Surroundings["regions"];
}
