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
  let next: QueryValues | undefined = {};
  let name = "download";
  do {
    const response = await api.send("GET", path, { query: { ...query, ...next }, signal });
    if (!(response instanceof Response)) return response;
    if (!response.ok || !response.body) return problemOf(response);
    name = nameIn(response.headers.get("content-disposition")) ?? name;
    const rows = response.headers.get("x-graticule-rows");
    if (rows !== null) progress.ofRows ??= Number(rows);
    try {
      await readPieces(response.body, pieces, next.cursor !== undefined, (bytes) => {
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
    next = nextOf(response.headers);
  } while (next);
  return { name, blob: new Blob(pieces) };
}

/** What continues the file. */
function nextOf(headers: Headers): QueryValues | undefined {
  const [after, cursor] = ["x-graticule-next", "x-next-cursor"].map((name) => headers.get(name));
  if (after !== null) return { after };
  return cursor === null ? undefined : { cursor };
}

/** @param isPage it has a header row of its own, which is not read */
async function readPieces(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  pieces: Blob[],
  isPage: boolean,
  taken: (bytes: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader();
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let inHeader = isPage;
  const flush = () => {
    if (size > 0) pieces.push(new Blob(waiting));
    [waiting, size] = [[], 0];
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return flush();
    const newline = inHeader ? value.indexOf(NEWLINE) : -1;
    if (inHeader && newline < 0) continue;
    inHeader = false;
    const bytes = value.subarray(newline + 1);
    waiting.push(bytes);
    size += bytes.length;
    taken(bytes);
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
