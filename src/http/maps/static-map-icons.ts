import type { Env } from "../../env.ts";
import { BoundedCache } from "../../geo/bounded-cache.ts";
import { makeMarkerIcon } from "../../maps/image/marker-icon.ts";
import type { MarkerIcon } from "../../maps/overlay.ts";
import type { Caller } from "../serve/caller.ts";
import { fetchIcon } from "./static-map-icon-fetch.ts";
import { getIcon, uploadTag } from "./static-map-store.ts";

/** The pictures that markers name. */
export interface IconSource {
  /** Of the uploaded ones: another version, another picture. */
  version: string;
  /** The pictures at a scale; `failed` counts the names that stay without. Call when the rasteriser is ready. */
  load(scale: number): Promise<{ icons: ReadonlyMap<string, MarkerIcon>; failed: number }>;
}

/** Ids of uploads: what can be a part of a path anywhere. */
export const UPLOAD_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Fetched files are believed for so long [ms]; a failure for less, as it may be of the moment. */
const FRESH_MS = 600_000;
const FAILED_MS = 20_000;
const files = new BoundedCache(2 * 1024 * 1024);

interface KeptFile {
  bytes: Uint8Array | undefined;
  until: number;
}

/** What the markers' `icon` options name: URLs, or ids of uploads. */
export async function iconsFor(
  env: Env,
  { scope }: Caller,
  given: readonly string[],
  now: number,
): Promise<IconSource> {
  const names = [...new Set(given)].sort();
  const tags = await Promise.all(
    names.map(async (name) => (isUrl(name) || !UPLOAD_ID.test(name) ? "" : await uploadTag(env, scope, "icons", name))),
  );
  return {
    version: tags.join(","),
    async load(scale) {
      const icons = new Map<string, MarkerIcon>();
      await Promise.all(
        names.map(async (name, i) => {
          if (tags[i] === undefined || (!isUrl(name) && !UPLOAD_ID.test(name))) return;
          const bytes = await fileOf(env, scope, name, `${scope}/${name}/${tags[i]}`, now);
          if (!bytes) return;
          try {
            icons.set(name, makeMarkerIcon(bytes, scale));
          } catch {
            // What cannot be drawn is a default marker, and counted.
          }
        }),
      );
      return { icons, failed: names.length - icons.size };
    },
  };
}

const isUrl = (name: string) => /^[a-z][a-z0-9+.-]*:/i.test(name);

async function fileOf(
  env: Env,
  scope: number,
  name: string,
  key: string,
  now: number,
): Promise<Uint8Array | undefined> {
  const known = files.get(key)?.value as KeptFile | undefined;
  if (known && known.until > now) return known.bytes;
  let bytes: Uint8Array | undefined;
  try {
    bytes = isUrl(name) ? await fetchIcon(name) : await getIcon(env, scope, name);
  } catch {
    bytes = undefined;
  }
  files.put(key, { bytes, until: now + (bytes ? FRESH_MS : FAILED_MS) } satisfies KeptFile, (bytes?.length ?? 0) + 300);
  return bytes;
}
