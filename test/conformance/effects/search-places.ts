import { distance } from "../../../src/core/geo/distance.ts";
import type { Effect } from "./effect.ts";

/** Settings of the project: an ID for one chain, and metadata of three. */
export const CHAIN_SETTINGS = {
  chainMappings: { "gridline-grocers": "G7" },
  chainMetadata: { "gridline-grocers": { team: true }, "azimuth-mobile": { team: 5 }, other: { team: "true" } },
};

interface Place {
  name: string;
  chain?: { slug: string };
  categories: string[];
  location: { coordinates: [number, number] };
}
const EVERYWHERE = { radius: 10_000, limit: 100 };
const CHAINS = { ...EVERYWHERE, categories: undefined };
const chains: Effect["view"] = ({ places }) => [...new Set(places.map(({ chain }: Place) => chain?.slug))].sort();
/** How many of the places are within each of the distances. */
const withinMetres =
  (...limits: number[]): Effect["view"] =>
  ({ places }) => {
    const far = places.map(({ location: { coordinates } }: Place) =>
      distance(CENTER, { latitude: coordinates[1], longitude: coordinates[0] }),
    );
    return limits.map((limit) => far.filter((one: number) => one <= limit).length);
  };
const CENTER = { latitude: 48.99, longitude: -111.2 };

export const SEARCH_PLACES_EFFECTS: readonly Effect[] = [
  {
    parameter: "chains",
    changes: "the chains of the places, by slug or by the project's ID",
    beside: CHAINS,
    view: chains,
    shows: [
      ["gridline-grocers", ["gridline-grocers"]],
      ["G7", ["gridline-grocers"]],
      ["gridline-grocers,azimuth-mobile", ["azimuth-mobile", "gridline-grocers"]],
      ["demo-cafe", []],
    ],
  },
  {
    parameter: "categories",
    changes: "the categories of the places",
    beside: EVERYWHERE,
    view: ({ places }) =>
      ["food-beverage", "shopping-retail"].map((name) =>
        places.some(({ categories }: Place) => categories.includes(name)),
      ),
    shows: [
      ["food-beverage", [true, false]],
      ["shopping-retail", [false, true]],
      ["food-beverage,shopping-retail", [true, true]],
      ["nothing", [false, false]],
    ],
  },
  {
    parameter: "iataCode",
    changes: "the result: an airport, without other parameters",
    beside: { near: undefined, categories: undefined },
    view: ({ places }) => places.map(({ name }: Place) => name),
    shows: [
      ["QMZ", ["Meridale International Airport"]],
      ["XXX", []],
    ],
  },
  {
    parameter: "chainMetadata[key]",
    changes: "the places: those whose chain has this metadata, with the inferred type",
    beside: { ...CHAINS, chains: "gridline-grocers,azimuth-mobile" },
    view: chains,
    shows: [
      [undefined, ["azimuth-mobile", "gridline-grocers"]],
      ["true", ["gridline-grocers"]],
      ["5", ["azimuth-mobile"]],
      ["blue", []],
    ],
  },
  {
    parameter: "near",
    changes: "the search center",
    beside: { limit: 1 },
    view: ({ places }) => places.map(({ location }: Place) => location.coordinates[1] < 49),
    shows: [
      ["48.99,-111.2", [true]],
      ["49.01,-111.2", [false]],
      ["90,180", []],
      ["-90,-180", []],
    ],
  },
  {
    parameter: "radius",
    changes: "the maximum distance of places",
    beside: { limit: 100, chains: "gridline-grocers", categories: undefined },
    view: withinMetres(1, 500, 1000, 10_000),
    shows: [
      [undefined, [0, 3, 4, 4]],
      [1000, [0, 3, 4, 4]],
      [1, [0, 0, 0, 0]],
      [500, [0, 3, 3, 3]],
      [10_000, [0, 3, 4, 12]],
    ],
  },
  {
    parameter: "limit",
    changes: "the maximum number of places",
    beside: { radius: 10_000 },
    view: ({ places }) => places.length,
    shows: [
      [undefined, 10],
      [10, 10],
      [1, 1],
      [100, 100],
    ],
  },
];
