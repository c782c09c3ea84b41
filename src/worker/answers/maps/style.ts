import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { isDark } from "../../../core/maps/scene.ts";
import { builtInIcons, builtInStyle, styleVersion } from "../../../core/maps/style/built-in.ts";
import { type CompiledStyle, compileStyle } from "../../../core/maps/style/compile-style.ts";
import type { Icon } from "../../../core/maps/style/icons.ts";
import { DEFAULT_STYLE, STYLE_NAMES, type StyleName } from "../../../core/maps/style/palettes.ts";
import { iconsForOthers, readStyle } from "../../../core/maps/style/read-style.ts";
import type { MapStyle } from "../../../core/maps/style/style.ts";
import { withTerrain } from "../../../core/maps/terrain/terrain-style.ts";
import { TERRAIN_VERSION } from "../../../core/maps/terrain/terrain-tile.ts";
import { HAN_FORMS, type HanForm } from "../../../core/maps/text/units.ts";
import type { Env } from "../../platform/env.ts";
import { invalid } from "../../platform/errors.ts";
import { UPLOAD_ID } from "./icons.ts";
import { getStyle, uploadTag } from "./uploads.ts";

/** A style ready to draw with. */
export interface ReadyStyle {
  style: CompiledStyle;
  icons: Readonly<Record<string, Icon>>;
  /** Regional form of ideographs for ambiguous text, by the requested language. */
  form?: HanForm;
  /** Version, for the ETag. */
  version: string;
}

/** What a caller requests of a built-in style. */
export interface StyleWishes {
  language?: string | undefined;
  transit?: boolean | undefined;
  /** "terrain". */
  layers?: readonly string[] | undefined;
}

/** A style as requested: with hills, unless an uploaded style draws them itself. */
export function withLayers(style: MapStyle, wishes: StyleWishes): MapStyle {
  const hasOwn = style.layers.some(({ "source-layer": layer }) => layer === "hillshade" || layer === "contour");
  if (!wantsTerrain(wishes) || hasOwn) return style;
  return { ...style, layers: withTerrain(style.layers, isDark(compileStyle(style, true), TERRAIN_LOOK_ZOOM)) };
}

export const wantsTerrain = ({ layers }: StyleWishes): boolean => layers?.includes("terrain") ?? false;

/** The zoom at which a style is seen to be light or dark. */
const TERRAIN_LOOK_ZOOM = 12;

/** Cached compiled styles. */
const MAX_KEPT = 30;
const kept = new BoundedMap<string, ReadyStyle>(MAX_KEPT);

/** Returns the built-in or uploaded style with this name; 400 if there is none. */
export async function styleFor(
  env: Env,
  { scope }: { scope: number },
  name: string,
  wishes: StyleWishes = {},
): Promise<ReadyStyle> {
  const { language, transit = false } = wishes;
  const more = wantsTerrain(wishes) ? `/terrain${TERRAIN_VERSION}` : "";
  if (isBuiltIn(name)) {
    const version = `${name}.${styleVersion(name)}${more}`;
    return keptOr(`${version}/${language ?? ""}/${transit}`, () => ({
      style: compileStyle(withLayers(builtInStyle(name, language, transit), wishes), true),
      icons: builtInIcons(name),
      form: HAN_FORMS.find((form) => form === language?.slice(0, 2)),
      version,
    }));
  }
  const unknown = () => invalid("style", `Valid values: ${STYLE_NAMES.join(", ")}, and the ids of uploaded styles.`);
  if (!UPLOAD_ID.test(name)) throw unknown();
  const tag = await uploadTag(env, scope, "styles", name);
  if (tag === undefined) throw unknown();
  // Its icons are those of the default style.
  const version = `${scope}/${name}.${tag}.${styleVersion(DEFAULT_STYLE)}${more}`;
  const known = kept.get(version);
  if (known) return known;
  const found = await getStyle(env, scope, name);
  if (!found) throw unknown();
  const icons = iconsForOthers(builtInIcons(DEFAULT_STYLE));
  return keptOr(version, () => ({ style: readStyle(withLayers(found.style, wishes)), icons, version }));
}

function keptOr(key: string, make: () => ReadyStyle): ReadyStyle {
  let ready = kept.get(key);
  if (!ready) {
    ready = make();
    kept.set(key, ready);
  }
  return ready;
}

export function isBuiltIn(name: string): name is StyleName {
  return (STYLE_NAMES as readonly string[]).includes(name);
}
