import TABLE from "./parameter-texts.json" with { type: "json" };

/**
 * Descriptions of parameters whose schema has none. A name has the same meaning at every endpoint, except for the
 * few listed with their endpoint (`endpoint.name`). test/worker/http/reference/reference.test.ts finds missing and unused texts.
 */
const TEXTS: Readonly<Record<string, string>> = TABLE;

/** Descriptions of `:id`, `:name` or `:token` in a path, by path prefix; the longest matching prefix wins. */
const IDS: Readonly<Record<string, string>> = {
  "/v1/geocode/jobs": "`_id` of the job.",
  "/v1/route/jobs": "`_id` of the job.",
  "/maps/markers": "Name of an uploaded icon, or of one of the default style (`bus`, `museum`, …).",
  "/v1/places": "`_id` of the place, from searches, contexts and events.",
  "/v1/addresses": "`_id` of the address, from geocoding.",
  "/v1/geofences": "`_id` of the geofence.",
  "/v1/imports": "`_id` of the import.",
  "/v1/beacons": "`_id` of the beacon.",
  "/v1/campaigns": "`_id` of the campaign.",
  "/v1/meetings": "`_id` of the rule.",
  "/v1/segments": "`_id` or `externalId` of the segment.",
  "/v1/users": "The user's `_id`, `userId` or `deviceId`.",
  "/v1/trips": "The trip's `_id` or `externalId`.",
  "/v1/events": "`_id` of the event.",
  "/v1/webhooks": "`_id` of the webhook.",
  "/v1/shares": "Token of the link; to revoke it, its `_id`.",
  "/v1/maps/icons": "Name of the icon, as `markers=icon:…` uses it.",
  "/v1/maps/styles": "Name of the style, as `style=…` uses it.",
  "/dashboard/api/geodata": "Name of the import.",
  "/dashboard/api/members": "Id of the member.",
  "/dashboard/api/passkeys": "Id of the passkey.",
  "/dashboard/api": "Id from the list.",
};

/** Returns the description of a path parameter. */
export function pathParameterText(path: string, name: string): string | undefined {
  if (name === "coordinates") return "`longitude,latitude;longitude,latitude…`.";
  if (name === "profile")
    return "Mode of travel: `driving`, `cycling`, `walking`, and others that OSRM and Mapbox have.";
  if (name === "owner") return "`mapbox`.";
  if (name === "legId") return "`_id` of the leg, from the trip.";
  if (name === "shareId" || (name === "share" && path.includes("shares"))) return "`_id` of the link.";
  if (name === "id" || name === "name" || name === "token") {
    const begin = Object.keys(IDS)
      .filter((one) => path.startsWith(one))
      .sort((a, b) => b.length - a.length)[0];
    if (begin) return IDS[begin];
  }
  return TEXTS[name];
}

type Fields = Record<string, Record<string, unknown>>;

/** Returns the schema with a description, including bounds, for each field. */
export function describedSchema(endpoint: string, schema: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries((schema.properties ?? {}) as Fields).map(([name, field]) => {
    const text = field.description ?? TEXTS[`${endpoint}.${name}`] ?? TEXTS[name];
    return [name, withBounds(text === undefined ? field : { ...field, description: text })] as const;
  });
  return { ...schema, ...(schema.properties ? { properties: Object.fromEntries(fields) } : {}) };
}

type Field = Record<string, unknown>;

/** Larger bounds are the limits of the number type and are not stated. */
const MAX_STATED = 1e15;

/** Adds the bounds to the descriptions of the field and its inner fields if they are missing. */
function withBounds(field: Field): Field {
  const properties = field.properties as Fields | undefined;
  const inner: Field = {
    ...field,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, withBounds(one)])),
    }),
    ...(isField(field.items) && { items: withBounds(field.items) }),
    ...(Array.isArray(field.anyOf) && { anyOf: field.anyOf.map((one) => (isField(one) ? withBounds(one) : one)) }),
  };
  const text = typeof field.description === "string" ? field.description.trim() : "";
  const bounds = boundsText(field);
  if (bounds === undefined || statesBounds(text, field)) return inner;
  return { ...inner, description: text === "" ? bounds : `${text}${/[.!?:]$/.test(text) ? "" : "."} ${bounds}` };
}

const isField = (value: unknown): value is Field =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the bounds that a description has to state: minimum, maximum and maximum number of items. */
function boundsOf({ minimum, exclusiveMinimum, maximum, maxItems }: Field) {
  const stated = (bound: unknown) => (typeof bound === "number" && Math.abs(bound) < MAX_STATED ? bound : undefined);
  return { min: stated(minimum), above: stated(exclusiveMinimum), max: stated(maximum), items: stated(maxItems) };
}

function boundsText(field: Field): string | undefined {
  const { min, above, max, items } = boundsOf(field);
  const least = above !== undefined ? `Greater than ${above}` : min !== undefined ? `At least ${min}` : undefined;
  if (above === undefined && min !== undefined && max !== undefined) return `${min} to ${max}.`;
  if (least !== undefined && max !== undefined) return `${least}, up to ${max}.`;
  if (max !== undefined) return `Up to ${max}.`;
  return least !== undefined ? `${least}.` : items !== undefined ? `Up to ${items} items.` : undefined;
}

/** Whether a text states all bounds of its field in digits. "10,000" is 10000. */
function statesBounds(text: string, field: Field): boolean {
  const numbers = new Set((text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number));
  return Object.values(boundsOf(field)).every((bound) => bound === undefined || numbers.has(bound));
}
