import { accuracyIn, altitudeIn, defined, type Fix, isoOfSeconds, knownNumber, numberIn } from "./fix.ts";

/** The messages of OwnTracks in HTTP mode (owntracks.org/booklet/tech/json). */

/** The sender: from the app's settings, or from the topic of a message. */
export interface Sender {
  user?: string;
  device?: string;
}

/** A region that a person created in the app. */
interface Waypoint {
  /** Stays the same when the region is changed: the app's id, else its creation time. */
  id: string;
  description: string;
  latitude: number;
  longitude: number;
  /** [m] */
  radius: number;
}

type Message = Readonly<Record<string, unknown>>;

/** "owntracks/jane/phone" and "owntracks/jane/phone/event" → jane, phone. */
export function senderInTopic(topic: unknown): Sender {
  const [, user, device] = typeof topic === "string" ? topic.split("/") : [];
  return defined({ user: user || undefined, device: device || undefined });
}

/**
 * A unique id of the device: names such as "phone" are only unique per user. Without any name, the two letters that the
 * app shows on its map.
 */
export function deviceIdOf({ user, device }: Sender, { tid }: Message): string | undefined {
  const own = device ?? (typeof tid === "string" && tid !== "" ? tid : undefined);
  if (own === undefined) return user;
  return user === undefined ? own : `${user}/${own}`;
}

/** The device's position in a message of type location, or transition (it entered or left a region). */
export function ownTracksFix(message: Message, deviceId: string | undefined): Fix {
  const { lat, lon, acc, tst, alt, vac, vel, cog } = message;
  const kilometresPerHour = knownNumber(vel);
  return defined({
    deviceId,
    latitude: lat,
    longitude: lon,
    accuracy: accuracyIn(acc),
    updatedAt: isoOfSeconds(tst),
    altitude: altitudeIn(alt, vac),
    speed: kilometresPerHour === undefined ? undefined : kilometresPerHour / 3.6,
    course: knownNumber(cog),
  });
}

/** The regions in a message of type waypoint or waypoints; beacons among them, which have no place, are omitted. */
export function waypointsIn(message: Message): Waypoint[] {
  const list: unknown[] = Array.isArray(message.waypoints) ? message.waypoints : [message];
  return list.flatMap((one) => {
    const { rid, tst, desc, lat, lon, rad } = one as Message;
    const [latitude, longitude, radius] = [numberIn(lat), numberIn(lon), numberIn(rad)];
    const id = typeof rid === "string" && rid !== "" ? rid : numberIn(tst);
    if (id === undefined || latitude === undefined || longitude === undefined || !radius || radius < 0) return [];
    const description = typeof desc === "string" && desc !== "" ? desc : String(id);
    return [{ id: String(id), description, latitude, longitude, radius }];
  });
}

/** Another person, as the app shows friends: position and name. */
export function friendMessages(friend: {
  userId: string;
  deviceId: string;
  name: string;
  latitude: number;
  longitude: number;
  accuracy: number;
  /** [ms since 1970] */
  at: number;
}): object[] {
  const device = friend.deviceId.startsWith(`${friend.userId}/`)
    ? friend.deviceId.slice(friend.userId.length + 1)
    : friend.deviceId;
  const who = {
    tid: [...friend.name].slice(0, 2).join("").toUpperCase(),
    topic: `owntracks/${friend.userId}/${device}`,
  };
  const { latitude: lat, longitude: lon, accuracy, at, name } = friend;
  return [
    { _type: "location", ...who, lat, lon, acc: Math.round(accuracy), tst: Math.floor(at / 1000) },
    { _type: "card", ...who, name },
  ];
}
