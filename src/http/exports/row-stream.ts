import type { Reading } from "../../db/customers/exports.ts";
import type { Pace } from "../../geo/pace.ts";

/**
 * A request may ask D1 a thousand times, and an isolate has 128 MB: so a page has as many rows as make some two megabytes, by
 * the rows before it. Events of 1 KB go 2,000 at a time, polygons of 2,000 corners some thirty.
 */
const PAGE_CHARACTERS = 2_000_000;
const FIRST_PAGE = 300;
const MIN_ROWS = 20;
const MAX_ROWS = 5_000;
/** Writing one row [units of a pace]. */
const ROW_COST = 40;

/** How a file of rows is written: its beginning, each row, what stands between two, its end. */
export interface FileForm<Row> {
  head: string;
  row(row: Row): string;
  separator: string;
  tail: string;
}

/** Which part of a file is written: the first part has its head, the last its tail, so that parts put together are the file. */
export interface FilePart {
  isFirst: boolean;
  isLast: boolean;
  /** Rows of this part. */
  rows: number;
}

/**
 * A file of rows as it is read: a page of the database each time the client has taken the last, so that a slow client
 * fills no memory, and one that leaves ends the reading.
 * @param write the rows of a page that can be written, in the file's form
 * @param atOnce rows of a page, where they are not told by their size
 */
export function rowStream<Row>(
  reading: Pick<Reading<Row>, "next">,
  form: FileForm<Row>,
  pace: Pace,
  write: (rows: readonly Row[], each: (row: Row) => string) => string[],
  { isFirst, isLast, rows: wanted }: FilePart,
  atOnce?: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before = isFirst ? form.head : "";
  let begun = !isFirst;
  let left = wanted;
  let pageRows = atOnce ?? FIRST_PAGE;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Until there is something to send: a page of which no row can be written must not end the pulling.
        for (;;) {
          const asked = Math.min(pageRows, left);
          const rows = asked > 0 ? await reading.next(asked) : [];
          left -= rows.length;
          const texts: string[] = [];
          for (const row of rows) {
            texts.push(...write([row], form.row));
            const turn = pace.spend(ROW_COST);
            if (turn) await turn;
          }
          const isEnd = rows.length < asked || left === 0;
          const separator = begun && texts.length > 0 ? form.separator : "";
          const text = before + separator + texts.join(form.separator) + (isEnd && isLast ? form.tail : "");
          before = "";
          begun ||= texts.length > 0;
          if (atOnce === undefined && rows.length > 0) pageRows = nextPage(pageRows, text.length / rows.length);
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (isEnd) return controller.close();
          if (text !== "") return;
        }
      },
    },
    { highWaterMark: 1 },
  );
}

/** As many rows as make a page, by the mean of the last; one page of small rows says little of the next, so at most four times as many. */
function nextPage(rows: number, meanCharacters: number): number {
  const fitting = Math.floor(PAGE_CHARACTERS / Math.max(1, meanCharacters));
  return Math.max(MIN_ROWS, Math.min(fitting, 4 * rows, MAX_ROWS));
}
