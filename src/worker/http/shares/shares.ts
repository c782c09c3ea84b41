import { z } from "zod";
import { hashKey } from "../../../core/auth/key.ts";
import { mintShareToken, SHARE_TOKEN_BYTES } from "../../../core/auth/share-token.ts";
import { isUnderWay } from "../../../core/tracking/trips.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { insertShare, revokeShare, sharesOfTrip, type TripShareRow } from "../../db/customers/trip-shares.ts";
import { newId } from "../../objects/tracker/id.ts";
import { ApiError, invalid, notFound } from "../../platform/errors.ts";
import { datetime, listOf, number } from "../../wire/input/fields.ts";
import { SHARED_FIELDS, sharedTripShape, shareShape, wireShare } from "../../wire/share.ts";
import { shareWords } from "../../wire/share-words.ts";
import { publicOrigin } from "../serve/connection.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { existingTrip } from "../trips/change-trip.ts";
import { openByToken } from "./open.ts";
import { shownOf } from "./shown.ts";

const chapter = "Trips";

/** Default and maximum lifetime of a link [minutes]. */
const DEFAULT_MINUTES = 24 * 60;
const MAX_MINUTES = 30 * 24 * 60;
const MINUTE_MS = 60_000;
const MAX_LISTED = 1000;

export const shareTrip = endpoint({
  name: "shareTrip",
  method: "POST",
  path: "/v1/trips/:id/shares",
  level: "secret",
  chapter,
  summary: "Creates a link that shows a trip to anyone with the link, without a key, until it expires.",
  description:
    "By the trip's _id or externalId. The link shows the trip's status and the parts in `show`; not its user, device or metadata. Only this response has `token` and `url`. 409 when the trip has ended.",
  body: z.object({
    minutes: number({ min: 1, max: MAX_MINUTES, integer: true })
      .optional()
      .meta({ description: `how long it lasts; default ${DEFAULT_MINUTES}, a day` }),
    expiresAt: datetime().optional().meta({ description: "instead of minutes; at most 30 days from now" }),
    show: listOf(SHARED_FIELDS)
      .default(["location", "eta", "destination"])
      .meta({ description: "location: current position while the trip is active; route: path so far" }),
  }),
  response: z.object({ share: shareShape.extend({ token: z.string(), url: z.string() }) }),
  errors: [404, 409],
  async handle(call) {
    const { body, caller, env, now } = call;
    const trip = await tripOf(call);
    if (!isUnderWay(trip.status)) throw new ApiError(409, `The trip is ${trip.status}: it can't be shared.`);
    const token = mintShareToken(crypto.getRandomValues(new Uint8Array(SHARE_TOKEN_BYTES)));
    const shows = JSON.stringify(SHARED_FIELDS.filter((field) => body.show.includes(field)));
    const row: TripShareRow = {
      scope: caller.scope,
      id: newId(now),
      trip: trip._id,
      hash: await hashKey(token),
      shows,
      createdAt: now,
      expiresAt: endOf(body, now),
      revokedAt: null,
    };
    await insertShare(env.DB, row);
    call.audit({
      target: `${trip.externalId} (${trip._id})`,
      summary: `Share link created: ${shareWords(body.show, row.expiresAt)}`,
    });
    // After "#", which browsers do not send, so that the token is in no log or Referer.
    const url = `${publicOrigin(call.request, call.env)}/share/#${token}`;
    return { share: { ...wireShare(row, now), token, url } };
  },
});

function endOf({ minutes, expiresAt }: { minutes?: number; expiresAt?: number }, now: number): number {
  if (expiresAt === undefined) return now + (minutes ?? DEFAULT_MINUTES) * MINUTE_MS;
  if (minutes !== undefined) throw invalid("expiresAt", "Set minutes or expiresAt, not both.");
  if (expiresAt <= now) throw invalid("expiresAt", "Must be in the future.");
  if (expiresAt > now + MAX_MINUTES * MINUTE_MS) throw invalid("expiresAt", "At most 30 days from now.");
  return expiresAt;
}

export const listTripShares = endpoint({
  name: "listTripShares",
  method: "GET",
  path: "/v1/trips/:id/shares",
  level: "secret",
  chapter,
  summary: "Lists the links of a trip, newest first.",
  description: "Links that ended more than 30 days ago are deleted.",
  query: z.object({ limit: number({ min: 1, max: MAX_LISTED, integer: true }).default(100) }),
  response: z.object({ shares: z.array(shareShape) }),
  errors: [404],
  async handle(call) {
    const { caller, env, now, query } = call;
    const { rows, hasMore } = await sharesOfTrip(env.DB, caller.scope, (await tripOf(call))._id, query.limit);
    return { meta: { hasMore }, shares: rows.map((row) => wireShare(row, now)) };
  },
});

export const revokeTripShare = endpoint({
  name: "revokeTripShare",
  method: "DELETE",
  path: "/v1/shares/:id",
  level: "secret",
  chapter,
  summary: "Revokes a link by its _id.",
  errors: [404],
  async handle({ params, caller, env, now, audit }) {
    if (!(await revokeShare(env.DB, caller.scope, params.id, now))) throw notFound("Share");
    audit({ summary: "Share link revoked" });
    return {};
  },
});

export const openTripShare = endpoint({
  name: "openTripShare",
  method: "GET",
  path: "/v1/shares/:id",
  level: "open",
  rate: "address",
  chapter,
  summary: "Returns the shared data of a trip, by the link's token.",
  description:
    "Needs no key: the token grants access. After the trip has ended, returns its status and end time, without a position. 404 for an unknown token, or if the trip has been deleted; 410 if the link has expired or was revoked.",
  response: z.object({ share: sharedTripShape }),
  errors: [402, 404, 410, 451],
  async handle({ params, env, now, request }) {
    const opened = await openByToken(env, params.id, now, request.cf?.country);
    return { share: await shownOf(env, opened) };
  },
});

/** @throws ApiError 404 */
function tripOf({ params, caller, env }: Call): Promise<Trip> {
  return existingTrip(env, caller.scope, params.id);
}
