import { Unwritable } from "../../wire/tracked.ts";
import type { Call } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { describeError } from "./log.ts";

/** As much of a call as it takes to say that a row was left out. */
type Teller = Pick<Call, "leftOut" | "requestId">;

/**
 * Stored rows as the API shows them. A row that cannot be written out, such as one with a time beyond every calendar,
 * costs itself: the list goes on without it, a header says so, and the log says why.
 * @param what what the rows are, in the plural ("users")
 */
export function writeRows<Row, Wire>(
  teller: Teller,
  what: string,
  rows: readonly Row[],
  write: (row: Row) => Wire,
): Wire[] {
  const written: Wire[] = [];
  for (const row of rows) {
    try {
      written.push(write(row));
    } catch (error) {
      tell(teller, what, error);
    }
  }
  return written;
}

/** One row by itself. @throws ApiError 404, as there is nothing that could be shown; it can still be deleted */
export function writeRow<Row, Wire>(teller: Teller, what: string, row: Row, write: (row: Row) => Wire): Wire {
  try {
    return write(row);
  } catch (error) {
    tell(teller, what, error);
    throw new ApiError(404, "Its record cannot be read. It can be deleted.");
  }
}

/** Only what is wrong with the row itself: a mistake of ours, anywhere else, stays an error. */
function tell(teller: Teller, what: string, error: unknown): void {
  if (!(error instanceof Unwritable || error instanceof SyntaxError || error instanceof TypeError)) throw error;
  teller.leftOut(what);
  const { requestId } = teller;
  console.error(JSON.stringify({ what: "unreadable row", of: what, requestId, error: describeError(error) }));
}
