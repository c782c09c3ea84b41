import { z } from "zod";
import { distance } from "../../../core/geo/distance.ts";
import { getJson } from "../base/api.ts";
import { listOf, resultOf, round1, round6 } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { eventLine, type WireEvent } from "./event-line.ts";

interface Update {
  at: string;
  location: { coordinates: [number, number] };
  accuracy: number;
  speed?: number;
  stopped?: boolean;
  counted: boolean;
  events: string[];
}

/** Room for updates; the events need the rest [characters]. */
const UPDATES_ROOM = 7_500;
const EVENTS_ROOM = 5_000;

export const deviceHistory = tool({
  name: "device_history",
  title: "History of a device",
  description:
    "Lists where a user or device was, the oldest update first, with the events that each update generated. Updates are stored for the days of the project's setting retention.updates. To understand an event, call explain_event. Needs a secret key or a signed-in member.",
  input: z.object({
    user: z.string().min(1).max(256).describe("userId, deviceId or id"),
    from: z.string().max(64).optional().describe("ISO 8601 time"),
    to: z.string().max(64).optional().describe("ISO 8601 time"),
    limit: z.number().int().min(1).max(500).default(100),
    cursor: z.string().max(32).optional().describe("to continue: the cursor of the previous result"),
    includeEvents: z.boolean().default(true).describe("lists the newest events of the time span"),
  }),
  async run({ user, from, to, limit, cursor, includeEvents }, api) {
    const path = `/v1/users/${encodeURIComponent(user)}/updates`;
    const list = (size: number) =>
      getJson<{ updates: Update[]; nextCursor?: string }>(api, path, { from, to, limit: size, cursor });
    let { updates, nextCursor } = await list(limit);
    const lines = updates.map(updateLine);
    const fits = listOf(lines, () => "", { room: UPDATES_ROOM }).shown;
    // The cursor of a shorter page, so that the next call continues after the last shown update.
    if (fits > 0 && fits < updates.length) ({ updates, nextCursor } = await list(fits));
    const { items, ...rest } = listOf(lines.slice(0, updates.length), () => "", { room: UPDATES_ROOM });
    const { events } = includeEvents
      ? await getJson<{ events: WireEvent[] }>(api, "/v1/events", {
          userId: user,
          createdAfter: from,
          createdBefore: to,
          limit: 50,
        })
      : { events: [] };
    const shownEvents = listOf(events.map(eventLine), () => "Set from and to to a shorter time span.", {
      room: EVENTS_ROOM,
      hasMore: events.length === 50,
    });
    const counted = updates.filter((one) => one.counted);
    let metres = 0;
    for (let i = 1; i < counted.length; i++) metres += distance(positionOf(counted[i - 1]), positionOf(counted[i]));
    const summary =
      updates.length === 0
        ? "No update of this user is stored for this time."
        : `${updates.length} updates, ${round1(metres / 1000)} km in straight lines between them.${nextCursor ? ` More: call device_history again with cursor ${nextCursor}.` : ""}`;
    return resultOf(summary, {
      user,
      updates: items,
      shown: rest.shown,
      ...(nextCursor && { cursor: nextCursor }),
      ...(includeEvents && {
        events: shownEvents.items,
        eventsList: { shown: shownEvents.shown, ...(shownEvents.continue && { continue: shownEvents.continue }) },
      }),
    });
  },
});

const positionOf = ({ location }: Update) => {
  const [longitude, latitude] = location.coordinates;
  return { latitude, longitude };
};

function updateLine(update: Update) {
  const { at, accuracy, speed, stopped, counted, events } = update;
  const { latitude, longitude } = positionOf(update);
  return {
    at,
    latitude: round6(latitude),
    longitude: round6(longitude),
    accuracy: Math.round(accuracy),
    ...(speed !== undefined && speed >= 0 && { speedKmh: round1(speed * 3.6) }),
    ...(stopped && { stopped }),
    ...(!counted && { counted }),
    ...(events.length > 0 && { events: events.length }),
  };
}
