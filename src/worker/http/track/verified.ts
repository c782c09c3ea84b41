import { z } from "zod";
import { commonDatabase } from "../../db/databases.ts";
import { openGeodata } from "../../geodata/live.ts";
import { distanceToBorder, MAX_BORDER_DISTANCE } from "../../geodata/regions.ts";
import { newId } from "../../objects/tracker/id.ts";
import type { Asker } from "../../platform/call.ts";
import { wireDate } from "../../wire/date.ts";
import { optionalText } from "../../wire/input/fields.ts";
import { regionShape } from "../../wire/surroundings.ts";
import { userShape } from "../../wire/user.ts";
import { signer } from "../serve/callers/signing-keys.ts";
import { publicOrigin } from "../serve/connection.ts";
import type { Call } from "../serve/endpoint.ts";

/**
 * Verified tracking: the results of an update's checks, also as a token that an app's server can verify offline.
 * The SDKs keep it until it ends (`getVerifiedLocationToken`).
 */

/** How long a token is valid [s]. */
const VALID_FOR = 20 * 60;

const code = (about: string) => optionalText(8).meta({ description: `${about}; any other value fails the check` });

/** Fields of verified tracking in addition to those of every update. */
export const verifiedFields = {
  expectedCountryCode: code("verified tracking: the country the user must be in, such as US"),
  expectedStateCode: code("verified tracking: the state the user must be in, such as NY"),
  reason: optionalText().meta({ description: "verified tracking: purpose of the check; included in the token" }),
  transactionId: optionalText().meta({ description: "verified tracking: included in the response and the token" }),
};

export interface Expected {
  expectedCountryCode?: string;
  expectedStateCode?: string;
  reason?: string;
  transactionId?: string;
}

const verifiedRegionShape = regionShape.extend({
  allowed: z.boolean().optional().meta({ description: "verified tracking: the project does not block this country" }),
  passed: z.boolean().optional().meta({
    description:
      "verified tracking: it is allowed and expected, and the user is in no exclusion zone, and not nearer to the border than borderBuffer",
  }),
  expected: z
    .boolean()
    .optional()
    .meta({ description: "verified tracking: it is the expected one, if one was specified" }),
  inExclusionZone: z
    .boolean()
    .optional()
    .meta({ description: "verified tracking: the user is in a geofence with one of the project's exclusionTags" }),
  inBufferZone: z.boolean().optional().meta({
    description:
      "verified tracking: the border is nearer than the project's borderBuffer, which fails the check, or within the accuracy",
  }),
  distanceToBorder: z
    .number()
    .optional()
    .meta({
      description: `verified tracking: meters to the nearest land border, at most ${MAX_BORDER_DISTANCE}; absent: unknown`,
    }),
});

/** A user in a verified tracking response. */
export const verifiedUserShape = userShape.extend({
  country: verifiedRegionShape.optional(),
  state: verifiedRegionShape.optional(),
});

export const verifiedShape = z.object({
  _id: z.string().optional().meta({ description: "verified tracking: of this check" }),
  token: z.string().optional().meta({ description: "verified tracking: this response, signed (JWT)" }),
  format: z.literal("JWS").optional().meta({ description: "verified tracking: the token is signed, not encrypted" }),
  expiresAt: z.string().optional().meta({ format: "date-time", description: "verified tracking: when the token ends" }),
  expiresIn: z.number().optional().meta({ description: "verified tracking: seconds until it expires" }),
  passed: z.boolean().optional().meta({ description: "verified tracking: every check passed" }),
  failureReasons: z.array(z.string()).optional().meta({ description: "verified tracking: the failed checks" }),
  transactionId: z.string().optional(),
});

type User = z.input<typeof verifiedUserShape>;
type Answer = { user: z.input<typeof userShape>; events: readonly unknown[] };

/** Fraud checks whose failure fails the update, by flag name. */
const CHECKS = ["mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"] as const;

/** Prepares signing before anything is stored, so that an update that cannot be signed is rejected. */
export async function verifier(call: Verifying) {
  const sign = await signer(commonDatabase(call.env), call.now);
  return (answer: Answer, expected: Expected) => verified(call, sign, answer, expected);
}

type Verifying = Asker & Pick<Call, "caller" | "request">;
type WireRegion = NonNullable<User["country"]>;

