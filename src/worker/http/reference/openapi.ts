import { cookieName } from "../../../core/auth/session.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import { addressRateOf, rateLimitOf, TRACK_RATE_PER_DEVICE } from "../../../core/limits/table.ts";
import { CAMPAIGN_EVENT_TYPES, EVENT_TYPES } from "../../../core/tracking/types/event.ts";
import { ALERT_TYPES } from "../../../core/webhooks/alerts.ts";
import { ApiError } from "../../platform/errors.ts";
import { CALLS_PER_MEMBER } from "../serve/callers/address-limit.ts";
import { roleOf } from "../serve/callers/session.ts";
import type { Endpoint } from "../serve/endpoint.ts";
import type { Peer } from "../serve/peers.ts";
import type { Examples } from "./examples.ts";
import { pathParameterText } from "./parameter-texts.ts";
import { capitalized, EndpointSchemas, type JsonSchema, referenceTo, type SharedName } from "./schemas.ts";

/** Descriptions of the statuses other than a success with content. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  204: "No content",
  304: "Not modified: the caller's copy (ETag) is current",
  400: "Bad request: a parameter is missing or invalid; see `meta.param`",
  401: "Unauthorized: no API key, an unknown or revoked one, or a secret key in the URL",
  402: "Payment required: the project is disabled or over its quota",
  403: "Forbidden: the key's level or the page's origin is not allowed",
  404: "Not found",
  406: "Not acceptable: the Accept header lacks a content type of the response",
  409: "Conflict",
  410: "Gone: already used or ended; see `meta.message`",
  413: "The body is too large",
  415: "Unsupported media type: send JSON",
  426: "Upgrade required: open a WebSocket connection",
  429: "Too many requests; nothing was changed. Retry after `Retry-After`",
  451: "Unavailable for legal reasons: the project has blocked the country",
  503: "The database is temporarily unavailable, or the request is too expensive. Retry after `Retry-After`",
};

/** Names of the same statuses as components of the document. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  204: "NoContent",
  304: "NotModified",
  400: "BadRequest",
  401: "Unauthorized",
  402: "PaymentRequired",
  403: "Forbidden",
  404: "NotFound",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  426: "UpgradeRequired",
  429: "TooManyRequests",
  451: "UnavailableForLegalReasons",
  503: "ServiceUnavailable",
};

/** Cost of writing an operation with existing schemas [units of a pace]. */
const OPERATION_WORK = 200;

/**
 * The OpenAPI 3.1 document, generated from the validation schemas. `origin` becomes the server's URL. Shared parts (schemas, bodies,
 * errors, headers of webhooks) are components, so that the document stays small.
 */
export async function openApiDocument(
  endpoints: readonly Endpoint[],
  origin: string,
  pace: Pace,
  examples: Examples,
): Promise<JsonSchema> {
  const writer = new OperationWriter(await EndpointSchemas.of(endpoints, pace), examples);
  const paths: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: writer.operation(endpoint) };
    const turn = pace.spend(OPERATION_WORK);
    if (turn) await turn;
  }
  const webhooks = Object.fromEntries([
    ...[...EVENT_TYPES, ...CAMPAIGN_EVENT_TYPES].map((type) => [type, webhook(type, "EventMessage", examples)]),
    ...ALERT_TYPES.map((type) => [type, webhook(type, "AlertMessage", examples)]),
  ]);
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
    webhooks,
    components: { securitySchemes: SECURITY_SCHEMES, parameters: WEBHOOK_HEADERS, ...writer.components(webhooks) },
  };
}

const SECURITY_SCHEMES = {
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
    description: "of the dashboard, started with a sign-in link or a passkey; valid only for dashboard pages",
  },
};

const ERROR_SCHEMA = {
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
};

const LEVEL_TEXTS = {
  open: "No key needed.",
  publishable: "Key: publishable.",
  secret: "Key: secret.",
  member: "Requires a member's session; keys are not accepted.",
} as const satisfies Record<Endpoint["level"], string>;

