import { z } from "zod";
import type { Pace } from "../../../core/geo/pace.ts";
import { addressShape, placeAddressShape } from "../../wire/address.ts";
import { alertShape } from "../../wire/alert.ts";
import { beaconShape } from "../../wire/beacon.ts";
import {
  campaignShape,
  inAppMessageShape,
  messageContentShape,
  notificationContentShape,
} from "../../wire/campaign.ts";
import { routeShape } from "../../wire/directions.ts";
import { eventShape } from "../../wire/event.ts";
import { fraudShape } from "../../wire/fraud.ts";
import { geofenceShape } from "../../wire/geofence.ts";
import { legShape } from "../../wire/leg.ts";
import { meetingShape } from "../../wire/meeting.ts";
import { pointShape } from "../../wire/point.ts";
import { coordinateShape, geometryShape, quantityShape, snappedShape } from "../../wire/quantities.ts";
import { segmentShape } from "../../wire/segment.ts";
import {
  beaconLabelShape,
  fenceLabelShape,
  foundPlaceShape,
  placeShape,
  regionShape,
} from "../../wire/surroundings.ts";
import { tripShape } from "../../wire/trip.ts";
import { userShape } from "../../wire/user.ts";
import { webhookShape } from "../../wire/webhook.ts";
import type { Endpoint } from "../serve/endpoint.ts";
import { describedSchema } from "./parameter-texts.ts";

export type JsonSchema = Record<string, unknown>;
type Part = "query" | "body" | "response" | "meta";

/**
 * Shared shapes of many endpoints: components of the document with these names. Client generators create types from them, so a name is part
 * of the API.
 */
const SHARED = {
  User: userShape,
  Event: eventShape,
  Trip: tripShape,
  TripLeg: legShape,
  Geofence: geofenceShape,
  GeofenceLabel: fenceLabelShape,
  Place: placeShape,
  FoundPlace: foundPlaceShape,
  PlaceAddress: placeAddressShape,
  Region: regionShape,
  Beacon: beaconShape,
  BeaconLabel: beaconLabelShape,
  Fraud: fraudShape,
  Address: addressShape,
  Point: pointShape,
  Coordinate: coordinateShape,
  Quantity: quantityShape,
  Line: geometryShape,
  Snapped: snappedShape,
  Route: routeShape,
  Alert: alertShape,
  Webhook: webhookShape,
  Campaign: campaignShape,
  Segment: segmentShape,
  Meeting: meetingShape,
  MessageContent: messageContentShape,
  NotificationContent: notificationContentShape,
  InAppMessage: inAppMessageShape,
  EventMessage: z.object({ event: eventShape, user: userShape.optional() }),
  AlertMessage: z.object({ event: alertShape }),
} as const satisfies Record<string, z.ZodType>;

export type SharedName = keyof typeof SHARED;

const PREFIX = "#/components/schemas/";
const PARTS = ["query", "body", "response", "meta"] as const;

/** Endpoints converted per slice of work, and the cost of one [units of a pace]. */
const ENDPOINTS_PER_TURN = 24;
const ENDPOINT_WORK = 900;

export const referenceTo = (name: string): JsonSchema => ({ $ref: `${PREFIX}${name}` });

/** The JSON schemas of endpoints. Shared parts are written once and referenced. */
export class EndpointSchemas {
  /** All schemas that can be referenced, by name. */
  readonly #named: ReadonlyMap<string, JsonSchema>;
  readonly #nameOf: ReadonlyMap<z.ZodType, string>;

  private constructor(named: ReadonlyMap<string, JsonSchema>, nameOf: ReadonlyMap<z.ZodType, string>) {
    this.#named = named;
    this.#nameOf = nameOf;
  }

  static async of(endpoints: readonly Endpoint[], pace: Pace): Promise<EndpointSchemas> {
    const named = new Map<string, JsonSchema>();
    const nameOf = new Map<z.ZodType, string>(Object.entries(SHARED).map(([name, shape]) => [shape, name]));
    for (let begin = 0; begin < endpoints.length; begin += ENDPOINTS_PER_TURN) {
      const some = endpoints.slice(begin, begin + ENDPOINTS_PER_TURN);
      for (const [name, schema] of Object.entries(converted(some, nameOf))) named.set(name, schema);
      const turn = pace.spend(some.length * ENDPOINT_WORK);
      if (turn) await turn;
    }
    return new EndpointSchemas(named, nameOf);
  }

