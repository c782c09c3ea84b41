import { areasOf, type LiveBuild, type Manifest } from "../../core/geo/builds/manifest.ts";
import { type Neighbours, neighboursIn } from "../../core/geo/builds/neighbours.ts";
import { ImportError } from "../common/import-error.ts";
import { readPreviousImport } from "../frame/stores/previous-import.ts";
import { elevationsNear, hasElevationsOf, isGroundName } from "./live-ground.ts";

/** Advice for an operator of live builds whose roads meet, with the command that makes them one. */
interface NeighbourAdvice {
  names: [string, string];
  how: Neighbours["how"];
  text: string;
}

/**
 * Roads of live builds that meet, or only those of one build. Files are named as they were at the import where this machine
 * remembers it, else as the build does.
 */
export async function roadNeighbours(
  builds: readonly LiveBuild[],
  inputsOf: (id: string) => Promise<Manifest["inputs"]>,
  cache: string,
  of?: string,
): Promise<NeighbourAdvice[]> {
  const found = neighboursIn(builds, "roads").filter(({ a, b }) => of === undefined || a.name === of || b.name === of);
  return Promise.all(
    found.map(async ({ a, b, how }): Promise<NeighbourAdvice> => {
      const [first, second] = b.name === of ? [b, a] : [a, b];
      const files = (await Promise.all([first, second].map((one) => filesOf(one, inputsOf, cache)))).flat();
      const command = `npm run import -- ${[...new Set(files)].map(quoted).join(" ")} --name ${quoted(first.name)}`;
      const text =
        `The roads of ${first.name} and ${second.name} ${how}, and were imported apart: no route leads from one to the other. ` +
        `To have one, import them together: ${command}; then: npm run geodata -- remove ${quoted(second.name)}`;
      return { names: [first.name, second.name], how, text };
    }),
  );
}

async function filesOf(
  { id, name }: LiveBuild,
  inputsOf: (id: string) => Promise<Manifest["inputs"]>,
  cache: string,
): Promise<string[]> {
  try {
    const { extracts, files } = await readPreviousImport(cache, name);
    if (extracts.length > 0) return [...extracts, ...files.addresses];
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
  }
  return (await inputsOf(id)).map((input) => input.name).filter((input) => !isGroundName(input));
}

/**
 * Live builds whose roads were imported before the elevations around them, with the command that brings their hills into routes; of those
 * that the build of a name takes part in, or all.
 */
export async function roadsWithoutHills(
  builds: readonly LiveBuild[],
  inputsOf: (id: string) => Promise<Manifest["inputs"]>,
  cache: string,
  of?: string,
): Promise<{ names: [roads: string, elevations: string]; text: string }[]> {
  const found: { names: [string, string]; text: string }[] = [];
  for (const build of builds.filter(({ layers }) => layers.roads !== undefined)) {
    const inputs = await inputsOf(build.id);
    const missing = elevationsNear(builds, areasOf(build, "roads")).filter(({ id }) => !hasElevationsOf(inputs, id));
    const elevations = missing.find(({ name }) => of === undefined || [name, build.name].includes(of));
    if (!elevations) continue;
    const files = await filesOf(build, inputsOf, cache);
    const command = `npm run import -- ${files.map(quoted).join(" ")} --name ${quoted(build.name)}`;
    const text =
      `The roads of ${build.name} were imported without the elevations of ${elevations.name}: routes on foot and by bike ignore ` +
      `these hills. To include them, import the roads again: ${command}`;
    found.push({ names: [build.name, elevations.name], text });
  }
  return found;
}

const quoted = (word: string) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
