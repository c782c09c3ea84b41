import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { decodeEach, memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import { METRES_PER_DEGREE } from "../../../../src/core/geo/distance.ts";
import { rowOfSlug } from "../../../../src/core/places/categories.ts";
import { OVERTURE_CATEGORIES, rowsOfOverture } from "../../../../src/core/places/overture-categories.ts";
import { placeSourceOf, sourceNameOf } from "../../../../src/core/places/place.ts";
import { nearInAll, PlaceIndex } from "../../../../src/core/places/place-index.ts";
import { areSimilarNames, comparedName } from "../../../../src/core/places/same-place.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { overtureReaders } from "../../../../src/importer/run/layers.ts";
import { fetchOverture } from "../../../../src/importer/sources/overture/fetch-overture.ts";
import { importPlaces } from "../../../core/places/import-places.ts";
import { type PlaceRow, writePlaces } from "../../sources/overture/overture-files.ts";

const folder = mkdtempSync(join(tmpdir(), "merged-places-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HERE = { latitude: 49.41, longitude: 8.69 };
const META = [{ dataset: "meta", license: "CDLA-Permissive-2.0" }];

const osm = (id: number, name: string, tags: Record<string, string>, north = 0): OsmElement => ({
  type: "node",
  id,
  latitude: HERE.latitude + north / METRES_PER_DEGREE,
  longitude: HERE.longitude,
  tags: { name, ...tags },
});

const place = (name: string, north: number, more: Partial<PlaceRow> = {}): PlaceRow => ({
  latitude: HERE.latitude + north / METRES_PER_DEGREE,
  longitude: HERE.longitude,
  names: { primary: name },
  hierarchy: ["food_and_drink", "restaurant"],
  confidence: 0.9,
  sources: META,
  ...more,
});

let number = 0;

async function merged(elements: OsmElement[], rows: PlaceRow[], confidence?: number) {
  const path = join(folder, `${number++}.parquet`);
  await writePlaces(path, rows);
  const source = { words: [path], ...(confidence !== undefined && { confidence }) };
  const { places } = await fetchOverture(source, {
    cache: `${path}-cache`,
    reporter: silent,
    readers: overtureReaders,
    memory: 1e9,
  });
  return importPlaces(elements, undefined, places);
}

const namesOf = ({ places }: Awaited<ReturnType<typeof merged>>) => places.map(({ name }) => name).sort();

it("omits a place that OpenStreetMap has within 60 m under a similar name", async () => {
  const built = await merged(
    [osm(1, "Café Schafheutle", { amenity: "cafe" }), osm(2, "Trattoria Da Mario", { amenity: "restaurant" }, 200)],
    [
      place("SCHAFHEUTLE", 40),
      place("Da Mario Ristorante", 240),
      place("Cafe Schafheutle", -75),
      place("Zum Roten Ochsen", 10),
    ],
  );
  // 75 m are too far to be the same; a place of another name is one of its own.
  expect(namesOf(built)).toEqual(["Cafe Schafheutle", "Café Schafheutle", "Trattoria Da Mario", "Zum Roten Ochsen"]);
  expect(built.counts).toMatchObject({
    "left out: place of Overture that another source has": 2,
    "places of Overture": 2,
  });
  expect(built.places.map(({ id, name }) => [name, sourceNameOf(id)])).toContainEqual(["Zum Roten Ochsen", "Overture"]);
});

it("keeps the surer one of two places of Overture, and none that closed or is doubtful", async () => {
  const rows = [
    place("Blue Door Bar", 0, { confidence: 0.7 }),
    place("The Blue Door", 20, { confidence: 0.95 }),
    place("Gone", 300, { operating_status: "permanently_closed", confidence: 1 }),
    place("Maybe", 400, { confidence: 0.59 }),
    place("Unknown", 500, { confidence: null }),
    place("123", 600),
    place("Some Company", 700, { hierarchy: ["services_and_business", "corporate_or_business_office"] }),
  ];
  const built = await merged([], rows);
  expect(namesOf(built)).toEqual(["The Blue Door"]);
  expect(built.counts).toMatchObject({
    "left out: place that closed": 1,
    "left out: place of low confidence": 2,
    "left out: place without a name": 1,
    "left out: place of a category without a counterpart": 1,
  });
  expect(namesOf(await merged([], rows, 0.5))).toEqual(["Maybe", "The Blue Door"]);
});

it("gives a chain the slug that OpenStreetMap's places of the brand have", async () => {
  const built = await merged(
    [osm(1, "Starbucks", { amenity: "cafe", brand: "Starbucks", "brand:wikidata": "Q37158" })],
    [
      place("Starbucks Coffee Hauptbahnhof", 900, {
        brand: { wikidata: "Q37158", names: { primary: "Starbucks Coffee" } },
      }),
    ],
  );
  const [one] = built.places.filter(({ name }) => name !== "Starbucks");
  expect(one.chain).toMatchObject({ slug: "starbucks", name: "Starbucks" });
});

it("does not return a place twice that two builds have", async () => {
  const indexOf = ({ objects }: { objects: Map<string, Uint8Array> }) =>
    new PlaceIndex(decodeEach(memorySource(objects)));
  const own = await merged([osm(1, "Café Schafheutle", { amenity: "cafe" })], [place("Far away", 5000)]);
  const other = await merged([], [place("Schafheutle", 30), place("Zum Roten Ochsen", 10)]);
  const found = await nearInAll([indexOf(own), indexOf(other)], HERE, { radius: 1000, limit: 10 });
  expect(found.map(({ place: { name } }) => name)).toEqual(["Café Schafheutle", "Zum Roten Ochsen"]);
  expect(placeSourceOf(found[1].place.id)?.source).toBe("overture");
});

it.each([
  ["McDonald's", "Mc Donalds", true, true],
  ["Pizzeria Bella Napoli", "Bella Napoli", true, true],
  ["Bella", "Pizzeria Bella Napoli", true, true],
  ["Hauptbahnhof Apotheke", "Hauptbahnhof", false, false],
  ["Grundschule 12", "Grundschule 14", true, false],
  ["Müller", "Mueller GmbH", true, true],
  ["Rossmann", "Rosmann", true, true],
  ["東京駅", "東京駅", false, true],
  ["東京駅", "上野駅", true, false],
  ["The Bar", "Bar", true, true],
  ["Central Park", "Central Parking", true, false],
  ["Central Park", "Central Park", false, true],
])("%s and %s, of one kind: %s, are similar: %s", (a, b, sameKind, expected) => {
  expect(areSimilarNames(comparedName(a), comparedName(b), sameKind)).toBe(expected);
});

it("maps the most specific name of a hierarchy that has a counterpart", () => {
  const slug = (text: string) => rowOfSlug(text);
  expect(rowsOfOverture(["food_and_drink", "restaurant", "asian_restaurant", "thai_restaurant"], [])).toEqual([
    slug("thai-restaurant"),
  ]);
  expect(rowsOfOverture(["food_and_drink", "restaurant", "polish_restaurant"], ["bar"])).toEqual([
    slug("restaurant"),
    slug("bar"),
  ]);
  expect(rowsOfOverture(["services_and_business", "home_service"], ["atm"])).toEqual([]);
  const names = OVERTURE_CATEGORIES.flatMap(([, own]) => own);
  expect(new Set(names).size).toBe(names.length);
});
