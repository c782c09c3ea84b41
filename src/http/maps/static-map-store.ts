import type { Env } from "../../env.ts";
import type { PictureKind } from "../../maps/image/picture.ts";
import type { MapStyle } from "../../maps/style/style.ts";

/**
 * What projects upload for their maps, in R2 below `custom/<scope>/`:
 *
 *     icons/<id>    "GICN", u8 version 1, u8 kind (1 PNG, 2 SVG), then the file as it was sent
 *     styles/<id>   JSON {"format": "graticule-map-style", "version": 1, "style": {…}}
 */
const ICON_MAGIC = "GICN";
const ICON_VERSION = 1;
const ICON_HEAD = 6;
const STYLE_FORMAT = "graticule-map-style";
const STYLE_VERSION = 1;

/** Uploads a scope may have of each kind: one page of a listing. */
export const MAX_UPLOADS = 1000;

export type Upload = "icons" | "styles";

const keyOf = (scope: number, kind: Upload, id: string) => `custom/${scope}/${kind}/${id}`;

export interface StoredUpload {
  id: string;
  bytes: number;
  updatedAt: Date;
}

export async function putIcon(
  env: Env,
  scope: number,
  id: string,
  kind: PictureKind,
  bytes: Uint8Array,
): Promise<StoredUpload> {
  const object = new Uint8Array(ICON_HEAD + bytes.length);
  object.set(new TextEncoder().encode(ICON_MAGIC));
  object[4] = ICON_VERSION;
  object[5] = kind === "png" ? 1 : 2;
  object.set(bytes, ICON_HEAD);
  return stored(id, (await env.GEODATA.put(keyOf(scope, "icons", id), object)) as R2Object);
}

/** An uploaded icon's file; undefined when there is none. */
export async function getIcon(env: Env, scope: number, id: string): Promise<Uint8Array | undefined> {
  const object = await env.GEODATA.get(keyOf(scope, "icons", id));
  if (!object) return undefined;
  const bytes = new Uint8Array(await object.arrayBuffer());
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== ICON_MAGIC || bytes[4] !== ICON_VERSION)
    throw new Error(`${keyOf(scope, "icons", id)} is no icon of version ${ICON_VERSION}`);
  return bytes.subarray(ICON_HEAD);
}

export async function putStyle(env: Env, scope: number, id: string, style: MapStyle): Promise<StoredUpload> {
  const text = JSON.stringify({ format: STYLE_FORMAT, version: STYLE_VERSION, style });
  return stored(id, (await env.GEODATA.put(keyOf(scope, "styles", id), text)) as R2Object);
}

export async function getStyle(
  env: Env,
  scope: number,
  id: string,
): Promise<{ style: MapStyle; etag: string; updatedAt: Date; bytes: number } | undefined> {
  const object = await env.GEODATA.get(keyOf(scope, "styles", id));
  if (!object) return undefined;
  const { format, version, style } = (await object.json()) as { format: string; version: number; style: MapStyle };
  if (format !== STYLE_FORMAT || version !== STYLE_VERSION)
    throw new Error(`${keyOf(scope, "styles", id)} is no style of version ${STYLE_VERSION}`);
  return { style, etag: object.etag, updatedAt: object.uploaded, bytes: object.size };
}

/** A name for what is stored now: another upload, another tag; undefined when there is nothing. */
export async function uploadTag(env: Env, scope: number, kind: Upload, id: string): Promise<string | undefined> {
  return (await env.GEODATA.head(keyOf(scope, kind, id)))?.etag;
}

/** false: there was none. */
export async function deleteUpload(env: Env, scope: number, kind: Upload, id: string): Promise<boolean> {
  const key = keyOf(scope, kind, id);
  if (!(await env.GEODATA.head(key))) return false;
  await env.GEODATA.delete(key);
  return true;
}

export async function listUploads(env: Env, scope: number, kind: Upload): Promise<StoredUpload[]> {
  const prefix = keyOf(scope, kind, "");
  const { objects } = await env.GEODATA.list({ prefix, limit: MAX_UPLOADS });
  return objects.map((object) => stored(object.key.slice(prefix.length), object));
}

function stored(id: string, { size, uploaded }: { size: number; uploaded: Date }): StoredUpload {
  return { id, bytes: size, updatedAt: uploaded };
}
