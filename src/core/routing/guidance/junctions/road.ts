import type { Road, RoadClass } from "../types.ts";

/**
 * Ranks of roads, for deciding which road obviously continues. Ranks and groups are those of OSRM's profiles (Project
 * OSRM contributors, BSD-2-Clause, profiles/lib/guidance.lua): the lower, the more important.
 */
const RANKS: Record<RoadClass, number> = {
  motorway: 0,
  trunk: 2,
  primary: 4,
  secondary: 6,
  tertiary: 8,
  living_street: 10,
  unclassified: 11,
  residential: 11,
  track: 16,
  path: 16,
  footway: 18,
  steps: 18,
  service: 31,
  cycleway: 31,
  ferry: 31,
};
const LINK_RANK = 14;
const CONNECTIVITY_RANK = 31;

/**
 * Up to which rank each group reaches: motorways, trunks, main roads, streets, links, tracks and paths, footways, the
 * rest.
 */
const GROUP_ENDS = [1, 3, 9, 13, 15, 16, 18, CONNECTIVITY_RANK];

export function rank(road: Road): number {
  return road.link ? LINK_RANK : RANKS[road.class];
}

function group(road: Road): number {
  const own = rank(road);
  return GROUP_ENDS.findIndex((end) => own <= end);
}

/** Roads built like motorways: separated directions, grade-separated junctions. */
export function isMotorway(road: Road): boolean {
  return !road.link && (road.class === "motorway" || road.class === "trunk");
}

/** Links of motorway-like roads. */
export function isRamp(road: Road): boolean {
  return road.link && (road.class === "motorway" || road.class === "trunk");
}

/** Roads that drivers do not perceive as side streets: service roads, tracks, paths. */
export function isLowPriority(road: Road): boolean {
  return !road.link && RANKS[road.class] > 11;
}

export function isCircle(road: Road): boolean {
  return road.roundabout !== undefined;
}

export function sameClass(a: Road, b: Road): boolean {
  return rank(a) === rank(b) && a.link === b.link && isMotorwayLike(a) === isMotorwayLike(b);
}

function isMotorwayLike(road: Road): boolean {
  return road.class === "motorway" || road.class === "trunk";
}

/** Returns whether `road` is in a strictly lower group of roads than `other`. */
export function isLesser(road: Road, other: Road): boolean {
  const low = isLowPriority(road);
  if (low !== isLowPriority(other)) return low;
  return group(road) > group(other);
}

export function isLowerGroup(road: Road, other: Road): boolean {
  return group(road) > group(other);
}

/** Returns whether `link` is the kind of link that belongs to `road`. */
export function isLinkTo(link: Road, road: Road): boolean {
  return link.link && !road.link && link.class === road.class && rank(road) <= RANKS.tertiary;
}

/** Returns whether two roads may be the branches of a fork. */
export function forkable(a: Road, b: Road): boolean {
  return Math.abs(rank(a) - rank(b)) <= 1;
}

/** Returns whether class alone makes `candidate` rather than `other` the obvious continuation of `via`. */
export function obviousByClass(via: Road, candidate: Road, other: Road): boolean {
  const farHigher = 1.75 * rank(candidate) < rank(other);
  if (farHigher && sameClass(via, candidate)) return true;
  return !isLowPriority(candidate) && !isLowPriority(via) && isLowPriority(other);
}
