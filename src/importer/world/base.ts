import type { DataSource } from "../../core/geo/builds/manifest.ts";
import type { RegionShape } from "../../core/regions/region-shape.ts";
import { countryShapes } from "./countries.ts";
import { stateShapes } from "./state-shapes.ts";
import { canadaShapes, usShapes } from "./states.ts";

let known: readonly RegionShape[] | undefined;
/** After `releaseBaseShapes`, until their memory is needed. */
let released: WeakRef<readonly RegionShape[]> | undefined;
/** Most of them are in `known`, so they stay for others who ask for them. */
let countriesOfBase: readonly RegionShape[] = [];

/**
 * The regions everyone has without importing anything: countries of the Earth and their states, counties of the US. The same shapes in the same order every time; several layers of an import ask for them.
 */
export function baseShapes(): readonly RegionShape[] {
  known ??= released?.deref() ?? makeBaseShapes();
  return known;
}

/** The layers that follow need none of them: 43 MB of small objects, which every collection of garbage would go through. */
export function releaseBaseShapes(): void {
  if (known) released = new WeakRef(known);
  known = undefined;
  countriesOfBase = [];
}

function makeBaseShapes(): RegionShape[] {
  const us = usShapes();
  countriesOfBase = countryShapes();
  const countries = countriesOfBase.map(
    // The finer outline of the US leads; the coarser one still gives the American half of the Great Lakes.
    (shape): RegionShape => (shape.code === "US" ? { ...shape, rank: "replaced" } : shape),
  );
  return [...countries, unitedStates(us), ...us, ...canadaShapes(), ...stateShapes()];
}

/** The US as all its states: borders between them occur twice, and even-odd cancels them. */
function unitedStates(us: readonly RegionShape[]): RegionShape {
  const rings = us.flatMap((shape) => (shape.kind === "state" && shape.country === "US" ? shape.rings : []));
  return { kind: "country", rank: "base", code: "US", name: "", country: "US", state: "", rings };
}

export const BASE_SOURCES: readonly DataSource[] = [
  {
    name: "Natural Earth",
    url: "https://www.naturalearthdata.com",
    licence: "Public domain",
    attribution: "Made with Natural Earth",
    edition: "4.1.0, by world-atlas 2.0.2",
  },
  {
    name: "US Census Bureau cartographic boundaries 2017",
    url: "https://www.census.gov/geographies/mapping-files/time-series/geo/cartographic-boundary.html",
    licence: "Public domain",
    edition: "2017, by us-atlas 3.0.1",
  },
];
