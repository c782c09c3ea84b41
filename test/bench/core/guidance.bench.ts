import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { GuidedStep } from "../../../src/core/routing/guidance/steps/build-steps.ts";
import type { LegPath, RoadNetwork } from "../../../src/core/routing/guidance/types.ts";
import { guidedLeg } from "../../../src/core/routing/route/guided-leg.ts";
import { buildRoads, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { pointMaker } from "../../core/routing/search/compare.ts";
import type { Report } from "../bench.ts";

export const name = "guidance";
export const summary = "Random routes over extracts: small roundabouts announced, and short steps.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const EXTRACTS = ["porto", "malta", "heidelberg"];
const DEFAULT_ROUTES = 400;
const MODES = ["car", "bike", "foot"] as const;
/** Roundabouts below this radius are small [m]. */
const MAX_SMALL_RADIUS = 15;
/** Steps below this length are short [m]. */
const MAX_SHORT_STEP = 12;
const CIRCLE_TYPES = new Set(["roundabout", "rotary", "roundabout turn"]);

/** Words: extracts; `routes=400`; `verbose` lists what was found. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const routes = Number(words.find((word) => word.startsWith("routes="))?.slice(7) ?? DEFAULT_ROUTES);
  const verbose = words.includes("verbose");
  const named = EXTRACTS.filter((extract) => words.includes(extract));
  for (const extract of named.length > 0 ? named : EXTRACTS) {
    const path = join(DATA, `${extract}.osm.pbf`);
    if (!existsSync(path)) continue;
    const { router, build } = await buildRoads(await graphOfExtract(path));
    for (const mode of MODES) {
      const point = pointMaker(build, 7);
      const found = { passes: 0, announced: 0, steps: 0, short: 0 };
      for (let i = 0; i < routes; i++) {
        const places = [point(), point()];
        const route = await router.route(places, { mode }).catch(() => undefined);
        if (!route) continue;
        const [leg] = route.legs;
        const { path: seen, network } = router.view(leg, places[1]);
        const { steps } = guidedLeg(router.store, leg, places, 0, { lang: "en", units: "metric" });
        // Where people walk, roundabouts are streets.
        for (const entry of mode === "foot" ? [] : smallRoundabouts(seen, network)) {
          found.passes++;
          const said = stepAt(steps, entry);
          if (said && CIRCLE_TYPES.has(said.step.maneuver.type) && /roundabout/.test(said.instructions))
            found.announced++;
          else if (verbose) console.error(extract, mode, "roundabout", at(entry), said?.instructions ?? "silent");
        }
        found.steps += steps.length;
        steps.forEach((step, index) => {
          if (index === 0 || index + 2 >= steps.length || step.distance >= MAX_SHORT_STEP) return;
          found.short++;
          const { type, modifier } = step.step.maneuver;
          const next = steps[index + 1];
          const { maneuver } = next.step;
          if (verbose)
            console.error(
              [extract, mode, "short", step.distance.toFixed(1), at(step.startLocation), type, modifier].join(" "),
              `| ${step.instructions} | ${maneuver.type} ${maneuver.modifier} | ${next.instructions}`,
            );
        });
      }
      const row = (metric: string, value: number, unit = "", baseline: number | null = null) =>
        report({ case: `${extract}, ${mode}`, metric, value, unit, baseline });
      row("small roundabouts passed", found.passes);
      if (found.passes > 0) row("of these announced", (100 * found.announced) / found.passes, "%", 98);
      row(`steps under ${MAX_SHORT_STEP} m`, (100 * found.short) / Math.max(1, found.steps), "% of steps");
    }
  }
}

type Place = { latitude: number; longitude: number };

const at = ({ latitude, longitude }: Place) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;

const isSame = (a: Place, b: Place) => a.latitude === b.latitude && a.longitude === b.longitude;

/** The step that passes through a place; the last one that begins there, if any does. */
function stepAt(steps: readonly GuidedStep[], place: Place): GuidedStep | undefined {
  return (
    steps.findLast((step) => isSame(step.startLocation, place)) ??
    steps.find(({ geometry }) => geometry.some((point) => isSame(point, place)))
  );
}

/** Where the path enters a closed roundabout with a small radius, and leaves it again. */
function smallRoundabouts({ pieces, junctions }: LegPath, network: RoadNetwork): Place[] {
  const entries: Place[] = [];
  for (let i = 1; i < pieces.length; i++) {
    if (pieces[i].road.roundabout !== "roundabout" || pieces[i - 1].road.roundabout) continue;
    const leaves = pieces.slice(i).some(({ road }) => !road.roundabout);
    const junction = junctions[i - 1];
    const radius = radiusOf(junction.roads[junction.departure].edge, network);
    if (leaves && radius !== undefined && radius < MAX_SMALL_RADIUS) entries.push(junction.location);
  }
  return entries;
}

function radiusOf(edge: number, network: RoadNetwork): number | undefined {
  let length = 0;
  let first: Place | undefined;
  for (let at = edge, hops = 0; hops < 64; hops++) {
    const next = network.follow(at);
    if (!next) return undefined;
    length += next.distance;
    const { location, roads } = next.junction;
    if (first && isSame(first, location)) return length / (2 * Math.PI);
    if (!first) {
      first = location;
      length = 0;
    }
    const onward = roads.find((road) => road.leaves && road.road.roundabout === "roundabout");
    if (!onward) return undefined;
    at = onward.edge;
  }
  return undefined;
}
