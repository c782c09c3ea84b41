import { type Icon, iconsOf } from "./icons.ts";
import { styleLayers } from "./layers.ts";
import { PALETTES, type StyleName } from "./palettes.ts";
import type { MapStyle } from "./style.ts";
import VERSIONS from "./versions.json" with { type: "json" };

/**
 * A built-in style as MapLibre style layers; sources, glyphs and sprite are the caller's to add.
 * @param language names in this language (`name:de`) where the tiles have them
 * @param transit railways and lines of transit below zoom 12 too
 */
export function builtInStyle(name: StyleName, language?: string, transit = false): MapStyle {
  return { version: 8, name, layers: styleLayers(PALETTES[name], language, transit) };
}

/** The icons a built-in style names. */
export function builtInIcons(name: StyleName): Record<string, Icon> {
  return iconsOf(PALETTES[name]);
}

/**
 * Version of the output of a built-in style, layers and icons: it is part of the ETags of maps and sprites. The table has a hash of each style;
 * computing it took 15 ms of an isolate's first map (test/core/maps/versions.test.ts writes it).
 */
export const styleVersion = (name: StyleName): string => VERSIONS[name];