async function verified(
  call: Verifying,
  sign: Awaited<ReturnType<typeof signer>>,
  answer: Answer,
  { expectedCountryCode, expectedStateCode, reason, transactionId }: Expected,
) {
  const { caller, env, now, request } = call;
  const failureReasons: string[] = [];
  const { fraud, country, state } = answer.user;
  if (fraud?.blocked) failureReasons.push("fraud_blocked");
  else if (!fraud?.passed)
    failureReasons.push(...CHECKS.flatMap((check) => (fraud?.[check] ? [`fraud_${check}`] : [])));
  const allowed = !country || !(caller.settings.blockedCountries ?? []).includes(country.code);
  if (!allowed) failureReasons.push("country_not_allowed");
  const zones = await zonesOf(call, answer.user);
  const inCountry = isIt(country?.code, expectedCountryCode);
  const inState = isIt(state?.code, expectedStateCode);
  if (!inCountry) failureReasons.push(country ? "country_not_expected" : "country_unknown");
  if (!inState) failureReasons.push(state ? "state_not_expected" : "state_unknown");
  for (const kind of ["country", "state"] as const) {
    if (zones[kind]?.inExclusionZone) failureReasons.push(`${kind}_in_exclusion_zone`);
    if (zones[kind]?.tooNear) failureReasons.push(`${kind}_in_buffer_zone`);
  }
  const passed = failureReasons.length === 0;
  const judged = (region: WireRegion, zone: Zone | undefined, expected: boolean) => {
    if (!zone) return { ...region, allowed, expected, passed: allowed && expected };
    const { tooNear, ...shown } = zone;
    return { ...region, allowed, expected, ...shown, passed: allowed && expected && !zone.inExclusionZone && !tooNear };
  };
  const user: User = {
    ...answer.user,
    country: country && judged(country, zones.country, inCountry),
    state: state && judged(state, zones.state, inState),
  };
  const _id = newId(now);
  const issuedAt = Math.floor(now / 1000);
  const outcome = { passed, failureReasons, transactionId };
  const token = await sign({
    iss: publicOrigin(request, env),
    aud: String(caller.project),
    sub: user._id,
    jti: _id,
    iat: issuedAt,
    exp: issuedAt + VALID_FOR,
    live: caller.live,
    ...outcome,
    reason,
    expectedCountryCode,
    expectedStateCode,
    user,
    events: answer.events,
  });
  const expiresAt = wireDate((issuedAt + VALID_FOR) * 1000);
  return { ...answer, user, _id, token, format: "JWS" as const, expiresAt, expiresIn: VALID_FOR, ...outcome };
}

interface Zone {
  inExclusionZone: boolean;
  inBufferZone: boolean;
  /** It is nearer to the border than the project allows. */
  tooNear: boolean;
  distanceToBorder: number | undefined;
}

/** The user's position within its country and state. An unknown border distance is treated as too near, if the project has a buffer. */
async function zonesOf(call: Verifying, user: Answer["user"]): Promise<{ country?: Zone; state?: Zone }> {
  const { country, state, location, geofences } = user;
  if (!country) return {};
  const { borderBuffer = 0, exclusionTags = [] } = call.caller.settings.verified ?? {};
  const [longitude, latitude] = location.coordinates;
  const geodata = await openGeodata(call.env.GEODATA, call);
  const inExclusionZone = geofences.some(({ tag }) => tag !== undefined && exclusionTags.includes(tag));
  const measure = (kind: "country" | "state", code: string) =>
    distanceToBorder(geodata, { latitude, longitude }, { kind, code, country: country.code });
  const zoneOf = (border: number | undefined): Zone => {
    const tooNear = borderBuffer > 0 && (border ?? 0) < borderBuffer;
    return {
      inExclusionZone,
      inBufferZone: tooNear || (border !== undefined && border < user.locationAccuracy),
      tooNear,
      distanceToBorder: border === undefined ? undefined : Math.round(border),
    };
  };
  const ofCountry = await measure("country", country.code);
  const ofState = state && (await measure("state", state.code));
  // No border of the country is nearer than that of the state, whose outline may lack it.
  const known = [ofCountry, ofState].filter((border) => border !== undefined);
  const nearest = ofState === undefined ? undefined : Math.min(...known);
  return { country: zoneOf(ofCountry), ...(state && { state: zoneOf(nearest) }) };
}

/** Treats "NY" and "US-NY" as equal. */
function isIt(found: string | undefined, expected: string | undefined): boolean {
  const short = (name: string) => name.toUpperCase().replace(/^.*-/, "");
  return expected === undefined || (found !== undefined && short(found) === short(expected));
}
