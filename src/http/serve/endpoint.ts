import type { z } from "zod";
import type { Role } from "../../auth/role.ts";
import type { SignedIn } from "../../db/projects/sessions.ts";
import type { Env } from "../../env.ts";
import type { Credit } from "../../geodata/reports.ts";
import type { Caller, Level } from "./callers/identity.ts";

/** What a handler gets: checked parameters, the caller, and the bindings. */
export interface Call<Query = unknown, Body = unknown> {
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  /** Present on every endpoint that is not open, but for the personal ones. */
  caller: Caller;
  /** Who is signed in; present where a session was used. */
  member?: SignedIn;
  env: Env;
  request: Request;
  requestId: string;
  /** Address of the connection; undefined where the platform does not give it. */
  ip: string | undefined;
  /** When the request arrived [ms]. */
  now: number;
  waitUntil(promise: Promise<unknown>): void;
  /** Names a kind of data that the answer lacks ("roads"): shown in a header and in the log. */
  leftOut(what: string): void;
  /** Names sources of the answer, for the header that carries their attributions. */
  credit: Credit;
  /** What the audit log says of this change, where a session made it; see `Endpoint.audited`. */
  audit(entry: AuditNote): void;
}

/** A line of the audit log: to what, and what was done, without secrets. */
export interface AuditNote {
  target?: string;
  summary?: string;
}

/** The part of a call that reading geodata needs. */
export type Asker = Pick<Call, "env" | "now" | "waitUntil"> & Partial<Pick<Call, "leftOut" | "credit">>;

/** The keys beside `meta` where their JSON is there already: `"user":{…},"events":[]`. */
export class WrittenReply {
  readonly members: string;

  constructor(members: string) {
    this.members = members;
  }
}

/** What a handler returns: the keys beside `meta`, with additions to `meta`'s `{code: 200}`, or as JSON; or a whole Response. */
export type Reply = ({ meta?: Record<string, unknown> } & Record<string, unknown>) | WrittenReply | Response;

/** One endpoint: its name, who may call it, its parameters, its answer, and what it does. */
export interface Endpoint {
  /** Name in rate limits, usage and OpenAPI (operationId). */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Hono path; every path is also answered where it is listed here. */
  path: string;
  aliases?: readonly string[];
  level: Level;
  /** The role a session needs; absent: `read` for GET, `write` otherwise. */
  role?: Role;
  /** Concerns the complete deployment: the session must be an operator's, whatever the role in the project. */
  operator?: boolean;
  /** About whoever is signed in, in no project: sessions and passkeys. */
  personal?: boolean;
  /**
   * Does a change that a session makes leave a line in the audit log? Absent: unless it is a GET, or the role `read` is enough.
   * The line has the path's parameters as target, and the summary with the names of the fields that were sent, unless the
   * handler says it better.
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
  /** Shape of the answer without `meta`; for the reference and the tests. */
  response?: z.ZodType;
  /** What `meta` holds beside `code` and `hasMore`. */
  meta?: z.ZodType;
  /** Content types of an answer without envelope: a page, an image, a document. */
  media?: readonly string[];
  /** Content types that the answer may have instead of JSON, where the caller asks for it: a file. */
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
  /** May be called without a key, by a URL that a secret key has signed (auth/signed-url.ts). */
  signed?: boolean;
  /** Reads geodata only: while the database does not answer, keys seen lately are still accepted. */
  geodataOnly?: boolean;
  handle(call: Call<never, never>): Promise<Reply> | Reply;
}

/** An endpoint that remembers its schemas' types: the dashboard reads its requests and answers from them. */
export interface TypedEndpoint<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> extends Endpoint {
  /** Never there: types alone. */
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
