import { z } from "zod";
import { liveBuilds, storedBuild } from "../../geodata/manage.ts";
import { wireBuild } from "../../wire/geodata.ts";
import { endpoint } from "../serve/endpoint.ts";
import { buildShape } from "./shapes.ts";

export const listLiveGeodata = endpoint({
  name: "listLiveGeodata",
  method: "GET",
  path: "/v1/geodata",
  level: "secret",
  geodataOnly: true,
  chapter: "Geodata",
  summary: "Returns the live geodata builds, their sources and licenses, and the age of the data.",
  description:
    "Responses list their sources in the header `x-graticule-attribution`, such as " +
    "`(c) OpenStreetMap contributors; GeoNames`: the attribution that the licenses require, in ASCII (© is written `(c)`, other characters " +
    "are percent-encoded). Map images show the attribution; styles and TileJSON have it as `attribution`.",
  response: z.object({ builds: z.array(buildShape) }),
  async handle({ env }) {
    return { builds: await wireLiveBuilds(env.GEODATA) };
  },
});

/** All live builds, by name. */
export async function wireLiveBuilds(bucket: R2Bucket) {
  const builds = await liveBuilds(bucket);
  return Promise.all(
    builds.map(async (build) => {
      const [own, ...before] = await Promise.all([build.id, ...build.previous].map((id) => storedBuild(bucket, id)));
      return wireBuild(build, own, before);
    }),
  );
}
