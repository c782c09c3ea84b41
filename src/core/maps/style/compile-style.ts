import { parseColor } from "../base/color.ts";
import {
  compile,
  compileFilter,
  type Evaluate,
  isOperator,
  type Json,
  StyleError,
  type Subject,
} from "./expression.ts";
import type { MapStyle, StyleLayer } from "./style.ts";

/** A style ready to draw: expressions compiled, colors checked. */
export interface CompiledStyle {
  layers: CompiledLayer[];
  /** Layers of the tiles that it draws from. */
  sourceLayers: ReadonlySet<string>;
}

export interface CompiledLayer {
  id: string;
  type: StyleLayer["type"];
  sourceLayer: string;
  minzoom: number;
  maxzoom: number;
  filter: (subject: Subject) => boolean;
  /** Otherwise it says the same of a feature at every zoom. */
  filterReadsZoom: boolean;
  property(name: string): Property;
  /** Names of the properties that were set. */
  given: readonly string[];
}

interface Property {
  /** Whether it was set at all. */
  given: boolean;
  /** Does not depend on the feature: one value for the layer at a zoom. */
  constant: boolean;
  evaluate: Evaluate;
}

const ABSENT: Property = { given: false, constant: true, evaluate: () => undefined };
const LAYER_TYPES = ["background", "fill", "line", "circle", "symbol"];
/** Layers that have no effect on a flat vector map: accepted, and not drawn. */
const PASSED_OVER = ["raster", "hillshade", "heatmap", "fill-extrusion", "sky", "color-relief"];
const MAX_LAYERS = 500;
/** Properties that are lists, which may be written as such. */
const LISTS = new Set(["line-dasharray", "text-font", "text-offset", "text-variable-anchor", "icon-offset"]);

/**
 * Reads a style of the subset.
 * @throws StyleError naming the layer and property that cannot be read
 */
export function compileStyle(style: MapStyle): CompiledStyle {
  if (typeof style !== "object" || style === null || !Array.isArray(style.layers))
    throw new StyleError("A style is an object with layers.");
  if (style.version !== 8) throw new StyleError("version must be 8.");
  if (style.layers.length > MAX_LAYERS) throw new StyleError(`A style may have up to ${MAX_LAYERS} layers.`);
  const layers: CompiledLayer[] = [];
  for (const layer of style.layers) {
    if (typeof layer !== "object" || layer === null || typeof layer.id !== "string")
      throw new StyleError("Every layer needs an id.");
    if (PASSED_OVER.includes(layer.type)) continue;
    if (!LAYER_TYPES.includes(layer.type))
      throw new StyleError(`Layer ${layer.id}: type ${layer.type} is not supported.`);
    if (layer.layout?.visibility === "none") continue;
    layers.push(compileLayer(layer));
  }
  return { layers, sourceLayers: new Set(layers.map(({ sourceLayer }) => sourceLayer)) };
}

function compileLayer(layer: StyleLayer): CompiledLayer {
  const properties = new Map<string, Property>();
  for (const [name, json] of Object.entries({ ...layer.layout, ...layer.paint })) {
    if (json === null || json === undefined) continue;
    try {
      const list =
        LISTS.has(name) &&
        Array.isArray(json) &&
        json.every((part) => typeof part !== "object") &&
        !isOperator(json[0]);
      const evaluate = compile(list ? ["literal", json] : json);
      properties.set(name, { given: true, constant: !mentions(json, READS_FEATURE), evaluate });
    } catch (error) {
      throw unreadable(layer.id, name, error);
    }
    if (name.endsWith("-color") && typeof json === "string" && !parseColor(json))
      throw new StyleError(`Layer ${layer.id}, ${name}: ${JSON.stringify(json)} is no colour.`);
  }
  let filter: CompiledLayer["filter"];
  try {
    filter = compileFilter(layer.filter);
  } catch (error) {
    throw unreadable(layer.id, "filter", error);
  }
  return {
    id: layer.id,
    type: layer.type,
    sourceLayer: layer["source-layer"] ?? "",
    // Fits of the whole world on small images are below zoom 0, where styles begin.
    minzoom: layer.minzoom || Number.NEGATIVE_INFINITY,
    maxzoom: layer.maxzoom ?? 99,
    filter,
    filterReadsZoom: mentions(layer.filter ?? true, READS_ZOOM),
    property: (name) => properties.get(name) ?? ABSENT,
    given: [...properties.keys()],
  };
}

/** An expression with too few arguments fails in its own way. */
export function unreadable(layer: string, property: string, error: unknown): StyleError {
  const why = error instanceof StyleError ? error.message : "The expression cannot be evaluated.";
  return new StyleError(`Layer ${layer}, ${property}: ${why}`);
}

const READS_FEATURE = new Set(["get", "has", "!has", "geometry-type", "id", "properties"]);
const READS_ZOOM = new Set(["zoom"]);

/** Returns whether an expression contains one of these operators. */
function mentions(json: Json, operators: ReadonlySet<string>): boolean {
  if (!Array.isArray(json)) return false;
  if (json[0] === "literal") return false;
  return operators.has(json[0] as string) || (json as readonly Json[]).some((part) => mentions(part, operators));
}
