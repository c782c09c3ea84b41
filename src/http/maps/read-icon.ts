import { examineImage } from "../../maps/image/examine-image.ts";
import { type DrawnIcon, drawIcon } from "../../maps/image/marker-icon.ts";
import { decodeIcon, encodeIcon, formerIcon } from "../../maps/image/stored-icon.ts";

/** As much of a bucket as is used here. */
export interface IconBucket {
  get(key: string): Promise<{ etag: string; arrayBuffer(): Promise<ArrayBuffer> } | null>;
  put(key: string, bytes: Uint8Array, options: { onlyIf: { etagMatches: string } }): Promise<unknown>;
}

/**
 * A stored icon; undefined when there is none. One of the former version, which kept the file as it was sent, is examined and
 * drawn as an upload is, and takes the file's place, unless another was uploaded meanwhile.
 * @throws ImageError for a former file that an upload would not take
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
