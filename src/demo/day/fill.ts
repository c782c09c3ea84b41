import type { Coordinate } from "../../core/geo/coordinate.ts";
import { destination } from "../../core/geo/distance.ts";
import { ORIGIN } from "../world/plane.ts";
import { type Random, random } from "../world/random.ts";
import { dayOf, type Journey, type Position, type Way } from "./day.ts";
import { addBatch, addEngagement } from "./engagement.ts";
import { monthOf, type PastDay } from "./month.ts";
import { PEOPLE, type Person } from "./people.ts";
import { DEFAULT_CALLS_PER_SECOND, inTurns, Platform } from "./platform.ts";
import { addRules } from "./rules.ts";
import { type DemoTown, furnishTown, type Stop } from "./town.ts";
import { addWebhooks, serverThatFailedOnce } from "./webhooks.ts";

/** Most updates of one replay, a little below what the endpoint takes. */
const MAX_REPLAY_UPDATES = 400;
/** People whose day is sent at the same time. */
const AT_ONCE = 10;
/** Couriers that are traveling to a customer at the end of the day. */
const UNDER_WAY = 3;

interface Filling {
  baseUrl: string;
  key: string;
  now: number;
  callsPerSecond?: number;
  people?: readonly Person[];
}

/** What a person has done: the days before, and today. */
interface PlannedPerson {
  person: Person;
  journeys: Journey[];
  day: Position[];
  underWay: boolean;
  /** When today begins [ms]. */
  start: number;
  past: PastDay[];
}

export interface FilledDemo {
  people: number;
  updates: number;
  trips: number;
  /** Hours of each person's updates, since 1970. */
  updateHours: number[][];
  /** The ways of the people in cars. */
  drives: Way[];
}

/** Shares of the work by its time: the town, planning, and the updates. */
const [TOWN, PLANNED] = [0.09, 0.26];

/**
 * Fills a project with a month of people in the demo town, up to now, through the endpoints that an app and a server
 * would call. People of an earlier time are deleted first, and geofences and beacons are replaced: called again, there
 * is one month, the latest. It causes no errors but one that a webhook retries: requests stay within the limits, and only what
 * exists is deleted.
 * @param onProgress called with the share that is done
 */
export async function fillDemoData(
  { baseUrl, key, now, callsPerSecond = DEFAULT_CALLS_PER_SECOND, people = PEOPLE }: Filling,
  onProgress: (share: number) => void,
): Promise<FilledDemo> {
  const began = performance.now();
  const platform = new Platform(baseUrl, key, callsPerSecond);
  const town = await furnishTown(platform);
  await addWebhooks(platform);
  await addEngagement(platform);
  await addBatch(platform, town.addresses);
  const server = await serverThatFailedOnce(platform);
  onProgress(TOWN);
  const there = await devicesOf(platform);
  const ways = new Ways(platform);
  let planning = 0;
  const plans = await inTurns(people, AT_ONCE, async (person, index) => {
    const plan = await planOf(person, index, { town, ways, now });
    if (there.has(person.device)) await platform.call("DELETE", `/v1/users/${person.device}`);
    onProgress(TOWN + ((PLANNED - TOWN) * ++planning) / people.length);
    return plan;
  });
  const updates = plans.reduce((sum, plan) => sum + updatesOf(plan), 0);
  let [trips, sent] = [0, 0];
  const count = (more: number) => {
    sent += more;
    onProgress(PLANNED + ((1 - PLANNED) * sent) / updates);
  };
  await inTurns(plans, AT_ONCE, async (plan) => {
    const ended = await sendPast(platform, plan, count);
    trips += ended;
  });
  // Rules about roads and meetings cost the most, and the few positions of a past day break none.
  await addRules(platform);
  const send = async (plan: PlannedPerson) => {
    const begun = await sendDay(platform, plan, count);
    trips += begun;
  };
  const [going, arrived] = [true, false].map((is) => plans.filter(({ underWay }) => underWay === is));
  await inTurns(arrived, AT_ONCE, send);
  // Their trips are looked at once the demo is ready, which takes longer than some of these ways.
  for (const plan of going) plan.start += Math.floor(performance.now() - began);
  await inTurns(going, AT_ONCE, send);
  await logEvents(platform, people);
  await server.end();
  return {
    ...{ people: people.length, updates, trips },
    updateHours: plans.map(({ past, start, day }) =>
      [...past, { start, positions: day }].flatMap((one) =>
        one.positions.flatMap(({ at, standsFor = 1 }) =>
          new Array<number>(standsFor).fill(Math.floor((one.start + at) / 3600_000)),
        ),
      ),
    ),
    drives: plans.flatMap(({ person, journeys }) => (person.mode === "car" ? journeys.map(({ way }) => way) : [])),
  };
}

