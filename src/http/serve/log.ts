import type { Env } from "../../env.ts";
import type { Execution } from "./exact-paths.ts";
import { GatheredLines } from "./gathered-lines.ts";

/** One wide line per request. No keys, no coordinates, no query strings, no ids of users or devices. */
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
  /** Whose session it was. */
  member?: string;
  /** The parameter an error named; of "metadata[key]" only "metadata", because the key is the caller's data. */
  param?: string;
  /** Kinds of data the answer lacked: "addresses, roads". */
  leftOut?: string;
  /** Stack of an unexpected error. */
  error?: string;
}

const gathered = new GatheredLines((text) => console.log(text));

/**
 * Writes the line: at once, or with others where LOG_GATHER_MS says how long it may wait.
 * @returns how long the request took until its answer began [ms]
 */
export function writeLog(line: LogLine, { LOG_GATHER_MS }: Pick<Env, "LOG_GATHER_MS">, execution: Execution): number {
  const now = Date.now();
  const durationMs = now - line.at;
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

/** The line as JSON. Written field by field: behind a spread each field is defined by a call of its own. */
function lineText(line: LogLine, durationMs: number): string {
  const { requestId, at, method, route, status, project, live, member, param, leftOut, error } = line;
  const time = new Date(at).toISOString();
  const told = { time, requestId, method, route, status, project, live, member, param, leftOut, error, durationMs };
  return JSON.stringify(told);
}

/** JSON.parse quotes the text that it could not read, in its own words. */
function isParseError(error: Error): boolean {
  return error instanceof SyntaxError && error.message.includes("JSON");
}

/**
 * An unexpected error for the log: message, stack and cause, without customers' data. Drizzle puts bound parameters
 * into its message, and JSON.parse a piece of the text it could not read.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const query = "query" in error && typeof error.query === "string" ? error.query : undefined;
  const message = query ? `Failed query: ${query}` : isParseError(error) ? "invalid JSON" : error.message;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const cause = error.cause === undefined ? [] : [`caused by ${describeError(error.cause)}`];
  return [`${error.name}: ${message}`, ...frames, ...cause].join("\n");
}
