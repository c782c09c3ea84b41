import { z } from "zod";
import { cookieName } from "../../auth/session.ts";
import type { Pace } from "../../geo/pace.ts";
import { addressRateOf, rateLimitOf, TRACK_RATE_PER_DEVICE } from "../../limits/table.ts";
import { EVENT_TYPES } from "../../tracking/types/event.ts";
import { ALERT_TYPES } from "../../webhooks/alerts.ts";
import { alertShape } from "../../wire/alert.ts";
import { eventShape } from "../../wire/event.ts";
import { userShape } from "../../wire/user.ts";
import { CALLS_PER_MEMBER } from "../serve/address-limit.ts";
import type { Endpoint } from "../serve/endpoint.ts";
import { roleOf } from "../serve/session.ts";
import type { Examples } from "./examples.ts";
import { describedSchema, pathParameterText } from "./parameter-texts.ts";

type JsonSchema = Record<string, unknown>;

/** Descriptions of the statuses other than a success with content. */
const STATUS_TEXTS: Record<number, string> = {
  204: "Nothing there",
  304: "Not modified: what the caller has, by its ETag, is still right",
  400: "Bad request: a parameter is missing or invalid; `meta.param` names it",
  401: "Unauthorized: no API key, an unknown or revoked one, or a secret key in the URL",
  402: "Payment required: the project is disabled or over its quota",
  403: "Forbidden: the key's level or the page's origin is not allowed",
  404: "Not found",
  409: "Conflict",
  410: "Gone: it has been used, or has ended; `meta.message` says which",
  413: "The body is too large",
  426: "Upgrade required: the endpoint speaks WebSocket",
  429: "Too many requests; nothing was changed. `Retry-After` says when to come again",
  451: "Unavailable for legal reasons: the project has blocked the country",
  503: "The database does not answer at the moment, or the request is more work than one may cost. `Retry-After` says when to come again",
};

/** Cost of an endpoint's schemas [units of a pace], in an isolate that makes its first document. */
const ENDPOINT_WORK = 3_000;

/** The OpenAPI 3.1 document, made from the schemas that validate. `origin` becomes the server's URL. */
export async function openApiDocument(
  endpoints: readonly Endpoint[],
  origin: string,
  pace: Pace,
  examples: Examples,
): Promise<JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, examples) };
    const turn = pace.spend(ENDPOINT_WORK);
    if (turn) await turn;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Graticule",
      version: "1",
      description: "An open location platform. Requests carry an API key in the Authorization header.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin }],
    security: [{ key: [] }],
    tags: [...new Set(endpoints.map(({ chapter }) => chapter))].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries([
      ...EVENT_TYPES.map((type) => [type, webhook(type, { event: eventShape, user: userShape.optional() }, examples)]),
      ...ALERT_TYPES.map((type) => [type, webhook(type, { event: alertShape }, examples)]),
    ]),
    components: {
      securitySchemes: {
        key: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "prj_{test|live}_{pk|sk}_…: publishable keys for clients, secret keys for servers only",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookieName(true),
          description: "of the dashboard, begun with a sign-in link or a passkey; counts for its own pages only",
        },
      },
      schemas: {
        Error: {
          type: "object",
          required: ["meta"],
          properties: {
            meta: {
              type: "object",
              required: ["code", "message"],
              properties: {
                code: { type: "integer" },
                param: { type: "string" },
                message: { type: "string" },
                type: { type: "string" },
              },
            },
          },
        },
      },
    },
  };
}

const LEVEL_TEXTS = {
  open: "No key needed.",
  publishable: "Key: publishable.",
  secret: "Key: secret.",
  member: "Session of a member; no key opens it.",
} as const satisfies Record<Endpoint["level"], string>;

/** What a receiver gets of one type of event, or alert. */
function webhook(type: string, shape: z.core.$ZodLooseShape, { events }: Examples): JsonSchema {
  const message = z.object(shape);
  const example = events[type];
  return {
    post: {
      operationId: type,
      summary: `A webhook's message about ${type}.`,
      description:
        "A webhook with `delivery: multiple` gets `events`, up to five of one user, in place of `event`. The signature is checked as the chapter on webhooks says.",
      security: [],
      parameters: ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
        ...{ name, in: "header", required: true, schema: { type: "string" } },
        description: WEBHOOK_HEADERS[name],
      })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemaOf(message), ...(example !== undefined && { example }) } },
      },
      responses: { "2XX": { description: "The receiver has it. Anything else is tried again" } },
    },
  };
}

const WEBHOOK_HEADERS: Readonly<Record<string, string>> = {
  "webhook-id": "Id of the message, the same at each try.",
  "webhook-timestamp": "When it was sent (seconds since 1970).",
  "webhook-signature":
    "`v1,` and the HMAC-SHA256 of id, time and body; several with blanks between them while a secret is changed.",
};

