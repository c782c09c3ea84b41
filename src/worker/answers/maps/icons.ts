import { BoundedCache } from "../../../core/geo/bounded-cache.ts";
import { toBase64 } from "../../../core/maps/image/base64.ts";
import { examineImage } from "../../../core/maps/image/examine-image.ts";
import { type DrawnIcon, drawIcon, ICON_SCALES } from "../../../core/maps/image/marker-icon.ts";
import type { MarkerIcon } from "../../../core/maps/overlay.ts";
import type { Env } from "../../platform/env.ts";
import { fetchIcon } from "./icon-fetch.ts";
import { getIcon, uploadTag } from "./uploads.ts";

/** The images of markers. */
export interface IconSource {
  /** Versions of the uploaded images, for the ETag. */
  version: string;
  /** The images at a scale; `failed` counts those that could not be loaded. Call when the rasterizer is ready. */
  load(scale: number): Promise<{ icons: ReadonlyMap<string, MarkerIcon>; failed: number }>;
}

/** Ids of uploads: valid path segments. */
export const UPLOAD_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Cache time of fetched images [ms]; shorter for failures, which may be temporary. */
const FRESH_MS = 600_000;
const FAILED_MS = 20_000;

/** [bytes] */
const cache = new BoundedCache<KeptIcon>(2 * 1024 * 1024);

interface KeptIcon {
  icon: DrawnIcon | undefined;
  until: number;
}

/** Loads the `icon` options of markers: URLs, or ids of uploads. */
export async function iconsFor(
  env: Env,
  { scope }: { scope: number },
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
          const icon = await iconOf(env, scope, name, `${scope}/${name}/${tags[i]}`, now);
          // An icon that cannot be loaded or drawn becomes a default marker, and is counted.
          if (icon) icons.set(name, markerIcon(icon, scale));
        }),
      );
      return { icons, failed: names.length - icons.size };
    },
  };
}

const isUrl = (name: string) => /^[a-z][a-z0-9+.-]*:/i.test(name);

async function iconOf(env: Env, scope: number, name: string, key: string, now: number): Promise<DrawnIcon | undefined> {
  const known = cache.get(key)?.value;
  if (known && known.until > now) return known.icon;
  let icon: DrawnIcon | undefined;
  try {
    icon = isUrl(name) ? drawIcon(examineImage(await fetchIcon(env, name))) : await getIcon(env, scope, name);
  } catch {
    icon = undefined;
  }
  const bytes = icon?.pngs.reduce((sum, png) => sum + png.length, 0) ?? 0;
  cache.put(key, { icon, until: now + (icon ? FRESH_MS : FAILED_MS) }, bytes + 300);
  return icon;
}

function markerIcon({ width, height, pngs }: DrawnIcon, scale: number): MarkerIcon {
  const png = pngs[(ICON_SCALES as readonly number[]).indexOf(scale)];
  return { href: `data:image/png;base64,${toBase64(png)}`, width, height };
}
