import { z } from "zod";
import { haveSmallMetadata, LEGS_METADATA_RULE } from "../../../core/tracking/change-legs.ts";
import { ARRIVAL_RADIUS, MAX_LEGS } from "../../../core/tracking/legs.ts";
import type { LegDestination, LegOptions, TripLeg } from "../../../core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../core/tracking/types/update.ts";
import { pointOfAddress } from "../../answers/geocode/destination.ts";
import { findTrip } from "../../db/customers/trips.ts";
import { openGeodata } from "../../geodata/live.ts";
import { legDestination, newLeg } from "../../objects/tracker/new-legs.ts";
import { invalid, required } from "../../platform/errors.ts";
import { dictionary, json, number, optionalSearchText, optionalText } from "../../wire/input/fields.ts";
import type { Call } from "../serve/endpoint.ts";

const LEGS_RULE = `Must be a list of 1 to ${MAX_LEGS} legs.`;
const LEG_RULE = "Must be a leg: {destination, stopDuration, metadata}.";
const POINT_RULE = "Must be [longitude, latitude].";
/** Longest stop [min]. */
const MAX_STOP = 7 * 24 * 60;

const dropNulls = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null))
    : value;

const point = z
  .tuple([number({ min: -180, max: 180 }), number({ min: -90, max: 90 })], { error: POINT_RULE })
  .meta({ description: "[longitude, latitude]" });

const pair = { destinationGeofenceTag: optionalText(), destinationGeofenceExternalId: optionalText() };

/** A leg as the SDKs send it. They also send back legs with all fields of a response. */
const leg = z.preprocess(
  dropNulls,
  z
    .object(
      {
        _id: optionalText(64),
        destination: z
          .preprocess(
            dropNulls,
            z.object(
              {
                ...pair,
                destinationGeofenceId: optionalText(64),
                address: optionalSearchText(),
                coordinates: point.optional(),
                arrivalRadius: number({ min: 1, max: 10_000 })
                  .optional()
                  .meta({
                    description: `meters; for an address or coordinates, default ${ARRIVAL_RADIUS}; greater for an address whose house number no data has`,
                  }),
              },
              { error: "Must be a destination." },
            ),
          )
          .optional(),
        ...pair,
        stopDuration: number({ min: 0, max: MAX_STOP }).optional().meta({ description: "minutes" }),
        metadata: dictionary(16).optional(),
      },
      { error: LEG_RULE },
    )
    .transform(({ destination, destinationGeofenceTag, destinationGeofenceExternalId, ...rest }): LegOptions => {
      const { coordinates, ...named } = destination ?? { destinationGeofenceTag, destinationGeofenceExternalId };
      const location = coordinates && { longitude: coordinates[0], latitude: coordinates[1] };
      // Geofence fields take precedence over other fields that an SDK repeats from a response.
      const isFence = named.destinationGeofenceId ?? named.destinationGeofenceExternalId;
      return { ...rest, destination: { ...named, ...(isFence === undefined && location && { location }) } };
    }),
);

const isSmall = (legs: readonly (string | LegOptions)[]) =>
  haveSmallMetadata(legs.filter((one) => typeof one !== "string"));

/** The legs of a new trip. */
export const legsField = json(
  z
    .array(leg, { error: LEGS_RULE })
    .min(1, { error: LEGS_RULE })
    .max(MAX_LEGS, { error: LEGS_RULE })
    .refine(isSmall, { error: LEGS_METADATA_RULE }),
).meta({
  description:
    "each {destination, stopDuration, metadata}; the destination names a geofence (destinationGeofenceTag and destinationGeofenceExternalId, or destinationGeofenceId), an address, or coordinates",
});