  /** The schema of a part that the endpoint has. Fields of a query or a body have descriptions. */
  part(endpoint: Endpoint, part: Part): JsonSchema {
    const name = this.#nameOf.get(endpoint[part] as z.ZodType) ?? "";
    const schema = this.#named.get(name) ?? {};
    return part === "query" || part === "body" ? describedSchema(endpoint.name, schema) : schema;
  }

  /** Resolves a reference. Fields next to the reference take precedence. */
  resolved(schema: JsonSchema): JsonSchema {
    if (typeof schema.$ref !== "string") return schema;
    const { $ref, ...own } = schema;
    return { ...this.resolved(this.#named.get($ref.slice(PREFIX.length)) ?? {}), ...own };
  }

  /** The schemas that a value refers to, directly or through others, by name. */
  referredBy(value: unknown): Record<string, JsonSchema> {
    const found = new Map<string, JsonSchema>();
    const open = [value];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const name of namesIn(next)) {
        const schema = this.#named.get(name);
        if (!schema || found.has(name)) continue;
        found.set(name, schema);
        open.push(schema);
      }
    }
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The shared shapes, and the parts of some endpoints, as JSON schemas by name. Each part gets a name in `nameOf`. */
function converted(endpoints: readonly Endpoint[], nameOf: Map<z.ZodType, string>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(SHARED)) registry.add(shape, { id });
  for (const endpoint of endpoints) {
    for (const part of PARTS) {
      const shape = endpoint[part];
      if (!shape || registry.has(shape)) continue;
      const id = nameOf.get(shape) ?? `${capitalized(endpoint.name)}${capitalized(part)}`;
      nameOf.set(shape, id);
      registry.add(shape, { id });
    }
  }
  const { schemas } = z.toJSONSchema(registry, { ...CONVERSION, uri: (id) => `${PREFIX}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, cleaned(schema) as JsonSchema]));
}

type Conversion = NonNullable<Parameters<typeof z.toJSONSchema>[1]>;
const CONVERSION = {
  io: "output",
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }) => {
    // The result of a transform has no JSON schema, so its input is described: what the caller sends.
    const { def } = zodSchema._zod;
    if (def.type !== "pipe" || def.out._zod.def.type !== "transform" || saysMore(jsonSchema)) return;
    const { $schema: _, ...sent } = z.toJSONSchema(def.in, CONVERSION);
    Object.assign(jsonSchema, { ...sent, ...jsonSchema });
  },
} as const satisfies Conversion;

/** Fields of a schema that only describe values. */
const NOTES = new Set(["title", "description", "default", "format", "example", "examples"]);

const saysMore = (schema: object) => Object.keys(schema).some((key) => !NOTES.has(key));

export const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** Fields of a schema whose values are data. */
const DATA = new Set(["default", "const", "enum", "example", "examples"]);

/**
 * Removes zod's additions. A field with a default is not required: the handler always gets it, but the caller may omit it. An
 * object that accepts any field has `true`.
 */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  const out: JsonSchema = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === "$schema" || key === "$id") continue;
    if (key === "properties") out[key] = cleanedFields(entry as JsonSchema);
    else if (key === "additionalProperties" && isEmpty(entry)) out[key] = true;
    else if (key !== "additionalProperties" || entry !== false) out[key] = DATA.has(key) ? entry : cleaned(entry);
  }
  if (Array.isArray(out.required)) {
    const fields = (out.properties ?? {}) as Record<string, JsonSchema>;
    const required = out.required.filter((name: string) => !(fields[name] && "default" in fields[name]));
    if (required.length > 0) out.required = required;
    else delete out.required;
  }
  return out;
}

const cleanedFields = (fields: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, cleaned(field)]));

const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** The names of the schemas that a value refers to. */
function namesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { $ref } = value as JsonSchema;
  const own = typeof $ref === "string" && $ref.startsWith(PREFIX) ? [$ref.slice(PREFIX.length)] : [];
  return [...own, ...Object.entries(value).flatMap(([key, entry]) => (DATA.has(key) ? [] : namesIn(entry)))];
}
