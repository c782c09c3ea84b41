import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { listsTag } from "../../wire/etag.ts";
import { MediaReply } from "./endpoint.ts";

/** Lets caches store a response for a day, and use it for another week while revalidating. */
export const FRESH_FOR_A_DAY = "public, max-age=86400, stale-while-revalidate=604800";

/** A strong ETag of all inputs of a response. */
export async function etagOf(...parts: readonly (string | number)[]): Promise<string> {
  const text = parts.join("\n");
  const known = etags.get(text);
  if (known) return known.value;
  const etag = `"${await digest(text)}"`;
  if (text.length <= MAX_KNOWN_TEXT) etags.put(text, etag, 2 * text.length + 200);
  return etag;
}

/** ETags by what they are made of: a hash costs more than all else of a 304 [bytes]. */
const etags = new BoundedCache<string>(512 * 1024);
const MAX_KNOWN_TEXT = 2000;

/** 128 bits of SHA-256, in hex. */
export async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 304 if the client already has it. */
export function notModified(request: Request, etag: string, headers: Record<string, string>): MediaReply | undefined {
  if (!listsTag(request.headers.get("if-none-match"), etag)) return undefined;
  return new MediaReply(null, { etag, ...headers }, 304);
}
