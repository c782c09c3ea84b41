import polyline from "@mapbox/polyline";
import { beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, post, type World, withGeodata } from "../../../support/world.ts";

/** Meridale and North Meridale of the demo world: a river between east and west, the border at 49° N. */
const WEST = "48.985,-111.23";
const EAST = "49.015,-111.17";
const NEAR = "48.99,-111.2";
/** A point of the sea, far from every road. */
const NOWHERE = "10,10";

let world: World;
const limits = { distance: 1000, matrix: 1000, directions: 1000, match: 1000, optimizeFleet: 1000 };
const ask = async (path: string) => get(path, world.keys.testPublishable);
const distance = (query: string) => ask(`/v1/route/distance?origin=${WEST}&destination=${EAST}&${query}`);
const matrix = (query: string) => ask(`/v1/route/matrix?${query}`);
const directions = (query: string, locations = `${WEST}|${EAST}`) =>
  ask(`/v1/route/directions?locations=${locations}&${query}`);

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: limits } });
});

describe("GET /v1/route/distance", () => {
  it("tells the straight line and every mode, in feet and miles unless asked otherwise", async () => {
    const imperial = (await distance("modes=car,foot,bike,truck,motorbike")).body.routes;
    const metric = (await distance("modes=car, foot, bike, truck, motorbike&units=metric")).body.routes;
    expect(Object.keys(imperial)).toEqual(["geodesic", "car", "foot", "bike", "truck", "motorbike"]);
    expect(Object.keys(imperial.geodesic)).toEqual(["distance"]);
    for (const mode of Object.keys(imperial)) {
      expect(imperial[mode].distance.value).toBeCloseTo(metric[mode].distance.value * 3.28084, 0);
      expect(imperial[mode].distance.text).toMatch(/^\d+\.\d (mi|ft)$/);
      expect(metric[mode].distance.text).toMatch(/^\d+\.\d (km|m)$/);
      expect(metric[mode].distance.value).toBeGreaterThanOrEqual(metric.geodesic.distance.value);
    }
    expect(metric.motorbike).toEqual(metric.car);
    expect(metric.foot.duration.value).toBeGreaterThan(metric.bike.duration.value);
    expect(metric.bike.duration.value).toBeGreaterThan(metric.car.duration.value);
    expect(metric.foot.duration.text).toMatch(/^(\d+ hr)?\s?\d+ mins?$/);
  });

  it("draws the way inside each mode, in three formats that agree", async () => {
    const line = (await distance("modes=car&geometry=linestring")).body.routes.car.geometry;
    expect(line.type).toBe("LineString");
    expect(line.coordinates.length).toBeGreaterThan(10);
    for (const [format, decimals] of [
      ["polyline5", 5],
      ["polyline6", 6],
    ] as const) {
      const { geometry } = (await distance(`modes=car&geometry=${format}`)).body.routes.car;
      const decoded = polyline
        .decode(geometry.polyline, decimals)
        .map(([latitude, longitude]) => [longitude, latitude]);
      expect(decoded.length).toBe(line.coordinates.length);
      decoded.forEach((pair, i) => {
        expect(pair[0]).toBeCloseTo(line.coordinates[i][0], decimals - 1);
        expect(pair[1]).toBeCloseTo(line.coordinates[i][1], decimals - 1);
      });
    }
    expect((await distance("modes=car")).body.routes.car).not.toHaveProperty("geometry");
  });

  it("draws the way with as many points as are asked for", async () => {
    const points = async (more: string) => {
      const { body } = await distance(`modes=car&geometry=linestring${more}`);
      return body.routes.car.geometry.coordinates as [number, number][];
    };
    const all = await points("");
    const few = await points("&geometryPoints=3");
    expect([all.length > 3, few.length]).toEqual([true, 3]);
    expect([few[0], few[2]]).toEqual([all[0], all.at(-1)]);
    expect(all).toContainEqual(few[1]);
    expect(await points("&geometryPoints=10000")).toEqual(all);
    expect((await distance("modes=car&geometryPoints=1")).body.meta.param).toBe("geometryPoints");
  });

  /** What the demo town has to avoid: points that a route over it passes. */
  const TOLL_BRIDGE = [[48.9869378, -111.1813064]];
  const FERRY = [[49, -111.2315722]];
  const MOTORWAY = [
    [49, -111.1934371],
    [49.0018589, -111.1938055],
    [49.0036167, -111.1941373],
  ];
  const routeBy = async (origin: string, destination: string, query: string, mode = "car") => {
    const path = `/v1/route/distance?origin=${origin}&destination=${destination}&modes=${mode}&geometry=linestring`;
    return (await ask(`${path}&units=metric&${query}`)).body.routes[mode];
  };
  /** Does the route have a point within some 10 m of one of these? */
  const passes = (route: { geometry: { coordinates: number[][] } }, points: readonly number[][]) =>
    route.geometry.coordinates.some(([longitude, latitude]) =>
      points.some(([lat, lon]) => Math.hypot(lat - latitude, (lon - longitude) * 0.656) < 0.0001),
    );

  it.each([
    ["tolls", "car", "48.9839,-111.1813", "48.99,-111.1813", TOLL_BRIDGE, "ferries"],
    ["highways", "car", "48.993,-111.2005", "49.0155,-111.1775", MOTORWAY, "tolls"],
    ["ferries", "foot", "48.991,-111.228", "49.012,-111.23", FERRY, "highways"],
  ])("avoids %s where there is another route, by %s", async (avoid, mode, origin, destination, points, unrelated) => {
    const [free, around, other] = await Promise.all(
      ["", `avoid=${avoid}`, `avoid=${unrelated}`].map((query) => routeBy(origin, destination, query, mode)),
    );
    expect([passes(free, points), passes(around, points)]).toEqual([true, false]);
    expect(around.duration.value).toBeGreaterThan(free.duration.value);
    const all = await routeBy(origin, destination, `avoid=${unrelated},${avoid}`, mode);
    expect(passes(all, points)).toBe(false);
    // What is not named is not avoided.
    expect(other).toEqual(free);
  });

  it("avoids border crossings, and uses one where every route crosses the border", async () => {
    const [north, south] = ["49.002,-111.2064", "48.998,-111.2064"];
    const [free, kept] = await Promise.all(["", "avoid=borderCrossings"].map((query) => routeBy(south, north, query)));
    expect(kept).toEqual(free);
    const [plain, other] = await Promise.all(
      ["", "avoid=borderCrossings"].map((query) => routeBy("48.998,-111.19", "49.002,-111.19", query)),
    );
    expect(other.duration.value).toBeGreaterThan(plain.duration.value);
    expect(other.geometry).not.toEqual(plain.geometry);
  });

  it("leaves out a mode that has no way, and says why", async () => {
    const { body } = await ask(`/v1/route/distance?origin=${WEST}&destination=${NOWHERE}&modes=car,foot`);
    expect(body.meta.code).toBe(200);
    expect(Object.keys(body.routes)).toEqual(["geodesic"]);
    expect(body.unavailable).toEqual([
      { mode: "car", message: "No road is within reach of the destination." },
      { mode: "foot", message: "No road is within reach of the destination." },
    ]);
    const back = await ask(`/v1/route/distance?origin=${NOWHERE}&destination=${WEST}&modes=car&geometry=polyline6`);
    expect(back.body).toMatchObject({
      meta: { code: 200 },
      unavailable: [{ mode: "car", message: "No road is within reach of the origin." }],
    });
    const far = await ask(`/v1/route/distance?origin=${NOWHERE}&destination=11,11&modes=car`);
    expect(far.body.unavailable[0].message).toBe("No road data is imported around these points.");
  });

  it.each([
    ["modes=plane", "modes", "Valid values: car, truck, foot, bike, motorbike."],
    ["modes=", "modes", ""],
    ["modes=car&units=miles", "units", "Valid values: metric, imperial."],
    ["modes=car&avoid=hills", "avoid", "Valid values: tolls, highways, ferries, borderCrossings, lowEmissionZones."],
    ["modes=car&geometry=wkt", "geometry", "Valid values: linestring, polyline5, polyline6."],
    ["modes=car&departureTime=noon", "departureTime", "ISO 8601"],
    ["modes=car&origin=91,0", "origin", "latitude in [-90, 90]"],
    ["modes=car&destination=0", "destination", '"latitude,longitude"'],
  ])("refuses %s", async (query, param, rule) => {
    const { status, body } = await ask(
      `/v1/route/distance?${new URLSearchParams({ origin: WEST, destination: EAST })}&${query}`,
    );
    expect([status, body.meta.code]).toEqual([400, 400]);
    expect(body.meta.param).toBe(param);
    expect(body.meta.message).toContain(rule);
  });
});

