import { z } from "zod";
import { getJson } from "../base/api.ts";
import { listOf, resultOf } from "../base/result.ts";
import { tool } from "../base/tool.ts";

interface Part {
  type: "stop" | "journey";
  startedAt: string;
  endedAt: string;
  duration: number;
  location?: { coordinates: [number, number] };
  address?: { formattedAddress?: string };
  geofences: { tag?: string; externalId?: string; description?: string }[];
  places?: { name: string }[];
  distance?: number;
  averageSpeed?: number;
  topSpeed?: number;
  gaps?: unknown[];
}

interface Totals {
  stops: number;
  journeys: number;
  distance: number;
  moving: number;
  standing: number;
}

export const userJourneys = tool({
  name: "user_journeys",
  title: "Stops and journeys of a user",
  description:
    "Lists a user's time as stops (with address, geofences and places) and journeys (with distance and speeds), oldest first, and the totals. Computed from stored updates. Distances in meters, durations in minutes, speeds in m/s. Needs a secret key or a signed-in member.",
  input: z.object({
    user: z.string().min(1).max(256).describe("userId, deviceId or id"),
    from: z.string().max(64).optional().describe("ISO 8601 time; default: one day before `to`"),
    to: z.string().max(64).optional().describe("ISO 8601 time; default: now; at most 31 days after `from`"),
  }),
  async run({ user, from, to }, api) {
    const path = `/v1/users/${encodeURIComponent(user)}/journeys`;
    const { timeline, totals } = await getJson<{ timeline: Part[]; totals: Totals }>(api, path, { from, to });
    const shown = listOf(timeline.map(lineOf), () => "Set from and to to a shorter time span.", {});
    const { stops, journeys, distance, moving, standing } = totals;
    const summary = `${stops} stops of ${standing} minutes and ${journeys} journeys of ${moving} minutes, ${Math.round(distance)} m.`;
    return resultOf(summary, { timeline: shown, totals });
  },
});

function lineOf({ address, geofences, places, location, gaps, ...part }: Part) {
  return {
    ...part,
    ...(location && { latitude: location.coordinates[1], longitude: location.coordinates[0] }),
    ...(address?.formattedAddress && { address: address.formattedAddress }),
    ...(geofences.length > 0 && {
      geofences: geofences.map(({ tag, externalId, description }) => description ?? `${tag}/${externalId}`),
    }),
    ...(places && places.length > 0 && { places: places.map(({ name }) => name) }),
    ...(gaps && gaps.length > 0 && { gaps: gaps.length }),
  };
}
