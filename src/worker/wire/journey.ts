import { z } from "zod";
import { type Coordinate, toPoint } from "../../core/geo/coordinate.ts";
import type { GeometryFormat } from "../../core/geo/shapes/polyline.ts";
import { meanSpeed } from "../../core/tracking/journeys/journeys.ts";
import type { TimelinePart, TimelineTotals } from "../../core/tracking/journeys/timeline.ts";
import { addressShape, type WireAddress } from "./address.ts";
import { dateShape, wireDate } from "./date.ts";
import { metadataShape, wireMetadata } from "./metadata.ts";
import { pointShape } from "./point.ts";
import { geometryShape, wireLine } from "./quantities.ts";

/** Stops, journeys and their totals. */

const minutesShape = () => z.number().meta({ description: "minutes" });
const metresShape = () => z.number().meta({ description: "meters" });
const speedShape = () => z.number().meta({ description: "m/s" });

const visitedFenceShape = z.object({
  _id: z.string(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  description: z.string().optional(),
  metadata: metadataShape().optional(),
});

export const timelinePartShape = z.object({
  type: z.enum(["stop", "journey"]),
  startedAt: dateShape(),
  endedAt: dateShape(),
  duration: minutesShape(),
  location: pointShape.optional().meta({ description: "of a stop" }),
  address: addressShape.optional().meta({ description: "of a stop: the nearest address, street or region" }),
  ongoing: z.boolean().optional().meta({ description: "true: the last stop; the user may still be there" }),
  geofences: z
    .array(visitedFenceShape)
    .meta({ description: "geofences the user was in during the stop, or entered and left on the journey" }),
  places: z
    .array(z.object({ _id: z.string(), name: z.string() }))
    .optional()
    .meta({ description: "of a stop" }),
  distance: metresShape().optional().meta({ description: "of a journey, meters: along the roads where `matched`" }),
  matched: z.number().optional().meta({ description: "share of the distance that was matched to roads, 0 to 1" }),
  averageSpeed: speedShape().optional(),
  topSpeed: speedShape().optional(),
  gaps: z
    .array(z.object({ from: dateShape(), to: dateShape(), distance: metresShape() }))
    .optional()
    .meta({
      description: "silences of a journey longer than three minutes; counted as a straight line unless matched",
    }),
  geometry: geometryShape.optional(),
});

export type WireTimelinePart = z.input<typeof timelinePartShape>;

export const totalsShape = z.object({
  stops: z.number(),
  journeys: z.number(),
  distance: metresShape(),
  moving: minutesShape(),
  standing: minutesShape(),
  topSpeed: speedShape(),
  excesses: z.number().meta({ description: "excesses of speed limits that have ended (`user.kept_to_speed_limit`)" }),
  speeding: minutesShape().meta({ description: "minutes over speed limits" }),
});

/** What the roads say of a journey. */
export interface MatchedJourney {
  distance: number;
  /** Of the distance. */
  share: number;
  line: Coordinate[];
}

interface Details {
  address?: WireAddress | undefined;
  matched?: MatchedJourney | undefined;
  geometry?: GeometryFormat | undefined;
}

export function wireTimelinePart(part: TimelinePart, { address, matched, geometry }: Details = {}): WireTimelinePart {
  const time = { startedAt: wireDate(part.from), endedAt: wireDate(part.to), duration: minutes(part.to - part.from) };
  const geofences = part.geofences.map(({ _id, tag, externalId, description, metadata }) => ({
    ...{ _id, tag, externalId, description, metadata: wireMetadata(metadata) },
  }));
  if (part.kind === "stop") {
    const places = part.places.map(({ _id, name }) => ({ _id, name }));
    const stop = { location: toPoint(rounded(part.location)), ...(address && { address }) };
    return { type: "stop", ...time, ...stop, geofences, places, ...(part.isLast && { ongoing: true }) };
  }
  return {
    ...{ type: "journey", ...time, distance: tenths(part.distance) },
    ...(matched && { matched: Math.round(matched.share * 100) / 100 }),
    averageSpeed: tenths(meanSpeed(part)),
    topSpeed: tenths(part.topSpeed),
    gaps: part.gaps.map(({ from, to, distance }) => ({
      ...{ from: wireDate(from), to: wireDate(to), distance: tenths(distance) },
    })),
    geofences,
    ...(geometry && { geometry: wireLine((matched?.line ?? part.line).map(rounded), geometry) }),
  };
}

/** @param excesses [ms] of those that began in the range */
export function wireTotals(
  { distance, moving, standing, topSpeed, ...counts }: TimelineTotals,
  excesses: readonly { duration: number }[],
) {
  return {
    ...counts,
    ...{ distance: tenths(distance), moving: minutes(moving), standing: minutes(standing), topSpeed: tenths(topSpeed) },
    ...{ excesses: excesses.length, speeding: minutes(excesses.reduce((sum, { duration }) => sum + duration, 0)) },
  };
}

const minutes = (ms: number) => tenths(ms / 60_000);
const tenths = (value: number) => Math.round(value * 10) / 10;

function rounded({ latitude, longitude }: Coordinate): Coordinate {
  return { latitude: Math.round(latitude * 1e6) / 1e6, longitude: Math.round(longitude * 1e6) / 1e6 };
}
