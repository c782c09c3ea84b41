import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, expect, it } from "vitest";
import { distance } from "../../../../src/core/geo/distance.ts";
import { type Called, callTool, connect } from "../../../support/mcp.ts";
import { type Answer, get, type Json, post, put, type World, withGeodata } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/**
 * Questions as people ask agents, with the tool and the arguments that answer them, and the known answer: from the plan of the demo
 * town, from what the test itself stored, or from the HTTP API. No model takes part.
 */

const AIRPORT = "Meridale International Airport";
const STATION = "Meridale Central Station";
const HOSPITAL = "Ptolemy General Hospital";
const HOME = { latitude: 48.99, longitude: -111.2 };
const AIRPORT_AT = { latitude: 49.02246, longitude: -111.17268 };
const FAR = { latitude: 48.985, longitude: -111.23 };

let world: World;
let client: Client;
/** Filled in by earlier questions, for later ones. */
const seen: Record<string, string> = {};

interface Question {
  asks: string;
  tool: string;
  args: () => Record<string, unknown>;
  /** Checks the data. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read
  answers: (data: any, called: Called) => void | Promise<void>;
}

const http = async (path: string): Promise<Answer["body"]> => (await get(path, world.keys.testSecret)).body;
const near = (place: { latitude: number; longitude: number }, to: typeof HOME, metres: number) =>
  expect(distance(place, to)).toBeLessThan(metres);
const names = (list: { externalId?: string }[]) => list.map(({ externalId }) => externalId).sort();

const QUESTIONS: Question[] = [
  {
    asks: "Where is the airport?",
    tool: "find_place",
    args: () => ({ query: AIRPORT }),
    answers: ({ places: [first] }) => {
      near(first, AIRPORT_AT, 5);
      expect(first).toMatchObject({ kind: "place", confidence: "exact" });
    },
  },
  {
    asks: "What is the address of the hospital?",
    tool: "find_place",
    args: () => ({ query: HOSPITAL }),
    answers: ({ places: [first] }) => expect(first.address).toContain("North Meridale, AB T9Z 6T7, Canada"),
  },
  {
    asks: "Which hospitals are in Meridale?",
    tool: "find_place",
    args: () => ({ query: "hospital Meridale" }),
    answers: ({ places }) => expect(places.map(({ name }: Json) => name)).toEqual([HOSPITAL]),
  },
  {
    asks: "What address is at 48.99, -111.2?",
    tool: "find_place",
    args: () => HOME,
    answers: ({ places: [first] }) =>
      expect(first).toMatchObject({
        address: "1554 Bobolink Place, Meridale, MT 59999 USA",
        kind: "address",
        metres: 15,
      }),
  },
  {
    asks: "Which Meridale is in Canada?",
    tool: "find_place",
    args: () => ({ query: "Meridale", country: "CA" }),
    answers: ({ places }) => {
      expect(places.length).toBeGreaterThan(0);
      for (const { address } of places) expect(address).toMatch(/Canada$/);
    },
  },
  {
    asks: "What is the airport called in French?",
    tool: "find_place",
    args: () => ({ query: AIRPORT, lang: "fr" }),
    answers: ({ places: [first] }) => expect(first.name).toBe("Aéroport international de Méridale"),
  },
  {
    asks: "Is there a place called Qqqxyzzy?",
    tool: "find_place",
    args: () => ({ query: "Qqqxyzzy" }),
    answers: ({ places, total }, { says }) => {
      expect([places, total]).toEqual([[], 0]);
      expect(says).toContain("Check the spelling");
    },
  },
  {
    asks: "In which country is the airport?",
    tool: "describe_location",
    args: () => ({ place: AIRPORT }),
    answers: ({ regions }) => expect([regions.country.code, regions.state.code]).toEqual(["CA", "AB"]),
  },
  {
    asks: "Which postal code do I deliver to at 48.99, -111.2?",
    tool: "describe_location",
    args: () => HOME,
    answers: ({ regions }) => expect(regions).toMatchObject({ postalCode: { code: "59999" }, country: { code: "US" } }),
  },
  {
    asks: "Which of our zones is the airport in?",
    tool: "describe_location",
    args: () => ({ place: AIRPORT }),
    answers: ({ geofences }) => expect(names(geofences)).toEqual(["airport"]),
  },
  {
    asks: "Which zones are next to our home, not around it?",
    tool: "describe_location",
    args: () => ({ ...HOME, radius: 5000 }),
    answers: ({ geofences, nearbyGeofences }) => {
      expect(names(geofences)).toEqual(["home"]);
      expect(nearbyGeofences[0].externalId).toBe("station");
    },
  },
  {
    asks: "Where can I eat within 300 m of 48.99, -111.2?",
    tool: "describe_location",
    args: () => ({ ...HOME, categories: ["food-beverage"], radius: 300 }),
    answers: ({ places }) => {
      expect(places[0]).toMatchObject({ name: "Rail Korean Grill", metres: 22 });
      for (const { metres, categories } of places) {
        expect(metres).toBeLessThanOrEqual(300);
        expect(categories).toContain("food-beverage");
      }
    },
  },
  {
    asks: "How long is the drive from the station to the airport?",
    tool: "route",
    args: () => ({ from: STATION, to: AIRPORT }),
    answers: async (data) => {
      const { from, to } = data;
      const path = `/v1/route/directions?locations=${from.latitude},${from.longitude}|${to.latitude},${to.longitude}&units=metric`;
      const [route] = (await http(path)).routes;
      expect([data.minutes, data.distance]).toEqual([Math.round(route.duration.value * 10) / 10, route.distance.text]);
      expect(data.steps.length).toBe(route.legs[0].steps.length);
    },
  },
  {
    asks: "And on foot?",
    tool: "route",
    args: () => ({ from: STATION, to: AIRPORT, mode: "foot" }),
    answers: ({ minutes, mode }) => {
      expect(mode).toBe("foot");
      expect(minutes).toBeGreaterThan(45);
    },
  },
  {
    asks: "Which street do I take first from the station?",
    tool: "route",
    args: () => ({ from: STATION, to: AIRPORT }),
    answers: ({ steps }) => expect(steps[0].instruction).toMatch(/^Head \w+ on Railway Avenue/),
  },
  {
    asks: "How far is it in miles?",
    tool: "route",
    args: () => ({ from: STATION, to: AIRPORT, units: "imperial", includeSteps: false }),
    answers: (data) => {
      expect(data.distance).toMatch(/ mi$/);
      expect(data).not.toHaveProperty("steps");
    },
  },
  {
    asks: "Station to airport by way of the hospital: how long is each part?",
    tool: "route",
    args: () => ({ from: STATION, via: [HOSPITAL], to: AIRPORT }),
    answers: ({ legs, minutes }) => {
      expect(legs.length).toBe(2);
      expect(legs[0].minutes + legs[1].minutes).toBeCloseTo(minutes, 0);
    },
  },
  {
    asks: "Draw me the line of the route.",
    tool: "route",
    args: () => ({ from: FAR, to: AIRPORT, includeGeometry: true }),
    answers: ({ geometry: { type, coordinates }, to }) => {
      expect(type).toBe("LineString");
      expect(coordinates.length).toBeLessThanOrEqual(250);
      const [longitude, latitude] = coordinates.at(-1);
      near({ latitude, longitude }, to, 300);
    },
  },
  {
    asks: "Can I drive to 10, 10?",
    tool: "route",
    args: () => ({ from: STATION, to: "10,10" }),
    answers: (data, { says }) => {
      expect(data).not.toHaveProperty("minutes");
      expect(says).toContain("No road is within reach of location 1.");
    },
  },
  {
    asks: "Which is nearer to the station: the airport or the hospital?",
    tool: "compare_travel_times",
    args: () => ({ from: [STATION], to: [AIRPORT, HOSPITAL] }),
    answers: ({ pairs, to }) => {
      expect(to[pairs[0].to - 1].query).toBe(HOSPITAL);
      expect(pairs[0].minutes).toBeLessThan(pairs[1].minutes);
    },
  },
  {
    asks: "Who reaches the airport first, by bike?",
    tool: "compare_travel_times",
    args: () => ({ from: [FAR, HOSPITAL], to: [AIRPORT], mode: "bike" }),
    answers: async ({ pairs, from, to, mode }) => {
      const pair = ({ latitude, longitude }: typeof HOME) => `${latitude},${longitude}`;
      const path = `/v1/route/matrix?origins=${from.map(pair).join("|")}&destinations=${to.map(pair).join("|")}&mode=bike`;
      const { matrix } = await http(path);
      expect([mode, pairs[0].from]).toEqual(["bike", 2]);
      expect(pairs[0].minutes).toBe(Math.round(matrix[1][0].duration.value * 10) / 10);
    },
  },
  {
    asks: "How far can I get from the station in ten minutes?",
    tool: "reachable_area",
    args: () => ({ place: STATION, minutes: 10 }),
    answers: async (data) => {
      const { latitude, longitude } = data.place;
      const [feature] = (await http(`/v1/route/isochrone?origin=${latitude},${longitude}&minutes=10&mode=car`))
        .features;
      expect(data.squareKilometres).toBe(Math.round(feature.properties.area / 1e6));
      expect(data).not.toHaveProperty("geometry");
    },
  },
  {
    asks: "And walking one kilometre, with the outline?",
    tool: "reachable_area",
    args: () => ({ place: STATION, metres: 1000, mode: "foot", includeGeometry: true }),
    answers: ({ farthestKilometres, geometry }) => {
      expect(farthestKilometres).toBeLessThanOrEqual(1.2);
      expect(geometry.type).toBe("MultiPolygon");
      const [ring] = geometry.coordinates[0];
      expect(ring[0]).toEqual(ring.at(-1));
    },
  },
  {
    asks: "In which order should the van visit the hospital, home and the airport?",
    tool: "plan_fleet",
    args: () => ({
      vehicles: [{ name: "Van", start: STATION }],
      stops: [
        { name: "Hospital", place: HOSPITAL },
        { name: "Home", place: HOME },
        { name: "Airport", place: AIRPORT },
      ],
    }),
    answers: ({ routes: [only], unassigned }) => {
      expect(unassigned).toBeUndefined();
      expect(only.stops.map(({ name }: Json) => name).sort()).toEqual(["Airport", "Home", "Hospital"]);
      const order = only.stops.map(({ name }: Json) => name).join();
      expect(["Airport,Hospital,Home", "Home,Hospital,Airport"]).toContain(order);
    },
  },
  {
    asks: "Which parcels do not fit into two vans of two parcels each?",
    tool: "plan_fleet",
    args: () => ({
      vehicles: [1, 2].map((n) => ({ name: `Van ${n}`, start: STATION, capacity: 2 })),
      stops: [1, 2, 3, 4, 5].map((n) => ({
        name: `Parcel ${n}`,
        place: { latitude: 48.985 + n / 500, longitude: -111.2 },
        amount: 1,
        priority: n === 5 ? 0 : 10,
      })),
    }),
    answers: ({ unassigned }) => expect(unassigned).toEqual([{ name: "Parcel 5", reason: "fleet" }]),
  },
  {
    asks: "When does the doctor who opens at nine get the sample?",
    tool: "plan_fleet",
    args: () => ({
      vehicles: [{ name: "Courier", start: STATION, earliest: "08:00", latest: "12:00" }],
      stops: [{ name: "Doctor", place: HOSPITAL, earliest: "09:00", latest: "09:30", serviceMinutes: 5 }],
    }),
    answers: ({ routes: [{ stops }] }) => expect(stops[0]).toMatchObject({ name: "Doctor", arrival: "09:00" }),
  },
  {
    asks: "Who is near home?",
    tool: "find_users",
    args: () => ({ ...HOME, radius: 500 }),
    answers: ({ users }) => expect(users.map(({ userId }: Json) => userId).sort()).toEqual(["bea", "cem"]),
  },
  {
    asks: "Move a test device from the station to the airport. What happens?",
    tool: "simulate_trip",
    args: () => ({ from: STATION, to: AIRPORT, userId: "ann", deviceId: "phone-of-ann" }),
    answers: ({ events }) => {
      const fences = events
        .filter(({ geofence }: Json) => geofence)
        .map(({ type, geofence }: Json) => [type, geofence]);
      expect(fences).toEqual([
        ["user.entered_geofence", "sites/station"],
        ["user.exited_geofence", "sites/station"],
        ["user.entered_geofence", "sites/airport"],
      ]);
      seen.entered = events.findLast(({ geofence }: Json) => geofence === "sites/airport").event;
    },
  },
  {
    asks: "Who is at the airport now?",
    tool: "find_users",
    args: () => ({ geofence: "sites/airport" }),
    answers: ({ users }) => expect(users.map(({ userId }: Json) => userId)).toEqual(["ann"]),
  },
  {
    asks: "Where is Bea?",
    tool: "find_users",
    args: () => ({ query: "bea" }),
    answers: ({ users: [user], total }) => {
      expect([user.userId, total, user.geofences]).toEqual(["bea", 1, ["sites/home"]]);
      near(user, HOME, 1);
    },
  },
  {
    asks: "How many users do we have?",
    tool: "find_users",
    args: () => ({}),
    answers: ({ total }) => expect(total).toBe(3),
  },
  {
    asks: "Where has Ann been?",
    tool: "device_history",
    args: () => ({ user: "ann" }),
    answers: ({ updates }) => {
      expect(updates.length).toBe(50);
      near(updates.at(-1), AIRPORT_AT, 400);
    },
  },
  {
    asks: "How far has Ann come today?",
    tool: "user_journeys",
    args: () => ({ user: "ann" }),
    answers: ({ timeline, totals }) => {
      const { items: parts } = timeline;
      const count = (type: string) => parts.filter((part: Json) => part.type === type).length;
      expect([totals.journeys, totals.stops]).toEqual([count("journey"), count("stop")]);
      expect(totals.distance).toBeGreaterThan(1000);
    },
  },
  {
    asks: "What did Ann's phone trigger?",
    tool: "device_history",
    args: () => ({ user: "phone-of-ann" }),
    answers: ({ events }) =>
      expect(events.filter(({ geofence }: Json) => geofence === "sites/airport").map(({ type }: Json) => type)).toEqual(
        ["user.entered_geofence"],
      ),
  },
  {
    asks: "Why did Ann enter the airport?",
    tool: "explain_event",
    args: () => ({ event: seen.entered }),
    answers: ({ verdict, steps, geofence }) => {
      expect([verdict, geofence.externalId]).toEqual(["user.entered_geofence", "airport"]);
      expect(steps.map(({ rule }: Json) => rule)).toContain("enabled");
    },
  },
  {
    asks: "Why is Bea not at the airport?",
    tool: "explain_event",
    args: () => ({ geofence: "sites/airport", user: "bea" }),
    answers: ({ verdict }) => expect(verdict).toBe("outside"),
  },
  {
    asks: "Why did Cem not enter home?",
    tool: "explain_event",
    args: () => ({ geofence: "sites/home", user: "cem" }),
    answers: ({ verdict, steps }) => {
      expect(verdict).toBe("outside");
      expect(steps.find(({ passed }: Json) => !passed).sentence).toMatch(/accura/);
    },
  },
  {
    asks: "Which sites do we have?",
    tool: "list_fences",
    args: () => ({ tag: "sites" }),
    answers: ({ geofences }) => expect(names(geofences)).toEqual(["airport", "home", "station"]),
  },
  {
    asks: "Which geofence is nearest to the hospital?",
    tool: "list_fences",
    args: () => ({ place: HOSPITAL, limit: 1 }),
    answers: async ({ geofences, place }) => {
      const { latitude, longitude } = place;
      const found = await http(`/v1/search/geofences?near=${latitude},${longitude}&limit=1`);
      expect(geofences[0].id).toBe(found.geofences[0]._id);
    },
  },
  {
    asks: "Watch the area ten minutes' walk around the hospital.",
    tool: "create_fence",
    args: () => ({
      ...{ description: "Around the hospital", tag: "zones", externalId: "hospital" },
      ...{ place: HOSPITAL, shape: "isochrone", minutes: 10, mode: "foot" },
    }),
    answers: async ({ geofence }) => {
      expect(geofence).toMatchObject({ shape: "isochrone", minutes: 10, mode: "foot" });
      const stored = (await http("/v1/geofences/zones/hospital")).geofence;
      expect([stored._id, stored.type, stored.mode]).toEqual([geofence.id, "isochrone", "foot"]);
    },
  },
  {
    asks: "Make a zone of these corners.",
    tool: "create_fence",
    args: () => ({
      ...{ description: "Corners", tag: "zones", externalId: "corners", shape: "polygon" },
      polygon: [
        [48.98, -111.21],
        [48.98, -111.2],
        [48.985, -111.2],
      ].map(([latitude, longitude]) => ({ latitude, longitude })),
    }),
    answers: async () => {
      const { geometry } = (await http("/v1/geofences/zones/corners")).geofence;
      expect(geometry.coordinates[0].length).toBe(4);
      expect(geometry.coordinates[0][0]).toEqual([-111.21, 48.98]);
    },
  },
  {
    asks: "Show me the way on a map.",
    tool: "render_map",
    args: () => ({ from: STATION, to: AIRPORT, width: 300, height: 200 }),
    answers: (data, { content }) => {
      const bytes = Buffer.from(content[1].data ?? "", "base64");
      expect([content[1].mimeType, bytes.subarray(1, 4).toString()]).toEqual(["image/png", "PNG"]);
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([300, 200]);
      near(data.to, AIRPORT_AT, 5);
    },
  },
];

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  world = await openWorld({}, true);
  const { testSecret } = world.keys;
  const station = (await http(`/v1/geocode/forward?query=${encodeURIComponent(STATION)}&layers=fine`)).addresses[0];
  for (const [externalId, at, radius] of [
    ["home", HOME, 150],
    ["station", station, 200],
    ["airport", AIRPORT_AT, 800],
  ] as const) {
    const body = { description: externalId, type: "circle", coordinates: [at.longitude, at.latitude], radius };
    await put(`/v1/geofences/sites/${externalId}`, testSecret, body);
  }
  await post("/v1/track", testSecret, { deviceId: "phone-of-bea", userId: "bea", ...HOME, accuracy: 5 });
  await post("/v1/track", testSecret, {
    deviceId: "phone-of-cem",
    userId: "cem",
    ...HOME,
    latitude: 48.999,
    accuracy: 5,
  });
  await post("/v1/track", testSecret, { deviceId: "phone-of-cem", userId: "cem", ...HOME, accuracy: 5000 });
  client = await connect(testSecret);
}, 240_000);

it("there are at least forty questions, about every tool", async () => {
  expect(QUESTIONS.length).toBeGreaterThanOrEqual(40);
  const { tools } = await client.listTools();
  expect(new Set(QUESTIONS.map(({ tool }) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
});

it.each(QUESTIONS)("$tool: $asks", async ({ tool, args, answers }) => {
  const called = await callTool(client, tool, args());
  expect([called.isError, called.isError && called.text]).toEqual([false, false]);
  await answers(called.data, called);
});
