import type { DrawnIcon } from "../../../core/maps/image/marker-icon.ts";
import { encodeIcon } from "../../../core/maps/image/stored-icon.ts";
import type { MapStyle } from "../../../core/maps/style/style.ts";
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { readIcon } from "./read-icon.ts";

/**
 * Uploads of projects for their maps, in R2 under `custom/<scope>/`:
 *
 *     icons/<id>    the image as rasterized at upload (maps/image/stored-icon.ts)
 *     styles/<id>   JSON {"format": "graticule-map-style", "version": 1, "style": {…}}
 */
const STYLE_FORMAT = "graticule-map-style";
const STYLE_VERSION = 1;

/** Maximum uploads per scope and kind: one page of a listing. */
export const MAX_UPLOADS = 1000;

export type Upload = "icons" | "styles";

const keyOf = (scope: number, kind: Upload, id: string) => `custom/${scope}/${kind}/${id}`;

export interface StoredUpload {
  id: string;
  bytes: number;
  updatedAt: Date;
}

export async function putIcon(env: Env, scope: number, id: string, icon: DrawnIcon): Promise<StoredUpload> {
  return stored(id, (await projectBucket(env).put(keyOf(scope, "icons", id), encodeIcon(icon))) as R2Object);
}

/** An uploaded icon; undefined when there is none. @throws ImageError for a former file that an upload would reject */
export function getIcon(env: Env, scope: number, id: string): Promise<DrawnIcon | undefined> {
  return readIcon(projectBucket(env), keyOf(scope, "icons", id));
}

export async function putStyle(env: Env, scope: number, id: string, style: MapStyle): Promise<StoredUpload> {
  const text = JSON.stringify({ format: STYLE_FORMAT, version: STYLE_VERSION, style });
  return stored(id, (await projectBucket(env).put(keyOf(scope, "styles", id), text)) as R2Object);
}

export async function getStyle(
  env: Env,
  scope: number,
  id: string,
): Promise<{ style: MapStyle; etag: string; updatedAt: Date; bytes: number } | undefined> {
  const object = await projectBucket(env).get(keyOf(scope, "styles", id));
  if (!object) return undefined;
  const { format, version, style } = (await object.json()) as { format: string; version: number; style: MapStyle };
  if (format !== STYLE_FORMAT || version !== STYLE_VERSION)
    throw new Error(`${keyOf(scope, "styles", id)} is no style of version ${STYLE_VERSION}`);
  return { style, etag: object.etag, updatedAt: object.uploaded, bytes: object.size };
}

/** The ETag of the stored upload; undefined when there is none. */
export async function uploadTag(env: Env, scope: number, kind: Upload, id: string): Promise<string | undefined> {
  return (await projectBucket(env).head(keyOf(scope, kind, id)))?.etag;
}

/** Returns false if there was none. */
export async function deleteUpload(env: Env, scope: number, kind: Upload, id: string): Promise<boolean> {
  const key = keyOf(scope, kind, id);
  if (!(await projectBucket(env).head(key))) return false;
  await projectBucket(env).delete(key);
  return true;
}

export async function listUploads(env: Env, scope: number, kind: Upload): Promise<StoredUpload[]> {
  const prefix = keyOf(scope, kind, "");
  const { objects } = await projectBucket(env).list({ prefix, limit: MAX_UPLOADS });
  return objects.map((object) => stored(object.key.slice(prefix.length), object));
}

function stored(id: string, { size, uploaded }: { size: number; uploaded: Date }): StoredUpload {
  return { id, bytes: size, updatedAt: uploaded };
}
