import type { z } from "zod";
import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import type { Execution } from "../../platform/call.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError } from "../../platform/errors.ts";
import { validate } from "../../wire/input/validate.ts";
import { type Fields, queryFields } from "./body.ts";
import { type Client, clientOf } from "./connection.ts";
import type { Call, Endpoint } from "./endpoint.ts";
import type { LogLine } from "./log.ts";
import { keyInPath, withPeerKey } from "./peers.ts";
import { type Parameter, queryOf } from "./query-string.ts";

/** A request to an endpoint, on its way through the steps of `serve`. */
export interface EndpointRequest {
  endpoint: Endpoint;
  request: Request;
  env: Env;
  execution: Execution;
  log: LogLine;
  params: Call["params"];
  /** The query, unchecked. */
  fields: Fields;
  client: Client;
  /** When it arrived [ms]. */
  now: number;
}

/** @throws ApiError 401 for a secret key in the URL */
export function readRequest(
  parts: Pick<EndpointRequest, "endpoint" | "request" | "env" | "execution" | "log" | "params">,
): EndpointRequest {
  const { endpoint, request, env, execution, log, params } = parts;
  const client = clientOf(request, env);
  const parameters = queryOf(request.url);
  const key = endpoint.peer && keyInPath(request.url);
  refuseSecretInUrl(key === undefined ? parameters : [...parameters, ["key", key]]);
  const named = queryFields(parameters);
  const fields = endpoint.peer ? withPeerKey(named, key) : named;
  return { endpoint, request, env, execution, log, params, fields, client, now: log.at };
}

/** Query and body, checked. @throws ApiError 400, for the query first */
export function checkInput({ endpoint, fields, request }: EndpointRequest, body: Fields): Pick<Call, "query" | "body"> {
  // Clients of other services get an error for a parameter that is not supported: the key is not one of the query's.
  const { publishableKey: _, ...asked } = endpoint.peer ? fields : {};
  return {
    query: endpoint.query ? checkedQuery(endpoint, endpoint.query, endpoint.peer ? asked : fields, request.url) : {},
    body: endpoint.body ? validate(endpoint.body, body) : {},
  };
}

/** Checked queries of endpoints with `repeats`, by endpoint and text [characters]. */
const checkedQueries = new BoundedCache<unknown>(200_000);
const MAX_CHECKED_TEXT = 2_000;

function checkedQuery({ name, repeats }: Endpoint, schema: z.ZodType, query: Fields, url: string): unknown {
  const from = url.indexOf("?");
  if (!repeats || url.length - from > MAX_CHECKED_TEXT) return validate(schema, query);
  const key = from < 0 ? name : name + url.slice(from);
  const known = checkedQueries.get(key);
  if (known) return known.value;
  const checked = Object.freeze(validate(schema, query));
  checkedQueries.put(key, checked, key.length + 500);
  return checked;
}

const SECRET = /prj_(test|live)_sk_/;
/** The search for a fixed string first: of each parameter of each request, it is cheaper than an expression. */
const isSecret = (text: string) => text.includes("_sk_") && SECRET.test(text);

/**
 * Rejects a secret key in a URL, real or not: it is already in logs and browser histories.
 */
function refuseSecretInUrl(parameters: readonly Parameter[]): void {
  if (!parameters.some(([name, value]) => isSecret(name) || isSecret(value))) return;
  throw new ApiError(
    401,
    "Unauthorized. Don't put a secret key in a URL: logs record it. Send it in the Authorization header, and rotate this key.",
  );
}
