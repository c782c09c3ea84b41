import { type CompiledStyle, compileStyle, unreadable } from "./compile-style.ts";
import { StyleError, type Subject } from "./expression.ts";
import type { Icon } from "./icons.ts";
import { MAX_SHIELD_TEXT } from "./icons.ts";
import type { MapStyle } from "./style.ts";

/** Nesting of a style: expressions are compiled by recursion. */
const MAX_DEPTH = 40;

/**
 * An uploaded style, checked and compiled.
 * @throws StyleError with the layer and the property
 */
export function readStyle(style: MapStyle): CompiledStyle {
  if (depthOf(style, 0) > MAX_DEPTH) throw new StyleError(`A style may be nested up to ${MAX_DEPTH} deep.`);
  const compiled = compileStyle(style);
  for (const subject of PROBES) probe(compiled, subject);
  return compiled;
}

/** Sample features on which a style is evaluated, so that a failing expression fails before any map is drawn. */
const PROBES: readonly Subject[] = [
  { zoom: 0, type: 1, tags: {} },
  { zoom: 14.5, type: 2, tags: { kind: "highway", name: "A", oneway: "yes", shield_text: "1", min_zoom: 3 } },
  { zoom: 22, type: 3, tags: { kind: "park", name: "B", height: 3 } },
];

function probe({ layers }: CompiledStyle, subject: Subject): void {
  for (const layer of layers) {
    let property = "filter";
    try {
      layer.filter(subject);
      for (property of layer.given) layer.property(property).evaluate(subject);
    } catch (error) {
      throw unreadable(layer.id, property, error);
    }
  }
}

function depthOf(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return depth;
  let deepest = depth;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, depth + 1));
  return deepest;
}

/** The built-in icons, also by the names that styles for Protomaps tiles use. */
export function iconsForOthers(icons: Readonly<Record<string, Icon>>): Record<string, Icon> {
  const all: Record<string, Icon> = { ...icons, townspot: icons.town };
  for (let length = 1; length <= MAX_SHIELD_TEXT; length++) {
    all[`generic_shield-${length}char`] = icons[`shield-${length}`];
    for (const network of ["US:I", "US:US", "NL:S-road"]) all[`${network}-${length}char`] = icons[`motorway-${length}`];
  }
  return all;
}
