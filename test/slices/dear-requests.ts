import type { LoadRequest } from "../bench/support/load.ts";

/** A request that its endpoint accepts and that costs it most, in one way. */
export interface DearRequest {
  operationId: string;
  name: string;
  request: LoadRequest;
}

/** A town with roads, as a box [degrees]. */
export interface Town {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The middle of the demo world. */
export const DEMO: Town = { south: 48.98, west: -111.23, north: 49.015, east: -111.17 };
export const PORTO: Town = { south: 41.14, west: -8.66, north: 41.18, east: -8.58 };

/**
 * The dearest requests of each endpoint that computes: the most items, the largest areas, and what makes searches go farther. Whoever adds
 * an endpoint or a parameter that computes for more than a few milliseconds adds its dearest request here; test/slices finds the loop in
 * it that does not yield.
 */
export function dearRequests(town: Town): DearRequest[] {
  const places = new Places(town);
  return [
    ...roadRequests(places),
    ...fleetRequests(places),
    ...mapRequests(places),
    ...dataRequests(places),
    ...peerRequests(places),
  ];
}

/** Points of a town: steps of the golden ratio fill it evenly. */
class Places {
  readonly town: Town;
  constructor(town: Town) {
    this.town = town;
  }

  at(i: number): [longitude: number, latitude: number] {
    const { south, west, north, east } = this.town;
    const [along, across] = [(0.618034 * (i + 1)) % 1, (0.414214 * (i + 1)) % 1];
    return [Number((west + (east - west) * across).toFixed(5)), Number((south + (north - south) * along).toFixed(5))];
  }

  text(i: number): string {
    const [longitude, latitude] = this.at(i);
    return `${latitude},${longitude}`;
  }

  texts(count: number, from = 0): string {
    return Array.from({ length: count }, (_, i) => this.text(from + i)).join("|");
  }

