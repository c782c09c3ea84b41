// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on
import polyline from "@mapbox/polyline";
import { beforeAll, describe, expect, it } from "vitest";
import { control, eventually, sql, untilLimited } from "../../../support/world.ts";
import { choice, latLon, lonLat, openPeerWorld, type PeerWorld, QUESTIONS, randomPoint, seeded } from "./peer-world.ts";

const WEST = "-111.23,48.985";
const MIDDLE = "-111.2,48.99";
const EAST = "-111.17,49.015";

let peer: PeerWorld;
beforeAll(async () => {
  peer = await openPeerWorld();
});

const route = async (points: string, query = "", profile = "driving") =>
  (await peer.ask(`/osrm/route/v1/${profile}/${points}?${query}`)).body;

describe("OSRM's route", () => {
  it.each([
    ["car", "driving"],
    ["truck", "hgv"],
    ["bike", "cycling"],
    ["foot", "walking"],
  ])("is that of directions, field by field, by %s", async (mode, profile) => {
    const random = seeded(56 + mode.length);
    for (let i = 0; i < QUESTIONS / 4; i++) {
      const points = Array.from({ length: choice(random, [2, 2, 2, 3, 4]) }, () => randomPoint(random));
      const theirs = await route(lonLat(points), "steps=true&overview=full&geometries=polyline6", profile);
      const ours = await peer.own(
        `/v1/route/directions?locations=${latLon(points)}&mode=${mode}&units=metric&snapAvoid=none`,
      );
      if (ours.routes.length === 0) {
        expect(theirs.code).toMatch(/^No(Route|Segment)$/);
        continue;
      }
      const [found] = theirs.routes;
      const [known] = ours.routes;
      expect(found.geometry).toBe(known.geometry.polyline);
      expect(found.distance).toBeCloseTo(known.distance.value, 0);
      expect(Math.abs(found.duration - known.duration.value * 60)).toBeLessThan(0.2);
      expect(found.legs.length).toBe(known.legs.length);
      expect(theirs.waypoints.map((one: any) => one.location)).toEqual(
        known.snapped.map(({ longitude, latitude }: any) => [longitude, latitude]),
      );
      known.legs.forEach((leg: any, at: number) => {
        const steps = found.legs[at].steps;
        expect(steps.map((step: any) => step.geometry)).toEqual(leg.steps.map((step: any) => step.geometry.polyline));
        expect(steps.map((step: any) => step.maneuver.bearing_after)).toEqual(
          leg.steps.map((step: any) => step.bearing_after),
        );
        const sum = steps.reduce((total: number, step: any) => total + step.duration, 0);
        expect(Math.abs(sum - found.legs[at].duration)).toBeLessThan(0.06 * steps.length + 0.1);
      });
    }
  });

  it("has intersections with a way in and a way out, that lie on the step", async () => {
    const { routes } = await route(`${WEST};${EAST}`, "steps=true&geometries=geojson");
    const steps = routes[0].legs[0].steps;
    for (const [i, step] of steps.entries()) {
      const line = step.geometry.coordinates.map(String);
      for (const [j, one] of step.intersections.entries()) {
        expect(line).toContain(String(one.location));
        expect(one.entry.length).toBe(one.bearings.length);
        expect([...one.bearings].sort((a: number, b: number) => a - b)).toEqual(one.bearings);
        const isStart = i === 0 && j === 0;
        const isEnd = i === steps.length - 1;
        expect([one.in === undefined, one.out === undefined]).toEqual([isStart, isEnd]);
        if (!isEnd) expect(one.entry[one.out]).toBe(true);
      }
      expect(step.intersections[0].location).toEqual(step.maneuver.location);
    }
  });

  it("annotates each segment; their sums are those of the leg", async () => {
    const { routes } = await route(`${WEST};${MIDDLE};${EAST}`, "annotations=true&geometries=geojson&overview=full");
    const [{ legs, geometry }] = routes;
    const count = legs.reduce((sum: number, { annotation }: any) => sum + annotation.distance.length, 0);
    expect(count).toBe(geometry.coordinates.length - 1);
    for (const { annotation, distance, duration } of legs) {
      const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);
      expect(Math.abs(sum(annotation.distance) - distance)).toBeLessThan(0.06 * annotation.distance.length);
      expect(Math.abs(sum(annotation.duration) - duration)).toBeLessThan(0.06 * annotation.duration.length);
      expect(Object.keys(annotation)).toEqual(["distance", "duration", "weight", "speed", "datasources", "metadata"]);
    }
  });

  it("has its geometry in three forms, complete, simplified or not at all", async () => {
    const forms = ["geojson", "polyline", "polyline6"] as const;
    const [geojson, five, six] = await Promise.all(
      forms.map(
        async (form) => (await route(`${WEST};${EAST}`, `overview=full&geometries=${form}`)).routes[0].geometry,
      ),
    );
    const pairs = polyline.decode(six, 6).map(([latitude, longitude]) => [longitude, latitude]);
    expect(pairs).toEqual(geojson.coordinates);
    expect(polyline.decode(five, 5).length).toBe(pairs.length);
    const simple = (await route(`${WEST};${EAST}`, "geometries=geojson")).routes[0].geometry.coordinates;
    expect(simple.length).toBeLessThan(pairs.length / 2);
    expect([simple[0], simple.at(-1)]).toEqual([pairs[0], pairs.at(-1)]);
    for (const point of simple) expect(pairs).toContainEqual(point);
    expect((await route(`${WEST};${EAST}`, "overview=false")).routes[0]).not.toHaveProperty("geometry");
  });

  it("joins the legs between waypoints, and their steps still add up", async () => {
    const points = `${WEST};${MIDDLE};-111.19,49;${EAST}`;
    const all = (await route(points, "steps=true&geometries=geojson&overview=full")).routes[0];
    const { routes, waypoints } = await route(points, "steps=true&geometries=geojson&overview=full&waypoints=0;2;3");
    const [some] = routes;
    expect([some.legs.length, waypoints.length]).toEqual([2, 3]);
    expect([some.geometry, some.distance, some.duration]).toEqual([all.geometry, all.distance, all.duration]);
    for (const { steps, distance } of some.legs) {
      expect(steps.filter(({ maneuver }: any) => ["depart", "arrive"].includes(maneuver.type)).length).toBe(2);
      const sum = steps.reduce((total: number, step: any) => total + step.distance, 0);
      expect(Math.abs(sum - distance)).toBeLessThan(0.06 * steps.length + 0.1);
      steps.slice(1).forEach((step: any, i: number) => {
        expect(step.geometry.coordinates[0]).toEqual(steps[i].geometry.coordinates.at(-1));
      });
    }
    expect((await route(points, "waypoints=1;3")).code).toBe("InvalidOptions");
  });

  it("continues straight on at a waypoint if asked to", async () => {
    const random = seeded(7);
    let changed = 0;
    for (let i = 0; i < 12; i++) {
      const points = lonLat([randomPoint(random), randomPoint(random), randomPoint(random)]);
      const turnOf = ({ routes }: any) => {
        const [before, after] = routes[0].legs;
        const turn = before.steps.at(-1).maneuver.bearing_before - after.steps[0].maneuver.bearing_after;
        return Math.abs(((turn + 540) % 360) - 180);
      };
      const [free, straight] = await Promise.all([
        route(points, "steps=true"),
        route(points, "steps=true&continue_straight=true"),
      ]);
      if (free.code !== "Ok") continue;
      if (turnOf(free) > 170) changed += Number(turnOf(straight) < 90);
      else if (turnOf(free) < 45)
        expect(Math.abs(straight.routes[0].distance - free.routes[0].distance)).toBeLessThan(5);
    }
    expect(changed).toBeGreaterThan(0);
  });

  it("starts in the direction that bearings give, or not at all", async () => {
    for (const [bearing, modifier] of [
      [90, 90],
      [270, 270],
    ]) {
      const { routes } = await route(`${WEST};${EAST}`, `steps=true&bearings=${bearing},30;`);
      expect(Math.abs(routes[0].legs[0].steps[0].maneuver.bearing_after - modifier)).toBeLessThan(31);
    }
    expect((await route(`${WEST};${EAST}`, "bearings=0,0;&radiuses=60;")).code).toBe("NoSegment");
    expect((await route(`${WEST};${EAST}`, "bearings=0,180;")).routes).toEqual((await route(`${WEST};${EAST}`)).routes);
    expect((await route(`${WEST};${EAST}`, "radiuses=10;unlimited")).code).toBe("NoSegment");
    expect((await route(`${WEST};${EAST}`, "radiuses=10")).code).toBe("InvalidOptions");
  });

  it("avoids what is excluded, and offers alternatives", async () => {
    const toll = "-111.1813,48.9839;-111.1813,48.99";
    const [free, around] = await Promise.all([route(toll), route(toll, "exclude=toll")]);
    expect(around.routes[0].duration).toBeGreaterThan(free.routes[0].duration);
    const several = await route(`${WEST};${EAST}`, "alternatives=true");
    const ours = await peer.own(
      "/v1/route/directions?locations=48.985,-111.23|49.015,-111.17&alternatives=true&units=metric",
    );
    expect(several.routes.map(({ distance }: any) => Math.round(distance))).toEqual(
      ours.routes.map(({ distance }: any) => Math.round(distance.value)),
    );
  });

  it("reads encoded coordinates and a format", async () => {
    const encoded = polyline.encode(
      [
        [48.985, -111.23],
        [49.015, -111.17],
      ],
      5,
    );
    const plain = await route(`${WEST};${EAST}`);
    expect(await route(`polyline(${encodeURIComponent(encoded)})`)).toEqual(plain);
    expect(await route(`${WEST};${EAST}.json`)).toEqual(plain);
  });
});

