import type { Execution } from "../../platform/call.ts";
import type { Env } from "../../platform/env.ts";
import { GatheredLines } from "./gathered-lines.ts";
import { requestIdOf } from "./request-id.ts";

/** One wide line per request, except for health checks. No keys, no coordinates, no query strings, no ids of users or devices. */
export interface LogLine {
  requestId: string;
  /** When the request arrived [ms]. */
  at: number;
  method: string;
  /** The endpoint's pattern, such as "/v1/users/:id", never the path itself. */
  route: string;
  status: number;
  project?: number;
  live?: boolean;
  /** Member of the session. */
  member?: string;
  /** The parameter of an error; of "metadata[key]" only "metadata", because the key is the caller's data. */
  param?: string;
  /** Missing data of the response: "addresses, roads". */
  leftOut?: string;
  /** Stack of an unexpected error. */
  error?: string;
}

/** The status when nobody waits for the response, as nginx writes it. */
export const CLIENT_LEFT = 499;

/** The line of a request that has just arrived. */
export function startLog(request: Request, route: string): LogLine {
  return { requestId: requestIdOf(request.headers), at: Date.now(), method: request.method, route, status: 0 };
}

const HEALTH_CHECK = "/v1/ping";

const gathered = new GatheredLines((text) => console.log(text));

/**
 * Writes the line immediately, or together with others within LOG_GATHER_MS.
 * @returns time from the request to the start of its response [ms]
 */
export function writeLog(line: LogLine, { LOG_GATHER_MS }: Pick<Env, "LOG_GATHER_MS">, execution: Execution): number {
  const now = Date.now();
  const durationMs = now - line.at;
  // Health checks, which come every few seconds, are only logged if they fail.
  if (line.route === HEALTH_CHECK && line.status === 200) return durationMs;
  const text = lineText(line, durationMs);
  if (line.error) {
    gathered.flush();
    console.error(text);
  } else if (LOG_GATHER_MS === undefined) console.log(text);
  else {
    const written = gathered.add(text, now, Number(LOG_GATHER_MS));
    if (written) execution.waitUntil(written);
  }
  return durationMs;
}

let second = { at: Number.NaN, text: "" };

/** As `toISOString`, of which all but the milliseconds is written once a second. */
function isoTime(at: number): string {
  const rest = at % 1000;
  if (second.at !== at - rest) second = { at: at - rest, text: new Date(at - rest).toISOString().slice(0, -4) };
  return `${second.text}${String(rest).padStart(3, "0")}Z`;
}

/** The line as JSON. Written field by field, because a spread defines each field with a separate call. */
function lineText(line: LogLine, durationMs: number): string {
  const { requestId, at, method, route, status, project, live, member, param, leftOut, error } = line;
  const time = isoTime(at);
  const entry = { time, requestId, method, route, status, project, live, member, param, leftOut, error, durationMs };
  return JSON.stringify(entry);
}
