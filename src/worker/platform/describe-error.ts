/** Characters of an error in a one-line log. */
const MAX_LINE_LENGTH = 300;

/** JSON.parse quotes the text that it could not read. */
function isParseError(error: Error): boolean {
  return error instanceof SyntaxError && error.message.includes("JSON");
}

/** Name and message of an error, without customer data: Drizzle writes bound parameters into its message, JSON.parse a part of its input. */
function summarize(error: Error): string {
  const query = "query" in error && typeof error.query === "string" ? error.query : undefined;
  const message = query ? `Failed query: ${query}` : isParseError(error) ? "invalid JSON" : error.message;
  return `${error.name}: ${message}`;
}

/** An unexpected error for the log: message, stack and cause, without customer data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const cause = error.cause === undefined ? [] : [`caused by ${describeError(error.cause)}`];
  return [summarize(error), ...frames, ...cause].join("\n");
}

/** The same in one line, for errors that are expected now and then. */
export function describeBriefly(error: unknown): string {
  return (error instanceof Error ? summarize(error) : `thrown: ${typeof error}`).slice(0, MAX_LINE_LENGTH);
}
