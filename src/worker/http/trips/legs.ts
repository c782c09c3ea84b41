import { z } from "zod";
import { changeLeg, isRejection } from "../../../core/tracking/change-legs.ts";
import { currentLeg } from "../../../core/tracking/legs.ts";
import { isUnderWay, type TripChange } from "../../../core/tracking/trips.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { Eta, LegOptions, Trip, TripLeg } from "../../../core/tracking/types/trip.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { etaTo } from "../../objects/tracker/eta.ts";
import { unknownWays, withEveryWay } from "../../objects/tracker/leg-ways.ts";
import { ApiError, invalid, notFound } from "../../platform/errors.ts";
import { eventShape } from "../../wire/event.ts";
import { oneOf } from "../../wire/input/fields.ts";
import { legShape } from "../../wire/leg.ts";
import { tripShape } from "../../wire/trip.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { legAsked, orderField } from "../track/leg-body.ts";
import { applyChange, OWNER_RULE, ownerFields, tripToChange } from "./change-trip.ts";

const chapter = "Trips";
const SETTABLE = ["started", "approaching", "arrived", "completed", "canceled"] as const;
export const setTripLegs = endpoint({
  name: "setTripLegs",
  method: "PUT",
  path: "/v1/trips/:id/legs",
  level: "publishable",
  chapter,
  summary: "Replaces or reorders the legs of a trip; by _id or externalId.",
  description: `The SDKs send \`legs\` as the list of _ids in a new order. Legs that have ended stay; other legs that are not listed are deleted. The first leg that has not ended becomes the current one, and a leg that was active before it becomes pending again; but a leg whose stop the device is at comes first. ${OWNER_RULE}`,
  body: z.object({ legs: orderField, ...ownerFields }),
  response: z.object({ trip: tripShape, events: z.array(eventShape) }),
  errors: [404, 409],
  async handle(call) {
    const { body, params, env } = call;
    const { trip, showTrip, showEvent } = await tripToChange(call, params.id, body);
    if (!isUnderWay(trip.status)) throw new ApiError(409, `The trip is ${trip.status}.`);
    const legs = await Promise.all(body.legs.map((one, i) => legOf(call, trip, one, `legs[${i}]`)));
    const twice = legs.findIndex(({ _id }, i) => legs.findIndex((leg) => leg._id === _id) < i);
    if (twice >= 0) throw invalid(`legs[${twice}]`, "The leg is duplicated.");
    const { legs: known } = await withEveryWay(env, { ...trip, legs });
    const etas = await etaToFirst(call, trip, { legs: known });
    const done = await applyChange(call, trip, { legs: known, etas });
    return { trip: showTrip(done.trip), events: done.events.map(showEvent) };
  },
});

/** A leg of the trip by its _id, or a new one. */
async function legOf(call: Call, { legs = [] }: Trip, asked: string | LegOptions, param: string): Promise<TripLeg> {
  const id = typeof asked === "string" ? asked : asked._id;
  const own = legs.find(({ _id }) => _id === id);
  if (own)
    return typeof asked === "string" ? own : { ...own, stopDuration: asked.stopDuration, metadata: asked.metadata };
  if (typeof asked === "string" || id !== undefined) throw invalid(param, "The trip has no leg with this _id.");
  return legAsked(call, asked, param);
}

export const updateTripLeg = endpoint({
  name: "updateTripLeg",
  method: "PATCH",
  path: "/v1/trips/:id/legs/:legId",
  level: "publishable",
  chapter,
  summary: "Changes the status of one leg of a trip.",
  description: `pending → started → approaching → arrived → completed, or canceled from any of them. You can skip statuses but not go back: other changes return 400. When a leg ends, the next one starts; when the last leg ends, the trip ends. A pending leg that is started, approaching or arrived moves before the current one. Setting the same status again changes nothing. ${OWNER_RULE}`,
  body: z.object({ status: oneOf(SETTABLE), ...ownerFields }),
  response: z.object({ trip: tripShape, leg: legShape, events: z.array(eventShape) }),
  errors: [404, 409],
  async handle(call) {
    const { body, params } = call;
    const { trip, showTrip, showLeg, showEvent } = await tripToChange(call, params.id, body);
    const before = legNamed(trip, params.legId);
    const ended = !isUnderWay(trip.status);
    if (ended && before.status !== body.status) throw new ApiError(409, `The trip is ${trip.status}.`);
    const leg = { id: before._id, status: body.status };
    const done = ended
      ? { trip, events: [] as TrackEvent[] }
      : await applyChange(call, trip, { leg, ...(await routesThen(call, trip, leg)) });
    return {
      trip: showTrip(done.trip),
      leg: showLeg(legNamed(done.trip, params.legId)),
      events: done.events.map(showEvent),
    };
  },
});

/** Data for the ETAs after a status change: the routes between the legs in their new order, and the distance to the first. */
async function routesThen(
  call: Call,
  trip: Trip,
  { id, status }: NonNullable<TripChange["leg"]>,
): Promise<Pick<TripChange, "ways" | "etas">> {
  const next = changeLeg(trip, id, status, call.now);
  if (isRejection(next)) return {};
  const isOther = status === "started" || currentLeg(next)?._id !== currentLeg(trip)?._id;
  const [ways, etas] = await Promise.all([
    unknownWays(call.env, next),
    isOther ? etaToFirst(call, trip, next) : undefined,
  ]);
  return { ways, etas };
}

/** Distance from the user's last location to the leg that becomes current. */
async function etaToFirst({ caller, env }: Call, trip: Trip, legs: Pick<Trip, "legs">): Promise<Record<string, Eta>> {
  const leg = currentLeg(legs);
  if (!leg || trip.deviceId === undefined || trip.user === undefined) return {};
  const user = await deviceTrackerOf(env, caller.scope, trip.deviceId).user(trip.user);
  return user ? { [leg._id]: await etaTo(env, user.location, leg.destination.location, trip.mode, caller) } : {};
}

/** @throws ApiError 404 */
function legNamed({ legs }: Trip, id: string): TripLeg {
  const leg = legs?.find(({ _id }) => _id === id);
  if (!leg) throw notFound("Leg");
  return leg;
}
