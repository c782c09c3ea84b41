import { z } from "zod";
import { type Api, getJson, postJson, ToolError } from "../base/api.ts";
import { listOf, resultOf, round6 } from "../base/result.ts";
import { tool } from "../base/tool.ts";
import { eventLine, type WireEvent } from "./event-line.ts";
import { fenceLine, type WireFence } from "./fence-line.ts";

interface Explanation {
  event?: WireEvent;
  geofence?: WireFence;
  verdict: string;
  sentence: string;
  update?: { at: string; location: { coordinates: [number, number] }; accuracy: number };
  before?: { at: string; location: { coordinates: [number, number] }; accuracy: number };
  steps: { rule: string; passed: boolean; sentence: string }[];
  notKnown: string[];
}

export const explainEvent = tool({
  name: "explain_event",
  title: "Explain an event",
  description:
    "Explains why an event occurred, or why a user did or did not enter or leave a geofence, exceed a speed limit, leave a route or idle at some time: the update, the state before it and each decision of the code. Also why two users have or have not met, as of now. Needs a secret key or a signed-in member.",
  input: z.object({
    event: z.string().min(1).max(64).optional().describe("the id of an event, from device_history"),
    geofence: z.string().min(1).max(520).optional().describe("instead of event: its id, or tag/externalId"),
    driving: z.boolean().optional().describe("instead of event: true for speed limits, routes and idling"),
    meeting: z.string().min(1).max(128).optional().describe("instead of event: name or id of a rule about meetings"),
    user: z.string().min(1).max(256).optional().describe("with geofence, driving or meeting: userId, deviceId or id"),
    otherUser: z.string().min(1).max(256).optional().describe("with meeting: userId or id"),
    at: z.string().max(64).optional().describe("with geofence or driving: ISO 8601 time; default now"),
  }),
  async run({ event, geofence, driving, meeting, user, otherUser, at }, api) {
    if (event !== undefined && (geofence ?? driving ?? meeting ?? user ?? at) !== undefined)
      throw new ToolError("Set event alone, or geofence, driving or meeting, with user.");
    if (event === undefined && (!(geofence ?? (driving || meeting)) || user === undefined))
      throw new ToolError(
        "Set event (an id that device_history lists), or geofence (list_fences), driving or meeting, and user (find_users) with the time at.",
      );
    if (meeting !== undefined && otherUser === undefined) throw new ToolError("Set otherUser, too.");
    const { explanation } =
      event !== undefined
        ? await getJson<{ explanation: Explanation }>(api, `/v1/events/${encodeURIComponent(event)}/explain`)
        : await postJson<{ explanation: Explanation }>(api, "/v1/explain", {
            geofence,
            driving,
            ...(meeting !== undefined && { meeting: await ruleNamed(api, meeting), otherUserId: otherUser }),
            userId: user,
            at: at ?? new Date().toISOString(),
          });
    const { verdict, sentence, update, before, steps, notKnown } = explanation;
    const { items, ...rest } = listOf(
      steps.map(({ rule, passed, sentence }) => ({ rule, passed, sentence })),
      () => "Further decisions concern other rules.",
      { room: 9_000 },
    );
    return resultOf(`Verdict: ${/^[\w.]+$/.test(verdict) ? verdict : "see the data"}. steps: each decision in order.`, {
      verdict,
      sentence,
      ...(explanation.event && { event: eventLine(explanation.event) }),
      ...(explanation.geofence && { geofence: fenceLine(explanation.geofence) }),
      ...(update && { update: positionOf(update) }),
      ...(before && { before: positionOf(before) }),
      steps: items,
      stepsList: rest,
      ...(notKnown.length > 0 && { notKnown }),
    });
  },
});

/** The id of a rule about meetings by its name or id. */
async function ruleNamed(api: Api, name: string): Promise<string> {
  const { meetings } = await getJson<{ meetings: { _id: string; name: string }[] }>(api, "/v1/meetings", {});
  const rule = meetings.find((one) => one._id === name || one.name === name);
  if (rule) return rule._id;
  throw new ToolError(`No rule about meetings has this name or id, of ${meetings.length}.`);
}

function positionOf({ at, location, accuracy }: NonNullable<Explanation["update"]>) {
  const [longitude, latitude] = location.coordinates;
  return { at, latitude: round6(latitude), longitude: round6(longitude), accuracy: Math.round(accuracy) };
}