describe("GET /v1/route/matrix", () => {
  it("has a cell for every pair, equal to the distance endpoint's answer", async () => {
    const { body } = await matrix(`origins=${WEST}|${NEAR}&destinations=${EAST}|${NEAR}|${WEST}&mode=car&units=metric`);
    expect(body.origins).toEqual([
      { latitude: 48.985, longitude: -111.23 },
      { latitude: 48.99, longitude: -111.2 },
    ]);
    expect(body.destinations).toHaveLength(3);
    expect(body.matrix.map((row: unknown[]) => row.length)).toEqual([3, 3]);
    const { car } = (await distance("modes=car&units=metric")).body.routes;
    const [cell] = body.matrix[0];
    expect(cell).toMatchObject({
      originIndex: 0,
      destinationIndex: 0,
      distance: { text: car.distance.text },
      duration: { text: car.duration.text },
    });
    expect(cell.distance.value).toBeCloseTo(car.distance.value, 0);
    expect(cell.duration.value).toBeCloseTo(car.duration.value, 2);
    expect(body.matrix[1][2]).toMatchObject({ originIndex: 1, destinationIndex: 2 });
    expect(body.matrix[1][1].distance.value).toBe(0);
  });

  it("has no numbers in a cell without a road but why, and marked ones if the caller wants estimates", async () => {
    const query = `origins=${WEST}&destinations=${NOWHERE}|${EAST}&mode=foot&units=metric`;
    const none = (await matrix(query)).body.matrix[0][0];
    const reason = expect.stringMatching(
      /^(The roads do not connect these locations|No road is within reach of destination 0)\.$/,
    );
    expect(none).toEqual({ originIndex: 0, destinationIndex: 0, reason });
    const { body } = await matrix(`${query}&estimates=true`);
    const [guess, real] = body.matrix[0];
    expect(guess).toMatchObject({ estimated: true, distance: { value: expect.any(Number), text: expect.any(String) } });
    expect(guess.duration.value).toBeGreaterThan(0);
    expect(real).not.toHaveProperty("estimated");
  });

  it("takes 625 routes and no more", async () => {
    const many = (n: number) => Array.from({ length: n }, (_, i) => `${48.98 + i * 0.0005},-111.2`).join("|");
    const full = await matrix(`origins=${many(25)}&destinations=${many(25)}&mode=car`);
    expect(full.body.matrix.flat()).toHaveLength(625);
    const over = await matrix(`origins=${many(25)}&destinations=${many(26)}&mode=car`);
    expect(over.body.meta).toMatchObject({ code: 400, param: "destinations", message: expect.stringContaining("625") });
  });

  it.each([
    [`origins=${WEST}&destinations=${EAST}`, "mode"],
    [`origins=&destinations=${EAST}&mode=car`, "origins"],
    [`origins=${WEST}|x&destinations=${EAST}&mode=car`, "origins"],
    [`origins=${WEST}&destinations=${EAST}&mode=boat`, "mode"],
  ])("refuses %s", async (query, param) => {
    expect((await matrix(query)).body.meta).toMatchObject({ code: 400, param });
  });
});

