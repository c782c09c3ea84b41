import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ImportError } from "../common/import-error.ts";
import type { Progress } from "../common/progress.ts";

/** Is a source of the command line a URL? Else it is a path. */
export const isUrl = (source: string): boolean => /^[a-z]+:\/\//i.test(source);

interface DownloadOptions {
  /** Folder of finished and half-finished downloads. */
  folder: string;
  progress: Progress;
  /** Pause before the first new try [milliseconds]; doubles with each. */
  retryAfter?: number;
  /** Plain http too: for tests against a server on this machine. */
  allowHttp?: boolean;
}

const TRIES = 6;
const REDIRECTS = 5;
/** Of a small text [characters]. */
const MAX_TEXT_CHARACTERS = 10_000;

/** Identifies the version of an unfinished file, so that two versions are never joined. */
interface Note {
  url: string;
  /** Strong ETag, else the modification date. */
  validator?: string;
}

/**
 * Downloads a file and returns its path. A connection that breaks is resumed where it broke, now or when the command
 * runs again, as long as the server still has the same version (If-Range); a file that is there whole is asked about
 * only (If-None-Match), and used as it is when there is no network.
 */
export async function download(url: string, options: DownloadOptions): Promise<string> {
  const { folder, retryAfter = 1000 } = options;
  checkUrl(url, options.allowHttp);
  await mkdir(folder, { recursive: true });
  const name = basename(new URL(url).pathname).replace(/[^\w.-]/g, "_") || "download";
  const target = join(folder, `${createHash("sha256").update(url).digest("hex").slice(0, 8)}-${name}`);
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchInto(url, target, options);
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (await exists(target)) return target;
      if (attempt === TRIES) {
        throw new ImportError(
          `Could not download ${url}: ${reason(error)}. The received part is kept: run the command again to continue.`,
        );
      }
      await sleep(retryAfter * 2 ** (attempt - 1));
    }
  }
}

async function fetchInto(url: string, target: string, { progress, allowHttp }: DownloadOptions): Promise<string> {
  const partial = `${target}.part`;
  const whole = await readNote(`${target}.json`);
  const half = await readNote(`${partial}.json`);
  const headers: Record<string, string> = {};
  const have = half?.url === url && half.validator ? await sizeOf(partial) : 0;
  if (whole?.validator && (await exists(target))) {
    headers[whole.validator.startsWith('"') ? "if-none-match" : "if-modified-since"] = whole.validator;
  } else if (have > 0 && half?.validator) {
    headers.range = `bytes=${have}-`;
    headers["if-range"] = half.validator;
  }

  const response = await request(url, headers, allowHttp);
  if (response.status === 304) return target;
  if (response.status === 416) {
    // Nothing is left to send, or the file on the server is shorter now: start again.
    await rm(partial, { force: true });
    throw new Error("the server has no such part");
  }
  if (response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429) {
    throw new ImportError(`${url} returned ${response.status} ${response.statusText}. Check the address.`);
  }
  if ((response.status !== 200 && response.status !== 206) || !response.body) {
    throw new Error(`the server returned ${response.status}`);
  }
  const goesOn = response.status === 206;
  if (goesOn && !response.headers.get("content-range")?.startsWith(`bytes ${have}-`)) {
    await rm(partial, { force: true });
    throw new Error("the server sends another part than asked for");
  }
  const offset = goesOn ? have : 0;
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const note: Note = { url, validator: validatorOf(response) };
  await writeFile(`${partial}.json`, JSON.stringify(note));
  progress.expect(Number.isNaN(length) ? 0 : offset + length, "B");
  progress.advance(offset);

  const file = await open(partial, goesOn ? "a" : "w");
  let received = 0;
  try {
    for await (const chunk of response.body) {
      await file.writeFile(chunk);
      received += chunk.length;
      progress.advance(chunk.length);
    }
  } finally {
    await file.close();
  }
  if (!Number.isNaN(length) && received !== length) throw new Error("the connection broke");
  await rename(partial, target);
  await rename(`${partial}.json`, `${target}.json`);
  return target;
}

