import { z } from "zod";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import { LANGUAGE_CODES, type Language, languageOf } from "../../../../core/routing/guidance/text/translation.ts";
import { momentAt } from "../../../geodata/roads.ts";
import { ApiError } from "../../../platform/errors.ts";
import { datetime, flag, number, oneOf } from "../../../wire/input/fields.ts";
import type { TravelMode } from "../../../wire/routes/route-fields.ts";
import type { Peer } from "../../serve/peers.ts";
import { type Annotation, annotationsField, excludeField } from "../osrm/fields.ts";
import { modeOf } from "../osrm/osrm.ts";

/** Mapbox's APIs of navigation (docs.mapbox.com/api/navigation). */
export const mapbox: Peer = {
  name: "mapbox",
  errorOf({ status, type, message }) {
    // What cannot be routed is not an error there: the status is 200.
    if (status === 400 && type !== undefined && NOT_FOUND.includes(type))
      return { status: 200, body: { code: type, message, routes: [] } };
    if (status === 400) return { status: 422, body: { code: "InvalidInput", message } };
    return { body: { message, ...(status === 404 && { code: type ?? "NotFound" }) } };
  },
};

const NOT_FOUND = ["NoRoute", "NoSegment", "NoMatch", "NoTrips"];

export const MAPBOX = {
  level: "publishable",
  role: "read",
  geodataOnly: true,
  chapter: "Mapbox",
  peer: mapbox,
  media: ["application/json"],
  errors: [404, 422],
} as const;

/** The mode of a profile. @throws ApiError 404 */
export function mapboxMode(owner: string, profile: string): TravelMode {
  try {
    if (owner === "mapbox") return modeOf(profile);
  } catch {
    // One error for the owner and for the profile.
  }
  throw new ApiError(404, "Profile not found.", { type: "ProfileNotFound" });
}

/** The text language of a tag such as "de-AT"; English if there are no texts in it, as in Mapbox. */
export function textLanguage(tag: string): Language {
  const [base, region = ""] = tag.split(/[-_]/);
  const full = `${base.toLowerCase()}-${region.toUpperCase()}`;
  const known = [full, base.toLowerCase()].flatMap((name) => LANGUAGE_CODES.find((code) => code === name) ?? []);
  return languageOf(known[0] ?? "en");
}

/** Annotations that Mapbox derives from traffic: they are known to be unknown. */
export const TRAFFIC = ["congestion", "congestion_numeric", "closure"] as const;

const ANNOTATION_RULE = `Valid values: duration, distance, speed, maxspeed, ${TRAFFIC.join(", ")}, separated by commas; without traffic data, those of traffic are unknown.`;

export const mapboxAnnotations = () => annotationsField(ANNOTATION_RULE, ["maxspeed", ...TRAFFIC] as Annotation[]);

export const guidanceFields = {
  language: z
    .string()
    .max(20)
    .default("en")
    .meta({
      description: `of the texts: ${LANGUAGE_CODES.join(", ")}; en for others`,
    }),
  banner_instructions: flag().default(false).meta({ description: "texts to show; with `steps`" }),
  voice_instructions: flag().default(false).meta({ description: "texts to speak; with `steps`" }),
  voice_units: oneOf(["imperial", "metric", "british_imperial"]).default("imperial").meta({
    description: "of spoken distances; british_imperial is imperial",
  }),
  roundabout_exits: flag().default(false).meta({ description: "a step for the exit of a roundabout" }),
  waypoint_names: z.string().max(2000).optional().meta({
    description: "names of the waypoints, shown on arrival, separated by `;`",
  }),
};

export type Guidance = z.output<z.ZodObject<typeof guidanceFields>>;

/** A time with an offset, or without one: the local time where the route begins, as Mapbox reads it. */
export const departField = () =>
  z
    .string()
    .transform((text, context): Departure => {
      const { data: time, error } = datetime().safeParse(text);
      const isLocal = !/(Z|[+-]\d{2}:?\d{2})$/.test(text.trim().slice(10));
      if (time !== undefined) return { time, isLocal };
      context.addIssue({ code: "custom", message: error?.issues[0]?.message ?? "" });
      return z.NEVER;
    })
    .optional()
    .meta({
      ...{ type: "string", format: "date-time" },
      description:
        "departure time, as `departureTime` of directions; without an offset, the local time at the first coordinate; default now",
    });

/** [ms since 1970], in UTC or by the clocks where the route begins. */
export interface Departure {
  time: number;
  isLocal: boolean;
}

export const departureAt = (origin: Coordinate, departure: Departure | undefined): number | undefined =>
  departure?.isLocal ? momentAt(origin, departure.time) : departure?.time;

const size = (what: string, max: number, unit: string) =>
  number({ min: 0, max })
    .optional()
    .meta({ description: `${what} of the vehicle, 0 to ${max} [${unit}]` });

export const vehicleFields = {
  max_height: size("height", 10, "m"),
  max_width: size("width", 10, "m"),
  max_weight: size("weight", 200, "t"),
};

/** The vehicle of a request. @throws ApiError 400 for modes without one */
export function vehicleOf(query: z.output<z.ZodObject<typeof vehicleFields>>) {
  const { max_height: height, max_width: width, max_weight: weight } = query;
  const sizes = { ...(height && { height }), ...(width && { width }), ...(weight && { weight }) };
  return Object.keys(sizes).length > 0 ? sizes : undefined;
}

export const mapboxExclude = () => excludeField({ country_border: "borderCrossings" });

const ignored = (why: string) =>
  z
    .string()
    .optional()
    .meta({ description: `ignored: ${why}` });

/** Parameters that navigation SDKs send, and that change nothing here. */
export const mapboxIgnored = {
  enable_refresh: ignored("routes are not refreshed, ask again"),
  snapping_include_closures: ignored("closures are not known"),
  snapping_include_static_closures: ignored("closures are not known"),
  notifications: ignored("there are none"),
  compute_toll_cost: ignored("tolls are not known"),
  suppress_voice_instruction_local_names: ignored("names are local"),
};