describe("GET /v1/route/directions", () => {
  it("gives route, legs and steps with every field of the specification", async () => {
    const { routes } = (await directions("units=metric")).body;
    expect(routes).toHaveLength(1);
    const [{ legs, ...route }] = routes;
    expect(Object.keys(route).sort()).toEqual(["distance", "duration", "geometry", "snapped"]);
    expect(legs).toHaveLength(1);
    const { steps, ...leg } = legs[0];
    expect(Object.keys(leg).sort()).toEqual(["distance", "duration", "endLocation", "geometry", "startLocation"]);
    expect(leg.startLocation).toEqual({ latitude: expect.any(Number), longitude: expect.any(Number) });
    for (const step of steps) {
      const sometimes = ["exit_name", "refs", "exits", "destinations", "destination_refs", "junction_name", "lanes"];
      expect(
        Object.keys(step)
          .filter((key) => !sometimes.includes(key))
          .sort(),
      ).toEqual(
        [
          "distance",
          "duration",
          "start_location",
          "end_location",
          "bearing_before",
          "bearing_after",
          "instructions",
          "banner_instructions",
          "voice_instructions",
          "geometry",
          "mode",
          "manuever",
          "street_name",
        ].sort(),
      );
      expect(step.instructions).not.toBe("");
      expect(step.mode).toBe("car");
    }
    expect(steps[0].manuever).toMatch(/^start(-left|-right)?$/);
    expect(steps.at(-1).manuever).toMatch(/^destination/);
    expect(steps.at(-1).distance.value).toBe(0);
    const sum = (key: "distance" | "duration") =>
      steps.reduce((total: number, step: Record<string, { value: number }>) => total + step[key].value, 0);
    // Each figure is rounded by itself: metres to a tenth, minutes to a thousandth.
    expect(Math.abs(sum("distance") - leg.distance.value)).toBeLessThan(0.051 * (steps.length + 1));
    expect(Math.abs(sum("duration") - leg.duration.value)).toBeLessThan(0.00051 * (steps.length + 1));
    expect(route.distance.value).toBe(leg.distance.value);
    expect(polyline.decode(route.geometry.polyline, 6).length).toBeGreaterThan(10);
  });

  it("lists the numbers and signs of each step, as in its sentence", async () => {
    const { steps } = (await directions("units=metric")).body.routes[0].legs[0];
    const signed = steps.filter((step: { destinations?: string[] }) => step.destinations);
    expect(signed.length).toBeGreaterThan(0);
    for (const { destinations, instructions } of signed) expect(instructions).toContain(destinations[0]);
    const exits = steps.filter((step: { exits?: string[] }) => step.exits);
    expect(exits.length).toBeGreaterThan(0);
    for (const step of exits)
      expect([step.instructions, step.exit_name]).toEqual([
        expect.stringContaining(step.exits[0]),
        expect.stringContaining(step.exits[0]),
      ]);
    const numbered = steps.filter((step: { refs?: string[] }) => step.refs);
    expect(numbered.length).toBeGreaterThan(0);
    for (const { refs, street_name } of numbered) expect(street_name).toContain(refs[0]);
  });

  it("returns where each location is on the roads, and how far from it", async () => {
    const away = "48.9853,-111.23";
    const { routes } = (await directions("units=metric&geometry=linestring", `${away}|${NEAR}|${EAST}`)).body;
    const [{ snapped, legs }] = routes;
    expect(snapped).toHaveLength(3);
    const { distance: off, ...start } = snapped[0];
    expect(start).toEqual(legs[0].startLocation);
    expect(snapped[2]).toMatchObject(legs[1].endLocation);
    const metres = Math.hypot(
      (start.latitude - 48.9853) * 111_195,
      (start.longitude + 111.23) * 111_195 * Math.cos(0.855),
    );
    expect(Math.abs(off.value - metres)).toBeLessThan(0.5);
  });

  it("uses no road beyond maxSnapDistance, or beyond the radius of a location", async () => {
    const away = "48.9853,-111.23";
    const { snapped } = (await directions("units=metric", `${away}|${EAST}`)).body.routes[0];
    const metres = snapped[0].distance.value;
    expect(metres).toBeGreaterThan(1);
    const lost = { routes: [], unavailable: "No road is within reach of location 0." };
    for (const query of [`maxSnapDistance=${metres - 0.5}`, `radiuses=${metres - 0.5}|`]) {
      expect((await directions(query, `${away}|${EAST}`)).body).toMatchObject(lost);
    }
    for (const query of [
      `maxSnapDistance=${Math.max(metres, snapped[1].distance.value) + 0.5}`,
      `radiuses=|5000`,
      `maxSnapDistance=1&radiuses=${metres + 0.5}|5000`,
    ]) {
      expect([query, (await directions(query, `${away}|${EAST}`)).body.routes.length]).toEqual([query, 1]);
    }
    const { routes, unavailable } = (
      await ask(`/v1/route/distance?origin=${away}&destination=${EAST}&modes=car&maxSnapDistance=${metres - 0.5}`)
    ).body;
    expect([routes.car, unavailable]).toEqual([
      undefined,
      [{ mode: "car", message: "No road is within reach of the origin." }],
    ]);
  });

  it("arrives and continues in the directions of headings", async () => {
    for (const heading of [0, 90, 180, 270]) {
      const { routes } = (await directions(`headings=|${heading}|`, `${WEST}|${NEAR}|${EAST}`)).body;
      const [{ bearing_before }, { bearing_after }] = [routes[0].legs[0].steps.at(-1), routes[0].legs[1].steps[0]];
      for (const bearing of [bearing_before, bearing_after]) {
        const turned = Math.abs(((bearing - heading + 540) % 360) - 180);
        expect([heading, turned <= 60]).toEqual([heading, true]);
      }
    }
  });

  it("visits locations in order, a leg between each two", async () => {
    const { routes } = (await directions("units=metric", `${WEST}|${NEAR}|${EAST}`)).body;
    expect(routes[0].legs).toHaveLength(2);
    expect(
      routes[0].legs
        .map(({ distance: { value } }: { distance: { value: number } }) => value)
        .reduce((a: number, b: number) => a + b),
    ).toBeCloseTo(routes[0].distance.value, 0);
    const many = Array.from({ length: 25 }, (_, i) => (i % 2 === 0 ? WEST : NEAR)).join("|");
    expect((await directions("", many)).body.routes[0].legs).toHaveLength(24);
    expect((await directions("", `${many}|${EAST}`)).body.meta).toMatchObject({
      code: 400,
      param: "locations",
      message: expect.stringContaining("2 to 25"),
    });
    expect((await directions("", WEST)).body.meta).toMatchObject({ code: 400, param: "locations" });
  });

  it("speaks eight languages", async () => {
    const said = new Set<string>();
    for (const lang of ["de", "en", "es", "fr", "ja", "ko", "pt", "ru"]) {
      const { routes } = (await directions(`lang=${lang}`)).body;
      said.add(routes[0].legs[0].steps.map((step: { instructions: string }) => step.instructions).join());
    }
    expect(said.size).toBe(8);
    const [brazilian, sameAsPt, european] = await Promise.all(
      ["pt", "pt-BR", "pt-PT"].map(async (lang) => (await directions(`lang=${lang}`)).body.routes[0].legs),
    );
    expect(sameAsPt).toEqual(brazilian);
    expect(european).not.toEqual(brazilian);
    expect((await directions("lang=it")).body.meta).toMatchObject({ code: 400, param: "lang" });
  });

  it("draws route, legs and steps in the format asked for", async () => {
    const { routes } = (await directions("geometry=linestring")).body;
    const [leg] = routes[0].legs;
    for (const { geometry } of [routes[0], leg, leg.steps[0]]) expect(geometry.type).toBe("LineString");
    expect(routes[0].geometry.coordinates).toEqual(leg.geometry.coordinates);
  });

  it("adds other routes to the best one with alternatives, and none by default", async () => {
    const ends = "48.993,-111.2005|49.0155,-111.1775";
    const [{ body: plain }, { body: off }, { body: on }] = await Promise.all(
      ["", "alternatives=false", "alternatives=true"].map((query) => directions(`${query}&units=metric`, ends)),
    );
    expect([plain.routes.length, off]).toEqual([1, plain]);
    expect(on.routes.length).toBeGreaterThan(1);
    expect(on.routes[0]).toEqual(plain.routes[0]);
    const lines = new Set(on.routes.map((route: { geometry: { polyline: string } }) => route.geometry.polyline));
    expect(lines.size).toBe(on.routes.length);
    for (const { legs, duration } of on.routes) {
      expect(duration.value).toBeGreaterThanOrEqual(plain.routes[0].duration.value);
      expect([legs[0].startLocation, legs[0].endLocation]).toEqual([
        plain.routes[0].legs[0].startLocation,
        plain.routes[0].legs[0].endLocation,
      ]);
    }
  });

  it("gives alternatives for two locations only", async () => {
    const { body } = await directions("alternatives=true");
    expect(body.routes.length).toBeGreaterThanOrEqual(1);
    const best = body.routes[0].duration.value;
    for (const route of body.routes) expect(route.duration.value).toBeGreaterThanOrEqual(best);
    const three = await directions("alternatives=true", `${WEST}|${NEAR}|${EAST}`);
    expect(three.body.meta).toEqual({
      code: 400,
      param: "alternatives",
      message: "alternatives: Invalid alternatives. Only with exactly two locations.",
    });
  });

  it("has no route where a location has no road, whichever it is, and names the location", async () => {
    for (const query of ["", "heading=90", "mode=foot"]) {
      for (const lost of [0, 1, 2]) {
        const locations = [WEST, NEAR, EAST].with(lost, NOWHERE).join("|");
        expect((await directions(query, locations)).body).toEqual({
          meta: { code: 200 },
          routes: [],
          unavailable: `No road is within reach of location ${lost}.`,
        });
      }
    }
    expect((await directions("alternatives=true", `${WEST}|${NOWHERE}`)).body).toEqual({
      meta: { code: 200 },
      routes: [],
      unavailable: "No road is within reach of location 1.",
    });
    expect((await directions("", `${NOWHERE}|11,11`)).body).toEqual({
      meta: { code: 200 },
      routes: [],
      unavailable: "No road data is imported around these locations.",
    });
  });

  it.each([
    ["heading=361", "heading", "heading: Invalid heading. Valid range: [0, 360]."],
    ["maxSnapDistance=0", "maxSnapDistance", "maxSnapDistance: Invalid maxSnapDistance. Valid range: (0, 5000]."],
    ["maxSnapDistance=5001", "maxSnapDistance", expect.stringContaining("(0, 5000]")],
    ["radiuses=10", "radiuses", expect.stringContaining("one value per location: 2")],
    ["radiuses=10|20|30", "radiuses", expect.stringContaining("one value per location: 2")],
    ["radiuses=10|-1", "radiuses", expect.stringContaining("(0, 5000]")],
    ["radiuses=10|far", "radiuses", expect.stringContaining("(0, 5000]")],
    ["headings=90", "headings", expect.stringContaining("one value per location: 2")],
    ["headings=90|361", "headings", expect.stringContaining("[0, 360]")],
    ["headings=90|&heading=90", "headings", expect.stringContaining("Set only one of heading and headings.")],
    ["curbside=left", "curbside", expect.stringContaining("true, false")],
    ["mode=horse", "mode", expect.stringContaining("Valid values: car, truck, foot, bike, motorbike.")],
    ["alternatives=perhaps", "alternatives", expect.stringContaining("true, false")],
    ["departureTime=2026-13-01", "departureTime", expect.stringContaining("ISO 8601")],
  ])("refuses %s", async (query, param, message) => {
    expect((await directions(query)).body.meta).toEqual({ code: 400, param, message });
  });

  it("starts within 60 degrees of heading, which changes the route", async () => {
    // A crossroads: a road leads in each direction.
    const lines = new Set<string>();
    for (const heading of [0, 90, 180, 270, 360]) {
      const [route] = (await directions(`heading=${heading}`, `${NEAR}|${EAST}`)).body.routes;
      const { bearing_after } = route.legs[0].steps[0];
      const turned = Math.abs(((bearing_after - heading + 540) % 360) - 180);
      expect([heading, turned]).toEqual([heading, expect.toSatisfy((degrees: number) => degrees <= 60)]);
      lines.add(route.geometry.polyline);
    }
    // 0 and 360 are the same direction.
    expect(lines.size).toBe(4);
  });
});

