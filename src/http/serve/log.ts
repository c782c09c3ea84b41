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

/** Writes the line. @returns how long the request took until its answer began [ms] */
export function writeLog({ at, ...line }: LogLine): number {
  const durationMs = Date.now() - at;
  const text = JSON.stringify({ time: new Date(at).toISOString(), ...line, durationMs });
  if (line.error) console.error(text);
  else console.log(text);
  return durationMs;
}

/**
 * An unexpected error for the log: message, stack and cause, without customers' data. Drizzle puts bound parameters
 * into its message, and JSON.parse a piece of the text it could not read.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const query = "query" in error && typeof error.query === "string" ? error.query : undefined;
  const message = query ? `Failed query: ${query}` : error.message.replace(/(, )?".*"(?= is not valid JSON)/s, "");
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const cause = error.cause === undefined ? [] : [`caused by ${describeError(error.cause)}`];
  return [`${error.name}: ${message}`, ...frames, ...cause].join("\n");
}
