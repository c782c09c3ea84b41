import type { Coordinate } from "../../../geo/coordinate.ts";
import { destination } from "../../../geo/distance.ts";
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
}

const BEACON_UUID = "f7826da6-4fa2-4e98-8024-bc5b71e0893e";
const SHOPS = 10;
const DOORS = 14;
const BEACONS = 6;

interface FoundPlace {
  name: string;
  location: { coordinates: [number, number] };
}

/**
 * The customer's things in the demo town: geofences of all three kinds and beacons, under their own names, so that
 * writing them again replaces them.
 */
export async function furnishTown(platform: Platform): Promise<DemoTown> {
  const draw = random("demo-data", "town");
  const near = `${ORIGIN.latitude},${ORIGIN.longitude}`;
  const categories = "food-beverage,shopping-retail";
  const { places } = await platform.call<{ places: FoundPlace[] }>(
    "GET",
    `/v1/search/places?near=${near}&radius=3500&limit=100&categories=${categories}`,
  );
  const chosen = draw.shuffle(places).slice(0, SHOPS);
  const shops = chosen.map(({ location }, i): Stop => {
    const [longitude, latitude] = location.coordinates;
    const beacon = { type: "ibeacon", uuid: BEACON_UUID, major: String(i + 1), minor: "1" } as const;
    return {
      tag: "demo-shop",
      externalId: `shop-${i + 1}`,
      location: { latitude, longitude },
      ...(i < BEACONS ? { beacon } : {}),
    };
  });
  const somewhere = (reach: number) => destination(ORIGIN, draw.between(0, 360), draw.between(300, reach));
  const doors = Array.from(
    { length: DOORS },
    (_, i): Stop => ({
      tag: "demo-door",
      externalId: `door-${i + 1}`,
      location: somewhere(2200),
    }),
  );
  const depot: Stop = { tag: "demo-depot", externalId: "depot", location: destination(ORIGIN, 200, 900) };
  const circle = (stop: Stop, radius: number, description: string, more = {}) => ({
    stop,
    body: { description, type: "circle", coordinates: pairOf(stop.location), radius, ...more },
  });
  const fences = [
    ...shops.map((shop, i) =>
      circle(shop, 70, SHOP_NAMES[i] ?? chosen[i].name, {
        metadata: { floor: i % 3, open24h: i % 4 === 0 },
        ...(i === 1 ? { operatingHours: officeHours() } : {}),
      }),
    ),
    ...doors.map((door, i) =>
      circle(door, 60, `Delivery ${i + 1}`, { tripApproachingThreshold: 2, metadata: { parcels: 1 + (i % 4) } }),
    ),
    polygon(depot, "Depot · المستودع · 仓库", 120, 4, { dwellThreshold: 15 }),
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
  await inTurns(fences, 4, ({ stop, body }) =>
    platform.call("PUT", `/v1/geofences/${stop.tag}/${stop.externalId}`, body),
  );
  await inTurns(shops.slice(0, BEACONS), 4, ({ beacon, location }, i) =>
    platform.call("PUT", `/v1/beacons/demo-beacon/shop-${i + 1}`, {
      description: `${SHOP_NAMES[i]}, entrance`,
      ...beacon,
      coordinates: pairOf(location),
      enabled: true,
      metadata: { battery: 60 + 5 * i },
    }),
  );
  return { shops, doors, depot };
}

function zone(externalId: string, location: Coordinate): Stop {
  return { tag: "demo-zone", externalId, location };
}

function polygon(stop: Stop, description: string, reach: number, corners: number, more: object) {
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
