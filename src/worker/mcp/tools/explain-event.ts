import { z } from "zod";
import { getJson, postJson, ToolError } from "../base/api.ts";
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
    "Explains why an event occurred, or why a user did or did not enter or leave a geofence at some time: the update, the state before it and each decision of the code. Needs a secret key or a signed-in member.",
  input: z.object({
    event: z.string().min(1).max(64).optional().describe("the id of an event, from device_history"),
    geofence: z.string().min(1).max(520).optional().describe("instead of event: its id, or tag/externalId"),
    user: z.string().min(1).max(256).optional().describe("with geofence: userId, deviceId or id"),
    at: z.string().max(64).optional().describe("with geofence: ISO 8601 time; default now"),
  }),
  async run({ event, geofence, user, at }, api) {
    if (event !== undefined && (geofence ?? user ?? at) !== undefined)
      throw new ToolError("Set event alone, or geofence and user.");
    if (event === undefined && (geofence === undefined || user === undefined))
      throw new ToolError(
        "Set event (an id that device_history lists), or geofence (list_fences) and user (find_users) with the time at.",
      );
    const { explanation } =
      event !== undefined
        ? await getJson<{ explanation: Explanation }>(api, `/v1/events/${encodeURIComponent(event)}/explain`)
        : await postJson<{ explanation: Explanation }>(api, "/v1/explain", {
            geofence,
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

function positionOf({ at, location, accuracy }: NonNullable<Explanation["update"]>) {
  const [longitude, latitude] = location.coordinates;
  return { at, latitude: round6(latitude), longitude: round6(longitude), accuracy: Math.round(accuracy) };
}
