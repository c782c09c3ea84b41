import { tableOf } from "../../../common/own-table.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { type BasemapFeature, POINT, properties } from "./feature.ts";
import { namesOf } from "./names.ts";

/** Kind, and the default population. */
const PLACES = tableOf<[kind: string, population: number]>({
  state: ["region", 0],
  province: ["region", 0],
  city: ["locality", 100_000],
  town: ["locality", 10_000],
  village: ["locality", 1000],
  hamlet: ["locality", 100],
  isolated_dwelling: ["locality", 10],
  farm: ["locality", 10],
  locality: ["locality", 10],
  borough: ["macrohood", 0],
  suburb: ["macrohood", 0],
  quarter: ["neighbourhood", 0],
  neighbourhood: ["neighbourhood", 0],
});

const MIN_ZOOM = tableOf<number>({
  state: 6,
  province: 6,
  borough: 11,
  suburb: 11,
  quarter: 13,
  neighbourhood: 14,
  isolated_dwelling: 14,
  farm: 14,
  locality: 14,
});

/** The zoom from which a settlement of so many people is named. */
export function settlementZoom(population: number, capital: boolean): number {
  const steps: [people: number, zoom: number][] = [
    [5_000_000, 3],
    [1_300_000, 4],
    [450_000, 5],
    [180_000, 6],
    [70_000, 7],
    [28_000, 8],
    [9_000, 9],
    [3000, 10],
    [700, 11],
    [100, 12],
  ];
  const zoom = steps.find(([people]) => population >= people)?.[1] ?? 13;
  const capitals: typeof steps = [
    [1_000_000, 3],
    [LARGE_CAPITAL, 3.5],
    [20_000, 4.5],
    [0, 5.5],
  ];
  return capital ? Math.min(zoom, capitals.find(([people]) => population >= people)?.[1] ?? zoom) : zoom;
}

const POPULATION_RANKS = [
  0, 200, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 5_000_000, 10_000_000,
  20_000_000, 50_000_000, 100_000_000, 1_000_000_000,
];

/** 1 … 18, as Protomaps ranks people. */
export function populationRank(population: number): number {
  return POPULATION_RANKS.filter((least) => population >= least).length;
}

/** A smaller capital is not before the metropolis of another country: Vaduz and Zürich. */
export const LARGE_CAPITAL = 100_000;

/**
 * The order of towns on maps, larger first: four steps for each doubling. A large capital is before all towns, a small one four
 * doublings ahead.
 */
export function townRank(people: number, isCapital: boolean): number {
  return Math.round(4 * Math.log2(people + 1)) + (isCapital ? (people >= LARGE_CAPITAL ? 60 : 16) : 0);
}

/** Larger ones after smaller ones, as they are on top. */
export function placeOrder(minZoom: number, population: number): number {
  return -(minZoom * 1e6) + Math.round(Math.log2(population + 1) * 1000);
}

/** A settlement, a part of one, or a region. */
export function placeFeature(tags: Tags, parts: number[][]): BasemapFeature | undefined {
  const known = PLACES[tags.place];
  if (!known) return undefined;
  const [kind, assumed] = known;
  const stated = Number.parseInt((tags.population ?? "").replace(/[^\d].*$/, ""), 10);
  const population = Number.isFinite(stated) ? stated : assumed;
  const minZoom = MIN_ZOOM[tags.place] ?? settlementZoom(population, tags.capital === "yes");
  return {
    layer: "places",
    type: POINT,
    parts,
    minZoom,
    maxZoom: kind === "region" ? 10 : undefined,
    properties: properties({
      kind,
      kind_detail: tags.place,
      ...namesOf(tags),
      min_zoom: minZoom,
      population: population || undefined,
      population_rank: populationRank(population),
      rank: kind === "locality" ? townRank(population, tags.capital === "yes") : undefined,
      capital: tags.capital,
    }),
    order: placeOrder(minZoom, population),
  };
}

/** The name of an island is with the land. */
export function islandFeature(tags: Tags, parts: number[][], minZoom: number): BasemapFeature | undefined {
  if (tags.place !== "island" && tags.place !== "islet") return undefined;
  return {
    layer: "earth",
    type: POINT,
    parts,
    minZoom,
    properties: properties({ kind: tags.place, ...namesOf(tags), min_zoom: minZoom }),
  };
}