describe("OSRM's other services", () => {
  it("have the table of a matrix, field by field", async () => {
    const random = seeded(8);
    for (let i = 0; i < QUESTIONS / 5; i++) {
      const points = Array.from({ length: 5 }, () => randomPoint(random));
      const query = "sources=0;1&destinations=2;3;4&annotations=duration,distance";
      const { body } = await peer.ask(`/osrm/table/v1/car/${lonLat(points)}?${query}`);
      const [origins, destinations] = [points.slice(0, 2), points.slice(2)].map(latLon);
      const own = await peer.own(
        `/v1/route/matrix?origins=${origins}&destinations=${destinations}&mode=car&units=metric&snapAvoid=none`,
      );
      for (const { originIndex: a, destinationIndex: b, distance, duration } of own.matrix.flat()) {
        if (!duration) expect(body.durations[a][b]).toBeNull();
        else {
          expect(body.distances[a][b]).toBeCloseTo(distance.value, 0);
          expect(Math.abs(body.durations[a][b] - duration.value * 60)).toBeLessThan(0.2);
        }
      }
    }
  });

  it("estimate cells without a route only if asked to", async () => {
    // The sea has no road within reach; islands of the road network have no route.
    const { body } = await peer.ask(`/osrm/table/v1/car/${WEST};0,0`);
    expect(body.code).toBe("NoSegment");
    const scaled = await peer.ask(`/osrm/table/v1/car/${WEST};${EAST}?scale_factor=2`);
    const plain = await peer.ask(`/osrm/table/v1/car/${WEST};${EAST}`);
    expect(scaled.body.durations[0][1]).toBeCloseTo(2 * plain.body.durations[0][1], 0);
    expect((await peer.ask(`/osrm/table/v1/car/${WEST};${EAST}?sources=2`)).body.code).toBe("InvalidOptions");
  });

  it("find the nearest roads in order, the first one where a route begins", async () => {
    const random = seeded(9);
    for (let i = 0; i < QUESTIONS / 5; i++) {
      const point = randomPoint(random);
      const { body } = await peer.ask(`/osrm/nearest/v1/car/${lonLat([point])}?number=5`);
      if (body.code !== "Ok") {
        // No roads are imported there: our own endpoint says so, too.
        const [longitude, latitude] = point;
        const own = await peer.own(
          `/v1/route/distance?origin=${latitude},${longitude}&destination=${latitude},${longitude}&modes=car`,
        );
        expect([body.code, own.routes.car]).toEqual(["NoSegment", undefined]);
        continue;
      }
      const far = body.waypoints.map(({ distance }: any) => distance);
      expect(far).toEqual([...far].sort((a, b) => a - b));
      expect(body.waypoints.length).toBe(5);
      const { waypoints } = await route(`${lonLat([point])};${EAST}`);
      expect(body.waypoints[0].distance).toBe(waypoints[0].distance);
    }
  });

  it("find the best trip, as optimize does", async () => {
    const random = seeded(10);
    for (let i = 0; i < QUESTIONS / 8; i++) {
      const points = Array.from({ length: 6 }, () => randomPoint(random));
      const round = (await peer.ask(`/osrm/trip/v1/car/${lonLat(points)}`)).body;
      const own = await peer.own(`/v1/route/optimize?locations=${latLon([...points, points[0]])}&units=metric`);
      if (!own.route) continue;
      expect([lonLat(points), Math.abs(round.trips[0].duration - own.route.duration.value * 60) < 1]).toEqual([
        lonLat(points),
        true,
      ]);
      const visited = round.waypoints.map(({ waypoint_index: at }: any) => at);
      expect([...visited].sort()).toEqual([0, 1, 2, 3, 4, 5]);
      const [open, half] = await Promise.all(
        ["source=first&destination=last", "source=first"].map(
          async (ends) => (await peer.ask(`/osrm/trip/v1/car/${lonLat(points)}?roundtrip=false&${ends}`)).body,
        ),
      );
      expect(half.trips[0].duration).toBeLessThanOrEqual(open.trips[0].duration + 0.2);
      expect([open.waypoints[0].waypoint_index, open.waypoints[5].waypoint_index]).toEqual([0, 5]);
    }
    expect((await peer.ask(`/osrm/trip/v1/car/${WEST};${EAST}?roundtrip=false`)).body.code).toBe("NotImplemented");
  });

  it("match a trace as match does, and split it into legs that add up", async () => {
    const random = seeded(11);
    for (let i = 0; i < QUESTIONS / 5; i++) {
      const driven = await route(
        lonLat([randomPoint(random), randomPoint(random)]),
        "overview=full&geometries=geojson",
      );
      if (driven.code !== "Ok") continue;
      const trace = driven.routes[0].geometry.coordinates
        .filter((_: unknown, at: number) => at % 3 === 0)
        .slice(0, 60)
        .map(([x, y]: number[]) => [
          Number((x + 4e-5 * (random() - 0.5)).toFixed(6)),
          Number((y + 4e-5 * (random() - 0.5)).toFixed(6)),
        ]);
      if (trace.length < 5) continue;
      const { body } = await peer.ask(
        `/osrm/match/v1/car/${lonLat(trace)}?overview=full&geometries=geojson&steps=true`,
      );
      const path = trace.map(([longitude, latitude]: number[]) => ({ coordinates: `${latitude},${longitude}` }));
      const own = await (
        await fetch(`${peer.host}/v1/route/match`, {
          method: "POST",
          headers: { authorization: peer.world.keys.testSecret, "content-type": "application/json" },
          body: JSON.stringify({ path, geometry: "linestring", units: "metric" }),
        })
      ).json();
      expect(body.tracepoints.map((one: any) => one?.location).filter((one: unknown) => one)).toEqual(
        own.matchedPath.map(({ longitude, latitude }: any) => [longitude, latitude]),
      );
      const total = body.matchings.reduce((sum: number, { distance }: any) => sum + distance, 0);
      expect(Math.abs(total - own.distance.value)).toBeLessThan(1 + trace.length * 0.1);
      for (const { legs, distance, duration, confidence } of body.matchings) {
        const sum = (key: string) => legs.reduce((all: number, leg: any) => all + leg[key], 0);
        expect(Math.abs(sum("distance") - distance)).toBeLessThan(0.06 * legs.length + 0.1);
        expect(Math.abs(sum("duration") - duration)).toBeLessThan(0.06 * legs.length + 0.1);
        expect(confidence).toBeGreaterThan(0.5);
        for (const { steps } of legs)
          expect([steps[0].maneuver.type, steps.at(-1).maneuver.type]).toEqual(["depart", "arrive"]);
      }
      const ends = `waypoints=0;${trace.length - 1}&steps=true&overview=full&geometries=geojson`;
      const few = (await peer.ask(`/osrm/match/v1/car/${lonLat(trace)}?${ends}`)).body;
      expect(few.matchings.flatMap(({ geometry }: any) => geometry.coordinates)).toEqual(own.geometry.coordinates);
      expect(few.matchings.length).toBe(body.matchings.length);
      if (few.matchings.length === 1) {
        expect(few.matchings[0].legs.length).toBe(1);
        expect(Math.abs(few.matchings[0].distance - body.matchings[0].distance)).toBeLessThan(1);
      }
    }
  });
});

