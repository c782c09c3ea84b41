import type { OsmElement, OsmNode, Tags } from "../../../src/importer/osm/pbf/element.ts";

/** A town of four streets, with what each layer takes. */
const node = (id: number, latitude: number, longitude: number, tags: Tags = {}): OsmNode => ({
  type: "node",
  id,
  latitude,
  longitude,
  tags,
});
export const way = (id: number, refs: number[], tags: Tags): OsmElement => ({ type: "way", id, refs, tags });

const SIDE = 6;
const grid = Array.from({ length: SIDE * SIDE }, (_, i) =>
  node(i + 1, 49.4 + Math.floor(i / SIDE) * 0.001, 8.7 + (i % SIDE) * 0.001),
);
const row = (number: number) => Array.from({ length: SIDE }, (_, i) => number * SIDE + i + 1);
const column = (number: number) => Array.from({ length: SIDE }, (_, i) => i * SIDE + number + 1);

export const nodes: OsmNode[] = [
  ...grid,
  node(100, 49.4012, 8.7013, { amenity: "cafe", name: "Blue Cup", "addr:housenumber": "3", "addr:street": "Main" }),
  node(101, 49.4022, 8.7023, { shop: "bakery", name: "Bäckerei “Ähre” & Söhne" }),
  node(102, 49.4032, 8.7033, { place: "village", name: "Oddham" }),
];
export const ways: OsmElement[] = [
  way(200, row(1), { highway: "residential", name: "Main" }),
  way(201, row(3), { highway: "residential", name: "Second" }),
  way(202, column(1), { highway: "tertiary", name: "Third" }),
  way(203, column(4), { highway: "footway" }),
  way(204, [1, 2, 8, 7, 1], { building: "yes", "addr:housenumber": "5", "addr:street": "Main" }),
];
export const relations: OsmElement[] = [
  {
    type: "relation",
    id: 300,
    members: [{ type: "way", ref: 204, role: "outer" }],
    tags: { type: "multipolygon", landuse: "forest", name: "Wood" },
  },
  {
    type: "relation",
    id: 301,
    members: [
      { type: "way", ref: 200, role: "from" },
      { type: "node", ref: 8, role: "via" },
      { type: "way", ref: 202, role: "to" },
    ],
    tags: { type: "restriction", restriction: "no_left_turn" },
  },
];
export const town: readonly OsmElement[] = [...nodes, ...ways, ...relations];
export { node };
