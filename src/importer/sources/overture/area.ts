import type { FileMetaData, RowGroup } from "hyparquet";
import type { Bounds } from "../../../core/geo/builds/manifest.ts";
import { ImportError } from "../../common/import-error.ts";
import type { Area } from "../../common/overture-source.ts";
import { baseShapes } from "../../world/base.ts";

/** The bounding boxes in files are rounded to 32 bits, and borders of the world base data are coarse [degrees]. */
const MARGIN = 0.02;

export const isWithin = ([west, south, east, north]: Bounds, longitude: number, latitude: number): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/** Boxes that contain a country: one of each part, as a country may reach over the 180th meridian. @throws ImportError */
export function boxesOfCountry(country: string): Bounds[] {
  const shapes = baseShapes().filter(({ kind, code }) => kind === "country" && code === country);
  if (shapes.length === 0)
    throw new ImportError(`--country ${country}: no such country. Use its two letters, such as BR.`);
  return shapes.flatMap(({ rings }) =>
    rings.map((ring): Bounds => {
      let [west, south, east, north] = [180, 90, -180, -90];
      for (const [longitude, latitude] of ring) {
        west = Math.min(west, longitude);
        east = Math.max(east, longitude);
        south = Math.min(south, latitude);
        north = Math.max(north, latitude);
      }
      return [west - MARGIN, south - MARGIN, east + MARGIN, north + MARGIN];
    }),
  );
}

/**
 * The row groups of a file that may have rows in the area, by the statistics in its footer: of the bounding box, and of the country
 * where rows have one. A group without statistics is read.
 *
 * @param boxes of the area; a group without countries has to meet one
 */
export function selectGroups({ row_groups: groups }: FileMetaData, area: Area, boxes: readonly Bounds[]): number[] {
  return [...groups.keys()].filter((number) => {
    const group = groups[number];
    const box = boxOf(group);
    if (area.bounds && box && !overlap(box, area.bounds)) return false;
    if (area.country === undefined) return true;
    const countries = rangeOf(group, ["country"]);
    if (countries) return String(countries[0]) <= area.country && String(countries[1]) >= area.country;
    return !box || boxes.some((other) => overlap(box, other));
  });
}

function boxOf(group: RowGroup): Bounds | undefined {
  const west = rangeOf(group, ["bbox", "xmin"])?.[0];
  const south = rangeOf(group, ["bbox", "ymin"])?.[0];
  const east = rangeOf(group, ["bbox", "xmax"])?.[1];
  const north = rangeOf(group, ["bbox", "ymax"])?.[1];
  const box = [west, south, east, north];
  return box.every((one) => typeof one === "number") ? (box as unknown as Bounds) : undefined;
}

/** Least and greatest value of a column; undefined without statistics. */
function rangeOf(group: RowGroup, path: readonly string[]): [least: unknown, most: unknown] | undefined {
  const stats = group.columns.find(({ meta_data: column }) => column?.path_in_schema.join() === path.join())?.meta_data
    ?.statistics;
  const least = stats?.min_value ?? stats?.min;
  const most = stats?.max_value ?? stats?.max;
  return least === undefined || most === undefined ? undefined : [least, most];
}

/** Areas of a plan. More boxes than these are joined into one. */
const MAX_BOXES = 16;
/** Two boxes become one that is at most so much larger than both. */
const MAX_GROWTH = 1.5;

/** Boxes that together contain all of some others, few and not much larger: the countries of an import, not the world between them. */
export function joinBoxes(boxes: readonly Bounds[]): Bounds[] {
  let joined: Bounds[] = [];
  for (const box of [...boxes].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    let own = box;
    for (let again = true; again; ) {
      const at = joined.findIndex((other) => sizeOf(union(own, other)) <= MAX_GROWTH * (sizeOf(own) + sizeOf(other)));
      again = at >= 0;
      if (again) [own] = [union(own, joined[at]), joined.splice(at, 1)];
    }
    joined.push(own);
  }
  if (joined.length > MAX_BOXES) joined = [joined.reduce(union)];
  return joined;
}

const union = (a: Bounds, b: Bounds): Bounds => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

/** Square degrees, with a margin, so that points have a size. */
const sizeOf = ([west, south, east, north]: Bounds): number => (east - west + 1) * (north - south + 1);

const overlap = (a: Bounds, b: Bounds): boolean =>
  a[0] <= b[2] + MARGIN && a[2] >= b[0] - MARGIN && a[1] <= b[3] + MARGIN && a[3] >= b[1] - MARGIN;
