import { MAX_IMAGE_BYTES } from "../../maps/image/examine-image.ts";
import { type GetLimits, getOutgoing } from "../../outgoing/outgoing.ts";

/** Holders of a publishable key name icons: port 443 alone, two redirects, and two seconds in all. */
export const ICON_LIMITS: GetLimits = {
  timeoutMs: 2000,
  maxBytes: MAX_IMAGE_BYTES,
  maxRedirects: 2,
  standardPort: true,
  headers: { accept: "image/png, image/jpeg, image/webp, image/svg+xml" },
};

/**
 * The bytes of a picture behind a URL.
 * @throws whatever went wrong: to the caller of a map all of it means the default marker
 */
export function fetchIcon(env: Parameters<typeof getOutgoing>[0], url: string): Promise<Uint8Array> {
  return getOutgoing(env, url, ICON_LIMITS);
}