  /** A star of so many corners around the middle; `size`: share of the town. */
  star(corners: number, size: number): [number, number][] {
    const { south, west, north, east } = this.town;
    const ring = Array.from({ length: corners }, (_, i): [number, number] => {
      const angle = (2 * Math.PI * i) / corners;
      const radius = (size / 2) * (i % 2 ? 1 : 0.7);
      return [
        (west + east) / 2 + radius * (east - west) * Math.cos(angle),
        (south + north) / 2 + radius * (north - south) * Math.sin(angle),
      ];
    });
    return [...ring, ring[0]];
  }
}

const get = (path: string): LoadRequest => ({ path });
const post = (path: string, body: unknown): LoadRequest => ({ method: "POST", path, body });
const put = (path: string, body: unknown): LoadRequest => ({ method: "PUT", path, body });
const of = (operationId: string, name: string, request: LoadRequest): DearRequest => ({ operationId, name, request });

const avoiding = (places: Places, polygons: number, corners: number) => {
  const coordinates = Array.from({ length: polygons }, (_, k) => [places.star(corners, 0.1 + (0.8 * k) / polygons)]);
  return `&avoidPolygons=${encodeURIComponent(JSON.stringify({ type: "MultiPolygon", coordinates }))}`;
};

function roadRequests(places: Places): DearRequest[] {
  const areas = avoiding(places, 10, 12);
  const route = (path: string) => get(`/v1/route/${path}`);
  const scattered = (accuracy: number) =>
    Array.from({ length: 1000 }, (_, i) => ({ coordinates: places.text(i * 7), locationAccuracy: accuracy }));
  const square = `matrix?origins=${places.texts(25)}&destinations=${places.texts(25, 25)}`;
  return [
    of("matrix", "25 × 25", route(`${square}&mode=car`)),
    of("matrix", "25 × 25 with ten areas", route(`${square}&mode=car${areas}`)),
    of(
      "matrix",
      "1 × 200 on foot with ten areas",
      route(`matrix?origins=${places.text(0)}&destinations=${places.texts(200, 1)}&mode=foot${areas}`),
    ),
    of(
      "distance",
      "three modes with ten areas",
      route(`distance?origin=${places.text(0)}&destination=${places.text(9)}&modes=car,bike,foot${areas}`),
    ),
    of("directions", "25 places", route(`directions?locations=${places.texts(25)}&mode=car`)),
    of("directions", "25 places with ten areas", route(`directions?locations=${places.texts(25)}&mode=car${areas}`)),
    of(
      "directions",
      "one spiky area",
      route(`directions?locations=${places.texts(2)}&mode=car${avoiding(places, 1, 180)}`),
    ),
    of("optimize", "10 places with ten areas", route(`optimize?locations=${places.texts(10)}&mode=car${areas}`)),
    ...["car", "foot", "bike", "truck"].map((mode) =>
      of(
        "isochrone",
        `five areas by ${mode}`,
        route(`isochrone?origin=${places.text(0)}&minutes=20,30,40,50,60&mode=${mode}`),
      ),
    ),
    of(
      "isochrone",
      "five lengths without noise",
      route(`isochrone?origin=${places.text(0)}&metres=2000,4000,6000,8000,10000&mode=car&denoise=0`),
    ),
    of(
      "isochrone",
      "five areas with ten to avoid",
      route(`isochrone?origin=${places.text(0)}&minutes=11,12,13,14,15&mode=car${areas}`),
    ),
    of("match", "1,000 scattered points", post("/v1/route/match", { mode: "car", path: scattered(200) })),
    of(
      "match",
      "1,000 points without an accuracy, as GPX",
      post("/v1/route/match", {
        mode: "foot",
        format: "gpx",
        path: scattered(0).map(({ coordinates }) => ({ coordinates })),
      }),
    ),
    of("elevation", "512 points", get(`/v1/elevation?coordinates=${places.texts(400)}`)),
    of(
      "createMatchJob",
      "5,000 points",
      post("/v1/route/match/jobs", { mode: "car", path: [...scattered(200), ...scattered(50)] }),
    ),
  ];
}

/** The same work in the forms of other services, with the most of each. */
function peerRequests(places: Places): DearRequest[] {
  const line = (count: number, step = 1) =>
    Array.from({ length: count }, (_, i) => places.at(i * step).join()).join(";");
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i).join(";");
  const square = `${line(50)}?sources=${numbers(0, 25)}&destinations=${numbers(25, 50)}`;
  const full = "steps=true&overview=full&annotations=";
  const mapbox = `${full}duration,distance,speed&banner_instructions=true&voice_instructions=true`;
  const form = (coordinates: string) => ({ coordinates, steps: "true", overview: "full" });
  const [longitude, latitude] = places.at(0);
  const text = "rue north street avenue park main upper lower";
  return [
    of("osrmRoute", "25 places with steps", get(`/osrm/route/v1/driving/${line(25)}?${full}true`)),
    of("osrmTable", "25 × 25", get(`/osrm/table/v1/driving/${square}`)),
    of("osrmMatch", "400 scattered points", get(`/osrm/match/v1/walking/${line(400, 7)}?${full}true`)),
    of("osrmTrip", "9 places", get(`/osrm/trip/v1/driving/${line(9)}?${full}true`)),
    of("mapboxDirections", "25 places with voice", get(`/mapbox/directions/v5/mapbox/driving/${line(25)}?${mapbox}`)),
    of("mapboxDirectionsPost", "25 places", post("/mapbox/directions/v5/mapbox/driving", form(line(25)))),
    of("mapboxMatrix", "25 × 25", get(`/mapbox/directions-matrix/v1/mapbox/driving/${line(25)}`)),
    of(
      "mapboxMatching",
      "100 scattered points",
      get(`/mapbox/matching/v5/mapbox/walking/${line(100, 7)}?${full}duration`),
    ),
    of("mapboxMatchingPost", "100 scattered points", post("/mapbox/matching/v5/mapbox/walking", form(line(100, 7)))),
    of("mapboxTrips", "9 places", get(`/mapbox/optimized-trips/v1/mapbox/driving/${line(9)}?steps=true`)),
    of(
      "mapboxIsochrone",
      "four areas on foot",
      get(`/mapbox/isochrone/v1/mapbox/walking/${longitude},${latitude}?contours_minutes=30,40,50,60&polygons=true`),
    ),
    of("nominatimSearch", "many words", get(`/nominatim/search?q=${encodeURIComponent(text)}&limit=40`)),
    of("photonSearch", "many words", get(`/photon/api?q=${encodeURIComponent(text)}&limit=50`)),
    of("photonStructured", "all parts", get("/photon/structured?street=north%20street&city=meridale&limit=50")),
    of("vroom", "100 jobs", post("/vroom", fleetOf(places, 100))),
  ];
}

const fleetOf = (places: Places, count: number) => ({
  vehicles: [1, 2, 3, 4].map((id) => ({ id, start: places.at(0), end: places.at(0), capacity: [30] })),
  jobs: Array.from({ length: count }, (_, i) => ({ id: i + 1, location: places.at(i), delivery: [1] })),
  options: { g: true },
});

function fleetRequests(places: Places): DearRequest[] {
  const jobs = Array.from({ length: 100 }, (_, i) => ({
    id: i + 1,
    location: places.at(i),
    delivery: [1],
    service: 60,
  }));
  const vehicles = (count: number, capacity: number, mixed: boolean) =>
    Array.from({ length: count }, (_, i) => ({
      id: i + 1,
      start: places.at(mixed ? i : 0),
      end: places.at(mixed ? i : 0),
      capacity: [capacity + (mixed ? i : 0)],
    }));
  const plan = (name: string, body: object) =>
    of("optimizeFleet", name, post("/v1/route/optimize", { ...body, options: { g: true, x: 0 } }));
  return [
    plan("100 jobs, ten like vehicles", { vehicles: vehicles(10, 12, false), jobs }),
    plan("100 jobs, two full vehicles", { vehicles: vehicles(2, 50, false), jobs }),
    plan("100 jobs, twenty unlike vehicles", { vehicles: vehicles(20, 6, true), jobs }),
    of("createFleetJob", "100 jobs", post("/v1/route/optimize/jobs", { vehicles: vehicles(10, 12, false), jobs })),
  ];
}

