import type { getEvent } from "../../../worker/http/events/events.ts";
import type { Answer } from "../../api/client.ts";
import type { Tone } from "../../parts/values/format.tsx";
import { isSeen, nameOfRecord } from "../../parts/values/names.ts";

export type WireEvent = Answer<typeof getEvent>["event"];

/** The subject of an event: the name of the campaign, fence, place, region, beacon or trip; the road and speed. */
export function subjectOf({
  campaign,
  geofence,
  place,
  region,
  beacon,
  trip,
  driving,
  otherUser,
  metadata,
  custom,
}: WireEvent): string | undefined {
  if (campaign) return campaign.name;
  if (geofence) return [geofence.description, tagPair(geofence.tag, geofence.externalId)].find(isSeen) ?? geofence._id;
  if (place) return place.chain ? `${place.name} (${place.chain.name})` : place.name;
  if (region) return region.name;
  if (beacon) return nameOfRecord(beacon);
  if (trip) return nameOfRecord(trip);
  if (otherUser) return nameOfRecord(otherUser);
  if (driving?.speedKmh !== undefined)
    return [driving.road, `${Math.round(driving.speedKmh)} km/h`].filter(Boolean).join(", ");
  return custom && metadata ? pairsOf(metadata) : undefined;
}

/** Metadata of a conversion as text: "revenue 12.5, plan gold". */
const pairsOf = (metadata: Record<string, unknown>) =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ") || undefined;

const tagPair = (tag?: string, externalId?: string) => [tag, externalId].filter(Boolean).join(" / ") || undefined;

export const CONFIDENCE: Record<number, { word: string; tone: Tone; about: string }> = {
  3: { word: "High", tone: "good", about: "the accuracy circle is completely inside (for exits: outside)" },
  2: { word: "Medium", tone: "plain", about: "at least half of the accuracy circle is" },
  1: { word: "Low", tone: "warn", about: "less than half of the accuracy circle is" },
};

/** The user of an event or a trip, as far as it is named. */
export interface NamedUser {
  _id: string;
  userId?: string;
  deviceId?: string;
  description?: string;
}
