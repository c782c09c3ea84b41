import { z } from "zod";
import { ApiError } from "../../../platform/errors.ts";
import { profileOf, type Traffic, type TravelMode } from "../../../wire/routes/route-fields.ts";
import { MediaReply } from "../../serve/endpoint.ts";
import type { Peer } from "../../serve/peers.ts";

/** OSRM's HTTP API v1 (docs/http.md of osrm-backend). */
export const osrm: Peer = {
  name: "osrm",
  errorOf: ({ status, type, param, message }) => ({
    body: { code: (status === 400 && type) || codeOf(status, param), message },
  }),
};

/** What all endpoints of OSRM have in common. */
export const OSRM = {
  method: "GET",
  level: "publishable",
  geodataOnly: true,
  chapter: "OSRM",
  peer: osrm,
  media: ["application/json"],
  errors: [404],
} as const;

/** OSRM's own codes for requests that cannot be read; others for what OSRM does not have. */
function codeOf(status: number, param: string | undefined): string {
  if (status === 400) return param === undefined ? "InvalidUrl" : "InvalidQuery";
  return CODES[status] ?? (status < 500 ? "InvalidUrl" : "InternalError");
}

const CODES: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  402: "PaymentRequired",
  403: "Forbidden",
  404: "InvalidService",
  413: "TooBig",
  414: "TooBig",
  429: "TooManyRequests",
  451: "UnavailableForLegalReasons",
  503: "Unavailable",
};

/** An error with one of OSRM's codes. */
export const osrmError = (code: string, message: string) => new ApiError(400, message, { type: code });

/** A response of these peers: JSON without an envelope. */
export const json = (body: unknown, status = 200) =>
  new MediaReply(JSON.stringify(body), { "content-type": "application/json; charset=utf-8" }, status);

/** The names of profiles, of OSRM's own and of those of Mapbox and GraphHopper. */
const PROFILES: Readonly<Record<string, TravelMode>> = {
  car: "car",
  driving: "car",
  "driving-traffic": "car",
  bike: "bike",
  bicycle: "bike",
  cycling: "bike",
  foot: "foot",
  walking: "foot",
  truck: "truck",
  hgv: "truck",
};

/** The mode of a profile. @throws ApiError 400 */
export function modeOf(profile: string): TravelMode {
  const name = profile.toLowerCase();
  if (Object.hasOwn(PROFILES, name)) return PROFILES[name];
  throw osrmError("InvalidValue", `Unknown profile. Valid values: ${Object.keys(PROFILES).join(", ")}.`);
}

/** Of the profiles, one follows what the project's devices see now. */
export const trafficOf = (profile: string): Traffic =>
  profile.toLowerCase() === "driving-traffic" ? "live" : "typical";

export const coreModeOf = (profile: string) => profileOf(modeOf(profile));

const LIST_RULE = 'Expected one value, or nothing, for each coordinate, separated by ";".';
/** More values than any endpoint accepts coordinates are not parsed. */
const MAX_VALUES = 1100;

/** "a;;b": a value or nothing for each coordinate. `parse` throws or returns undefined for an invalid value. */
export function perCoordinate<T>(parse: (text: string) => T | undefined, rule: string) {
  const error = `${rule} ${LIST_RULE}`;
  return z
    .string({ error })
    .transform((value, context): (T | undefined)[] => {
      const values: (T | undefined)[] = [];
      for (const part of value.split(";", MAX_VALUES)) {
        const text = part.trim();
        const parsed = text === "" ? undefined : parse(text);
        if (text !== "" && parsed === undefined) {
          context.addIssue({ code: "custom", message: error });
          return z.NEVER;
        }
        values.push(parsed);
      }
      return values;
    })
    .optional();
}

/** @throws ApiError 400 if a list has not one item per coordinate */
export function checkCount(name: string, list: readonly unknown[] | undefined, count: number): void {
  if (list !== undefined && list.length !== count)
    throw osrmError("InvalidOptions", `${name}: Expected one value per coordinate: ${count}, separated by ";".`);
}
