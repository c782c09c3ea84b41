import { distance } from "../../geo/distance.ts";
import type { MeetingLabel } from "../../tracking/types/meeting.ts";
import { coveringCells } from "./coarse-cells.ts";
import { confidenceOfPair } from "./judge-pair.ts";
import { type Member, type Pair, personOf } from "./member.ts";
import type { MeetingMessage } from "./messages.ts";

/** What messages say of a pair. */
export type Told = Pick<Pair, "rule" | "persons" | "speakers">;

/**
 * Messages to all devices of both persons; one of each has the event.
 * @param devices of the first and of the second person
 * @param nearest the devices that met or parted; undefined: no event
 */
export function pairMessages(
  kind: MeetingMessage["kind"],
  { rule, persons, speakers }: Told,
  [first, second]: readonly [readonly Member[], readonly Member[]],
  nearest: readonly [Member, Member] | undefined,
  at: number,
): MeetingMessage[] {
  const speakerOf = (devices: readonly Member[], side: 0 | 1): Member | undefined =>
    devices.find(({ _id }) => _id === speakers?.[side]) ?? devices[0];
  const sides = [
    { own: first, speaker: speakerOf(first, 0), others: second, other: speakerOf(second, 1), person: persons[1] },
    { own: second, speaker: speakerOf(second, 1), others: first, other: speakerOf(first, 0), person: persons[0] },
  ];
  const apart = nearest ? distance(...nearest) : 0;
  return sides.flatMap(({ own, speaker, others, other, person }) =>
    own.map((device) => ({
      ...{ kind, rule, person, at, to: { _id: device._id, deviceId: device.deviceId } },
      ...(kind === "met" && askOf(rule, personOf(device), others)),
      ...(device === speaker &&
        other &&
        nearest && {
          event: {
            location: { latitude: device.latitude, longitude: device.longitude },
            accuracy: device.accuracy,
            confidence: confidenceOfPair(kind === "met", ...nearest, apart, rule.radius),
            other: {
              _id: other._id,
              deviceId: other.deviceId,
              distance: Math.round(apart * 10) / 10,
              age: Math.max(0, at - other.at) / 1000,
            },
          },
        }),
    })),
  );
}

/** Of the other person's devices, those that other cells may have: they know whether one of those judges this meeting already. */
export function askOf(rule: MeetingLabel, person: string, others: readonly Member[]): Pick<MeetingMessage, "ask"> {
  const shared = others.filter((one) => coveringCells(one, [rule]).length > 1);
  const devices = shared.map(({ _id, deviceId }) => ({ _id, deviceId }));
  return devices.length > 0 ? { ask: { person, devices } } : {};
}
