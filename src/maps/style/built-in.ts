import { type Icon, iconsOf } from "./icons.ts";
import { styleLayers } from "./layers.ts";
import { PALETTES, type StyleName } from "./palettes.ts";
import type { MapStyle } from "./style.ts";

/** Changes with every change of what the built-in styles draw: it is part of a map's ETag. */
export const STYLES_VERSION = 1;

/**
 * A built-in style as MapLibre style layers; sources, glyphs and sprite are the caller's to add.
 * @param language names in this language (`name:de`) where the tiles have them
 */
export function builtInStyle(name: StyleName, language?: string): MapStyle {
  return { version: 8, name, layers: styleLayers(PALETTES[name], language) };
}

/** The icons a built-in style names. */
export function builtInIcons(name: StyleName): Record<string, Icon> {
  return iconsOf(PALETTES[name]);
}
