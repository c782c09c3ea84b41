import type { Effect } from "./effect.ts";

/** Geofences north of Meridale, by the distance of their center [m]; all have a radius of 50 m. */
export const FENCES_BY_DISTANCE: readonly (readonly [metres: number, tag: string, team: unknown])[] = [
  [0, "shop", true],
  [90, "shop", 5],
  [500, "office", "5"],
  [4000, "office", "blue"],
  [6000, "depot", "true"],
];
/** An area with more geofences than a search returns. */
export const CROWD = "10,10";
export const CROWD_SIZE = 1001;

interface Fence {
  externalId: string;
  geometry?: unknown;
  geometryRadius?: number;
}
const at = (...metres: number[]) => metres.map((distance) => `f${distance}`);
const ids: Effect["view"] = ({ geofences }) => geofences.map(({ externalId }: Fence) => externalId);
const count: Effect["view"] = ({ geofences }) => geofences.length;

export const SEARCH_GEOFENCES_EFFECTS: readonly Effect[] = [
  {
    parameter: "near",
    changes: "the search center, nearest geofences first",
    beside: { radius: 1000 },
    view: ids,
    shows: [
      ["48.99,-111.2", at(0, 90, 500)],
      ["49.0259,-111.2", at(4000)],
      ["90,180", ["north"]],
      ["-90,-180", ["south"]],
    ],
  },
  {
    parameter: "limit",
    changes: "the maximum number of geofences",
    beside: { near: CROWD },
    view: count,
    shows: [
      [undefined, 100],
      [100, 100],
      [1, 1],
      [99, 99],
    ],
  },
  {
    parameter: "limit",
    changes: "the maximum number of geofences, up to 1000 without geometry",
    beside: { near: CROWD, includeGeometry: false },
    view: count,
    shows: [
      [101, 101],
      [1000, 1000],
    ],
  },
  {
    parameter: "radius",
    changes: "the maximum distance to the edge of a geofence",
    beside: { tags: "shop,office,depot" },
    view: ids,
    shows: [
      [undefined, at(0, 90, 500, 4000, 6000)],
      [39, at(0)],
      [50, at(0, 90)],
      [5000, at(0, 90, 500, 4000)],
    ],
  },
  {
    parameter: "tags",
    changes: "the geofences: those with one of these tags",
    beside: { radius: 10_000 },
    view: ids,
    shows: [
      [undefined, at(0, 90, 500, 4000, 6000)],
      ["shop", at(0, 90)],
      ["shop,office", at(0, 90, 500, 4000)],
      ["office, depot", at(500, 4000, 6000)],
      ["sho", []],
    ],
  },
  {
    parameter: "metadata[key]",
    changes: "the geofences: those with this metadata, with the inferred type",
    beside: { radius: 10_000 },
    view: ids,
    shows: [
      [undefined, at(0, 90, 500, 4000, 6000)],
      ["true", at(0)],
      ["5", at(90)],
      ["blue", at(4000)],
      ["red", []],
    ],
  },
  {
    parameter: "includeGeometry",
    changes: "whether geofences include geometry",
    beside: { radius: 10 },
    view: ({ geofences: [fence] }) => [fence.geometry?.type, fence.geometryRadius],
    shows: [
      [undefined, ["Polygon", 50]],
      [true, ["Polygon", 50]],
      [false, [undefined, undefined]],
    ],
  },
];
