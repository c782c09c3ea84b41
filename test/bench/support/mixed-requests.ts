import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { demoBounds } from "../../../src/demo/world/demo-world.ts";
import type { LoadRequest } from "./load.ts";
import { seededRandom } from "./random.ts";

/** Endpoints that the mix calls, by name. */
export const MIXED_ENDPOINTS = [
  ...["distance", "directions", "matrix", "match", "upsertGeofence"],
  ...["staticMap", "mapTile", "reverseGeocode", "autocomplete"],
];

/** Requests for roads, maps and addresses, anywhere in a demo world of a size, always the same ones. */
export interface MixedRequests {
  /** The n-th of a mix: of every kind some. */
  mixed(n: number): { kind: string; request: LoadRequest };
  places(count: number): Coordinate[];
}

export function mixedRequests(
  size: number,
  { testSecret, testPublishable }: { testSecret: string; testPublishable: string },
): MixedRequests {
  const random = seededRandom(5);
  const [west, south, east, north] = demoBounds({ size });
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const place = (): Coordinate => {
    return { latitude: south + random() * (north - south), longitude: west + random() * (east - west) };
  };
  const places = (count: number) => Array.from({ length: count }, place);
  const written = ({ latitude, longitude }: Coordinate) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  const point = () => written(place());
  const points = (count: number) => places(count).map(written).join("%7C");
  const mode = () => pick(["car", "car", "truck", "foot", "bike"]);
  const avoid = () =>
    pick(["", "", "&avoid=tolls", "&avoid=highways", "&avoid=tolls,ferries", "&avoid=highways,borderCrossings"]);
  const get = (path: string): LoadRequest => ({ path, headers: { Authorization: testPublishable } });
  const kinds: Record<string, (n: number) => LoadRequest> = {
    distance: () =>
      get(`/v1/route/distance?modes=car,foot,bike,truck&origin=${point()}&destination=${point()}${avoid()}`),
    directions: () => get(`/v1/route/directions?locations=${points(2)}&alternatives=true&mode=${mode()}${avoid()}`),
    "directions by many": () => get(`/v1/route/directions?locations=${points(6)}&mode=${mode()}`),
    matrix: () => get(`/v1/route/matrix?mode=${mode()}&origins=${points(25)}&destinations=${points(25)}${avoid()}`),
    match: () => {
      const { latitude, longitude } = place();
      const path = Array.from({ length: 60 }, (_, i) => ({
        coordinates: written({ latitude: latitude + i * 0.0002, longitude: longitude + i * 0.0003 }),
        accuracy: 20,
      }));
      return { ...get("/v1/route/match"), method: "POST", body: { path, mode: "car", roadAttributes: ["speedLimit"] } };
    },
    "vector tile": () => {
      const z = pick([10, 12, 14, 14, 15]);
      const [x, y] = tileAt(place(), z);
      return get(`/maps/tiles/${z}/${x}/${y}.mvt`);
    },
    "static map": () => get(`/maps/static?center=${point()}&zoom=${pick([12, 14, 16])}&width=400&height=300`),
    reverse: () => get(`/v1/geocode/reverse?coordinates=${point()}`),
    keystroke: () => {
      const typed = `${1 + Math.floor(random() * 900)} ${pick(["Main", "Basalt", "Hemlock", "Oak", "Cedar", "Maple"])}`;
      return get(`/v1/search/autocomplete?query=${encodeURIComponent(typed)}&near=${point()}`);
    },
    isochrone: (n) => {
      const { latitude, longitude } = place();
      const body = {
        description: "reach",
        type: "isochrone",
        coordinates: [longitude, latitude],
        radius: 5 + Math.floor(random() * 55),
        mode: mode() === "truck" ? "car" : pick(["car", "bike", "foot"]),
      };
      return { method: "PUT", path: `/v1/geofences/bench/${n % 50}`, headers: { Authorization: testSecret }, body };
    },
  };
  const deck = [
    ...["distance", "distance", "distance", "directions", "directions", "directions by many", "matrix", "match"],
    ...["vector tile", "vector tile", "static map", "reverse", "reverse", "keystroke"],
  ];
  return {
    mixed(n) {
      const kind = n % 100 === 99 ? "isochrone" : pick(deck);
      return { kind, request: kinds[kind](n) };
    },
    places,
  };
}

/** The tile of a zoom that a place lies in (Web Mercator). */
function tileAt({ latitude, longitude }: Coordinate, zoom: number): [x: number, y: number] {
  const angle = (latitude * Math.PI) / 180;
  const north = (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2;
  return [Math.floor(((longitude + 180) / 360) * 2 ** zoom), Math.floor(north * 2 ** zoom)];
}
