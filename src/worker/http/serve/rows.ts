import { describeError } from "../../platform/describe-error.ts";
import { ApiError } from "../../platform/errors.ts";
import { Unwritable } from "../../wire/date.ts";
import type { Call } from "./endpoint.ts";

/** The part of a call that is needed to report an omitted row. */
type Reporter = Pick<Call, "leftOut" | "requestId">;

/**
 * Stored rows in API format. A row that cannot be converted, such as one with an impossible time, is omitted from
 * the list; a header reports it, and the log has the reason.
 * @param what the kind of rows, in the plural ("users")
 */
export function writeRows<Row, Wire>(
  reporter: Reporter,
  what: string,
  rows: readonly Row[],
  write: (row: Row) => Wire,
): Wire[] {
  const written: Wire[] = [];
  for (const row of rows) {
    try {
      written.push(write(row));
    } catch (error) {
      report(reporter, what, error);
    }
  }
  return written;
}

/** A single row. @throws ApiError 404 if it is corrupt; it can still be deleted */
export function writeRow<Row, Wire>(reporter: Reporter, what: string, row: Row, write: (row: Row) => Wire): Wire {
  try {
    return write(row);
  } catch (error) {
    report(reporter, what, error);
    throw new ApiError(404, "The stored record is corrupt; you can delete it.");
  }
}

/** Only for errors caused by the row itself; any other error is thrown on. */
function report(reporter: Reporter, what: string, error: unknown): void {
  if (!(error instanceof Unwritable || error instanceof SyntaxError || error instanceof TypeError)) throw error;
  reporter.leftOut(what);
  const { requestId } = reporter;
  console.error(JSON.stringify({ what: "unreadable row", of: what, requestId, error: describeError(error) }));
}
