import { planeX, planeY, WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import { NO_PLACE } from "../../../osm/pbf/element.ts";

/** Corners on the plane, and how many places were missing. */
interface PlaneLine {
  part: number[];
  missing: number;
}

/**
 * A line on the plane from places as the element store has them: longitude, latitude in 1e-7 degrees, those that the extract
 * lacks skipped. It walks across the 180th meridian in one piece, leaving the square there.
 */
export function planeLine(places: Int32Array): PlaneLine {
  const part: number[] = [];
  let missing = 0;
  let previous = Number.NaN;
  for (let i = 0; i < places.length; i += 2) {
    if (places[i] === NO_PLACE) {
      missing++;
      continue;
    }
    let x = planeX(places[i] / 1e7);
    if (x - previous > WORLD_SIZE / 2) x -= WORLD_SIZE;
    else if (previous - x > WORLD_SIZE / 2) x += WORLD_SIZE;
    part.push(x, planeY(places[i + 1] / 1e7));
    previous = x;
  }
  return { part, missing };
}
