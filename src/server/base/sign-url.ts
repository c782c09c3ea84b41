import { hashKey } from "../../core/auth/key.ts";
import { readSignedUrl, signUrl } from "../../core/auth/signed-url.ts";
import { CommandError, UsageError } from "./command.ts";

/** The longest that a signed URL is good for: a year, as `POST /v1/maps/sign` has it [s]. */
const MAX_LENGTH = 366 * 24 * 3600;
const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAP_PATH = "/maps/static";
/** Parameters that the signature sets or replaces. */
const LEFT_OUT = ["publishableKey", "expires", "keyId", "signature"];

/** "90s", "30m", "12h" or "7d" in seconds. @throws UsageError */
export function readDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * UNITS[unit];
  if (!(seconds >= 1 && seconds <= MAX_LENGTH))
    throw new UsageError(`--for must be a duration such as 90s, 30m, 12h or 7d, at most 366d, not "${text}".`);
  return seconds;
}

/**
 * Returns the signed URL of a static map with an expiry. If the input has no host, neither does the result.
 * @param now [ms since 1970]
 * @throws CommandError if the key cannot sign, UsageError if the URL is not of a static map
 */
export async function signMapAddress(key: string, address: string, seconds: number, now: number) {
  if (!/^prj_(test|live)_sk_[0-9a-f]{40}$/.test(key))
    throw new CommandError("Signing requires a secret key (prj_test_sk_… or prj_live_sk_…) in GRATICULE_KEY.");
  const base = "http://no-host.invalid";
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (url?.pathname !== MAP_PATH)
    throw new UsageError(
      `Expected the URL of a static map, such as "${MAP_PATH}?width=600&height=400&zoom=14&center=48.99,-111.2".`,
    );
  for (const name of LEFT_OUT) url.searchParams.delete(name);
  const expires = Math.floor(now / 1000) + seconds;
  const signed = await signUrl(await hashKey(key), `${url.pathname}${url.search}`, expires);
  const host = url.origin === base ? "" : url.origin;
  // Verify the signature by reading it back.
  if (!readSignedUrl(`${base}${signed}`)) throw new Error("The signature could not be verified.");
  return { url: `${host}${signed}`, expiresAt: new Date(expires * 1000).toISOString() };
}
