import { inRing } from "../../core/geo/shapes/in-ring.ts";
import { ringContains } from "../../core/geo/shapes/polygon.ts";
import type { RegionShape } from "../../core/regions/region-shape.ts";
import type { Corner } from "./topojson.ts";

type Find = (place: Corner) => RegionShape | undefined;

/** Finds the first shape around a place. `whole`: holes, such as lakes, belong to it. */
export function shapeFinder(shapes: readonly RegionShape[], whole = false): Find {
  const rows = new Map<number, Boxed[]>();
  for (const shape of shapes)
    for (const ring of shape.rings) {
      const box = boxOf(ring);
      for (let row = Math.floor(box[1]); row <= Math.floor(box[3]); row++) {
        const known = rows.get(row);
        if (known) known.push({ shape, ring, box });
        else rows.set(row, [{ shape, ring, box }]);
      }
    }
  return (place) => {
    let [holding, count] = [undefined as RegionShape | undefined, 0];
    for (const { shape, ring, box } of rows.get(Math.floor(place[1])) ?? []) {
      if (!isInBox(box, place) || !isIn(ring, box, place)) continue;
      // Rings of a shape follow one another.
      if (holding !== shape && isHeld(count)) return holding;
      count = holding === shape ? count + 1 : 1;
      holding = shape;
    }
    return isHeld(count) ? holding : undefined;
  };

  function isHeld(rings: number): boolean {
    return whole ? rings > 0 : rings % 2 === 1;
  }
}

interface Boxed {
  shape: RegionShape;
  ring: Ring;
  box: Box;
}

/** Across the 180th meridian Russia's outline has edges around the whole Earth. */
const isIn = (ring: Ring, [west, , east]: Box, [longitude, latitude]: Corner) =>
  east - west > 180 ? ringContains(ring, latitude, longitude) : inRing(ring, longitude, latitude);

type Ring = RegionShape["rings"][number];
type Box = readonly [west: number, south: number, east: number, north: number];

function boxOf(ring: Ring): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [longitude, latitude] of ring) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [west, south, east, north];
}

const isInBox = ([west, south, east, north]: Box, [longitude, latitude]: Corner) =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/** What is at a place, or in one of eight directions from it at these distances [degrees], the nearest first. */
export function aroundPlace<T>(
  [longitude, latitude]: Corner,
  distances: readonly number[],
  at: (place: Corner) => T | undefined,
): T | undefined {
  for (const far of distances) {
    for (let turn = 0; turn < (far === 0 ? 1 : 8); turn++) {
      const angle = (turn * Math.PI) / 4;
      const found = at([longitude + far * Math.cos(angle), latitude + far * Math.sin(angle)]);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
