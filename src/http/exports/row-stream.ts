import type { Reading } from "../../db/exports.ts";
import type { Pace } from "../../geo/pace.ts";

/** Rows read from the database at a time: what an export holds in memory, whatever its size. */
const ROWS_AT_ONCE = 300;
/** Writing one row [units of a pace]. */
const ROW_COST = 40;

/** How a file of rows is written: its beginning, each row, what stands between two, its end. */
export interface FileForm<Row> {
  head: string;
  row(row: Row): string;
  separator: string;
  tail: string;
}

/**
 * A file of rows as it is read: a page of the database each time the client has taken the last, so that a slow client
 * fills no memory, and one that leaves ends the reading.
 * @param write the rows of a page that can be written, in the file's form
 */
export function rowStream<Row>(
  reading: Reading<Row>,
  form: FileForm<Row>,
  pace: Pace,
  write: (rows: readonly Row[], each: (row: Row) => string) => string[],
  atOnce = ROWS_AT_ONCE,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before = form.head;
  let begun = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Until there is something to send: a page of which no row can be written must not end the pulling.
        for (;;) {
          const rows = await reading.next(atOnce);
          const texts: string[] = [];
          for (const row of rows) {
            texts.push(...write([row], form.row));
            const turn = pace.spend(ROW_COST);
            if (turn) await turn;
          }
          const last = rows.length < atOnce;
          const separator = begun && texts.length > 0 ? form.separator : "";
          const text = before + separator + texts.join(form.separator) + (last ? form.tail : "");
          before = "";
          begun ||= texts.length > 0;
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (last) return controller.close();
          if (text !== "") return;
        }
      },
    },
    { highWaterMark: 1 },
  );
}
