import type { Coordinate } from "../../core/geo/coordinate.ts";
import { destination } from "../../core/geo/distance.ts";
import { ORIGIN } from "../world/plane.ts";
import { random } from "../world/random.ts";
import { SHOP_NAMES } from "./people.ts";
import { inTurns, type Platform } from "./platform.ts";

/** A place where people of the demo day go. */
export interface Stop {
  tag: string;
  externalId: string;
  location: Coordinate;
  beacon?: { type: "ibeacon"; uuid: string; major: string; minor: string };
}

export interface DemoTown {
  shops: Stop[];
  doors: Stop[];
  depot: Stop;
  /** Of shops, as a customer writes them. */
  addresses: string[];
}

const BEACON_UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e";
const SHOPS = 10;
const DOORS = 14;
const BEACONS = 6;

interface FenceBody {
  description: string;
  type: string;
  coordinates: unknown;
  [field: string]: unknown;
}
interface Fence {
  stop: Stop;
  body: FenceBody;
}

interface FoundPlace {
  name: string;
  address?: { addressLabel?: string; city?: string };
  location: { coordinates: [number, number] };
}

/**
 * The customer's geofences of all three kinds and beacons in the demo town. They are imported from files, as a customer would, and
 * importing them again changes nothing.
 */
export async function furnishTown(platform: Platform): Promise<DemoTown> {
  const draw = random("demo-data", "town");
  const chosen = draw.shuffle(await findShops(platform)).slice(0, SHOPS);
  const shops = chosen.map(shopOf);
  const depot: Stop = { tag: "demo-depot", externalId: "depot", location: destination(ORIGIN, 200, 900) };
  const somewhere = (reach: number) => destination(ORIGIN, draw.between(0, 360), draw.between(300, reach));
  const spots = Array.from({ length: DOORS }, () => somewhere(2200));
  const doors = await inTurns(
    spots,
    4,
    async (place, i): Promise<Stop> => ({
      tag: "demo-door",
      externalId: `door-${i + 1}`,
      location: await atRoad(platform, depot.location, place),
    }),
  );
  const features = fencesOf(shops, chosen, doors, depot).map(({ stop, body }) => featureOf(stop, body));
  await platform.call("POST", "/v1/imports/geofences?filename=meridale.geojson", {
    geojson: { type: "FeatureCollection", features },
  });
  await platform.call("POST", "/v1/imports/beacons?filename=entrances.csv", { csv: beaconsAsCsv(shops) });
  const addresses = chosen.flatMap(({ address }) =>
    address?.addressLabel ? `${address.addressLabel}, ${address.city}` : [],
  );
  return { shops, doors, depot, addresses: [...addresses, "1 Nowhere Lane, Meridale"] };
}

async function findShops(platform: Platform): Promise<FoundPlace[]> {
  const near = `${ORIGIN.latitude},${ORIGIN.longitude}`;
  const categories = "food-beverage,shopping-retail";
  const { places } = await platform.call<{ places: FoundPlace[] }>(
    "GET",
    `/v1/search/places?near=${near}&radius=3500&limit=100&categories=${categories}`,
  );
  return places;
}

function shopOf({ location }: FoundPlace, i: number): Stop {
  const [longitude, latitude] = location.coordinates;
  const beacon = { type: "ibeacon", uuid: BEACON_UUID, major: String(i + 1), minor: "1" } as const;
  return {
    tag: "demo-shop",
    externalId: `shop-${i + 1}`,
    location: { latitude, longitude },
    ...(i < BEACONS ? { beacon } : {}),
  };
}

