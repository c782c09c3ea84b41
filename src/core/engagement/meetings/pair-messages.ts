import { distance } from "../../geo/distance.ts";
import { confidenceOfPair } from "./judge-pair.ts";
import type { Member, Pair } from "./member.ts";
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
    { own: first, speaker: speakerOf(first, 0), other: speakerOf(second, 1), person: persons[1] },
    { own: second, speaker: speakerOf(second, 1), other: speakerOf(first, 0), person: persons[0] },
  ];
  const apart = nearest ? distance(...nearest) : 0;
  return sides.flatMap(({ own, speaker, other, person }) =>
    own.map((device) => ({
      ...{ kind, rule, person, at, to: { _id: device._id, deviceId: device.deviceId } },
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