/** The new legs of a trip: existing ones by their _id, in travel order. */
export const orderField = json(
  z
    .array(z.union([z.string().max(64), leg]), { error: LEGS_RULE })
    .min(1, { error: LEGS_RULE })
    .max(MAX_LEGS, { error: LEGS_RULE })
    .refine(isSmall, { error: LEGS_METADATA_RULE }),
).meta({
  description: "the _id of a leg, or a leg as in POST /v1/trips; with _id, its stopDuration and metadata are replaced",
});

/**
 * Updates look up no addresses. Of a trip that exists, the SDK for JavaScript repeats them with each update.
 * @returns a promise only if there are any. @throws ApiError 400 for a new trip with a leg to an address
 */
export function refuseNewAddresses(
  call: Pick<Call, "caller" | "env">,
  { tripOptions }: LocationUpdate,
): Promise<void> | undefined {
  const index = tripOptions?.legs?.findIndex(({ destination = {} }) => isOnlyAddress(destination)) ?? -1;
  return tripOptions && index >= 0 ? refuseUnlessKnown(call, tripOptions.externalId, index) : undefined;
}

async function refuseUnlessKnown({ env, caller }: Pick<Call, "caller" | "env">, externalId: string, index: number) {
  if (await findTrip(env.DB, caller.scope, externalId)) return;
  throw invalid(
    `tripOptions[legs][${index}][destination][address]`,
    "Create a trip to an address with POST /v1/trips before the update.",
  );
}

type Named = NonNullable<LegOptions["destination"]>;
const isUnnamed = ({ destinationGeofenceId, destinationGeofenceTag, destinationGeofenceExternalId, location }: Named) =>
  (destinationGeofenceId ?? destinationGeofenceTag ?? destinationGeofenceExternalId ?? location) === undefined;
const isOnlyAddress = (named: Named) => named.address !== undefined && isUnnamed(named);

type Asker = Pick<Call, "caller" | "env" | "now" | "waitUntil" | "pace">;

/** New legs with their destinations. @throws ApiError 400 for an unknown geofence or address */
export function legsAsked(call: Asker, legs: readonly LegOptions[]): Promise<TripLeg[]> {
  return Promise.all(legs.map((one, i) => legAsked(call, one, `legs[${i}]`)));
}

/** @param param the parameter as the caller wrote it */
export async function legAsked(call: Asker, asked: LegOptions, param: string): Promise<TripLeg> {
  const { env, caller, now } = call;
  const named = asked.destination ?? {};
  const { destinationGeofenceId: id, destinationGeofenceTag: tag, destinationGeofenceExternalId: externalId } = named;
  const inside = (field: string) => `${param}[destination][${field}]`;
  if (isUnnamed(named)) {
    if (named.address === undefined)
      throw required(`${param}[destination]`, "Must be a geofence, an address or coordinates.");
    return newLeg(await addressDestination(call, named.address, named.arrivalRadius, inside("address")), asked, now);
  }
  if (id === undefined && !named.location) {
    if (tag === undefined) throw required(inside("destinationGeofenceTag"));
    if (externalId === undefined) throw required(inside("destinationGeofenceExternalId"));
  }
  const destination = await legDestination(env, caller.scope, asked, now);
  if (!destination) {
    const field = id === undefined ? "destinationGeofenceExternalId" : "destinationGeofenceId";
    throw invalid(inside(field), `No geofence has this ${id === undefined ? "tag and externalId" : "_id"}.`);
  }
  return newLeg(destination, asked, now);
}

/** The radius grows to how far the address may be from its position. @throws ApiError 400 */
async function addressDestination(
  call: Asker,
  address: string,
  radius: number = ARRIVAL_RADIUS,
  param: string,
): Promise<LegDestination> {
  const geodata = await openGeodata(call.env.GEODATA, call);
  const found = await pointOfAddress(geodata, address, radius, call.pace, call.now);
  if (typeof found === "string") throw invalid(param, found);
  const { reach = 0, ...point } = found;
  return { type: "address", address, ...point, arrivalRadius: Math.max(radius, Math.ceil(reach)) };
}