describe("a location without a road is not an error", () => {
  const send = (path: string, json: object) => post(path, world.keys.testPublishable, json);
  const pair = (text: string) => text.split(",").map(Number).reverse();

  it("of a matrix: its cells have no numbers, those of the others do", async () => {
    const places = [WEST, NOWHERE, EAST];
    const { status, body } = await matrix(`origins=${places.join("|")}&destinations=${places.join("|")}&mode=car`);
    expect(status).toBe(200);
    const isBare = body.matrix.map((row: object[]) => row.map((cell) => !("duration" in cell)));
    expect(isBare).toEqual([
      [false, true, false],
      [true, true, true],
      [false, true, false],
    ]);
  });

  it("of a trace: the point is not in the matched path, whichever it is", async () => {
    const trace = ["48.99,-111.2", "48.99,-111.1995", "48.99,-111.199", "48.99,-111.1985", "48.99,-111.198"];
    for (const lost of [0, 2, 4]) {
      const path = trace.with(lost, "48.4,-111.2").map((coordinates) => ({ coordinates }));
      const { status, body } = await send("/v1/route/match", { path });
      const matched = body.matchedPath.map(({ originalIndex }: { originalIndex: number }) => originalIndex);
      expect([lost, status, matched]).toEqual([lost, 200, [0, 1, 2, 3, 4].filter((index) => index !== lost)]);
    }
  });

  it("of an isochrone: there are no areas", async () => {
    const { status, body } = await ask(`/v1/route/isochrone?origin=${NOWHERE}&mode=car&minutes=5,10`);
    expect([status, body.features]).toEqual([200, []]);
  });

  it("of a fleet: its task is not assigned, and where a vehicle starts there, none is", async () => {
    const jobs = [WEST, NOWHERE, EAST].map((place, i) => ({ id: i + 1, location: pair(place) }));
    const plan = async (start: string) => {
      const vehicles = [{ id: 1, start: pair(start) }];
      const { status, body } = await send("/v1/route/optimize", { vehicles, jobs, options: { x: 0 } });
      return [status, body.unassigned.map(({ id }: { id: number }) => id)];
    };
    expect(await plan(NEAR)).toEqual([200, [2]]);
    const [status, unassigned] = await plan(NOWHERE);
    expect([status, unassigned]).toEqual([200, expect.arrayContaining([1, 3])]);
  });
});
