import type { EventRow } from "../../../src/core/archive/event-row.ts";

/** Numbers that look random and are the same in each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const DAY = 24 * 3600_000;
export const TYPES = ["user.entered_geofence", "user.exited_geofence", "user.entered_place", "bought – «ça»"];

export const userName = (n: number) => (n * 2654435761 + 2 ** 40).toString(16).padStart(24, "a");

/** Events of a day, from `users` users, several in one millisecond. */
export function someRows(count: number, { day = 20_000, users = 50, seed = 1, spread = DAY } = {}): EventRow[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, i): EventRow => {
    const who = Math.floor(random() * users);
    const user = userName(who);
    const id = `${user}${((i + seed * 1_000_000) % 2 ** 32).toString(16).padStart(8, "0")}`;
    const time = day * DAY + Math.floor(random() * spread);
    const type = TYPES[Math.floor(random() ** 3 * TYPES.length)];
    const confidence = 1 + Math.floor(random() * 3);
    const doc = JSON.stringify({
      _id: id,
      type,
      live: false,
      createdAt: time,
      actualCreatedAt: time,
      confidence,
      user: { _id: user, deviceId: `device ${who}`, ...(who % 2 === 0 && { userId: `user ${who}` }) },
      location: { latitude: random() * 180 - 90, longitude: random() * 360 - 180 },
      ...(type.includes("geofence") && {
        geofence: { _id: "f", tag: "shop", externalId: `${who % 7}`, description: "Läden 店" },
      }),
    });
    return { id, time, type, user, doc };
  });
}
