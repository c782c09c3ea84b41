import type { Metric } from "../../../../core/routing/graph/modes.ts";
import { packKey } from "../../../../core/routing/graph/pack.ts";
import type { Division } from "../partition/division.ts";
import { type BitsOfMode, metricsOf, type PackBits } from "./cell-cliques.ts";
import { childrenOf } from "./cell-tree.ts";
import { districtCount, districtLevelOf } from "./districts.ts";

/** A pack where a bundle has it. */
interface BundledPack {
  level: number;
  parent: number;
  key: string;
}

/** Do the packs of a level come in bundles? As `Manifest.isBundled` says. */
export function isBundled(division: Division, level: number): boolean {
  const districtLevel = districtLevelOf(division);
  return level < districtLevel || (level === districtLevel && level + 1 < division.levels);
}

/** The parts of a metric that change the bundle of each district: those that change a pack in it. */
export function bundleBits(division: Division, bits: BitsOfMode): PackBits[] {
  return Array.from({ length: districtCount(division) }, (_, district) => {
    const own = placesOf(division, district).map(({ level, parent }) => bits[level - 1][parent]);
    const union = (of: (bits: PackBits) => number) => own.reduce((sum, one) => sum | of(one), 0);
    return { avoid: union(({ avoid }) => avoid), traffic: union(({ traffic }) => traffic) };
  });
}

/** The bundles of all districts for a mode, and which packs go into each. */
export function* bundlesOf(
  division: Division,
  mode: number,
  bits: BitsOfMode,
): Generator<{ metric: Metric; district: number; packs: BundledPack[] }> {
  for (const [district, all] of bundleBits(division, bits).entries()) {
    const places = placesOf(division, district);
    for (const { avoid, bucket } of metricsOf(all)) {
      const packs = places.map(({ level, parent }) => {
        const own = bits[level - 1][parent];
        const changed = bucket > 0 && (own.traffic >> (bucket - 1)) & 1;
        const metric = { mode, avoid: avoid & own.avoid, bucket: changed ? bucket : 0 };
        return { level, parent, key: packKey(metric, level, parent) };
      });
      yield { metric: { mode, avoid, bucket }, district, packs };
    }
  }
}

/** The packs that go into the bundle of a district: level by level those within, then that of the districts around. */
function placesOf(division: Division, district: number): { level: number; parent: number }[] {
  const districtLevel = districtLevelOf(division);
  const places: { level: number; parent: number }[] = [];
  let parents: [first: number, end: number] = [district, district + 1];
  for (let level = districtLevel - 1; level >= 1; level--) {
    for (let parent = parents[0]; parent < parents[1]; parent++) places.push({ level, parent });
    parents = [childrenOf(division, level, parents[0])[0], childrenOf(division, level, parents[1] - 1)[1]];
  }
  if (isBundled(division, districtLevel))
    places.push({ level: districtLevel, parent: division.parentOf[districtLevel][district] });
  return places.sort((a, b) => a.level - b.level || a.parent - b.parent);
}
