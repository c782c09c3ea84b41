import { type Coordinate, isCoordinate } from "../../../../core/geo/coordinate.ts";
import { parseDecimals } from "../../../../core/geo/decimal.ts";
import { decodeLine, isEncodedLine } from "../../../../core/geo/shapes/polyline.ts";
import { osrmError } from "./osrm.ts";

const RULE =
  'Expected "longitude,latitude;longitude,latitude…" as decimal degrees, or polyline(…) or polyline6(…), with longitudes in [-180, 180] and latitudes in [-90, 90].';
const ENCODED = /^polyline(6?)\((.*)\)$/s;

/** The coordinates of a path, of which a format ".json" may be a part. @throws ApiError 400 */
export function coordinatesOf(text: string, min: number, max: number): Coordinate[] {
  const plain = text.endsWith(".json") ? text.slice(0, -".json".length) : text;
  const [, six, encoded] = ENCODED.exec(plain) ?? [];
  if (encoded !== undefined && !isEncodedLine(encoded)) throw osrmError("InvalidUrl", RULE);
  const points = encoded === undefined ? written(plain, max) : decodeLine(encoded, six ? 6 : 5);
  if (!points.every(({ latitude, longitude }) => isCoordinate(latitude, longitude)))
    throw osrmError("InvalidUrl", RULE);
  if (points.length < min) throw osrmError("InvalidOptions", `Number of coordinates needs to be at least ${min}.`);
  if (points.length > max) throw osrmError("TooBig", `Number of coordinates is higher than current maximum (${max}).`);
  return points;
}

function written(text: string, max: number): Coordinate[] {
  return text.split(";", max + 1).map((part) => {
    const [longitude, latitude, more] = parseDecimals(part, 3);
    if (more !== undefined) throw osrmError("InvalidUrl", RULE);
    return { latitude, longitude };
  });
}
