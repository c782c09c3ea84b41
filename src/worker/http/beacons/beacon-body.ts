import { z } from "zod";
import { cellAt } from "../../../core/geo/cells/cells.ts";
import { type Coordinate, isCoordinate } from "../../../core/geo/coordinate.ts";
import { signalOf } from "../../../core/tracking/beacons.ts";
import { BEACON_TYPES } from "../../../core/tracking/types/surroundings.ts";
import { BEACON_CELL_RESOLUTION, type BeaconValues } from "../../db/customers/beacons.ts";
import { invalid, required } from "../../platform/errors.ts";
import {
  dictionary,
  flag,
  json,
  oneOf,
  optionalPathText,
  optionalText,
  text,
  textToNumber,
} from "../../wire/input/fields.ts";

const UUID_EXAMPLE = "f7826da6-4fa2-4e98-8024-bc5b71e0893e";
/** iOS ranges no beacons for other strings, and some crash it. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const COORDINATES_RULE = "Expected [longitude, latitude].";

/** A major or minor of an iBeacon: 16 bits, as a string. */
function number16() {
  const rule = "Must be an integer from 0 to 65535.";
  return optionalText(16).refine(
    (value) => value === undefined || (/^\d{1,5}$/.test(value) && Number(value) < 65_536),
    {
      error: rule,
    },
  );
}

/** The body of POST and PUT on beacons, and a row of a CSV file. */
export const beaconBody = z.object({
  description: text(1024),
  type: oneOf(BEACON_TYPES),
  uuid: optionalText(64).meta({ description: `required for ibeacon; a UUID such as ${UUID_EXAMPLE}` }),
  major: number16().meta({ description: "required for ibeacon; 0 to 65535" }),
  minor: number16().meta({ description: "required for ibeacon; 0 to 65535" }),
  uid: optionalText(64).meta({ description: "required for eddystone" }),
  instance: optionalText(64).meta({ description: "required for eddystone" }),
  tag: optionalPathText(),
  externalId: optionalPathText(),
  coordinates: json(z.array(z.unknown().meta({ type: "number" }), { error: COORDINATES_RULE })).meta({
    description: "[longitude, latitude]: location of the beacon; devices within one kilometer receive the beacon",
  }),
  enabled: flag().meta({ description: "false: it generates no events" }),
  metadata: dictionary(16).optional(),
});

export type BeaconBody = z.output<typeof beaconBody>;

const IDENTIFIERS = { ibeacon: ["uuid", "major", "minor"], eddystone: ["uid", "instance"] } as const;

/** Body → row, with the fields that its type needs. @throws ApiError 400 with the name of the field */
export function beaconValues(body: BeaconBody): BeaconValues {
  const { type, description, tag, externalId, enabled, metadata } = body;
  for (const name of IDENTIFIERS[type]) if (body[name] === undefined) throw required(name);
  if (type === "ibeacon" && !UUID.test(body.uuid ?? ""))
    throw invalid("uuid", `Must be a UUID such as ${UUID_EXAMPLE}.`);
  const { latitude, longitude } = pointOf(body.coordinates);
  // Omits identifiers of the other type.
  const own = (name: "uuid" | "major" | "minor" | "uid" | "instance") =>
    (IDENTIFIERS[type] as readonly string[]).includes(name) ? (body[name]?.toLowerCase() ?? null) : null;
  const ids = {
    uuid: own("uuid"),
    major: own("major"),
    minor: own("minor"),
    uid: own("uid"),
    instance: own("instance"),
  };
  return {
    type,
    ...ids,
    signal: signalOf({ type, ...withoutNulls(ids) }),
    description,
    tag: tag ?? null,
    externalId: externalId ?? null,
    latitude,
    longitude,
    cell: cellAt({ latitude, longitude }, BEACON_CELL_RESOLUTION),
    enabled,
    metadata: metadata === undefined ? null : JSON.stringify(metadata),
  };
}

function pointOf(coordinates: readonly unknown[]): Coordinate {
  const [longitude, latitude] = coordinates.map(textToNumber);
  if (
    coordinates.length === 2 &&
    typeof longitude === "number" &&
    typeof latitude === "number" &&
    isCoordinate(latitude, longitude)
  )
    return { latitude, longitude };
  throw invalid("coordinates", COORDINATES_RULE);
}

function withoutNulls<T>(values: Record<string, T | null>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Record<string, T>;
}
