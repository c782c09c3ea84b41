import type { Jurisdiction } from "./jurisdiction.ts";

/**
 * A server of several processes (`npm start -- --processes`): the main one has D1 and the Durable Objects; helpers answer what reads only
 * geodata, and pass all other requests on to it.
 */

/**
 * The header by which processes of one server know each other: "SECRET call" for a call of another process, "SECRET 192.0.2.1:4711" for a
 * client's request that a helper passes on, with its peer. The secret is new at each start.
 */
export const PROCESS_HEADER = "x-graticule-process";

/** Of a call between processes; a peer is an address. */
export const CALL = "call";

interface Known {
  PROCESS_SECRET?: string;
  MAIN?: { fetch(url: string, init: RequestInit): Promise<Response> };
}

/** What the header says after the secret: `CALL`, or a peer; undefined for a request that no process of this server sent. */
export function toldByProcess({ headers }: Request, { PROCESS_SECRET }: Known): string | undefined {
  if (!PROCESS_SECRET) return undefined;
  const told = headers.get(PROCESS_HEADER);
  return told?.startsWith(`${PROCESS_SECRET} `) ? told.slice(PROCESS_SECRET.length + 1) : undefined;
}

/** The headers of a call. */
export const callHeaders = ({ PROCESS_SECRET }: Known) => ({ [PROCESS_HEADER]: `${PROCESS_SECRET} ${CALL}` });

/** A call of the main process. Rejects with the message of an error there. */
export async function callMain<T>(env: Known, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  if (!env.MAIN) throw new Error("There is no main process.");
  const init = { method: "POST", headers: callHeaders(env), body: JSON.stringify(body), ...(signal && { signal }) };
  const response = await env.MAIN.fetch(`http://main${path}`, init);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** Calls by their paths. Of the main process: statements for a database; tokens of a rate limit; geofences around a point. */
export const CALLS = {
  database: "/database",
  limit: "/limit",
  fences: "/fences",
  /** Of helpers: projects that changed; a project whose usage is about to be read; figures for /metrics. */
  forget: "/forget",
  settle: "/settle",
  figures: "/figures",
} as const;

/** Statements for a database of the main process, in one transaction. */
export interface DatabaseCall {
  /** The binding. */
  database: string;
  statements: readonly { sql: string; params: readonly unknown[] }[];
  /** Of one statement: rows as lists, with the names of columns as the first one or without. */
  raw?: { columnNames: boolean };
}

/** `RateLimiter.take` of the counter's object. */
export interface LimitCall {
  counter: string;
  jurisdiction: Jurisdiction | undefined;
  rate: number;
  wanted: number;
  returned: number;
}

/** A method of the index of a scope's geofences. */
export interface FencesCall {
  jurisdiction: Jurisdiction | undefined;
  scope: number;
  method: "at" | "area";
  parameters: readonly unknown[];
}

/** A project whose usage is written now. */
export interface SettleCall {
  project: number;
}

/** Projects whose keys and settings a helper reads again. */
export interface ForgetCall {
  projects: readonly number[];
}