describe("a request in OSRM's form", () => {
  it.each([
    ["/osrm/route/v1/fly/1,2;3,4", 400, "InvalidValue"],
    ["/osrm/route/v1/car/1,2", 400, "InvalidOptions"],
    ["/osrm/route/v1/car/1,2;3,100", 400, "InvalidUrl"],
    ["/osrm/route/v1/car/a;b", 400, "InvalidUrl"],
    ["/osrm/route/v1/car/0,0;1,1", 400, "NoRoute"],
    [`/osrm/route/v1/car/${Array(30).fill("1,2").join(";")}`, 400, "TooBig"],
    ["/osrm/route/v1/car/1,2;3,4?overview=some", 400, "InvalidQuery"],
    ["/osrm/route/v1/car/1,2;3,4?annotations=nodes", 400, "InvalidQuery"],
    ["/osrm/route/v1/car/1,2;3,4?depart=now", 400, "InvalidUrl"],
    ["/osrm/tile/v1/car/tile(1,2,3).mvt", 404, "InvalidService"],
    ["/osrm/match/v1/car/0,0;0,1", 400, "NoMatch"],
    ["/osrm/match/v1/car/0,0;0,1?timestamps=5;4", 400, "InvalidValue"],
  ])("%s gets an error in that form", async (path, status, code) => {
    const answer = await peer.ask(path);
    expect([answer.status, answer.body.code, typeof answer.body.message]).toEqual([status, code, "string"]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("carries its key in a header, in the client's parameter or in the path, which no log has", async () => {
    const { testPublishable: key, testSecret: secret } = peer.world.keys;
    const path = `/osrm/nearest/v1/car/${WEST}`;
    const send = async (url: string, headers = {}) => (await fetch(`${peer.host}${url}`, { headers })).status;
    expect(await send(path)).toBe(401);
    expect(await send(path, { authorization: `Bearer ${key}` })).toBe(200);
    for (const name of ["access_token", "api_key", "apiKey", "key", "publishableKey"])
      expect([name, await send(`${path}?${name}=${key}`)]).toEqual([name, 200]);
    expect(await send(`${path}?access_token=pk.eyJ1IjoiZ3JhdGljdWxlIn0.${key}`)).toBe(200);
    expect(await send(`/key/${key}${path}`)).toBe(200);
    expect(await send(`/key/prj_test_pk_${"0".repeat(40)}${path}`)).toBe(401);
    expect(await send(`/key/${secret}${path}`)).toBe(401);
    expect(await send(`${path}?key=${secret}`)).toBe(401);
    expect(await send(`/key/${key}/v1/route/directions`)).toBe(404);
    const logged = () => control<{ message: string }[]>("logs");
    const isOwn = ({ message }: { message: string }) => message.includes("/osrm/nearest/v1/:profile/:coordinates");
    const lines = await eventually(logged, (all) => all.some(isOwn));
    expect(lines.some(isOwn)).toBe(true);
    for (const { message } of lines) expect(message.includes(key) || message.includes(secret)).toBe(false);
  });

  it("counts as the endpoint behind it, in its limit and in usage", async () => {
    const limited = await openPeerWorld({ rateLimits: { directions: 3 } });
    const answers = await untilLimited(() =>
      Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          i % 2 === 0
            ? limited.ask(`/osrm/route/v1/car/${WEST};${EAST}`)
            : limited.ask("/v1/route/directions?locations=48.985,-111.23|49.015,-111.17"),
        ),
      ),
    );
    const refused = answers.find(({ status, body }) => status === 429 && body.code !== undefined);
    expect([refused?.body.code, Number(refused?.headers.get("retry-after")) > 0]).toEqual(["TooManyRequests", true]);
    await expect
      .poll(async () => (await sql("SELECT DISTINCT endpoint FROM usage WHERE project = ?", limited.world.id)).length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0);
    const rows = await sql<{ endpoint: string }>(
      "SELECT DISTINCT endpoint FROM usage WHERE project = ?",
      limited.world.id,
    );
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(["directions"]);
  });

  it("obeys the allowed referrers", async () => {
    const strict = await openPeerWorld({ allowedReferrers: ["https://maps.example.com"] });
    const authorization = strict.world.keys.testPublishable;
    const from = async (referer: string) =>
      (await strict.ask(`/osrm/nearest/v1/car/${WEST}`, { headers: { authorization, referer } })).status;
    expect([await from("https://maps.example.com/"), await from("https://other.example.com/")]).toEqual([200, 403]);
  });
});
