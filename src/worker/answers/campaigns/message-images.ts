import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { getOutgoing } from "../../outgoing/outgoing.ts";
import type { Env } from "../../platform/env.ts";
import { UPLOAD_ID } from "../maps/icons.ts";
import { uploadTag } from "../maps/uploads.ts";

/** Images of in-app messages at other servers, which iOS loads through this one. */

const LIMITS = {
  timeoutMs: 4_000,
  maxBytes: 1024 * 1024,
  maxRedirects: 2,
  standardPort: true,
  headers: { accept: "image/png, image/jpeg, image/webp, image/gif" },
};

/** Cache time of images [ms]; shorter for failures, which may be temporary. */
const FRESH_MS = 600_000;
const FAILED_MS = 20_000;

interface MessageImage {
  bytes: Uint8Array;
  type: string;
}

/** [bytes] */
const cache = new BoundedCache<{ image: MessageImage | undefined; until: number }>(8 * 1024 * 1024);

/** An image at a URL; undefined if it cannot be loaded, or is none that phones show. */
export async function messageImage(env: Env, url: string, now: number): Promise<MessageImage | undefined> {
  const known = cache.get(url)?.value;
  if (known && known.until > now) return known.image;
  let image: MessageImage | undefined;
  try {
    const bytes = await getOutgoing(env, url, LIMITS);
    const type = imageType(bytes);
    image = type === undefined ? undefined : { bytes, type };
  } catch {
    image = undefined;
  }
  cache.put(url, { image, until: now + (image ? FRESH_MS : FAILED_MS) }, (image?.bytes.length ?? 0) + 300);
  return image;
}

/** The images of a campaign that cannot be loaded: URLs, and ids of uploads. */
export async function missingImages(
  env: Env,
  scope: number,
  images: readonly string[],
  now: number,
): Promise<string[]> {
  const found = await Promise.all(
    images.map(async (image) => {
      if (UPLOAD_ID.test(image)) return (await uploadTag(env, scope, "icons", image)) !== undefined;
      return (await messageImage(env, image, now)) !== undefined;
    }),
  );
  return images.filter((_, i) => !found[i]);
}

/** The type of an image by its first bytes; the server's own statement is not reliable. */
function imageType(bytes: Uint8Array): string | undefined {
  const at = (offset: number, text: string) =>
    [...text].every((character, i) => bytes[offset + i] === character.charCodeAt(0));
  if (at(0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (at(0, "\xff\xd8\xff")) return "image/jpeg";
  if (at(0, "GIF87a") || at(0, "GIF89a")) return "image/gif";
  return at(0, "RIFF") && at(8, "WEBP") ? "image/webp" : undefined;
}
