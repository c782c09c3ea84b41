import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";

/**
 * One street just south of 49° N, with everything that layers are made of:
 *
 *     ───●──────────●──────────●───   Lindenweg, west to east, houses 1 to 3
 *      bakery    airport QMX
 */
export function* street(west = -111.2): Generator<OsmElement> {
  const tags: Record<string, string>[] = [
    { shop: "bakery", name: "Bakery" },
    { aeroway: "aerodrome", iata: "QMX", name: "Field" },
    {},
  ];
  for (let i = 0; i < 3; i++)
    yield { type: "node", id: 1 + i, latitude: 48.9, longitude: west + i * 0.005, tags: tags[i] };
  for (let i = 0; i < 3; i++) {
    const house = { "addr:street": "Lindenweg", "addr:housenumber": `${i + 1}`, "addr:city": "Meridale" };
    yield { type: "node", id: 10 + i, latitude: 48.9003, longitude: west + i * 0.005, tags: house };
  }
  yield { type: "way", id: 1, refs: [1, 2, 3], tags: { highway: "residential", name: "Lindenweg" } };
}
