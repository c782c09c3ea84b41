import type { Coordinate } from "../../core/geo/coordinate.ts";
import { destination } from "../../core/geo/distance.ts";
import { ORIGIN } from "../world/plane.ts";
import { type Random, random } from "../world/random.ts";
import { dayOf, type Journey, type Position, type Way } from "./day.ts";
import { PEOPLE, type Person } from "./people.ts";
import { DEFAULT_CALLS_PER_SECOND, inTurns, Platform } from "./platform.ts";
import { addRules } from "./rules.ts";
import { type DemoTown, furnishTown, type Stop } from "./town.ts";
import { addWebhooks } from "./webhooks.ts";

/** Most updates of one replay, a little below what the endpoint takes. */
const MAX_REPLAY_UPDATES = 400;
/** People whose day is sent at the same time. */
const AT_ONCE = 10;
/** Couriers that are traveling to a customer at the end of the day. */
const UNDER_WAY = 3;

/**
 * Fills a project with a day of people in the demo town, up to now, through the endpoints that an app and a server
 * would call. People of an earlier day are deleted first, and geofences and beacons are replaced: called again, there
 * is one day, the latest. It causes no errors: requests stay within the limits, and only what exists is deleted.
 */
export async function fillDemoData(
  {
    baseUrl,
    key,
    now,
    callsPerSecond = DEFAULT_CALLS_PER_SECOND,
    people = PEOPLE,
  }: { baseUrl: string; key: string; now: number; callsPerSecond?: number; people?: readonly Person[] },
  say: (text: string) => void,
): Promise<{ people: number; updates: number; trips: number }> {
  const platform = new Platform(baseUrl, key, callsPerSecond);
  say("Geofences and beacons in Meridale …");
  const town = await furnishTown(platform);
  await addWebhooks(platform);
  await addRules(platform);
  const there = await devicesOf(platform);
  const ways = new Ways(platform);
  let [updates, trips, done] = [0, 0, 0];
  await inTurns(people, AT_ONCE, async (person, index) => {
    const draw = random("demo-data", person.device);
    const journeys = await journeysOf(person, town, ways, draw);
    const underWay = person.role === "courier" && index < UNDER_WAY;
    const day = dayOf(journeys, { accuracy: person.accuracy, underWay }, draw);
    if (there.has(person.device)) await platform.call("DELETE", `/v1/users/${person.device}`);
    const start = now - day[day.length - 1].at - idleOf(person, underWay, draw);
    const own = await sendDay(platform, person, { journeys, day, underWay, start });
    trips += own;
    updates += day.length;
    say(`${++done} of ${people.length} people have had their day: ${person.name}`);
  });
  await inTurns(people.slice(0, 8), 4, ({ device }) =>
    platform.call("PUT", `/v1/users/${device}/segments`, {
      segments: [{ description: "Couriers", externalId: "couriers" }],
    }),
  );
  for (const [i, { device }] of people.slice(-6).entries()) {
    const bought = { name: "bought", deviceId: device, userId: userIdOf(device), revenue: 12.5 + 3 * i };
    await platform.call("POST", "/v1/events", bought);
  }
  return { people: people.length, updates, trips };
}

/** Devices that the project has already. */
async function devicesOf(platform: Platform): Promise<ReadonlySet<string>> {
  const { users } = await platform.call<{ users: { deviceId: string }[] }>("GET", "/v1/users?limit=1000");
  return new Set(users.map(({ deviceId }) => deviceId));
}

/** Minutes since the last update at most: a phone at rest reports rarely, and some people are asleep. */
const MAX_IDLE_MINUTES = { courier: 25, staff: 90, visitor: 300 } as const;

/** How long before now a person's day ends [ms]. */
function idleOf({ role }: Person, underWay: boolean, draw: Random): number {
  return underWay ? 0 : Math.floor(draw.between(1, MAX_IDLE_MINUTES[role]) * 60_000);
}

function userIdOf(device: string): string {
  return `user-${device}`;
}

/** A place that a person visits on that day. */
async function journeysOf(person: Person, town: DemoTown, ways: Ways, draw: Random): Promise<Journey[]> {
  const home = destination(ORIGIN, draw.between(0, 360), draw.between(800, 2200));
  const stops = stopsOf(person, town, draw);
  const journeys: Journey[] = [];
  let here: Coordinate = person.role === "courier" ? town.depot.location : home;
  for (const { stop, stayMinutes, trip } of stops) {
    const way = await ways.between(here, stop?.location ?? home, person.mode);
    if (!way) continue;
    journeys.push({
      way,
      stayMinutes,
      ...(trip && stop ? { goal: { tag: stop.tag, externalId: stop.externalId } } : {}),
      ...(stop?.beacon ? { beacons: [stop.beacon] } : {}),
    });
    here = way.line[way.line.length - 1];
  }
  return journeys;
}

interface PlannedStop {
  /** Absent: home. */
  stop?: Stop;
  stayMinutes: number;
  trip?: boolean;
}

