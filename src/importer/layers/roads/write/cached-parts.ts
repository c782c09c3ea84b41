import { deserialize, serialize } from "node:v8";
import { idsDigest, type PartLook } from "./part-digest.ts";
import type { OpenComponents } from "./part-islands.ts";
import type { RoadsJob, RoadsResult, RoadsWorld, SurveyResult, TilesResult } from "./roads-job.ts";
import type { RoadsSite } from "./roads-site.ts";

/** Results of a job for each part, in order: the cached result if the cache has one. */
export async function* cachedOrMade<Result extends RoadsResult>(
  site: RoadsSite,
  { parts }: RoadsWorld,
  keys: readonly Uint8Array[],
  toJob: (part: number) => RoadsJob,
): AsyncGenerator<Result> {
  const { kept } = site;
  const numbers = Array.from({ length: parts.count }, (_, part) => part);
  const isKnown = numbers.map((part) => (keys[part] && kept?.has(keys[part])) ?? false);
  const made = site.inOrder<number, Result>(
    numbers.filter((part) => !isKnown[part]),
    toJob,
  );
  const next = async (results: AsyncGenerator<Result>): Promise<Result> => (await results.next()).value as Result;
  try {
    for (const part of numbers) {
      const known = isKnown[part] ? kept?.find(keys[part]) : undefined;
      if (known) {
        yield deserialize(known) as Result;
        continue;
      }
      // One that was cut off in its file is created separately.
      const result = await next(isKnown[part] ? site.inOrder<number, Result>([part], toJob) : made);
      if (keys[part]) kept?.put(keys[part], serialize(result));
      yield result;
    }
  } finally {
    await made.return(undefined);
  }
}

/** Each part as the others see it; `islands`, by edge of the graph, is written to. */
export async function* surveysOfParts(
  site: RoadsSite,
  world: RoadsWorld,
  islands: Uint8Array,
): AsyncGenerator<SurveyResult> {
  const { kept } = site;
  const looks = await site.looks(world);
  const keys = kept ? looks.map(({ topology }) => kept.key("survey", topology)) : [];
  let number = 0;
  for await (const found of cachedOrMade<SurveyResult>(site, world, keys, (part) => ({
    kind: "survey",
    world,
    part,
    ...(!kept && { islands }),
  }))) {
    const look = looks[number++];
    yield look ? inGraph(found, look, islands) : found;
  }
}

/** Converts the numbers of a part to those of the graph. */
function inGraph({ crossings, open, marks }: SurveyResult, { edges }: PartLook, islands: Uint8Array): SurveyResult {
  marks?.forEach((mark, edge) => {
    islands[edges[edge]] |= mark;
  });
  const ofGraph = (pairs: Int32Array, at: 0 | 1) => pairs.map((own, i) => (i % 2 === at ? edges[own] : own));
  return {
    crossings: { ...crossings, edges: crossings.edges.map((edge) => edges[edge]) },
    open: open.map(
      (one): OpenComponents => ({
        ...one,
        entries: ofGraph(one.entries, 0),
        exits: ofGraph(one.exits, 1),
        members: ofGraph(one.members, 0),
      }),
    ),
  };
}

/** The tiles of each part. */
export async function* tilesOfParts(
  site: RoadsSite,
  world: RoadsWorld,
  islands: Uint8Array,
): AsyncGenerator<TilesResult> {
  const { kept, crossings } = site;
  // Speeds at some times are in tiles as well, and in no name.
  const looks = world.graph.plain.traffic ? [] : await site.looks(world);
  const keys = kept
    ? looks.map((look, part) => {
        const { topology, content, edges } = look;
        const marks = Uint8Array.from(edges, (edge) => islands[edge]);
        return kept.key("tiles", topology, content, marks, idsDigest(look, world.parts, part, crossings));
      })
    : [];
  yield* cachedOrMade<TilesResult>(site, world, keys, (part) => ({ kind: "tiles", world, part, islands, crossings }));
}