/** The webhook message of one type of event or alert. */
function webhook(type: string, message: SharedName, { events }: Examples): JsonSchema {
  const example = events[type];
  return {
    post: {
      operationId: type,
      summary: `A webhook's message about ${type}.`,
      description:
        "A webhook with `delivery: multiple` gets `events`, up to five of one user, instead of `event`. The chapter on webhooks describes how to verify the signature.",
      security: [],
      parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: referenceTo(message), ...(example !== undefined && { example }) } },
      },
      responses: { "2XX": { description: "Accepted. Any other status is retried" } },
    },
  };
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  schema: { type: "string" },
  description,
});

const WEBHOOK_HEADERS = {
  WebhookId: header("webhook-id", "Id of the message, the same at each attempt."),
  WebhookTimestamp: header("webhook-timestamp", "When it was sent (seconds since 1970)."),
  WebhookSignature: header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of id, time and body; several, separated by spaces, during a secret rotation.",
  ),
};

/** Writes operations, and collects the components that they refer to. */
class OperationWriter {
  readonly #schemas: EndpointSchemas;
  readonly #examples: Examples;
  /** Bodies by name, and their names by JSON: endpoints with the same body share one. */
  readonly #bodies = new Map<string, JsonSchema>();
  readonly #bodyNames = new Map<string, string>();
  readonly #errors = new Map<number, JsonSchema>();
  readonly #peerErrors = new Map<string, JsonSchema>();
  /** Used schemas, which are searched for references. */
  readonly #used: unknown[] = [];

  constructor(schemas: EndpointSchemas, examples: Examples) {
    this.#schemas = schemas;
    this.#examples = examples;
  }