function operation(endpoint: Endpoint, examples: Examples): JsonSchema {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
  const parameters: JsonSchema[] = names.map((name) => ({
    name,
    in: "path",
    required: true,
    description: pathParameterText(endpoint.path, name),
    schema: { type: "string" },
  }));
  if (endpoint.query) parameters.push(...queryParameters(parametersOf(endpoint, "query")));
  return {
    operationId: endpoint.name,
    tags: [endpoint.chapter],
    summary: endpoint.summary,
    description: [endpoint.description, LEVEL_TEXTS[endpoint.level], rateText(endpoint)].filter(Boolean).join("\n\n"),
    ...(endpoint.level === "open" ? { security: [] } : {}),
    ...(endpoint.level === "member" ? { security: [{ session: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: requestBody(parametersOf(endpoint, "body")) } : {}),
    responses: responses(endpoint, examples),
    "x-key-level": endpoint.level,
    ...(endpoint.level !== "open" && !endpoint.personal && { "x-role": roleOf(endpoint) }),
  };
}

export function rateText(endpoint: Endpoint): string {
  if (endpoint.name === "track") return `Limit: ${TRACK_RATE_PER_DEVICE} call per second and device.`;
  if (endpoint.rate === "address") return `Limit: ${addressRateOf(endpoint.name)} calls per second and address.`;
  if (endpoint.level === "member") return `Limit: ${CALLS_PER_MEMBER} calls per second and member.`;
  if (endpoint.level === "open" || endpoint.rate === "none") return "";
  return `Limit: ${rateLimitOf(endpoint.name)} calls per second.`;
}

function responses(endpoint: Endpoint, { answers, errors }: Examples): JsonSchema {
  const status = endpoint.status ?? 200;
  const out: JsonSchema = { [status]: success(endpoint, status, answers[endpoint.name]) };
  const others = new Set([...commonErrors(endpoint), ...(endpoint.errors ?? [])]);
  for (const code of [...others].sort((a, b) => a - b)) {
    out[code] = {
      description: STATUS_TEXTS[code] ?? "Error",
      ...(code >= 400 && {
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Error" },
            ...(code in errors && { example: errors[code] }),
          },
        },
      }),
    };
  }
  return out;
}

/** The statuses that follow from an endpoint's properties; its own are in `errors`. */
function commonErrors({ level, rate, method, body, media }: Endpoint): number[] {
  return [
    400, // every endpoint: for a parameter, or a path with invalid percent-encoding
    401, // also open endpoints: for a secret key in the URL
    503,
    ...(level === "open" ? [] : level === "member" ? [403] : [402, 403]),
    ...(level === "open" && rate !== "address" ? [] : [429]),
    ...(level === "publishable" ? [451] : []),
    ...(body ? [413] : []),
    ...(method === "GET" && media ? [304] : []),
  ];
}

function success(endpoint: Endpoint, status: number, example: unknown): JsonSchema {
  if (status === 204) return { description: "Done" };
  if (endpoint.media) {
    const content = endpoint.media.map((type) => {
      // A page, an image or a tile is shown by its address.
      if (type !== "application/json") return [type, { schema: { type: "string" }, ...shownAt(endpoint) }];
      const schema = endpoint.response ? schemaOf(endpoint.response) : { type: "object" };
      return [type, { schema, ...(example !== undefined ? { example } : shownAt(endpoint)) }];
    });
    return { description: "Success", content: Object.fromEntries(content) };
  }
  const schema = endpoint.response ? schemaOf(endpoint.response) : { type: "object", properties: {} };
  const more = endpoint.meta ? (schemaOf(endpoint.meta).properties as JsonSchema) : {};
  const meta = {
    type: "object",
    required: ["code"],
    properties: { code: { type: "integer", const: status }, hasMore: { type: "boolean" }, ...more },
  };
  return {
    description: "Success",
    content: {
      "application/json": {
        schema: {
          ...schema,
          required: ["meta", ...((schema.required as string[] | undefined) ?? [])],
          properties: { meta, ...(schema.properties as JsonSchema) },
        },
        ...(example !== undefined && { example }),
      },
      ...Object.fromEntries(
        (endpoint.orMedia ?? []).map((type) => [type, { schema: { type: "string" }, ...shownAt(endpoint) }]),
      ),
    },
  };
}

/** No `externalValue`: generators of clients would fetch it, without a key. */
function shownAt({ path }: Endpoint): JsonSchema {
  return {
    examples: { address: { summary: `What this server answers at ${path}` } },
  };
}

function requestBody(schema: JsonSchema): JsonSchema {
  return {
    required: true,
    content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } },
  };
}

function queryParameters(schema: JsonSchema): JsonSchema[] {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: "query",
      // A field with a default is always in the output, but the caller may leave it out.
      required: required.has(name) && !("default" in property),
      ...(description ? { description } : {}),
      ...(rest.type === "object" ? { style: "deepObject", explode: true } : {}),
      ...(rest.type === "array" ? { style: "form", explode: false } : {}),
      schema: rest,
    };
  });
}

/** The schema of an endpoint's query or body, each field described. */
export function parametersOf(endpoint: Endpoint, part: "query" | "body"): JsonSchema {
  return describedSchema(endpoint.name, schemaOf(endpoint[part] as z.ZodType));
}

export function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as JsonSchema;
  return strip(json) as JsonSchema;
}

/** Removes fields that zod adds for itself. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== "object" || value === null) return value;
  const out: JsonSchema = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === "additionalProperties" && entry === false) continue;
    out[key] = strip(entry);
  }
  return out;
}