/** A small text, as it is there now. @throws ImportError */
export async function fetchText(url: string, allowHttp = false, most = MAX_TEXT_CHARACTERS): Promise<string> {
  checkUrl(url, allowHttp);
  let response: Response;
  try {
    response = await request(url, {}, allowHttp);
    if (response.status === 200) return (await response.text()).slice(0, most);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`Could not fetch ${url}: ${reason(error)}. Nothing was changed; run the command again.`);
  }
  throw new ImportError(`${url} returned ${response.status} ${response.statusText}. Check the address.`);
}

/** Bytes of a file on a server, and the version that they are of. */
interface Part {
  bytes: Uint8Array<ArrayBuffer>;
  validator: string | undefined;
  /** Of the whole file, where the server says it. */
  size: number | undefined;
}

/**
 * A part of a file. Fewer bytes come back where the file ends. A connection that breaks is tried again.
 *
 * @param validator the version that the part must be of
 * @throws ImportError if the server has another version, or no parts
 */
export async function fetchPart(
  url: string,
  { offset, length }: { offset: number; length: number },
  {
    validator,
    allowHttp,
    retryAfter = 1000,
  }: { validator?: string } & Pick<DownloadOptions, "allowHttp" | "retryAfter">,
): Promise<Part> {
  checkUrl(url, allowHttp);
  const headers = { range: `bytes=${offset}-${offset + length - 1}` };
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await request(url, headers, allowHttp);
      if (response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429)
        throw new ImportError(`${url} returned ${response.status} ${response.statusText}. Check the address.`);
      if (response.status === 200)
        throw new ImportError(`${url} sends only the whole file. Download it, and import the file.`);
      if (response.status !== 206) throw new Error(`the server returned ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const found = validatorOf(response);
      if (validator !== undefined && found !== validator)
        throw new ImportError(`${url} changed while it was read. Run the command again.`);
      if (bytes.length > length) throw new Error("the server sends another part than asked for");
      const size = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
      return { bytes, validator: found, size: size === undefined ? undefined : Number(size) };
    } catch (error) {
      if (error instanceof ImportError) throw error;
      if (attempt === TRIES)
        throw new ImportError(
          `Could not download ${url}: ${reason(error)}. The received part is kept: run the command again to continue.`,
        );
      await sleep(retryAfter * 2 ** (attempt - 1));
    }
  }
}

/** Follows redirects by hand, so that none leads away from https. */
async function request(url: string, headers: Record<string, string>, allowHttp?: boolean): Promise<Response> {
  let here = url;
  for (let i = 0; i <= REDIRECTS; i++) {
    // Compressed transfer would make lengths and offsets those of something else.
    const response = await fetch(here, { headers: { ...headers, "accept-encoding": "identity" }, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || response.status === 304 || !location) return response;
    await response.body?.cancel();
    here = new URL(location, here).href;
    checkUrl(here, allowHttp);
  }
  throw new ImportError(`${url} redirects in circles.`);
}

function checkUrl(url: string, allowHttp = false): void {
  if (!URL.canParse(url)) throw new ImportError(`${url} is no address.`);
  const { protocol } = new URL(url);
  if (protocol !== "https:" && !(allowHttp && protocol === "http:")) {
    throw new ImportError(`${url} is not an https address: what is imported must come unchanged from its source.`);
  }
}

function validatorOf({ headers }: Response): string | undefined {
  const etag = headers.get("etag");
  return etag && !etag.startsWith("W/") ? etag : (headers.get("last-modified") ?? undefined);
}

async function readNote(path: string): Promise<Note | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Note;
  } catch {
    return undefined;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) > 0;
}

/** By the code of the system, or of undici. */
const REASONS: readonly (readonly [code: RegExp, why: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "there is no such server, or no network"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/, "the server does not accept connections"],
  [/TIMEOUT|ETIMEDOUT/, "the server does not answer in time"],
  [/^(ENOSPC|EDQUOT)$/, "the disk is full"],
  [/^(EACCES|EPERM|EROFS)$/, "this user may not write there"],
  [/CERT|SSL|TLS|SELF_SIGNED|ALTNAME/, "its certificate is not valid"],
];

function reason(error: unknown): string {
  const { code, cause } = error as NodeJS.ErrnoException;
  const known = (cause as NodeJS.ErrnoException | undefined)?.code ?? code ?? "";
  return REASONS.find(([codes]) => codes.test(known))?.[1] ?? "the connection broke";
}
