import type { z } from "zod";
import type { Env } from "../../env.ts";
import type { Caller, Level } from "./identity.ts";

/** What a handler gets: checked parameters, who calls, and the world it may touch. */
export interface Call<Query = unknown, Body = unknown> {
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  /** Present on every endpoint that is not open. */
  caller: Caller;
  env: Env;
  request: Request;
  requestId: string;
  /** Address of the connection; undefined where the platform does not tell it. */
  ip: string | undefined;
  /** When the request arrived [ms]. */
  now: number;
  waitUntil(promise: Promise<unknown>): void;
  /** Names a kind of data that the answer has to do without ("roads"): told in a header, and in the log. */
  leftOut(what: string): void;
}

/** As much of a call as it takes to ask for geodata. */
export type Asker = Pick<Call, "env" | "now" | "waitUntil"> & Partial<Pick<Call, "leftOut">>;

/** What a handler gives back: the keys beside `meta`; `meta` may add to `{code: 200}`. Or a whole Response. */
export type Reply = ({ meta?: Record<string, unknown> } & Record<string, unknown>) | Response;

/** One endpoint: what it is called, who may call it, what it takes, what it answers, and what it does. */
export interface Endpoint {
  /** Name in rate limits, usage and OpenAPI (operationId). */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Hono path; every path is also answered where it is listed here. */
  path: string;
  aliases?: readonly string[];
  level: Level;
  /** Chapter of the reference page. */
  chapter: string;
  summary: string;
  description?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Largest body [bytes]; 512 KB when absent. */
  bodyLimit?: number;
  /** Shape of the answer beside `meta`; for the reference and the tests. */
  response?: z.ZodType;
  /** What `meta` holds beside `code` and `hasMore`. */
  meta?: z.ZodType;
  /** Content type of an answer that is no envelope: a page, an image, a document. */
  media?: string;
  /** Tables of the reference page, of what is loaded now among them; `empty` is said where one has no rows. */
  tables?(call: Asker): Promise<{ caption: string; rows: [name: string, value: string][]; empty?: string }[]>;
  /** Optional parameters that the example on the reference page shows. */
  shows?: readonly string[];
  status?: 200 | 204;
  /** Statuses that it may answer beside those every endpoint may (`commonErrors` of reference/openapi.ts). */
  errors?: readonly number[];
  /** `device`: counted per device by the handler, not per scope. Open endpoints: `address`, or none. */
  rate?: "scope" | "device" | "address" | "none";
  /** Reads geodata only: keys seen lately go on being believed while the database does not answer. */
  geodataOnly?: boolean;
  handle(call: Call<never, never>): Promise<Reply> | Reply;
}

/** Ties the handler's types to its schemas. */
export function endpoint<Q extends z.ZodType, B extends z.ZodType>(
  definition: Omit<Endpoint, "query" | "body" | "handle"> & {
    query?: Q;
    body?: B;
    handle(call: Call<z.output<Q>, z.output<B>>): Promise<Reply> | Reply;
  },
): Endpoint {
  return definition as Endpoint;
}