function mapRequests(places: Places): DearRequest[] {
  const [longitude, latitude] = places.at(0);
  const center = `${latitude},${longitude}`;
  const long = Array.from({ length: 10_000 }, (_, i) => places.at(i % 400));
  const line = { type: "Feature", properties: {}, geometry: { type: "LineString", coordinates: long.slice(0, 4000) } };
  return [
    of("staticMap", "largest", get(`/maps/static?width=2048&height=2048&scale=3&center=${center}&zoom=14`)),
    of("staticMap", "500 markers", get(`/maps/static?width=800&height=600&scale=3&markers=${places.texts(500)}`)),
    of("staticMap", "a path of 600 points", get(`/maps/static?width=800&height=600&scale=3&path=${places.texts(600)}`)),
    of(
      "postStaticMap",
      "a line of 4,000 points",
      post("/maps/static", { width: 800, height: 600, scale: 3, geojson: line }),
    ),
    of("rasterTile", "a tile", get(`/maps/raster/radar-default-v1/${tileAt(places.town, 14)}`)),
    of("mapTile", "a tile", get(`/maps/tiles/${tileAt(places.town, 12)}`)),
  ];
}

/** "z/x/y" of the tile of Web Mercator at the middle of a town. */
function tileAt({ south, west, north, east }: Town, zoom: number): string {
  const latitude = (((south + north) / 2) * Math.PI) / 180;
  const x = ((west + east) / 2 + 180) / 360;
  const y = (1 - Math.asinh(Math.tan(latitude)) / Math.PI) / 2;
  return [zoom, Math.floor(x * 2 ** zoom), Math.floor(y * 2 ** zoom)].join("/");
}

function dataRequests(places: Places): DearRequest[] {
  const [longitude, latitude] = places.at(0);
  const beacons = Array.from(
    { length: 10_000 },
    (_, i) => `ibeacon,b${i},12345678-1234-1234-1234-1234567890ab,1,${i},gate,g${i},"[${longitude},${latitude}]",true`,
  );
  const csv = ["type,description,uuid,major,minor,tag,externalId,coordinates,enabled", ...beacons].join("\n");
  const fence = (i: number) => ({
    type: "Feature",
    properties: { description: `f${i}`, tag: "dear", externalId: `f${i}` },
    geometry: { type: "Polygon", coordinates: [places.star(40, 0.1 + (i % 50) / 60)] },
  });
  const polygon = { description: "star", type: "polygon", coordinates: [places.star(400, 0.9)] };
  const reach = {
    description: "reach",
    type: "isochrone",
    mode: "car",
    coordinates: [longitude, latitude],
    radius: 60,
  };
  const features = Array.from({ length: 1000 }, (_, i) => fence(i));
  return [
    of("upsertGeofence", "a polygon of 400 corners", put("/v1/geofences/dear/star", polygon)),
    of("upsertGeofence", "60 minutes by car", put("/v1/geofences/dear/reach", reach)),
    of(
      "importGeofences",
      "1,000 polygons",
      post("/v1/imports/geofences", { geojson: { type: "FeatureCollection", features } }),
    ),
    of("importBeacons", "10,000 beacons", post("/v1/imports/beacons", { csv })),
    of("exportGeofences", "all", get("/v1/exports/geofences")),
    of("searchGeofences", "around the town", get(`/v1/search/geofences?near=${places.text(0)}&radius=10000&limit=100`)),
    of("context", "between geofences", get(`/v1/context?coordinates=${places.text(0)}`)),
    of(
      "forwardGeocode",
      "many words",
      get(`/v1/geocode/forward?query=${encodeURIComponent("Main Street North ".repeat(12))}`),
    ),
    of("autocomplete", "a letter", get(`/v1/search/autocomplete?query=s&near=${places.text(0)}&limit=100`)),
    of(
      "searchPlaces",
      "all around",
      get(`/v1/search/places?near=${places.text(0)}&radius=10000&limit=100&categories=food-beverage`),
    ),
    of(
      "explain",
      "an update",
      post("/v1/explain", { geofence: "dear/star", userId: "ann", at: new Date(Date.now() - 60_000).toISOString() }),
    ),
    of("openapi", "all", get("/openapi.json")),
    of("docs", "all", get("/docs")),
  ];
}
