import type { Layer } from "./layer.ts";

/** What an import of extracts builds, in this order. */
export const layers: readonly Layer[] = [];

/** What the build named `world` holds: the same for everybody, from packages, with no extract. */
export const worldLayers: readonly Layer[] = [];
