import { z } from "zod";
import { osmandFixes, SPEED_UNIT_NAMES, type SpeedUnit, traccarFixes } from "../../../core/ingest/traccar.ts";
import { oneOf, optionalText } from "../../wire/input/fields.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { rejectedShape } from "../track/replay.ts";
import { ingest, readFixes } from "./ingest.ts";

const chapter = "Other apps";

const settings = {
  userId: optionalText().meta({ description: "user of the device" }),
  speedUnit: oneOf(SPEED_UNIT_NAMES)
    .default("kn")
    .meta({ description: "unit of `speed` in a query or form: knots (Traccar's default), km/h or m/s" }),
};

/** A field that has this type in the reference. A wrong value is not an error: the position is rejected, or the field omitted. */
const loose = (type: "number" | "boolean" | ("string" | "number")[], description: string) =>
  z.unknown().optional().meta({ type, description });

const position = {
  id: loose(["string", "number"], "the device's identifier, also as `deviceid`"),
  lat: loose("number", "degrees"),
  lon: loose("number", "degrees"),
  timestamp: loose(["string", "number"], "seconds or milliseconds since 1970, or ISO 8601"),
  accuracy: loose("number", "meters; otherwise from `hdop`, otherwise 20"),
  speed: loose("number", "see `speedUnit`"),
  bearing: loose("number", "degrees from north, also as `heading`"),
  altitude: loose("number", "meters"),
  valid: loose("boolean", "false: the position is not stored"),
};

const ONE_OR_MORE = { anyOf: [{ type: "object" }, { type: "array", items: { type: "object" } }] } as const;

const response = z.object({
  taken: z.number().meta({ description: "number of positions stored" }),
  rejected: z
    .array(rejectedShape)
    .meta({ description: "positions that can never be stored; the status is 200, so that the app discards them" }),
});
type Query = { userId?: string; speedUnit: SpeedUnit };

export const ingestTraccar = endpoint({
  name: "ingestTraccar",
  method: "POST",
  path: "/v1/ingest/traccar",
  level: "publishable",
  audited: false,
  chapter,
  summary: "Accepts positions from Traccar Client and from apps that support the OsmAnd protocol.",
  description:
    "JSON as Traccar Client 9 sends it (`{location: {timestamp, coords}, device_id}`), or the fields of a query or a form. Positions use the device's own time; up to 20 calls per second and device.",
  query: z.looseObject({ ...settings, ...position }),
  body: z.looseObject({
    location: z
      .unknown()
      .optional()
      .meta({ ...ONE_OR_MORE, description: "one position or a list, with `timestamp` and `coords`" }),
    device_id: z
      .unknown()
      .optional()
      .meta({ type: ["string", "number"] }),
  }),
  rate: "device",
  response,
  errors: [451],
  handle: (call) => {
    const isJson = typeof call.body.location === "object" && call.body.location !== null;
    const fixes = isJson ? traccarFixes(call.body) : osmandFixes({ ...call.query, ...call.body }, call.query.speedUnit);
    return take(call, call.query, fixes);
  },
});

export const ingestTraccarQuery = endpoint({
  name: "ingestTraccarQuery",
  method: "GET",
  path: "/v1/ingest/traccar",
  level: "publishable",
  role: "write",
  audited: false,
  chapter,
  summary: "Accepts positions from apps that can only open a URL, such as OsmAnd and GPSLogger.",
  query: z.looseObject({ ...settings, ...position }),
  rate: "device",
  response,
  errors: [451],
  handle: (call) => take(call, call.query, osmandFixes(call.query, call.query.speedUnit)),
});

async function take(call: Call, { userId }: Query, fixes: ReturnType<typeof osmandFixes>) {
  const { updates, rejected } = readFixes(call, fixes, userId);
  await ingest(call, "ingestTraccar", updates);
  return { taken: updates.length, rejected };
}
