import { isShipped } from "../../core/maps/fonts/fonts.ts";
import { shapeText } from "../../core/maps/text/shape-text.ts";
import { type HanForm, hanFormAt, hanFormOf, isIdeograph, toCapitals, unitOf } from "../../core/maps/text/units.ts";
import type { Properties } from "../../core/maps/tiles/mvt.ts";
import { MAX_LATITUDE, WORLD_SIZE } from "../../core/maps/tiles/plane.ts";
import { tileId } from "../../core/maps/tiles/tile-id.ts";

const FORM_OF_LANGUAGE: Readonly<Record<string, HanForm>> = { "name:zh": "zh", "name:ja": "ja", "name:ko": "ko" };

/** How many names have a unit, and the first tile that has one of them, so that neighbours can be together (tile-id.ts, zoom 6). */
export interface UnitUse {
  names: number;
  place: number;
}

/** As it travels between threads and is kept; drawings kept by imports of 0.2.0 have no place. */
export type ListedUnit = readonly [unit: string, names: number, place?: number];

export function addUnits(units: Map<string, UnitUse>, more: Iterable<ListedUnit>): void {
  for (const [unit, names, place = 0] of more) {
    const known = units.get(unit);
    if (!known) units.set(unit, { names, place });
    else {
      known.names += names;
      // Whichever thread comes first, the outcome is the same.
      known.place = Math.min(known.place, place);
    }
  }
}

export const listUnits = (units: ReadonlyMap<string, UnitUse>): ListedUnit[] =>
  [...units].map(([unit, { names, place }]) => [unit, names, place]);

const PLACE_ZOOM = 6;

function placeOf(x: number, y: number): number {
  const side = 2 ** PLACE_ZOOM;
  const within = (value: number) => Math.max(0, Math.min(side - 1, Math.floor((value / WORLD_SIZE) * side)));
  return tileId(PLACE_ZOOM, within(x), within(y));
}

/** The units of names that do not ship with the Worker, with the names that have them. */
export class NameUnits {
  readonly counts = new Map<string, UnitUse>();

  /** @param x of the feature, on the plane */
  add(properties: Properties, x: number, y: number): void {
    for (const key in properties) {
      if (key !== "name" && key !== "addr_housenumber" && !key.startsWith("name:")) continue;
      const name = properties[key];
      if (typeof name !== "string" || !BEYOND.test(name)) continue;
      const otherwise = FORM_OF_LANGUAGE[key] ?? hanFormAt((x / WORLD_SIZE) * 360 - 180, latitudeOf(y));
      const form = hanFormOf(name, otherwise);
      const found = new Set<string>();
      for (const text of [name, toCapitals(name)]) {
        for (const character of shapeText(text)) {
          const code = character.codePointAt(0) as number;
          if (code <= 0x20 || isShipped(code)) continue;
          const unit = unitOf(code);
          found.add(isIdeograph(unit) ? `${form}:${unit}` : unit);
          // Interactive maps write character by character.
          if (unit.length > 1) for (const one of unit) if (!JOINER.test(one)) found.add(one);
        }
      }
      addUnits(
        this.counts,
        [...found].map((unit): ListedUnit => [unit, 1, placeOf(x, y)]),
      );
    }
  }
}

/** All that is not Latin; most names are. */
const BEYOND = /[\u0250-\uffff]/;

const JOINER = /[\u200c\u200d]/;

function latitudeOf(y: number): number {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / WORLD_SIZE))) * 180) / Math.PI;
  return Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
}