function fencesOf(shops: readonly Stop[], places: readonly FoundPlace[], doors: readonly Stop[], depot: Stop): Fence[] {
  const circle = (stop: Stop, radius: number, description: string, more = {}): Fence => ({
    stop,
    body: { description, type: "circle", coordinates: pairOf(stop.location), radius, ...more },
  });
  return [
    ...shops.map((shop, i) =>
      circle(shop, 70, SHOP_NAMES[i] ?? places[i].name, {
        metadata: { floor: i % 3, open24h: i % 4 === 0 },
        ...(i === 1 ? { operatingHours: officeHours() } : {}),
      }),
    ),
    ...doors.map((door, i) =>
      circle(door, 60, `Delivery ${i + 1}`, { tripApproachingThreshold: 2, metadata: { parcels: 1 + (i % 4) } }),
    ),
    polygon(depot, "Depot · المستودع · 仓库", 120, 4, { dwellThreshold: 15, speedLimit: 20 }),
    polygon(zone("downtown", ORIGIN), "Downtown", 900, 9, { metadata: { tariff: "A" } }),
    polygon(zone("north", destination(ORIGIN, 10, 1500)), "North Meridale · Nord", 800, 7, {
      metadata: { tariff: "B" },
    }),
    circle(zone("school", destination(ORIGIN, 120, 700)), 150, "School, not at night", {
      operatingHours: officeHours(),
    }),
    circle(zone("old-market", destination(ORIGIN, 300, 600)), 100, "Old market (closed)", { enabled: false }),
    circle(zone("five-minutes", depot.location), 5, "Five minutes from the depot", { type: "isochrone", mode: "bike" }),
  ];
}

function beaconsAsCsv(shops: readonly Stop[]): string {
  const beacons = shops
    .slice(0, BEACONS)
    .map(({ beacon, location }, i) => [
      ...[`${SHOP_NAMES[i]}, entrance`, "demo-beacon", `shop-${i + 1}`, beacon?.type, beacon?.uuid, beacon?.major],
      ...[beacon?.minor, JSON.stringify(pairOf(location)), "true", JSON.stringify({ battery: 60 + 5 * i })],
    ]);
  const head = [
    "description",
    "tag",
    "externalId",
    "type",
    "uuid",
    "major",
    "minor",
    "coordinates",
    "enabled",
    "metadata",
  ];
  return [head, ...beacons]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(","))
    .join("\r\n");
}

/** Where the road to a place ends: a courier stops there, not in the middle of a block. */
async function atRoad(platform: Platform, from: Coordinate, to: Coordinate): Promise<Coordinate> {
  const at = ({ latitude, longitude }: Coordinate) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
  const path = `/v1/route/directions?locations=${at(from)}|${at(to)}&mode=car&units=metric&geometry=linestring`;
  const { routes } = await platform.call<{ routes: { geometry: { coordinates: [number, number][] } }[] }>("GET", path);
  const [longitude, latitude] = routes[0]?.geometry.coordinates.at(-1) ?? [to.longitude, to.latitude];
  return { latitude, longitude };
}

/** A geofence as a feature of a GeoJSON file. */
function featureOf({ tag, externalId }: Stop, { type, coordinates, ...more }: FenceBody): object {
  const geometry =
    type === "polygon" ? { type: "Polygon", coordinates: [coordinates] } : { type: "Point", coordinates };
  return { type: "Feature", geometry, properties: { tag, externalId, type, ...more } };
}

function zone(externalId: string, location: Coordinate): Stop {
  return { tag: "demo-zone", externalId, location };
}

function polygon(stop: Stop, description: string, reach: number, corners: number, more: object): Fence {
  const ring = Array.from({ length: corners }, (_, i) =>
    pairOf(destination(stop.location, 360 - (i * 360) / corners + 45, reach * (i % 2 === 0 ? 1 : 0.85))),
  );
  return { stop, body: { description, type: "polygon", coordinates: [...ring, ring[0]], ...more } };
}

function pairOf({ longitude, latitude }: Coordinate): [number, number] {
  return [Math.round(longitude * 1e6) / 1e6, Math.round(latitude * 1e6) / 1e6];
}

function officeHours() {
  return Object.fromEntries(["Mon", "Tue", "Wed", "Thu", "Fri"].map((day) => [day, [["08:00", "18:00"]]]));
}
