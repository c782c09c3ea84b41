import { z } from "zod";
import { TUNNEL_CODES, type Vehicle } from "../../../core/routing/graph/vehicle.ts";
import { invalid } from "../../platform/errors.ts";
import { flag, json, number } from "../input/fields.ts";
import { profileOf, type TravelMode } from "./route-fields.ts";

const HAZMAT_RULE = `Valid values: true, false, ${TUNNEL_CODES.join(", ")}.`;
const NAMES = ["height", "width", "length", "weight", "axleLoad", "axles", "hazmat", "trailer", "maxSpeed"] as const;
const VEHICLE_RULE = `Expected an object with some of ${NAMES.join(", ")}, such as vehicle[height]=3.8.`;

/** Dangerous goods without a code are those that are allowed in the fewest tunnels. */
const hazmat = () =>
  z.preprocess(
    (value) => {
      if (value === true || value === "true") return TUNNEL_CODES[0];
      return value === false || value === "false" ? undefined : value;
    },
    z
      .enum(TUNNEL_CODES, { error: HAZMAT_RULE })
      .transform((code) => TUNNEL_CODES.indexOf(code))
      .optional(),
  );

const metres = (max: number) => number({ above: 0, max }).optional();
const tonnes = (max: number) => number({ above: 0, max }).optional();

/** Names that are not listed are errors: a misspelled height would lead a truck under a low bridge. */
export const vehicleField = () =>
  json(
    z.strictObject(
      {
        height: metres(10),
        width: metres(10),
        length: metres(60),
        weight: tonnes(200),
        axleLoad: tonnes(50),
        axles: number({ min: 2, max: 30, integer: true }).optional(),
        hazmat: hazmat().optional(),
        trailer: flag().optional(),
        maxSpeed: number({ min: 1, max: 250 }).optional(),
      } satisfies Record<(typeof NAMES)[number], z.ZodType>,
      { error: VEHICLE_RULE },
    ),
  )
    .transform((given): Vehicle => given as Vehicle)
    .optional()
    .meta({
      type: "object",
      description:
        "the vehicle, for car, truck and motorbike: height, width and length [m], weight and axleLoad [t], axles, hazmat (dangerous goods: true, or their tunnel restriction code B to E; true counts as B), trailer (true or false), and maxSpeed [km/h]. It does not use roads with a lower limit. Sizes that are absent are those of the mode; axleLoad, axles and hazmat then exceed no limit",
      example: { height: 3.8, weight: 12 },
    });

/** The vehicle of a request. @throws ApiError 400 if none of its modes has vehicles */
export function vehicleFor(
  vehicle: Vehicle | undefined,
  modes: readonly TravelMode[],
  param = "vehicle",
): Vehicle | undefined {
  if (!vehicle || modes.some((mode) => ["car", "truck"].includes(profileOf(mode)))) return vehicle;
  throw invalid(param, "Only with the modes car, truck and motorbike.");
}
