import { type Arcs, arcBetween } from "./arcs.ts";
import { isLeftLessFreely, isSamePassage, type Passage } from "./modes.ts";
import { type FromMinute, segmentsFrom, spansWhere, type Timetable } from "./schedule.ts";
import type { Topology } from "./topology.ts";

/**
 * By arc: the segments of the week (bits) in which its turn, or the edge that it leads to, may differ from the best of all hours;
 * undefined if nothing depends on the hour.
 */
export function hoursOfArcs(topology: Topology, arcs: Arcs): Uint8Array | undefined {
  const { profile, profiles, edgeCount, exceptions } = topology;
  const ofProfile = profiles.map(({ passages }) => passageBits(passages[arcs.mode]));
  const ofLeaving = profiles.map(({ passages }) => leavingBits(passages[arcs.mode]));
  const bit = 1 << arcs.mode;
  const turns = exceptions.filter(({ hours }) =>
    hours?.entries.some(({ modes }, _, [first]) => (modes ^ first.modes) & bit),
  );
  if (turns.length === 0 && !ofProfile.some((bits) => bits !== 0)) return undefined;
  const bits = new Uint8Array(arcs.to.length);
  for (let edge = 0; edge < edgeCount; edge++) {
    const own = ofProfile[profile[edge]] | ofLeaving[profile[edge]];
    for (let arc = arcs.first[edge]; arc < arcs.first[edge + 1]; arc++)
      bits[arc] = own | ofProfile[profile[arcs.to[arc]]];
  }
  for (const { from, to, hours } of turns) {
    const arc = arcBetween(arcs, from, to);
    if (arc >= 0 && hours) bits[arc] |= segmentsOf(hours, ({ modes }) => (modes & bit) === 0);
  }
  return bits;
}

function passageBits({ hours, ...best }: Passage): number {
  return hours ? segmentsOf(hours, (entry) => !isSamePassage(entry, best)) : 0;
}

/** From a road that is restricted at times, the next one may cost more at others. */
function leavingBits({ hours }: Passage): number {
  return hours ? segmentsOf(hours, (entry) => isLeftLessFreely(entry, hours.entries)) : 0;
}

/** The segments in which some of these entries apply. */
const segmentsOf = <T>(hours: Timetable<T>, differs: (entry: T & FromMinute) => boolean): number =>
  spansWhere(hours, differs).reduce((bits, [from, until]) => bits | segmentsFrom(from, until - from - 1), 0);
