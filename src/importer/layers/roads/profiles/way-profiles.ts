import type { Calendar } from "../../../../core/routing/graph/calendar.ts";
import {
  AVOID_BITS,
  AVOIDED,
  bestPassage,
  CAR,
  type EdgeProfile,
  type HourlyPassage,
  isSamePassage,
  type Limited,
  mapPassage,
  type Passage,
  TRAVEL,
  TRUCK,
} from "../../../../core/routing/graph/modes.ts";
import { joinedEntries } from "../../../../core/routing/graph/schedule.ts";
import { defaultPassage, LIMIT } from "../../../../core/routing/graph/vehicle.ts";
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
  for (const passage of passages) {
    key += ` ${passageKey(passage)}`;
    if (!passage.hours) continue;
    for (const one of passage.hours.entries) key += `@${one.from}:${passageKey(one)}`;
    if (passage.hours.calendar) key += JSON.stringify(passage.hours.calendar);
  }
  if (limited) key += JSON.stringify(limited);
  return key;
}

function passageKey({ speed, preference, travel, restricted, private: own, avoid }: HourlyPassage): number {
  const marks = avoid + 16 * travel + (restricted ? 64 : 0) + (own ? 128 : 0);
  return (speed * 256 + preference) * 256 + marks;
}

/**
 * The profile of a road whose rules depend on the hour. The hours cover the week, or the calendar: the first is from 0. Limits that apply
 * at some hours are the same in all these profiles.
 */
export function byHour(
  hours: readonly { from: number; profile: EdgeProfile }[],
  calendar: Calendar | undefined,
): EdgeProfile {
  const [{ profile }] = hours;
  const joined = (passageOf: (own: EdgeProfile) => Passage): Passage => {
    const each = hours.map(({ profile: own }): HourlyPassage => {
      const { hours: _, ...one } = passageOf(own);
      return one;
    });
    const all = hours.map(({ from }, i) => ({ ...each[i], from }));
    const best = bestPassage(each);
    const entries = joinedEntries(all, isSamePassage);
    return entries.length > 1 ? { ...best, hours: { ...(calendar && { calendar }), entries } } : best;
  };
  const passages = profile.passages.map((_, mode) => joined((own) => own.passages[mode]));
  const limits = profile.passages.map(
    (_, mode) => hours.find(({ profile: own }) => own.limited?.[mode])?.profile.limited?.[mode]?.limits,
  );
  if (limits.every((own) => own === undefined)) return { ...profile, passages };
  // Where vehicles differ, they do by the same limits at all hours.
  const limited = limits.map(
    (own, mode): Limited | undefined =>
      own && { open: joined((one) => one.limited?.[mode]?.open ?? one.passages[mode]), limits: own },
  );
  const made = { ...profile, passages, limited };
  const isTimed = limits.map((own) => own?.some((limit) => limit.hours));
  return { ...made, passages: passages.map((one, mode) => (isTimed[mode] ? defaultPassage(made, mode) : one)) };
}

/** A passage with other properties at all hours when it is open. */
export const changed = (passage: Passage, change: Partial<HourlyPassage>): Passage =>
  mapPassage(passage, (own) => ({ ...own, ...change }));

/** The profile of a piece at a toll booth. */
export function withToll(profile: EdgeProfile): EdgeProfile {
  const { limited } = profile;
  const tolled = (own: Limited): Limited => ({
    ...own,
    open: changed(own.open, { avoid: own.open.avoid | AVOID_BITS.tolls }),
  });
  return {
    ...profile,
    ...(limited && { limited: limited.map((own) => own && tolled(own)) }),
    passages: profile.passages.map((passage, mode) =>
      (mode === CAR || mode === TRUCK) && passage.speed > 0
        ? changed(passage, { avoid: passage.avoid | AVOID_BITS.tolls })
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
