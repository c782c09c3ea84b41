import { type Coordinate, isCoordinate, parseCoordinate } from "../../../core/geo/coordinate.ts";
import { decodeLine, isEncodedLine } from "../../../core/geo/shapes/polyline.ts";
import { invalid } from "../../platform/errors.ts";
import { COORDINATE_RULE, text } from "../input/fields.ts";

/** Paths are at most this long: what one request reads of the ground stays small. */
export const MAX_PATH_KM = 500;
/** Of an encoded line; a URL of this length passes every proxy. */
const MAX_PATH_CHARACTERS = 7000;

/** A path as "latitude,longitude|…" or as an encoded line. */
export const pathField = () =>
  text(MAX_PATH_CHARACTERS)
    .optional()
    .meta({
      description: `points "latitude,longitude" separated by "|", or an encoded line such as the geometry of a route; at most ${MAX_PATH_KM} km long`,
    });

function encodedPoints(path: string, geometry: "polyline5" | "polyline6"): Coordinate[] {
  if (!isEncodedLine(path))
    throw invalid("path", "Is neither points nor an encoded line. Encode it as a URL's parameter.");
  return decodeLine(path, geometry === "polyline5" ? 5 : 6);
}

/**
 * The points of a path.
 * @throws ApiError 400 for `path`
 */
export function pathPoints(path: string, geometry: "polyline5" | "polyline6"): Coordinate[] {
  // An encoded line has no comma: its characters begin with "?".
  const points = path.includes(",")
    ? path.split("|").map((part) => {
        const point = parseCoordinate(part);
        if (!point) throw invalid("path", COORDINATE_RULE);
        return point;
      })
    : encodedPoints(path, geometry);
  if (points.length < 2) throw invalid("path", "A path has at least 2 points.");
  if (!points.every(({ latitude, longitude }) => isCoordinate(latitude, longitude)))
    throw invalid("path", "The encoded line leaves the Earth. Check `geometry`, its number of decimals.");
  return points;
}
