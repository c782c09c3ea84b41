import { WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import { LARGE_CAPITAL, settlementZoom, townRank } from "../features/places.ts";

/** A town of the world base on the plane, before it is known from which zoom it is named. */
export interface RankedTown {
  x: number;
  y: number;
  /** The longest line of its label [letters], and their number. */
  letters: number;
  lines: number;
  /** People as ranked: townWeight(). */
  weight: number;
  isCapital: boolean;
}

/** A label that is placed between those of capitals and those of other towns, from a zoom on. */
export interface Obstacle {
  x: number;
  y: number;
  letters: number;
  minZoom: number;
}

/** An urban area counts for at most so many times the people of its city, or Aalen would be larger than Stuttgart. */
const MAX_URBAN_FACTOR = 3;
/** A number of people that no second name confirms. */
const UNCERTAIN_FACTOR = 0.1;

/** The people by which a town is ranked: those of its urban area, limited by those of the town itself. */
export function townWeight(population: number, urban: number, isUncertain: boolean): number {
  return isUncertain ? population * UNCERTAIN_FACTOR : Math.min(urban, population * MAX_URBAN_FACTOR);
}

/** Zooms are decided in these steps; at higher zooms the map is magnified, and everything has space. */
const FIRST_ZOOM = 2;
const LAST_ZOOM = 8.5;
const ZOOM_STEP = 0.5;

/** Towns within this distance compete: no one is named before a larger one [pixels]. */
const REACH = 48;
/** A town so much larger keeps others from being named within this distance: Utsunomiya does not show before Yokohama [pixels]. */
const FAR_REACH = 80;
const FAR_FACTOR = 2.5;
const FAR_RANK = townRank(1e6, false) - townRank(1e6 / FAR_FACTOR, false);
/** A town without a larger one within this distance [pixels] … */
const LONELY = 130;
/** … may be named so much early [zooms]. */
const MAX_EARLY = 2;

/** About the look of the labels (maps/style/place-labels.ts) [pixels]. */
const LETTER = 6.6;
const HALF_HEIGHT = 8;
/** What a second line adds to it. */
const HALF_LINE = 7;
const DOT = 5;
const COUNTRY_LETTER = 8;
const COUNTRY_HALF_HEIGHT = 11;
const COUNTRY_OFFSET = 17;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * The zoom from which each town is named, in steps of half a zoom; Infinity if it is not. At each step the towns are placed as the
 * map places them, larger ones first. One whose label has no space is not named yet, and keeps all smaller ones within reach
 * from being named before it.
 * @param towns larger ones first
 */
export function townZooms(towns: readonly RankedTown[], obstacles: readonly Obstacle[]): Float64Array {
  const zooms = new Float64Array(towns.length).fill(Number.POSITIVE_INFINITY);
  for (let zoom = FIRST_ZOOM; zoom <= LAST_ZOOM; zoom += ZOOM_STEP) {
    const pixels = (512 * 2 ** zoom) / WORLD_SIZE;
    const boxes = new Grid<Box>(160);
    const waiting = new Grid<number>(FAR_REACH);
    const larger = new Grid<true>(LONELY);
    const placeShown = (town: RankedTown, i: number) => {
      if (zooms[i] > zoom) return;
      const [px, py] = [town.x * pixels, town.y * pixels];
      boxes.add(px, py, freeLabel(boxes, px, py, town) ?? labelsAt(px, py, town)[0]);
    };
    const placeNew = (town: RankedTown, i: number) => {
      const { weight, isCapital } = town;
      const rank = townRank(weight, isCapital);
      const [px, py] = [town.x * pixels, town.y * pixels];
      if (zooms[i] > zoom) {
        const usual = settlementZoom(weight, isCapital) - EARLIER;
        const early = isSmallCapital(town) ? 0 : MAX_EARLY;
        const isDue = usual <= zoom || (usual <= zoom + early && !larger.anyWithin(px, py, LONELY));
        const isAfter = (distance: number, other: number) => distance < REACH || other >= rank + FAR_RANK;
        const label =
          isDue && !waiting.anyWithin(px, py, FAR_REACH, isAfter) ? freeLabel(boxes, px, py, town) : undefined;
        if (label) {
          zooms[i] = zoom;
          boxes.add(px, py, label);
        } else waiting.add(px, py, rank);
      }
      larger.add(px, py, true);
    };
    // Capitals move the names of countries aside. Large ones are before all else, small ones among the other towns.
    const each = (isFirst: boolean, place: (town: RankedTown, i: number) => void) =>
      towns.forEach((town, i) => {
        if ((town.isCapital && !isSmallCapital(town)) === isFirst) place(town, i);
      });
    each(true, placeShown);
    each(true, placeNew);
    const reserved = new Grid<Box>(160);
    for (const town of towns) {
      if (!isSmallCapital(town) || settlementZoom(town.weight, true) - EARLIER > zoom) continue;
      const [px, py] = [town.x * pixels, town.y * pixels];
      reserved.add(px, py, labelsAt(px, py, town)[0]);
    }
    for (const country of obstacles) {
      if (country.minZoom > zoom || zoom >= 7) continue;
      const [px, py] = [country.x * pixels, country.y * pixels];
      const labels = countryLabels(px, py, country).filter((one) => boxes.isFree(one));
      const free = labels.find((one) => reserved.isFree(one)) ?? labels[0];
      if (free) boxes.add(px, py, free);
    }
    each(false, placeShown);
    each(false, placeNew);
  }
  return zooms;
}

const isSmallCapital = ({ isCapital, weight }: RankedTown) => isCapital && weight < LARGE_CAPITAL;

/** The name of a country at its place, below and above it. */
function countryLabels(x: number, y: number, { letters }: Obstacle): Box[] {
  const half = (letters * COUNTRY_LETTER) / 2;
  return [0, 1, -1].map((side) => {
    const middle = y + side * (COUNTRY_HALF_HEIGHT + COUNTRY_OFFSET);
    return box(x - half, x + half, middle - COUNTRY_HALF_HEIGHT, middle + COUNTRY_HALF_HEIGHT);
  });
}

/** Maps show a town this much before its zoom (maps/style/place-labels.ts). */
export const EARLIER = 0.6;

const box = (left: number, right: number, top: number, bottom: number): Box => ({ left, right, top, bottom });

/** The label right of, left of, below and above its dot, each with the dot. */
function labelsAt(x: number, y: number, { letters, lines }: Label): Box[] {
  const width = letters * LETTER + 2 * DOT;
  const half = HALF_HEIGHT + HALF_LINE * (lines - 1);
  return [
    box(x - DOT, x + width, y - half, y + half),
    box(x - width, x + DOT, y - half, y + half),
    box(x - width / 2, x + width / 2, y - DOT, y + DOT + 2 * half),
    box(x - width / 2, x + width / 2, y - DOT - 2 * half, y + DOT),
  ];
}

type Label = Pick<RankedTown, "letters" | "lines">;

const freeLabel = (boxes: Grid<Box>, x: number, y: number, label: Label): Box | undefined =>
  labelsAt(x, y, label).find((one) => boxes.isFree(one));

/** Things by their place, in square cells. */
class Grid<Thing> {
  readonly #cells = new Map<number, { x: number; y: number; thing: Thing }[]>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  add(x: number, y: number, thing: Thing): void {
    const key = this.#key(Math.floor(x / this.#size), Math.floor(y / this.#size));
    const cell = this.#cells.get(key);
    if (cell) cell.push({ x, y, thing });
    else this.#cells.set(key, [{ x, y, thing }]);
  }

  anyWithin(x: number, y: number, reach: number, counts?: (distance: number, thing: Thing) => boolean): boolean {
    for (const one of this.#near(x, y, reach)) {
      const distance = Math.hypot(one.x - x, one.y - y);
      if (distance < reach && (counts?.(distance, one.thing) ?? true)) return true;
    }
    return false;
  }

  /** A label reaches at most a cell from its town. */
  isFree(this: Grid<Box>, { left, right, top, bottom }: Box): boolean {
    const reach = (right - left) / 2 + this.#size;
    for (const { thing } of this.#near((left + right) / 2, (top + bottom) / 2, reach))
      if (thing.left < right && thing.right > left && thing.top < bottom && thing.bottom > top) return false;
    return true;
  }

  *#near(x: number, y: number, reach: number) {
    const at = (value: number) => Math.floor(value / this.#size);
    for (let row = at(y - reach); row <= at(y + reach); row++)
      for (let column = at(x - reach); column <= at(x + reach); column++)
        yield* this.#cells.get(this.#key(column, row)) ?? [];
  }

  #key(column: number, row: number): number {
    return row * 0x200000 + column;
  }
}
