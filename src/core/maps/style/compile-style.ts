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
 * @param isKnown a built-in style, which need not be checked
 * @throws StyleError naming the layer and property that cannot be read
 */
export function compileStyle(style: MapStyle, isKnown = false): CompiledStyle {
  if (typeof style !== "object" || style === null || !Array.isArray(style.layers))
    throw new StyleError("A style is an object with layers.");
  if (style.version !== 8) throw new StyleError("version must be 8.");
  if (style.layers.length > MAX_LAYERS) throw new StyleError(`A style may have up to ${MAX_LAYERS} layers.`);
  const layers: Layer[] = [];
  for (const layer of style.layers) {
    if (typeof layer !== "object" || layer === null || typeof layer.id !== "string")
      throw new StyleError("Every layer needs an id.");
    if (PASSED_OVER.includes(layer.type)) continue;
    if (!LAYER_TYPES.includes(layer.type))
      throw new StyleError(`Layer ${layer.id}: type ${layer.type} is not supported.`);
    if (layer.layout?.visibility === "none") continue;
    layers.push(new Layer(layer));
  }
  if (!isKnown) {
    for (const layer of layers) {
      for (const name of layer.given) layer.property(name);
      layer.filter({ zoom: 0, type: 0, tags: {} });
    }
  }
  return { layers, sourceLayers: new Set(layers.map(({ sourceLayer }) => sourceLayer)) };
}

/** A layer whose filter and properties are compiled when a map first needs them: most maps use a part of a style. */
class Layer implements CompiledLayer {
  readonly id: string;
  readonly type: CompiledLayer["type"];
  readonly sourceLayer: string;
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly given: readonly string[];
  readonly #json: StyleLayer;
  readonly #written: ReadonlyMap<string, Json>;
  readonly #properties = new Map<string, Property>();
  #filter: CompiledLayer["filter"] | undefined;
  #filterReadsZoom: boolean | undefined;

  constructor(layer: StyleLayer) {
    const written = Object.entries({ ...layer.layout, ...layer.paint });
    this.#json = layer;
    this.#written = new Map(written.filter(([, json]) => json !== null && json !== undefined));
    this.id = layer.id;
    this.type = layer.type;
    this.sourceLayer = layer["source-layer"] ?? "";
    // Fits of the whole world on small images are below zoom 0, where styles begin.
    this.minzoom = layer.minzoom || Number.NEGATIVE_INFINITY;
    this.maxzoom = layer.maxzoom ?? 99;
    this.given = [...this.#written.keys()];
  }

  get filter(): CompiledLayer["filter"] {
    try {
      this.#filter ??= compileFilter(this.#json.filter);
      return this.#filter;
    } catch (error) {
      throw unreadable(this.id, "filter", error);
    }
  }

  get filterReadsZoom(): boolean {
    this.#filterReadsZoom ??= mentions(this.#json.filter ?? true, READS_ZOOM);
    return this.#filterReadsZoom;
  }

  property(name: string): Property {
    const known = this.#properties.get(name);
    if (known) return known;
    const json = this.#written.get(name);
    const property = json === undefined ? ABSENT : this.#compiled(name, json);
    this.#properties.set(name, property);
    return property;
  }

  #compiled(name: string, json: Json): Property {
    if (name.endsWith("-color") && typeof json === "string" && !parseColor(json))
      throw new StyleError(`Layer ${this.id}, ${name}: ${JSON.stringify(json)} is no colour.`);
    try {
      const list =
        LISTS.has(name) &&
        Array.isArray(json) &&
        json.every((part) => typeof part !== "object") &&
        !isOperator(json[0]);
      const evaluate = compile(list ? ["literal", json] : json);
      return { given: true, constant: !mentions(json, READS_FEATURE), evaluate };
    } catch (error) {
      throw unreadable(this.id, name, error);
    }
  }
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
