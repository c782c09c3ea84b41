import { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { lengthOfLine } from "../../../core/geo/distance.ts";
import { type Profile, profileOf } from "../../answers/routes/ground.ts";
import { groundAt } from "../../geodata/elevation.ts";
import { openGeodata } from "../../geodata/live.ts";
import { invalid } from "../../platform/errors.ts";
import { number, oneOf } from "../../wire/input/fields.ts";
import { MAX_PATH_KM, pathField, pathPoints } from "../../wire/routes/path-field.ts";
import { locationsField } from "../../wire/routes/route-fields.ts";
import { endpoint } from "../serve/endpoint.ts";

const MAX_POINTS = 512;

const elevationOf = () => z.number().optional().meta({ description: "meters above sea level; absent: unknown" });
const pointShape = z.object({ latitude: z.number(), longitude: z.number(), elevation: elevationOf() });
const meters = (description: string) => z.number().optional().meta({ description });

export const elevation = endpoint({
  name: "elevation",
  method: "GET",
  path: "/v1/elevation",
  level: "publishable",
  geodataOnly: true,
  chapter: "Routing",
  summary: "Returns the elevation of points, or the profile of a path.",
  description:
    "Requires imported elevations (`npm run import -- --source elevation`); elsewhere points have no `elevation`. All values are in meters. " +
    "Set `coordinates` or `path`. `ascent` and `descent` sum the hills and valleys of at least 5 m, so that noise in the data adds nothing.",
  query: z.object({
    coordinates: locationsField(1, MAX_POINTS).optional(),
    path: pathField(),
    geometry: oneOf(["polyline5", "polyline6"]).default("polyline6").meta({ description: "encoding of `path`" }),
    samples: number({ min: 2, max: MAX_POINTS, integer: true })
      .default(100)
      .meta({ description: "points of the profile, at equal distances along the path" }),
  }),
  response: z.object({
    elevations: z.array(pointShape).optional().meta({ description: "of `coordinates`, in their order" }),
    profile: z
      .object({
        distance: z.number().meta({ description: "length of the path" }),
        ascent: meters("sum of all climbs; absent: less than half of the path is known"),
        descent: meters("sum of all descents"),
        min: meters("lowest sample"),
        max: meters("highest sample"),
        samples: z.array(
          pointShape.extend({ distance: z.number().meta({ description: "from the start of the path" }) }),
        ),
      })
      .optional()
      .meta({ description: "of `path`" }),
  }),
  async handle(call) {
    const { coordinates, path, geometry, samples } = call.query;
    if ((coordinates === undefined) === (path === undefined))
      throw invalid(path === undefined ? "coordinates" : "path", "Set one of coordinates and path.");
    const geodata = await openGeodata(call.env.GEODATA, call);
    const { pace } = call;
    if (coordinates) {
      const ground = await groundAt(geodata, coordinates, pace);
      return { elevations: coordinates.map((point, i) => wirePoint(point, ground[i])) };
    }
    const line = pathPoints(path ?? "", geometry);
    if (lengthOfLine(line) > MAX_PATH_KM * 1000) throw invalid("path", `A path may be up to ${MAX_PATH_KM} km long.`);
    return { profile: wireProfile(await profileOf(geodata, line, samples, pace)) };
  },
});

function wireProfile({ length, climb, samples }: Profile) {
  const known = samples.flatMap(({ elevation: ground }) => ground ?? []);
  return {
    distance: tenths(length),
    ...(climb && { ascent: tenths(climb.ascent), descent: tenths(climb.descent) }),
    ...(known.length > 0 && { min: tenths(Math.min(...known)), max: tenths(Math.max(...known)) }),
    samples: samples.map((sample) => ({ ...wirePoint(sample, sample.elevation), distance: tenths(sample.distance) })),
  };
}

function wirePoint({ latitude, longitude }: Coordinate, ground: number | undefined) {
  const degrees = (value: number) => Math.round(value * 1e6) / 1e6;
  return {
    latitude: degrees(latitude),
    longitude: degrees(longitude),
    ...(ground !== undefined && { elevation: tenths(ground) }),
  };
}

const tenths = (value: number) => Math.round(value * 10) / 10;
