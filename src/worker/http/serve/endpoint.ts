import type { z } from "zod";
import type { Role } from "../../../core/auth/role.ts";
import type { Pace } from "../../../core/geo/pace.ts";
import type { SignedIn } from "../../db/projects/sessions.ts";
import type { Asker } from "../../platform/call.ts";
import type { Env } from "../../platform/env.ts";
import type { Credit } from "../../platform/reports.ts";
import type { Caller, Level } from "./callers/identity.ts";
import type { Peer } from "./peers.ts";

/** Input of a handler: validated parameters, the caller, and the bindings. */
export interface Call<Query = unknown, Body = unknown> {
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  /** Present on every endpoint that is neither open nor personal. */
  caller: Caller;
  /** The signed-in member; present if a session was used. */
  member?: SignedIn;
  env: Env;
  request: Request;
  requestId: string;
  /** IP address of the connection; undefined if the platform does not provide it. */
  ip: string | undefined;
  /** When the request arrived [ms]. */
  now: number;
  waitUntil(promise: Promise<unknown>): void;
  /** Counts the work of this request: long work yields to others, is charged to the caller, and ends when the client leaves. */
  readonly pace: Pace;
  /** Reports missing data of the response ("roads") in a header and in the log. */
  leftOut(what: string): void;
  /** Adds sources of the response, for the attribution header. */
  credit: Credit;
  /** The audit log entry of this change, if a session made it; see `Endpoint.audited`. */
  audit(entry: AuditNote): void;
  /** The same call with other parts, for the handler of another endpoint: a spread would lose `ip` and `pace`. */
  with(parts: Partial<Pick<Call, "params" | "query" | "body" | "caller">>): Call<never, never>;
}

/** An audit log entry: the target and the action, without secrets. */
export interface AuditNote {
  target?: string;
  summary?: string;
}

/** The keys next to `meta` as existing JSON: `"user":{…},"events":[]`. */
export class WrittenReply {
  readonly members: string;
  /** Members of `meta` after `code`, as JSON: `,"trackingOptions":{…}`. */
  readonly meta: string;

  constructor(members: string, meta = "") {
    this.members = members;
    this.meta = meta;
  }
}

/** A response without envelope whose body is complete. It becomes a platform object only once, together with the headers of every response. */
export class MediaReply {
  readonly body: BodyInit | null;
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: BodyInit | null, headers: Readonly<Record<string, string>>, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** The result of a handler: the keys next to `meta`, with additions to `meta`'s `{code: 200}`, or as JSON; or a complete response. */
export type Reply =
  | ({ meta?: Record<string, unknown> } & Record<string, unknown>)
  | WrittenReply
  | MediaReply
  | Response;

/** An endpoint: its name, required access, parameters, response and handler. */
export interface Endpoint {
  /** Name in rate limits, usage and OpenAPI (operationId). */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Hono path, or a list of paths for the same endpoint. */
  path: string;
  aliases?: readonly string[];
  level: Level;
  /** The role a session needs; absent: `read` for GET, `write` otherwise. */
  role?: Role;
  /** An open endpoint for holders of a secret of the deployment, this variable of the Worker: checked before anything else of the request is read. */
  secret?: "METRICS_TOKEN" | "RECOVERY_TOKEN";
  /** Concerns the complete deployment: the session must be an operator's, whatever the role in the project. */
  operator?: boolean;
  /** About the signed-in member, without a project: sessions and passkeys. */
  personal?: boolean;
  /**
   * Whether the audit log records calls with a session. Absent: yes, except for a GET, or if the role `read` is enough.
   * The entry names the record, and what changed with the values before and after, or else the names of the sent fields; the handler can
   * set other texts.
   */
  audited?: boolean;
  /** Chapter of the reference page. */
  chapter: string;
  summary: string;
  description?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Largest body [bytes]; 512 KB when absent. */
  bodyLimit?: number;
  /** Shape of the response without `meta`; for the reference and the tests. */
  response?: z.ZodType;
  /** Fields of `meta` besides `code` and `hasMore`. */
  meta?: z.ZodType;
  /** Content types of a response without envelope: a page, an image, a document. */
  media?: readonly string[];
  /** Other content types than JSON that the caller can request: a file. */
  orMedia?: readonly string[];
  /** Tables of the reference page, some of them about the live data; `empty` is shown for a table without rows. */
  tables?(call: Asker): Promise<{ caption: string; rows: [name: string, value: string][]; empty?: string }[]>;
  /** Optional parameters that the example on the reference page should show. */
  shows?: readonly string[];
  status?: 200 | 204;
  /** Statuses of this endpoint in addition to the common ones (`commonErrors` of reference/openapi.ts). */
  errors?: readonly number[];
  /** `device`: counted per device by the handler, not per scope. Open endpoints: `address`, or none. */
  rate?: "scope" | "device" | "address" | "none";
  /** Its errors also have the fields of OAuth, and a parameter that comes twice is one (RFC 6749, 3.2 and 5.2). */
  oauth?: boolean;
  /** Another service whose clients it serves: it accepts their keys, and its errors have their form. */
  peer?: Peer;
  /** The endpoint with the same question, whose rate limit and usage count its calls. */
  countedAs?: string;
  /** Accepts a URL signed with a secret key instead of a key (auth/signed-url.ts). */
  signed?: boolean;
  /** The same queries are sent again and again, as for tiles: they are checked once, and the handler does not change them. */
  repeats?: boolean;
  /** Reads only geodata: while the database is unavailable, cached keys are still accepted. */
  geodataOnly?: boolean;
  /** Reads only geodata and the geofences around a point: any process of a server answers it. */
  fencesOnly?: boolean;
  handle(call: Call<never, never>): Promise<Reply> | Reply;
}

/** An endpoint with its schemas' types: the dashboard derives request and response types from them. */
export interface TypedEndpoint<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> extends Endpoint {
  /** Never set: only for types. */
  readonly types?: { query: z.input<Q>; body: z.input<B>; answer: z.output<R> };
}

/** Derives the handler's types from its schemas. */
export function endpoint<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  definition: Omit<Endpoint, "query" | "body" | "response" | "handle"> & {
    query?: Q;
    body?: B;
    response?: R;
    handle(call: Call<z.output<Q>, z.output<B>>): Promise<Reply> | Reply;
  },
): TypedEndpoint<Q, B, R> {
  return definition as TypedEndpoint<Q, B, R>;
}
