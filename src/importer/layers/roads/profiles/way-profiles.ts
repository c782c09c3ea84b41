import {
  AVOID_BITS,
  AVOIDED,
  CAR,
  type EdgeProfile,
  type Limited,
  TRAVEL,
  TRUCK,
} from "../../../../routing/graph/modes.ts";
import { LIMIT } from "../../../../routing/graph/vehicle.ts";
import type { Rules } from "./rules.ts";

/** Of a direction that no mode may take. */
export const CLOSED_PROFILE: EdgeProfile = {
  passages: [0, 1, 2, 3].map(() => ({
    speed: 0,
    preference: 100,
    travel: TRAVEL.normal,
    restricted: false,
    private: false,
    avoid: 0,
  })),
  leftHand: false,
};

/** The same text for profiles that are the same: 33 bits for each mode, and the side of the road. */
export function profileKey({ passages, leftHand, boarding = 0, limited }: EdgeProfile): string {
  let key = `${leftHand ? "left" : ""}${boarding > 0 ? boarding : ""}`;
  for (const { speed, preference, travel, restricted, private: own, avoid } of passages) {
    const marks = avoid + 16 * travel + (restricted ? 64 : 0) + (own ? 128 : 0);
    key += ` ${(speed * 256 + preference) * 256 + marks}`;
  }
  if (limited) key += JSON.stringify(limited);
  return key;
}

/** The profile of a piece at a toll booth. */
export function withToll(profile: EdgeProfile): EdgeProfile {
  const { limited } = profile;
  const tolled = (own: Limited): Limited => ({
    ...own,
    open: { ...own.open, avoid: own.open.avoid | AVOID_BITS.tolls },
  });
  return {
    ...profile,
    ...(limited && { limited: limited.map((own) => own && tolled(own)) }),
    passages: profile.passages.map((passage, mode) =>
      (mode === CAR || mode === TRUCK) && passage.speed > 0
        ? { ...passage, avoid: passage.avoid | AVOID_BITS.tolls }
        : passage,
    ),
  };
}

/** The profile of a piece in low-emission zones, of these numbers. */
export function withZones(profile: EdgeProfile, zones: readonly number[]): EdgeProfile {
  const limits = zones.map((value) => ({ kind: LIMIT.zone, value, speed: AVOIDED }));
  const limited = [CAR, TRUCK].map((mode): Limited | undefined => {
    const own = profile.limited?.[mode];
    if (own) return { ...own, limits: [...own.limits, ...limits] };
    return profile.passages[mode].speed > 0 ? { open: profile.passages[mode], limits } : undefined;
  });
  return limited.some((own) => own !== undefined) ? { ...profile, limited } : profile;
}

/** The one direction vehicles take. Where cars may not go, the first mode that may decides. */
export function vehicleOneway(rules: readonly Rules[]): "forward" | "backward" | undefined {
  const rule = rules.find(({ forward, backward }) => forward || backward);
  if (!rule || (rule.forward && rule.backward)) return undefined;
  return rule.forward ? "forward" : "backward";
}
