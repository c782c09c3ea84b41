import type { Pace } from "../../../core/geo/pace.ts";
import type { Reading } from "../../db/customers/exports.ts";

/**
 * A request may query D1 a thousand times, and an isolate has 128 MB: so a page has about two megabytes of rows, estimated from
 * the previous rows: 2,000 events of 1 KB, or about thirty polygons of 2,000 corners.
 */
const PAGE_CHARACTERS = 2_000_000;
const FIRST_PAGE = 300;
const MIN_ROWS = 20;
const MAX_ROWS = 5_000;
/** Writing one row [units of a pace]. */
const ROW_COST = 40;

/** How a file of rows is written: its head, each row, the separator, its tail. */
export interface FileForm<Row> {
  head: string;
  row(row: Row): string;
  separator: string;
  tail: string;
}

/** Which part of a file is written: the first part has the head, the last has the tail, so that the joined parts are the file. */
interface FilePart {
  isFirst: boolean;
  isLast: boolean;
  /** Rows of this part. */
  rows: number;
}

/**
 * Streams a file of rows: reads a database page when the client has received the previous one, so that a slow client
 * uses no memory, and reading stops when a client disconnects.
 * @param write writes the readable rows of a page in the file's format
 * @param atOnce rows of a page, if not determined by their size
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
        // Loop until there is data to send: a page without readable rows must not stop the stream.
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

/** Rows for the next page, by the mean size of the last page; at most four times as many, because the next rows may be larger. */
function nextPage(rows: number, meanCharacters: number): number {
  const fitting = Math.floor(PAGE_CHARACTERS / Math.max(1, meanCharacters));
  return Math.max(MIN_ROWS, Math.min(fitting, 4 * rows, MAX_ROWS));
}
