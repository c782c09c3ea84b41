import { MAX_IMAGE_BYTES } from "../../../core/maps/image/examine-image.ts";
import { type GetLimits, getOutgoing } from "../../outgoing/outgoing.ts";

/** Holders of a publishable key choose the URLs: only port 443, two redirects, and two seconds in total. */
export const ICON_LIMITS: GetLimits = {
  timeoutMs: 2000,
  maxBytes: MAX_IMAGE_BYTES,
  maxRedirects: 2,
  standardPort: true,
  headers: { accept: "image/png, image/jpeg, image/webp, image/svg+xml" },
};

/**
 * Fetches the bytes of an image.
 * @throws any error: for the caller of a map, all of them mean the default marker
 */
export function fetchIcon(env: Parameters<typeof getOutgoing>[0], url: string): Promise<Uint8Array> {
  return getOutgoing(env, url, ICON_LIMITS);
}