async function planOf(
  person: Person,
  index: number,
  { town, ways, now }: { town: DemoTown; ways: Ways; now: number },
): Promise<PlannedPerson> {
  const draw = random("demo-data", person.device);
  const journeys = await journeysOf(person, town, ways, draw);
  const underWay = person.role === "courier" && index < UNDER_WAY;
  // One courier drives too fast and leaves the route of a trip.
  if (index === UNDER_WAY) for (const journey of journeys) if (journey.goal) journey.isHurried = true;
  const day = dayOf(journeys, { accuracy: person.accuracy, underWay }, draw);
  const start = now - day[day.length - 1].at - idleOf(person, underWay, draw);
  return { person, journeys, day, underWay, start, past: monthOf(person, journeys, start, draw) };
}

const updatesOf = ({ day, past }: PlannedPerson) =>
  day.length + past.reduce((sum, { positions }) => sum + positions.length, 0);

/** Segments that the customer sets, and conversions. */
async function logEvents(platform: Platform, people: readonly Person[]): Promise<void> {
  await inTurns(people.slice(0, 8), 4, ({ device }) =>
    platform.call("PUT", `/v1/users/${device}/segments`, {
      segments: [{ description: "Couriers", externalId: "couriers" }],
    }),
  );
  for (const [i, { device }] of people.slice(-6).entries()) {
    const bought = { name: "bought", deviceId: device, userId: userIdOf(device), revenue: 12.5 + 3 * i };
    await platform.call("POST", "/v1/events", bought);
  }
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

/** Sends updates as a phone does that was out of reach, some at a time. */
async function sendUpdates(
  platform: Platform,
  { device }: Person,
  updates: readonly object[],
  count: (sent: number) => void,
): Promise<void> {
  for (let i = 0; i < updates.length; i += MAX_REPLAY_UPDATES) {
    const some = updates.slice(i, i + MAX_REPLAY_UPDATES);
    await platform.replay(device, some);
    count(some.length);
  }
}

const endTrip = (platform: Platform, externalId: string, status: string, endedAt: number) =>
  platform.call("PATCH", `/v1/trips/${externalId}/update`, { status, endedAt: new Date(endedAt).toISOString() }, [409]);

/** Sends the days before today. @returns the number of trips */
async function sendPast(
  platform: Platform,
  { person, journeys, past }: PlannedPerson,
  count: (sent: number) => void,
): Promise<number> {
  const goal = journeys.findIndex((journey) => journey.goal);
  let trips = 0;
  const waiting: object[] = [];
  for (const [day, { start, positions, hasTrip }] of past.entries()) {
    const way = hasTrip ? positions.filter((position) => position.journey === goal) : [];
    const trip = way.length > 0 && {
      ...tripOf(person, journeys[goal], goal, start + way[0].at),
      externalId: `${person.device}-day-${day + 1}`,
    };
    for (const position of positions) {
      const isOnTrip = trip && position.journey === goal;
      const more = { start, journey: journeys[position.journey], trip: isOnTrip ? trip : undefined };
      waiting.push(updateOf(person, position, more));
      if (!trip || position !== way[way.length - 1]) continue;
      await sendUpdates(platform, person, waiting.splice(0), count);
      await endTrip(platform, trip.externalId, "completed", start + position.at);
      trips++;
    }
  }
  await sendUpdates(platform, person, waiting, count);
  return trips;
}

/** Sends today, and ends the trips where they arrive. @returns the number of trips */
async function sendDay(
  platform: Platform,
  { person, journeys, day, underWay, start }: PlannedPerson,
  count: (sent: number) => void,
): Promise<number> {
  let trips = 0;
  const waiting: object[] = [];
  for (const [index, journey] of journeys.entries()) {
    const own = day.filter((position) => position.journey === index);
    const trip = journey.goal && own.length > 0 ? tripOf(person, journey, index, start + own[0].at) : undefined;
    if (trip) trips++;
    waiting.push(...own.map((position) => updateOf(person, position, { start, trip, journey })));
    if (!trip || (underWay && index === journeys.length - 1)) continue;
    await sendUpdates(platform, person, waiting.splice(0), count);
    const status = index === 2 && person.device === "demo-05" ? "canceled" : "completed";
    await endTrip(platform, trip.externalId, status, start + own[own.length - 1].at);
  }
  await sendUpdates(platform, person, waiting, count);
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
  { start, trip, journey }: { start: number; trip?: object | undefined; journey: Journey },
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
