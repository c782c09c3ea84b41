import { checkOutgoingUrl } from "../../limits/outgoing-url.ts";
import { MAX_PICTURE_BYTES } from "../../maps/image/picture.ts";

/** Fetches a picture from a URL that a stranger chose: who may be asked, for how long, and for how much. */
export class IconRefused extends Error {}

export interface IconPolicy {
  /** Throws IconRefused for a URL that must not be asked; every redirect's target comes here too. */
  check(url: URL): void;
  fetch(url: string, init: RequestInit): Promise<Response>;
  timeoutMs: number;
}

export const MAX_REDIRECTS = 2;
const TIMEOUT_MS = 2000;

/** As for every outgoing call, and on port 443 alone: whoever holds a publishable key names icons. */
export function checkPublicUrl(url: URL): void {
  const { problem } = checkOutgoingUrl(url.href, { standardPort: true });
  if (problem) throw new IconRefused(problem);
}

export const PUBLIC_POLICY: IconPolicy = {
  check: checkPublicUrl,
  fetch: (url, init) => fetch(url, init),
  timeoutMs: TIMEOUT_MS,
};

/**
 * The bytes behind a URL, after at most two redirects, within two seconds in all and 256 KB.
 * @throws whatever went wrong: to the caller of a map all of it means the default marker
 */
export async function fetchIcon(text: string, policy: IconPolicy = PUBLIC_POLICY): Promise<Uint8Array> {
  let url = new URL(text);
  const signal = AbortSignal.timeout(policy.timeoutMs);
  for (let redirects = 0; ; redirects++) {
    policy.check(url);
    const response = await policy.fetch(url.href, {
      redirect: "manual",
      signal,
      headers: { accept: "image/png, image/jpeg, image/webp, image/svg+xml" },
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const target = response.headers.get("location");
      if (target === null) throw new IconRefused("a redirect to nowhere");
      if (redirects === MAX_REDIRECTS) throw new IconRefused("too many redirects");
      url = new URL(target, url);
      continue;
    }
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new IconRefused(`status ${response.status}`);
    }
    return readBounded(response);
  }
}

/** What a header says of the length is no promise: the bytes are counted. */
async function readBounded(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) throw new IconRefused("no body");
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MAX_PICTURE_BYTES) {
      await reader.cancel();
      throw new IconRefused("too large");
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