function stopsOf(person: Person, { shops, doors, depot }: DemoTown, draw: Random): PlannedStop[] {
  const shop = () => draw.pick(shops);
  if (person.role === "courier") {
    const rounds = draw.shuffle(doors).slice(0, 6);
    const deliver = (stop: Stop): PlannedStop => ({ stop, stayMinutes: 5 + draw.below(20), trip: true });
    return [
      { stop: depot, stayMinutes: 40 },
      ...rounds.slice(0, 3).map(deliver),
      { stop: shop(), stayMinutes: 50 },
      { stop: depot, stayMinutes: 30 },
      ...rounds.slice(3).map(deliver),
    ];
  }
  const work = shop();
  if (person.role === "staff") {
    return [
      { stop: work, stayMinutes: 200 + draw.below(60) },
      { stop: shop(), stayMinutes: 40 },
      { stop: work, stayMinutes: 180 + draw.below(60) },
      { stayMinutes: 60 + draw.below(200) },
    ];
  }
  return [
    { stop: work, stayMinutes: 30 + draw.below(60) },
    { stop: shop(), stayMinutes: 60 + draw.below(90) },
    { stop: draw.pick(doors), stayMinutes: 120 + draw.below(120) },
    { stayMinutes: 30 + draw.below(60) },
  ];
}

/** Ways along the roads, each asked for once. */
class Ways {
  readonly #platform: Platform;
  readonly #known = new Map<string, Promise<Way | undefined>>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  between(from: Coordinate, to: Coordinate, mode: Person["mode"]): Promise<Way | undefined> {
    const at = ({ latitude, longitude }: Coordinate) => `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    const query = `locations=${at(from)}|${at(to)}&mode=${mode}&units=metric&geometry=linestring`;
    const known = this.#known.get(query) ?? this.#ask(query);
    this.#known.set(query, known);
    return known;
  }

  async #ask(query: string): Promise<Way | undefined> {
    const path = `/v1/route/directions?${query}`;
    const { routes } = await this.#platform.call<{ routes: WireRoute[] }>("GET", path);
    const [route] = routes;
    if (!route || route.geometry.coordinates.length < 2) return undefined;
    const line = route.geometry.coordinates.map(([longitude, latitude]) => ({ latitude, longitude }));
    return { line, duration: route.duration.value * 60 };
  }
}

interface WireRoute {
  duration: { value: number };
  geometry: { coordinates: [number, number][] };
}

interface SentDay {
  journeys: readonly Journey[];
  day: readonly Position[];
  underWay: boolean;
  /** When it begins [ms]. */
  start: number;
}

/** Sends someone's positions as a phone does that was out of reach, and ends the trips where they arrive. */
async function sendDay(
  platform: Platform,
  person: Person,
  { journeys, day, underWay, start }: SentDay,
): Promise<number> {
  let trips = 0;
  let waiting: object[] = [];
  const send = async () => {
    while (waiting.length > 0) {
      await platform.replay(person.device, waiting.slice(0, MAX_REPLAY_UPDATES));
      waiting = waiting.slice(MAX_REPLAY_UPDATES);
    }
  };
  for (const [index, journey] of journeys.entries()) {
    const own = day.filter((position) => position.journey === index);
    const trip = journey.goal && own.length > 0 ? tripOf(person, journey, index, start + own[0].at) : undefined;
    if (trip) trips++;
    waiting.push(...own.map((position) => updateOf(person, position, { start, trip, journey })));
    if (!trip || (underWay && index === journeys.length - 1)) continue;
    await send();
    const status = index === 2 && person.device === "demo-05" ? "canceled" : "completed";
    const endedAt = new Date(start + own[own.length - 1].at).toISOString();
    await platform.call("PATCH", `/v1/trips/${trip.externalId}/update`, { status, endedAt }, [409]);
  }
  await send();
  return trips;
}

function tripOf(person: Person, { goal, way }: Journey, index: number, startedAt: number) {
  return {
    externalId: `${person.device}-${index + 1}`,
    destinationGeofenceTag: goal?.tag,
    destinationGeofenceExternalId: goal?.externalId,
    mode: person.mode,
    // Every third was promised a little too early.
    scheduledArrivalAt: new Date(startedAt + way.duration * (index % 3 === 0 ? 700 : 1400)).toISOString(),
    metadata: { order: `A-${1000 + 17 * index}`, fragile: index % 2 === 0 },
  };
}

function updateOf(
  { device, name, role, phone, accuracy }: Person,
  position: Position,
  { start, trip, journey }: { start: number; trip?: object; journey: Journey },
): object {
  const { location, moving, speed, course, share } = position;
  return {
    deviceId: device,
    userId: userIdOf(device),
    description: name,
    metadata: { role, demo: true },
    ...location,
    accuracy,
    stopped: !moving,
    foreground: !moving && share === 1,
    speed,
    course,
    ...phone,
    updatedAt: new Date(start + position.at).toISOString(),
    source: moving ? "LOCATION_CHANGED" : "STOPPED",
    ...(trip ? { tripOptions: trip } : {}),
    ...(journey.beacons ? { beacons: share === 1 ? journey.beacons : [] } : {}),
  };
}
