import { distance } from "../../../../core/geo/distance.ts";
import { WORLD_SIZE } from "../../../../core/maps/tiles/plane.ts";
import { type City, urbanWeights, worldCities } from "../../../world/cities.ts";
import { type MapNames, townNames } from "../../../world/map-names.ts";
import { type BasemapFeature, POINT, pointParts, properties } from "../features/feature.ts";
import { placeOrder, populationRank, townRank } from "../features/places.ts";
import { isNumberedPart, townNamesOf } from "./office-names.ts";
import { suburbsOf } from "./suburbs.ts";
import { EARLIER, type Obstacle, type RankedTown, townWeight, townZooms } from "./town-ranks.ts";

/** The finest tiles are magnified for higher zooms, so they also hold what appears only there. */
const WORLD_MAX_ZOOM = 6;
/** Smaller towns are not in the world base: nine in ten of them would be named only where the base is magnified four times. */
const MIN_WEIGHT = 15_000;
/** The zoom of towns that have no space before. */
const LATEST = 9;

/** The towns of the world base by rank, each with the zoom from which it is named next to `countries`. */
export function* townsOfWorld(countries: readonly BasemapFeature[]): Generator<BasemapFeature> {
  const cities = worldCities();
  const urban = urbanWeights(cities);
  const list = townNames();
  let ofCountry: Map<string, Weighted[]> | undefined;
  const all = cities
    .flatMap((city, i) => {
      const weight = townWeight(city.population, urban[i], list.isUncertain(`${city.id}`));
      const isCapital = city.rank === "capital";
      if (weight < MIN_WEIGHT && !isCapital) return [];
      if (isNumberedPart(city.name)) return [];
      const names = townNamesOf(city.country, list.of(`${city.id}`, city.country, city.name));
      const [[x, y]] = pointParts(city.longitude, city.latitude);
      return [{ city, names, x, y, ...sizeOf(names), weight, isCapital }];
    })
    .map((town, _, towns) => {
      if (!town.isCapital) return town;
      ofCountry ??= Map.groupBy(towns, ({ city }) => city.country);
      return { ...town, weight: metroWeight(town, ofCountry.get(town.city.country) ?? []) };
    })
    .sort(
      (a, b) =>
        townRank(b.weight, b.isCapital) - townRank(a.weight, a.isCapital) ||
        b.weight - a.weight ||
        a.city.id - b.city.id,
    );
  const ownNames = all.filter(isFirstOfName());
  const certain = ownNames.map(({ city }) => city).filter(({ id }) => !list.isUncertain(`${id}`));
  const suburbs = suburbsOf(certain, MIN_WEIGHT);
  yield* ownNames.filter(({ city }) => suburbs.has(city)).map(suburb);
  const towns = ownNames.filter(({ city }) => !suburbs.has(city));
  const zooms = townZooms(towns, countries.map(obstacle));
  for (const [i, { city, names, x, y, weight, isCapital }] of towns.entries()) {
    const zoom = zooms[i];
    const minZoom = Number.isFinite(zoom) ? Math.round(10 * (zoom + EARLIER)) / 10 : LATEST;
    const rank = townRank(weight, isCapital);
    yield {
      layer: "places",
      type: POINT,
      parts: [[x, y]],
      minZoom: Math.min(Math.floor(zoom), WORLD_MAX_ZOOM),
      properties: properties({
        kind: "locality",
        kind_detail: city.population >= 100_000 || city.rank !== "other" ? "city" : "town",
        ...names,
        min_zoom: minZoom,
        population: rounded(city.population),
        population_rank: populationRank(weight),
        // Readers compute it from the people where it is the same.
        rank: rank === townRank(rounded(city.population), false) ? undefined : rank,
        capital: isCapital ? "yes" : undefined,
      }),
      order: placeOrder(minZoom, weight),
    };
  }
}

type Weighted = { city: City; weight: number };

/**
 * A capital counts as the largest town of its country next to it: Kuwait City, whose people live in its suburbs, is named before Al
 * Ahmadi. One that is abandoned does not.
 */
function metroWeight({ city, weight }: Weighted, ofCountry: readonly Weighted[]): number {
  if (city.population < MIN_CAPITAL) return weight;
  const near = ofCountry.filter((other) => distance(city, other.city) < METRO);
  return Math.max(...near.map((other) => other.weight));
}

/** [m] */
const METRO = 40_000;
const MIN_CAPITAL = 1000;

/** Named by maps that are near (maps/style/place-labels.ts), and within imports not at all (maps/tiles/compose.ts). */
const suburb = ({ city, names, x, y }: { city: City; names: MapNames; x: number; y: number }): BasemapFeature => ({
  layer: "places",
  type: POINT,
  parts: [[x, y]],
  minZoom: WORLD_MAX_ZOOM,
  properties: properties({
    kind: "macrohood",
    kind_detail: "suburb",
    ...names,
    min_zoom: SUBURB_ZOOM,
    population: rounded(city.population),
  }),
  order: placeOrder(SUBURB_ZOOM, city.population),
});

const SUBURB_ZOOM = 11;

/** Two entries of one name so near each other are a town and its municipality [units of the plane at the equator]: 10 km. */
const SAME = (WORLD_SIZE / 40_075) * 10;

/** Returns a filter that passes the first town of a name, and those of the same name in another state or elsewhere. */
function isFirstOfName() {
  const passed = new Map<string, { x: number; y: number }[]>();
  return ({ city, names, x, y }: { city: City; names: MapNames; x: number; y: number }): boolean => {
    const key = [city.country, city.state, names.name].join();
    const others = passed.get(key) ?? [];
    const reach = SAME / Math.cos((city.latitude * Math.PI) / 180);
    if (others.some((other) => Math.hypot(other.x - x, other.y - y) < reach)) return false;
    passed.set(key, [...others, { x, y }]);
    return true;
  };
}

/** To two digits: nearby towns then share values, and tiles are smaller. */
const rounded = (people: number) => Number(people.toPrecision(2));

/** The size of the label where no language is requested: the local name, with the Latin one below where it has other letters. */
function sizeOf(names: MapNames): Pick<RankedTown, "letters" | "lines"> {
  const latin = names["name:en"];
  const isLatin = names.name < FIRST_NOT_LATIN;
  const lines = isLatin || latin === undefined ? [names.name] : [names.name, latin];
  return { letters: Math.max(...lines.map(widthOf)), lines: lines.length };
}

const FIRST_NOT_LATIN = "\u0370";
/** Ideographs are as wide as two letters. */
const widthOf = (text: string) =>
  [...text].reduce((sum, letter) => sum + (/[\u2e80-\u9fff\uac00-\ud7af]/.test(letter) ? 2 : 1), 0);

function obstacle({ parts: [[x, y]], minZoom, properties: names }: BasemapFeature): Obstacle {
  const words = String(names.name).split(" ");
  return { x, y, letters: Math.max(...words.map(widthOf), widthOf(String(names.name)) / 2), minZoom };
}
