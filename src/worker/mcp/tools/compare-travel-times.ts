import { z } from "zod";
import { getJson, ToolError } from "../base/api.ts";
import { departureTime, locate, mode, pairOf, where, wirePlaceOf } from "../base/places.ts";
import { listOf, resultOf, round1 } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { avoid } from "./route.ts";

interface Cell {
  /** Absent, as the duration, in a cell without a route, which has a reason. */
  distance?: { value: number; text: string };
  duration?: { value: number };
  reason?: string;
}

/** Most pairs: their lines fill a result. */
const MAX_PAIRS = 200;

export const compareTravelTimes = tool({
  name: "compare_travel_times",
  title: "Compare travel times",
  description:
    "Compares travel times and distances from each origin to each destination, sorted by time. Use it to find the nearest of several places, or who arrives first.",
  input: z.object({
    from: z.array(where).min(1).max(25).describe("origins"),
    to: z.array(where).min(1).max(25).describe("destinations"),
    mode,
    departureTime,
    avoid,
    units: z.enum(["metric", "imperial"]).default("metric"),
  }),
  async run({ from, to, mode, departureTime, avoid, units }, api) {
    if (from.length * to.length > MAX_PAIRS)
      throw new ToolError(
        `At most ${MAX_PAIRS} pairs, not ${from.length * to.length}: split the lists over several calls.`,
      );
    const places = await locate(api, [
      ...from.map((one, i) => [`from ${i + 1}`, one] as const),
      ...to.map((one, i) => [`to ${i + 1}`, one] as const),
    ]);
    const origins = places.slice(0, from.length);
    const destinations = places.slice(from.length);
    const { matrix } = await getJson<{ matrix: Cell[][] }>(api, "/v1/route/matrix", {
      origins: origins.map(pairOf).join("|"),
      destinations: destinations.map(pairOf).join("|"),
      mode,
      departureTime,
      avoid: avoid?.join(","),
      units,
    });
    const pairs = matrix
      .flatMap((row, i) =>
        row.map(({ distance, duration, reason }, j) => ({
          ...{ from: i + 1, to: j + 1 },
          ...(duration && { minutes: round1(duration.value) }),
          ...(distance && { distance: distance.text }),
          ...(reason !== undefined && { reason }),
        })),
      )
      .sort((a, b) => (a.minutes ?? Number.POSITIVE_INFINITY) - (b.minutes ?? Number.POSITIVE_INFINITY));
    const { items, ...rest } = listOf(pairs, () => "Split the lists over several calls.", { room: 8_000 });
    const [best] = pairs;
    const summary =
      best.minutes === undefined
        ? `No pair has a route by ${mode}: see each reason. Numbers count the lists from 1.`
        : `The shortest: from ${best.from} to ${best.to}, ${best.minutes} minutes by ${mode}. Numbers count the lists from 1.${
            pairs.some(({ reason }) => reason !== undefined) ? " Pairs without a route have a reason." : ""
          }`;
    return resultOf(summary, {
      from: origins.map(wirePlaceOf),
      to: destinations.map(wirePlaceOf),
      mode,
      pairs: items,
      ...rest,
    });
  },
});
