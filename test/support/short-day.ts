import { destination } from "../../src/core/geo/distance.ts";
import { get, type Json, post } from "./world.ts";

/** Two stops and the journey of 3 km between them in the last hours of a user. @returns the rows of the report that has them */
export async function shortDay(secret: string, user: { userId: string; deviceId: string }): Promise<Json[]> {
  const begin = Date.now() - 2 * 3600_000;
  const replays = Array.from({ length: 61 }, (_, i) => {
    const metres = Math.min(3000, Math.max(0, (i - 20) * 150));
    const at = destination({ latitude: 52.4, longitude: 13.1 }, 90, metres);
    return { ...user, ...at, accuracy: 8, replayed: true, updatedAt: new Date(begin + i * 30_000).toISOString() };
  });
  await post("/v1/track/replay", secret, { replays });
  const { body } = await get(`/v1/stats/journeys?search=${user.deviceId}`, secret);
  return body.days;
}
