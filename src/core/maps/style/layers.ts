import { borderLayers } from "./border-layers.ts";
import { groundLayers } from "./ground-layers.ts";
import { labelLayers } from "./label-layers.ts";
import type { Palette } from "./palettes.ts";
import { roadLayers } from "./road-layers.ts";
import type { StyleLayer } from "./style.ts";

/** The layers of a built-in style over tiles in the Protomaps basemap schema v4, from the ground up. */
export function styleLayers(palette: Palette, language: string | undefined, transit: boolean): StyleLayer[] {
  return [
    ...groundLayers(palette),
    ...roadLayers(palette, transit),
    ...borderLayers(palette),
    ...labelLayers(palette, language),
  ];
}
