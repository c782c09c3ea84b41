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
  summary: "What the answers are made of: the live builds, their sources with licences, and how old the data is.",
  description:
    "Answers name the sources they were made of in the header `x-graticule-attribution`, such as " +
    "`(c) OpenStreetMap contributors; GeoNames`: the words their licences ask for, in ASCII (© is written `(c)`, other letters " +
    "are percent-encoded). Maps draw the words; styles and TileJSON carry them as `attribution`.",
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
