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
  /** The parameter an error named. */
  param?: string;
  /** Stack of an unexpected error. */
  error?: string;
}

export function writeLog({ at, ...line }: LogLine): void {
  const text = JSON.stringify({ time: new Date(at).toISOString(), ...line, durationMs: Date.now() - at });
  if (line.error) console.error(text);
  else console.log(text);
}
