import {
  AVOID_BITS,
  bestPassage,
  CAR,
  type EdgeProfile,
  type HourlyPassage,
  isSamePassage,
  type Passage,
  TRAVEL,
  TRUCK,
} from "../../../../routing/graph/modes.ts";
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
export function profileKey({ passages, leftHand, boarding = 0 }: EdgeProfile): string {
  let key = `${leftHand ? "left" : ""}${boarding > 0 ? boarding : ""}`;
  for (const passage of passages) {
    key += ` ${passageKey(passage)}`;
    for (const one of passage.hours ?? []) key += `@${one.from}:${passageKey(one)}`;
  }
  return key;
}

function passageKey({ speed, preference, travel, restricted, private: own, avoid }: HourlyPassage): number {
  const marks = avoid + 16 * travel + (restricted ? 64 : 0) + (own ? 128 : 0);
  return (speed * 256 + preference) * 256 + marks;
}

/** The profile of a road whose rules depend on the hour. The minutes of the week cover it: the first is 0. */
export function byHour(hours: readonly { from: number; profile: EdgeProfile }[]): EdgeProfile {
  const [{ profile }] = hours;
  const passages = profile.passages.map((_, mode): Passage => {
    const all = hours.map(({ from, profile: own }) => ({ ...own.passages[mode], from }));
    const best = bestPassage(hours.map(({ profile: own }) => own.passages[mode]));
    const entries = all.filter((entry, i) => i === 0 || !isSamePassage(entry, all[i - 1]));
    return entries.length > 1 ? { ...best, hours: entries } : best;
  });
  return { ...profile, passages };
}

/** A passage with other properties at all hours when it is open. */
export function changed(passage: Passage, change: Partial<HourlyPassage>): Passage {
  const hours = passage.hours?.map((entry) => (entry.speed > 0 ? { ...entry, ...change } : entry));
  return { ...passage, ...change, ...(hours && { hours }) };
}

/** The profile of a piece at a toll booth. */
export function withToll(profile: EdgeProfile): EdgeProfile {
  return {
    ...profile,
    passages: profile.passages.map((passage, mode) =>
      (mode === CAR || mode === TRUCK) && passage.speed > 0
        ? changed(passage, { avoid: passage.avoid | AVOID_BITS.tolls })
        : passage,
    ),
  };
}

/** The one direction vehicles take. Where cars may not go, the first mode that may decides. */
export function vehicleOneway(rules: readonly Rules[]): "forward" | "backward" | undefined {
  const rule = rules.find(({ forward, backward }) => forward || backward);
  if (!rule || (rule.forward && rule.backward)) return undefined;
  return rule.forward ? "forward" : "backward";
}
