import { decodeCellList } from "../../core/geo/cells/cell-list.ts";
import { withNeighbours } from "../../core/geo/cells/cell-neighbourhood.ts";
import { cellAt } from "../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../core/geo/coordinate.ts";
import {
  MAX_POSTAL_DISTANCE,
  POSTAL_CELLS_KEY,
  POSTAL_RESOLUTION,
  PostalPoints,
  postalKey,
} from "../../core/regions/postal-points.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";

const POSTAL_POINTS_LAYER = "postal-points";

/** The postal code whose center is nearest to a point, of a country; undefined where no center is near. */
export async function nearestPostalCode(
  geodata: Geodata,
  point: Coordinate,
  country: string,
): Promise<string | undefined> {
  const sources = geodata.at(point, POSTAL_POINTS_LAYER);
  if (sources.length === 0) return undefined;
  const cells = withNeighbours(cellAt(point, POSTAL_RESOLUTION));
  let best: { code: string; distance: number } | undefined;
  for (const source of sources) {
    const objects = doingWithout(geodata, source, POSTAL_POINTS_LAYER);
    const known = await objects.cached(POSTAL_CELLS_KEY, decodeCellList, { required: true });
    const tiles = await Promise.all(
      cells
        .filter((cell) => known?.has(cell))
        .map((cell) =>
          objects.cached(postalKey(cell), (bytes) => new PostalPoints(bytes), { weight: weightOf, required: true }),
        ),
    );
    for (const tile of tiles) {
      const found = tile?.nearest(point, country, best?.distance ?? MAX_POSTAL_DISTANCE);
      if (found && found.distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = found;
    }
  }
  return best?.code;
}

const weightOf = ({ weight }: PostalPoints) => weight;
