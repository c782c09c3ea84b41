import { examineImage } from "../../../core/maps/image/examine-image.ts";
import { type DrawnIcon, drawIcon } from "../../../core/maps/image/marker-icon.ts";
import { decodeIcon, encodeIcon, formerIcon } from "../../../core/maps/image/stored-icon.ts";

/** The part of a bucket that is used here. */
interface IconBucket {
  get(key: string): Promise<{ etag: string; arrayBuffer(): Promise<ArrayBuffer> } | null>;
  put(key: string, bytes: Uint8Array, options: { onlyIf: { etagMatches: string } }): Promise<unknown>;
}

/**
 * A stored icon; undefined when there is none. An icon of the former version, which stored the file as sent, is validated and
 * rasterized like an upload, and replaces the file, unless another was uploaded meanwhile.
 * @throws ImageError for a former file that an upload would reject
 */
export async function readIcon(bucket: IconBucket, key: string): Promise<DrawnIcon | undefined> {
  const object = await bucket.get(key);
  if (!object) return undefined;
  const bytes = new Uint8Array(await object.arrayBuffer());
  const file = formerIcon(bytes);
  if (!file) return decodeIcon(bytes);
  const icon = drawIcon(examineImage(file));
  await bucket.put(key, encodeIcon(icon), { onlyIf: { etagMatches: object.etag } });
  return icon;
}
