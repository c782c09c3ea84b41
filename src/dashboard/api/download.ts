import type { Problem, QueryValues } from "./problem.ts";

/** As much of the Api as a download needs. */
export interface Sender {
  send(method: string, path: string, options: { query: QueryValues; signal: AbortSignal }): Promise<Response | Problem>;
}

/** How far a download is. */
export interface Progress {
  rows: number;
  /** Rows that there are; undefined where the server does not say. */
  ofRows?: number;
  bytes: number;
}

interface Downloaded {
  name: string;
  blob: Blob;
}

/** Size at which chunks are merged into a Blob, which the browser can store on disk [bytes]. */
const PIECE_BYTES = 8_000_000;

/**
 * Downloads a complete file: an export returns a limited number of rows per request, and a cursor for the rest.
 * @throws nothing: a Problem contains the error and the progress
 */
export async function download(
  api: Sender,
  path: string,
  query: QueryValues,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Downloaded | Problem> {
  const pieces: Blob[] = [];
  const progress: Progress = { rows: 0, bytes: 0 };
  const count = rowCounter(String(query.format ?? ""));
  let after: string | undefined;
  let name = "download";
  do {
    const response = await api.send("GET", path, { query: { ...query, after }, signal });
    if (!(response instanceof Response)) return response;
    if (!response.ok || !response.body) return problemOf(response);
    name = nameIn(response.headers.get("content-disposition")) ?? name;
    const rows = response.headers.get("x-graticule-rows");
    if (rows !== null) progress.ofRows ??= Number(rows);
    try {
      await readPieces(response.body, pieces, (bytes) => {
        progress.bytes += bytes.length;
        progress.rows = count(bytes);
        onProgress({ ...progress });
      });
    } catch {
      return {
        status: 0,
        message: signal.aborted ? "Canceled." : "The connection was lost before the file was complete.",
      };
    }
    after = response.headers.get("x-graticule-next") ?? undefined;
  } while (after !== undefined);
  return { name, blob: new Blob(pieces) };
}

async function readPieces(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  pieces: Blob[],
  taken: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader();
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const flush = () => {
    if (size > 0) pieces.push(new Blob(waiting));
    [waiting, size] = [[], 0];
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return flush();
    waiting.push(value);
    size += value.length;
    taken(value);
    if (size > PIECE_BYTES) flush();
  }
}

const [NEWLINE, QUOTE] = [10, 34];

/**
 * Counts the rows of a file as its bytes come: its lines, but for those inside a quoted cell of CSV, and for its first.
 * @returns all rows so far
 */
export function rowCounter(format: string): (bytes: Uint8Array) => number {
  const isTable = format === "csv";
  let lines = 0;
  let isQuoted = false;
  return (bytes) => {
    for (const byte of bytes) {
      if (isTable && byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) lines++;
    }
    return format === "ndjson" ? lines : Math.max(0, lines - 1);
  };
}

function nameIn(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? "")?.[1];
}

async function problemOf(response: Response): Promise<Problem> {
  const { status } = response;
  const answer = (await response.json().catch(() => undefined)) as { meta?: { message?: string } } | undefined;
  return { status, message: answer?.meta?.message ?? `The server returned ${status}.` };
}
