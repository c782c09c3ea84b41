import { z } from "zod";
import { basicCredentials } from "../../../core/auth/key.ts";
import {
  deviceIdOf,
  friendMessages,
  ownTracksFix,
  type Sender,
  senderInTopic,
  waypointsIn,
} from "../../../core/ingest/owntracks.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import { listUsers } from "../../db/customers/users.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { flag, optionalText } from "../../wire/input/fields.ts";
import { validate } from "../../wire/input/validate.ts";
import { geofenceBody } from "../geofences/geofence-body.ts";
import { upsertGeofenceByPair } from "../geofences/geofences.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { ingest, readFixes } from "./ingest.ts";

/** Maximum friends returned: the app draws each on its map. */
const MAX_FRIENDS = 100;
/** Allowed radius of a circular geofence [m]. */
const MIN_RADIUS = 10;
const MAX_RADIUS = 10_000;
/** The tag of geofences created in the app. */
const TAG = "owntracks";

const POSITIONS = new Set(["location", "transition"]);
const WAYPOINTS = new Set(["waypoint", "waypoints"]);

export const ingestOwnTracks = endpoint({
  name: "ingestOwnTracks",
  method: "POST",
  path: "/v1/ingest/owntracks",
  level: "publishable",
  audited: false,
  chapter: "Other apps",
  summary: "Accepts the messages of OwnTracks in HTTP mode.",
  description:
    "The app's user is the userId, user and device together are the deviceId (`jane/phone`); the key is the app's password. Positions, including those of transitions, use the device's own time. With a secret key, regions created in the app become geofences tagged `owntracks`, and `friends=true` returns the locations of the project's other users. Other messages are accepted and ignored.",
  query: z.object({
    u: optionalText().meta({ description: "user, for setups that cannot send it otherwise" }),
    d: optionalText().meta({ description: "device, likewise" }),
    friends: flag()
      .optional()
      .meta({ description: "true: returns the positions and cards of other users; secret keys only" }),
  }),
  body: z.looseObject({
    _type: optionalText().meta({ description: "location, transition, waypoint, waypoints; anything else is ignored" }),
  }),
  rate: "device",
  media: ["application/json"],
  response: z.array(z.looseObject({ _type: z.enum(["location", "card"]), tid: z.string(), topic: z.string() })),
  errors: [451],
  async handle(call) {
    const { body, query } = call;
    const type = body._type ?? "";
    if (query.friends && !call.caller.secret) {
      throw new ApiError(403, "Forbidden. A publishable key cannot read other users: friends needs a secret key.", {
        param: "friends",
      });
    }
    if (type === "encrypted") {
      throw invalid(
        "_type",
        "Encrypted messages are not supported: clear the encryption key in the app, and use https.",
      );
    }
    const sender = senderOf(call, body);
    if (POSITIONS.has(type)) {
      const { updates } = readFixes(call, [ownTracksFix(body, deviceIdOf(sender, body))], sender.user);
      await ingest(call, "ingestOwnTracks", updates);
    } else if (WAYPOINTS.has(type) && call.caller.secret) {
      await keepWaypoints(call, body);
    }
    return Response.json(query.friends ? await friendsOf(call, sender) : []);
  },
});

/** The names from the app's settings: from its headers, the URL or the topic. */
function senderOf(
  { request, query }: Call<{ u?: string; d?: string }>,
  body: Readonly<Record<string, unknown>>,
): Sender {
  const { headers } = request;
  const topic = senderInTopic(body.topic);
  const basic = basicCredentials(headers.get("authorization"))?.user || undefined;
  return {
    // First the sources that allow any script: header bytes are only reliable as ASCII.
    user: basic ?? query.u ?? headers.get("x-limit-u") ?? topic.user,
    device: headers.get("x-limit-d") ?? query.d ?? topic.device,
  };
}

async function keepWaypoints(call: Call, body: Readonly<Record<string, unknown>>): Promise<void> {
  for (const { id, description, latitude, longitude, radius } of waypointsIn(body)) {
    const fence = validate(geofenceBody, {
      description,
      type: "circle",
      coordinates: [longitude, latitude],
      radius: Math.min(Math.max(radius, MIN_RADIUS), MAX_RADIUS),
    });
    await upsertGeofenceByPair.handle(call.with({ body: fence, params: { tag: TAG, externalId: id } }));
  }
}

/** The other users of the project, most recently moved first. */
async function friendsOf({ env, caller }: Call, sender: Sender): Promise<object[]> {
  const { docs } = await listUsers(env.DB, caller.scope, { limit: MAX_FRIENDS });
  return docs
    .map((doc) => JSON.parse(doc) as UserState)
    .filter(({ userId }) => userId !== undefined && userId !== sender.user)
    .flatMap(({ userId = "", deviceId, description, location, locationAccuracy, updatedAt }) =>
      friendMessages({
        userId,
        deviceId,
        name: description ?? userId,
        ...location,
        accuracy: locationAccuracy,
        at: updatedAt,
      }),
    );
}
