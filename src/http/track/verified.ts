import { z } from "zod";
import { commonDatabase } from "../../db/databases.ts";
import { newId } from "../../objects/id.ts";
import { wireDate } from "../../wire/date.ts";
import { regionShape } from "../../wire/surroundings.ts";
import { userShape } from "../../wire/user.ts";
import { publicOrigin } from "../serve/connection.ts";
import type { Call } from "../serve/endpoint.ts";
import { optionalText } from "../serve/fields.ts";
import { signer } from "../serve/signing-keys.ts";

/**
 * Verified tracking: what the checks of an update came to, and the same as a token that an app's server can check without asking us.
 * The SDKs keep it until it ends (`getVerifiedLocationToken`).
 */

/** How long a token is valid [s]. */
const VALID_FOR = 20 * 60;

const code = (about: string) => optionalText(8).meta({ description: `${about}; another one fails the check` });

/** What verified tracking sends beside the fields of every update. */
export const verifiedFields = {
  expectedCountryCode: code("verified tracking: the country the user must be in, such as US"),
  expectedStateCode: code("verified tracking: the state the user must be in, such as NY"),
  reason: optionalText().meta({ description: "verified tracking: what the check is for; told in the token" }),
  transactionId: optionalText().meta({ description: "verified tracking: told in the answer and the token" }),
};

export interface Expected {
  expectedCountryCode?: string;
  expectedStateCode?: string;
  reason?: string;
  transactionId?: string;
}

const verifiedRegionShape = regionShape.extend({
  allowed: z.boolean().optional().meta({ description: "verified tracking: the project does not block this country" }),
  passed: z
    .boolean()
    .optional()
    .meta({ description: "verified tracking: it is allowed, and the one that was expected" }),
});

/** A user as verified tracking shows it. */
export const verifiedUserShape = userShape.extend({
  country: verifiedRegionShape.optional(),
  state: verifiedRegionShape.optional(),
});

export const verifiedShape = z.object({
  _id: z.string().optional().meta({ description: "verified tracking: of this check" }),
  token: z.string().optional().meta({ description: "verified tracking: this answer, signed (JWT)" }),
  format: z.literal("JWS").optional().meta({ description: "verified tracking: the token is signed, not encrypted" }),
  expiresAt: z.string().optional().meta({ format: "date-time", description: "verified tracking: when the token ends" }),
  expiresIn: z.number().optional().meta({ description: "verified tracking: seconds until then" }),
  passed: z.boolean().optional().meta({ description: "verified tracking: every check passed" }),
  failureReasons: z.array(z.string()).optional().meta({ description: "verified tracking: the checks that did not" }),
  transactionId: z.string().optional(),
});

type User = z.input<typeof verifiedUserShape>;
type Answer = { user: z.input<typeof userShape>; events: readonly unknown[] };

/** The checks of fraud whose failure fails the update, by the name of the flag. */
const CHECKS = ["mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"] as const;

/** Makes ready to sign: called before anything is stored, so that an update that cannot be signed is not taken. */
export async function verifier(call: Pick<Call, "caller" | "env" | "now" | "request">) {
  const sign = await signer(commonDatabase(call.env), call.now);
  return (answer: Answer, expected: Expected) => verified(call, sign, answer, expected);
}

async function verified(
  { caller, env, now, request }: Pick<Call, "caller" | "env" | "now" | "request">,
  sign: Awaited<ReturnType<typeof signer>>,
  answer: Answer,
  { expectedCountryCode, expectedStateCode, reason, transactionId }: Expected,
) {
  const failureReasons: string[] = [];
  const { fraud, country, state } = answer.user;
  if (fraud?.blocked) failureReasons.push("fraud_blocked");
  else if (!fraud?.passed)
    failureReasons.push(...CHECKS.flatMap((check) => (fraud?.[check] ? [`fraud_${check}`] : [])));
  const allowed = !country || !(caller.settings.blockedCountries ?? []).includes(country.code);
  if (!allowed) failureReasons.push("country_not_allowed");
  const inCountry = isIt(country?.code, expectedCountryCode);
  const inState = isIt(state?.code, expectedStateCode);
  if (!inCountry) failureReasons.push(country ? "country_not_expected" : "country_unknown");
  if (!inState) failureReasons.push(state ? "state_not_expected" : "state_unknown");
  const passed = failureReasons.length === 0;
  const user: User = {
    ...answer.user,
    country: country && { ...country, allowed, passed: allowed && inCountry },
    state: state && { ...state, allowed, passed: allowed && inState },
  };
  const _id = newId(now);
  const issuedAt = Math.floor(now / 1000);
  const told = { passed, failureReasons, transactionId };
  const token = await sign({
    iss: publicOrigin(request, env),
    aud: String(caller.project),
    sub: user._id,
    jti: _id,
    iat: issuedAt,
    exp: issuedAt + VALID_FOR,
    ...{ live: caller.live, ...told, reason, expectedCountryCode, expectedStateCode, user, events: answer.events },
  });
  const expiresAt = wireDate((issuedAt + VALID_FOR) * 1000);
  return { ...answer, user, _id, token, format: "JWS" as const, expiresAt, expiresIn: VALID_FOR, ...told };
}

/** "NY" is "US-NY", whichever of them is known here. */
function isIt(found: string | undefined, expected: string | undefined): boolean {
  const short = (name: string) => name.toUpperCase().replace(/^.*-/, "");
  return expected === undefined || (found !== undefined && short(found) === short(expected));
}
