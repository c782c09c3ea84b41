import { crc32c } from "../../geo/bytes/crc32c.ts";
import { type Icon, iconsOf } from "./icons.ts";
import { styleLayers } from "./layers.ts";
import { PALETTES, type StyleName } from "./palettes.ts";
import type { MapStyle } from "./style.ts";

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

const versions = new Map<StyleName, string>();

/**
 * Version of the output of a built-in style, layers and icons: it is part of the ETags of maps and sprites, and is a
 * hash of the style itself, so that it always changes with the style.
 */
export function styleVersion(name: StyleName): string {
  let version = versions.get(name);
  if (version === undefined) {
    const text = JSON.stringify([builtInStyle(name), builtInStyle(name, "xx", true), builtInIcons(name)]);
    version = crc32c(new TextEncoder().encode(text)).toString(16);
    versions.set(name, version);
  }
  return version;
}