  operation(endpoint: Endpoint): JsonSchema {
    const { level } = endpoint;
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    const parameters: JsonSchema[] = names.map((name) => ({
      name,
      in: "path",
      required: true,
      description: pathParameterText(endpoint.path, name),
      schema: { type: "string" },
    }));
    if (endpoint.query) parameters.push(...queryParameters(this.#schemas.part(endpoint, "query")));
    return {
      operationId: endpoint.name,
      tags: [endpoint.chapter],
      summary: endpoint.summary,
      description: [endpoint.description, LEVEL_TEXTS[level], rateText(endpoint)].filter(Boolean).join("\n\n"),
      ...(level === "open" ? { security: [] } : {}),
      ...(level === "member" ? { security: [{ session: [] }] } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(endpoint.body ? { requestBody: this.#requestBody(endpoint) } : {}),
      responses: this.#responses(endpoint),
      "x-key-level": level,
      ...(endpoint.peer && { "x-peer": endpoint.peer.name }),
      ...(level !== "open" && !endpoint.personal && { "x-role": roleOf(endpoint) }),
    };
  }

  /** The components that the operations so far, and `more`, refer to. */
  components(more: unknown): JsonSchema {
    const schemas = this.#schemas.referredBy([this.#used, [...this.#bodies.values()], more]);
    const responses = [...this.#errors]
      .sort(([a], [b]) => a - b)
      .map(([code, one]) => [statusName(code), one] as const);
    return {
      schemas: { ...schemas, ...Object.fromEntries(this.#bodies), Error: ERROR_SCHEMA },
      responses: Object.fromEntries([...responses, ...this.#peerErrors]),
    };
  }

  #requestBody(endpoint: Endpoint): JsonSchema {
    const schema = this.#schemas.part(endpoint, "body");
    const text = JSON.stringify(schema);
    const name = this.#bodyNames.get(text) ?? `${capitalized(endpoint.name)}Body`;
    this.#bodyNames.set(text, name);
    this.#bodies.set(name, schema);
    const content = { schema: referenceTo(name) };
    return {
      required: true,
      content: { "application/json": content, "application/x-www-form-urlencoded": content },
    };
  }

  #responses(endpoint: Endpoint): JsonSchema {
    const status = endpoint.status ?? 200;
    const out: JsonSchema = { [status]: this.#success(endpoint, status) };
    const others = new Set([...commonErrors(endpoint), ...(endpoint.errors ?? [])]);
    for (const code of [...others].sort((a, b) => a - b))
      out[code] = endpoint.peer && code >= 400 ? this.#peerError(endpoint.peer, endpoint) : this.#error(code);
    return out;
  }

  #error(code: number): JsonSchema {
    const { errors } = this.#examples;
    const example = code in errors && { example: errors[code] };
    const content = { "application/json": { schema: referenceTo("Error"), ...example } };
    this.#errors.set(code, { description: STATUS_TEXTS[code] ?? "Error", ...(code >= 400 && { content }) });
    return { $ref: `#/components/responses/${statusName(code)}` };
  }

  /** An error in the form of another service, whose own documents describe it. */
  #peerError(peer: Peer, endpoint: Endpoint): JsonSchema {
    const component = `${capitalized(peer.name)}Error`;
    const missing = new ApiError(401, "Unauthorized. Send an API key in the Authorization header.");
    const content = (endpoint.media ?? []).map((type) => {
      const isJson = type === "application/json";
      const example = { example: peer.errorOf(missing, isJson ? "" : "?format=xml").body };
      return [type, { schema: { type: isJson ? "object" : "string" }, ...example }];
    });
    const known = this.#peerErrors.get(component)?.content as JsonSchema | undefined;
    this.#peerErrors.set(component, {
      description: "Error in the form of the service",
      content: { ...known, ...Object.fromEntries(content) },
    });
    return { $ref: `#/components/responses/${component}` };
  }

  #success(endpoint: Endpoint, status: number): JsonSchema {
    if (status === 204) return { description: "Done" };
    const example = this.#examples.answers[endpoint.name];
    if (endpoint.media) {
      const content = endpoint.media.map((type) => {
        // A page, an image or a tile is shown by its URL.
        if (type !== "application/json") return [type, { schema: { type: "string" }, ...shownAt(endpoint) }];
        const schema = this.#response(endpoint) ?? { type: "object" };
        return [type, { schema, ...(example !== undefined ? { example } : shownAt(endpoint)) }];
      });
      return { description: "Success", content: Object.fromEntries(content) };
    }
    const more = (endpoint.orMedia ?? []).map((type) => [type, { schema: { type: "string" }, ...shownAt(endpoint) }]);
    const schema = this.#envelope(endpoint, status);
    const json = { schema, ...(example !== undefined && { example }) };
    return { description: "Success", content: { "application/json": json, ...Object.fromEntries(more) } };
  }

  #envelope(endpoint: Endpoint, status: number): JsonSchema {
    const schema = this.#response(endpoint) ?? { type: "object", properties: {} };
    const more = endpoint.meta ? (this.#schemas.part(endpoint, "meta").properties as JsonSchema) : {};
    this.#used.push(more);
    const meta = {
      type: "object",
      required: ["code"],
      properties: { code: { type: "integer", const: status }, hasMore: { type: "boolean" }, ...more },
    };
    return {
      ...schema,
      required: ["meta", ...((schema.required as string[] | undefined) ?? [])],
      properties: { meta, ...(schema.properties as JsonSchema) },
    };
  }

  #response(endpoint: Endpoint): JsonSchema | undefined {
    if (!endpoint.response) return undefined;
    const schema = this.#schemas.part(endpoint, "response");
    this.#used.push(schema);
    return schema;
  }
}

const statusName = (code: number): string => STATUS_NAMES[code] ?? `Status${code}`;

export function rateText(endpoint: Endpoint): string {
  if (endpoint.name === "track") return `Limit: ${TRACK_RATE_PER_DEVICE} call per second and device.`;
  if (endpoint.rate === "address") return `Limit: ${addressRateOf(endpoint.name)} calls per second and address.`;
  if (endpoint.level === "member") return `Limit: ${CALLS_PER_MEMBER} calls per second and member.`;
  if (endpoint.level === "open" || endpoint.rate === "none") return "";
  const { countedAs } = endpoint;
  if (countedAs) return `Limit: ${rateLimitOf(countedAs)} calls per second, together with \`${countedAs}\`.`;
  return `Limit: ${rateLimitOf(endpoint.name)} calls per second.`;
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

/** No `externalValue`: client generators would fetch it without a key. */
function shownAt({ path }: Endpoint): JsonSchema {
  return {
    examples: { address: { summary: `Responses of this server at ${path}` } },
  };
}

function queryParameters(schema: JsonSchema): JsonSchema[] {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name,
      in: "query",
      required: required.has(name),
      ...(description ? { description } : {}),
      ...(rest.type === "object" ? { style: "deepObject", explode: true } : {}),
      ...(rest.type === "array" ? { style: "form", explode: false } : {}),
      schema: rest,
    };
  });
}
