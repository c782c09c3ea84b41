import { z } from "zod";
import { MAX_VIEWERS, openLiveFeed } from "../../objects/viewers/live-feed-stub.ts";
import type { Credential } from "../../objects/viewers/viewer.ts";
import { ApiError } from "../../platform/errors.ts";
import { listOf, optionalList, optionalText } from "../../wire/input/fields.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";

const KINDS = ["events", "positions"] as const;

export const live = endpoint({
  name: "live",
  method: "GET",
  path: "/v1/live",
  level: "secret",
  chapter: "Events",
  summary: "Streams events and positions over a WebSocket.",
  description: `Each message is a JSON object. \`{"type":"hello","at"}\` comes first: you then receive what happens, usually within half a second of the track. \`{"type":"event","event"}\` is an event as GET /v1/events shows it; it is already stored, and may arrive twice. \`{"type":"position","user":{_id, userId, deviceId, location, accuracy, stopped, foreground, updatedAt}}\` is a user's current position. \`{"type":"left_out","positions"}\` counts the positions dropped because there were too many in one second; events are never dropped. Send \`ping\` every 30 seconds, and reconnect when no \`pong\` comes. The connection is closed with 4401 when the key has been revoked. At most ${MAX_VIEWERS} viewers can connect at a time. A request without a WebSocket upgrade returns 426.`,
  query: z.object({
    kinds: listOf(KINDS).default([...KINDS]),
    userId: optionalText().meta({ description: "_id, userId or deviceId: only this user" }),
    types: optionalList().meta({ description: "only events of these types" }),
  }),
  media: ["application/json"],
  errors: [426],
  async handle(call) {
    const { query, caller, env, request } = call;
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      throw new ApiError(426, "Upgrade required. Open a WebSocket connection.");
    }
    const response = await openLiveFeed(env, {
      scope: caller.scope,
      credential: credentialOf(call),
      kinds: query.kinds.map((kind) => (kind === "events" ? "event" : "position")),
      user: query.userId,
      eventTypes: query.types,
    });
    if (response.status === 101) return response;
    throw new ApiError(429, `Too many viewers: at most ${MAX_VIEWERS} at a time.`, {
      headers: { "Retry-After": "10" },
    });
  },
});

/** The caller's credentials, rechecked while the connection is open. */
function credentialOf({ caller, member }: Pick<Call, "caller" | "member">): Credential {
  if (member) return member.session === undefined ? { email: member.email } : { session: member.session };
  return { key: caller.key ?? "" };
}
