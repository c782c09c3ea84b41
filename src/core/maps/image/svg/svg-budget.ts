import { ImageError } from "../../base/examined-image.ts";
import type { SvgElement } from "./read-svg.ts";
import { MAX_NUMBER, numbersOf } from "./svg-numbers.ts";
import { readReference } from "./svg-reference.ts";

/**
 * Cost of drawing an image once every reference is followed: five levels of ten copies are a file of a kilobyte and
 * 100,000 shapes. Each element costs its own shapes, and everything it refers to (copies, clips, masks, gradients) once
 * per reference.
 */
interface Cost {
  elements: number;
  /**
   * Numbers of geometry: a path's corners. They have four times the weight in a stroked path, because a stroke has a
   * separate outline at each corner.
   */
  numbers: number;
  /** Layers that are drawn separately and composited: opacity, clips and masks. */
  layers: number;
  /** Of dashed lines, estimated. */
  dashes: number;
}

interface Expanded extends Cost {
  /** The sum of the absolute values of all numbers of the geometry. */
  reach: number;
}

/** Together they keep the worst image below a third of a second at 192 × 192 pixels (test/core/maps/picture.test.ts). */
const BUDGET: Cost = { elements: 4000, numbers: 12_000, layers: 40, dashes: 50_000 };
const NAMES: Record<keyof Cost, string> = {
  elements: "elements",
  numbers: "numbers in paths, those of strokes four times",
  layers: "opacities, clips and masks",
  dashes: "dashes",
};

/** Attributes that need a separate layer. */
const LAYERED = ["opacity", "clip-path", "mask"];
const GEOMETRY = ["d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height"];

/** @throws ImageError when it costs more than the budget, or an element refers to itself */
export function checkBudget(root: SvgElement): void {
  const byId = new Map<string, SvgElement>();
  collect(root, byId);
  const cost = new Expansion(byId).costOf(root);
  for (const name of Object.keys(BUDGET) as (keyof Cost)[]) {
    if (cost[name] > BUDGET[name])
      throw new ImageError(`An SVG may have up to ${BUDGET[name]} ${NAMES[name]}, all copies counted.`);
  }
}

function collect(element: SvgElement, byId: Map<string, SvgElement>): void {
  const id = element.attributes.get("id");
  // Of two elements with the same id, the first is meant.
  if (id !== undefined && !byId.has(id)) byId.set(id, element);
  for (const child of element.children) collect(child, byId);
}

class Expansion {
  readonly #byId: ReadonlyMap<string, SvgElement>;
  readonly #known = new Map<SvgElement, Expanded>();
  readonly #open = new Set<SvgElement>();

  constructor(byId: ReadonlyMap<string, SvgElement>) {
    this.#byId = byId;
  }

  costOf(element: SvgElement): Expanded {
    const known = this.#known.get(element);
    if (known) return known;
    if (this.#open.has(element)) throw new ImageError("An SVG's elements may not refer to themselves.");
    this.#open.add(element);
    const cost = ownCost(element);
    for (const child of element.children) add(cost, this.costOf(child));
    for (const target of this.#targets(element)) add(cost, this.costOf(target));
    if (isStroked(element)) cost.numbers *= STROKE;
    cost.dashes += cost.reach * dashesPerUnit(element);
    this.#open.delete(element);
    this.#known.set(element, cost);
    return cost;
  }

  #targets({ attributes }: SvgElement): SvgElement[] {
    const found: SvgElement[] = [];
    for (const [name, value] of attributes) {
      const id = name === "href" ? value.replace(/^\s*#/, "").trim() : readReference(value)?.id;
      const target = id === undefined ? undefined : this.#byId.get(id);
      if (target) found.push(target);
    }
    return found;
  }
}

function ownCost({ name, attributes }: SvgElement): Expanded {
  const numbers = GEOMETRY.flatMap((attribute) => extents(attributes.get(attribute) ?? ""));
  let layers = LAYERED.filter((attribute) => attributes.has(attribute)).length;
  // A nested image is clipped to its box; a clip or mask is drawn separately.
  if (["svg", "symbol", "clipPath", "mask"].includes(name)) layers++;
  return {
    elements: 1,
    numbers: numbers.length,
    layers,
    dashes: 0,
    reach: numbers.reduce((sum, value) => sum + value, 0),
  };
}

/** The absolute values of a geometry attribute; a unit or a percentage is treated as its maximum. */
function extents(value: string): number[] {
  const factor = value.endsWith("%") ? MAX_NUMBER : /[a-z]$/i.test(value) && !/^m/i.test(value) ? INCH : 1;
  return numbersOf(value).map((number) => Math.abs(number) * factor);
}

const STROKE = 4;

/** Lines inherit the stroke of their group. */
function isStroked({ attributes }: SvgElement): boolean {
  return (attributes.get("stroke") ?? "none") !== "none";
}

/** Pixels of the largest unit. */
const INCH = 96;

/**
 * Dashes per unit of a line; lines inherit the pattern of their group. 0: not dashed. A line is at most as long as the
 * path from the origin to each of its corners and back, an arc at most 2π of its radius: both less than seven times all
 * numbers.
 */
function dashesPerUnit({ attributes }: SvgElement): number {
  const pattern = numbersOf(attributes.get("stroke-dasharray") ?? "");
  const period = pattern.reduce((sum, value) => sum + Math.abs(value), 0);
  return period === 0 ? 0 : (7 * pattern.length) / period;
}

function add(to: Expanded, more: Expanded): void {
  for (const name of Object.keys(to) as (keyof Expanded)[]) to[name] += more[name];
}
