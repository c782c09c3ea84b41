// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what a client would read, without a type to lean on

import directionsService from "@mapbox/mapbox-sdk/services/directions.js";
import isochroneService from "@mapbox/mapbox-sdk/services/isochrone.js";
import matchingService from "@mapbox/mapbox-sdk/services/map-matching.js";
import matrixService from "@mapbox/mapbox-sdk/services/matrix.js";
import optimizationService from "@mapbox/mapbox-sdk/services/optimization.js";
import { beforeAll, describe, expect, it } from "vitest";
import { fix, loadFerrostar } from "./ferrostar.ts";
import { choice, lonLat, openPeerWorld, type PeerWorld, QUESTIONS, randomPoint, seeded } from "./peer-world.ts";

const WEST: [number, number] = [-111.23, 48.985];
const EAST: [number, number] = [-111.17, 49.015];

let peer: PeerWorld;
let client: { accessToken: string; origin: string };
beforeAll(async () => {
  // The computing of this test's publishable key is that of a busy day.
  peer = await openPeerWorld();
  client = {
    accessToken: `pk.eyJ1IjoiZ3JhdGljdWxlIn0.${peer.world.keys.testPublishable}`,
    origin: `${peer.host}/mapbox`,
  };
});

const ask = async (path: string) => (await peer.ask(`/mapbox/${path}`)).body;
const GUIDED =
  "steps=true&banner_instructions=true&voice_instructions=true&voice_units=metric&overview=full&geometries=polyline6";
const guided = (points: readonly (readonly number[])[], profile = "driving", more = "") =>
  ask(`directions/v5/mapbox/${profile}/${lonLat(points)}?${GUIDED}${more}`);

describe("Mapbox's directions", () => {
  it("are those of OSRM's form, with texts that directions have", async () => {
    const random = seeded(21);
    for (let i = 0; i < QUESTIONS; i++) {
      const points = [randomPoint(random), randomPoint(random)];
      const [profile, mode] = choice(random, [
        ["driving", "car"],
        ["cycling", "bike"],
        ["walking", "foot"],
      ]);
      const theirs = await guided(points, profile, "&roundabout_exits=true&language=de");
      const { body: plain } = await peer.ask(
        `/osrm/route/v1/${mode}/${lonLat(points)}?steps=true&overview=full&geometries=polyline6`,
      );
      if (theirs.code !== "Ok") {
        expect(plain.code).toBe(theirs.code);
        continue;
      }
      const locations = points.map(([lon, lat]) => `${lat},${lon}`).join("|");
      const own = await peer.own(
        `/v1/route/directions?locations=${locations}&mode=${mode}&units=metric&lang=de&snapAvoid=none`,
      );
      const [route] = theirs.routes;
      expect([route.geometry, route.distance, route.duration]).toEqual([
        plain.routes[0].geometry,
        plain.routes[0].distance,
        plain.routes[0].duration,
      ]);
      expect(route.legs[0].steps.map(({ maneuver }: any) => maneuver.instruction)).toEqual(
        own.routes[0].legs[0].steps.map(({ instructions }: any) => instructions),
      );
      expect(route.voiceLocale).toBe("de");
    }
  });

  it("speak each step in time: farther texts first, the last one before the maneuver", async () => {
    const random = seeded(22);
    for (let i = 0; i < QUESTIONS; i++) {
      const { code, routes } = await guided(
        [randomPoint(random), randomPoint(random)],
        choice(random, ["driving", "walking"]),
      );
      if (code !== "Ok") continue;
      const { steps } = routes[0].legs[0];
      for (const [at, step] of steps.entries()) {
        const { voiceInstructions: voice, bannerInstructions: banners } = step;
        if (at === steps.length - 1) {
          expect([voice, banners]).toEqual([[], []]);
          continue;
        }
        const ahead = voice.map((one: any) => one.distanceAlongGeometry);
        expect([...new Set(ahead)].sort((a: any, b: any) => b - a)).toEqual(ahead);
        expect(ahead.length).toBeGreaterThan(0);
        expect(ahead[0]).toBeLessThanOrEqual(step.distance);
        expect(ahead.at(-1)).toBeGreaterThanOrEqual(0);
        expect(voice.at(-1).announcement).toBe(steps[at + 1].maneuver.instruction);
        for (const { announcement, ssmlAnnouncement } of voice) {
          expect(announcement).not.toBe("");
          expect(ssmlAnnouncement).toMatch(/^<speak>.+<\/speak>$/);
        }
        expect(banners[0].distanceAlongGeometry).toBe(step.distance);
        for (const { primary, secondary } of banners) {
          expect(primary.text).toBe(primary.components.map(({ text }: any) => text).join(" "));
          expect([primary.type, primary.modifier]).toEqual([
            steps[at + 1].maneuver.type,
            steps[at + 1].maneuver.modifier,
          ]);
          if (secondary) expect(secondary.text).not.toBe("");
        }
      }
    }
  });

  it("join the exit of a roundabout with its entry unless asked not to", async () => {
    const random = seeded(23);
    let circles = 0;
    for (let i = 0; i < 40; i++) {
      const points = [randomPoint(random), randomPoint(random)];
      const [joined, apart] = await Promise.all([guided(points), guided(points, "driving", "&roundabout_exits=true")]);
      if (joined.code !== "Ok") continue;
      const stepsOf = ({ routes }: any) => routes[0].legs[0].steps;
      const exits = stepsOf(apart).filter(({ maneuver }: any) => /^exit /.test(maneuver.type)).length;
      circles += exits;
      expect(stepsOf(joined).length).toBe(stepsOf(apart).length - exits);
      const sum = (steps: any[]) => steps.reduce((total, { distance }) => total + distance, 0);
      expect(Math.abs(sum(stepsOf(joined)) - sum(stepsOf(apart)))).toBeLessThan(0.06 * stepsOf(apart).length);
      for (const { bannerInstructions } of stepsOf(joined))
        for (const { primary } of bannerInstructions)
          if (primary.type === "roundabout") expect(primary.degrees >= 0 && primary.degrees < 360).toBe(true);
    }
    expect(circles).toBeGreaterThan(0);
  });

  it("know limits, and that traffic is unknown", async () => {
    const { routes } = await guided(
      [WEST, EAST],
      "driving",
      "&annotations=maxspeed,congestion,congestion_numeric,distance,closure",
    );
    const { annotation, closures } = routes[0].legs[0];
    const count = annotation.distance.length;
    expect([annotation.maxspeed.length, annotation.congestion.length, annotation.congestion_numeric.length]).toEqual([
      count,
      count,
      count,
    ]);
    expect([new Set(annotation.congestion), closures]).toEqual([new Set(["unknown"]), []]);
    expect(annotation.maxspeed.some(({ speed }: any) => speed > 0)).toBe(true);
  });

  it("take the coordinates in a form, and reject what is not supported", async () => {
    const form = new URLSearchParams({ coordinates: lonLat([WEST, EAST]), steps: "true" });
    const posted = await peer.ask("/mapbox/directions/v5/mapbox/driving", { method: "POST", body: form });
    const { uuid: _, ...answer } = posted.body;
    const { uuid: __, ...plain } = await ask(`directions/v5/mapbox/driving/${lonLat([WEST, EAST])}?steps=true`);
    expect(answer).toEqual(plain);
    for (const [path, status, code] of [
      [`directions/v5/mapbox/flying/${lonLat([WEST, EAST])}`, 404, "ProfileNotFound"],
      [`directions/v5/other/driving/${lonLat([WEST, EAST])}`, 404, "ProfileNotFound"],
      [`directions/v5/mapbox/driving/${lonLat([WEST, EAST])}?arrive_by=2026-01-01T00:00`, 422, "InvalidInput"],
      [`directions/v5/mapbox/driving/${lonLat([WEST])}`, 422, "InvalidInput"],
      [`directions/v5/mapbox/walking/${lonLat([WEST, EAST])}?max_height=3`, 422, "InvalidInput"],
      ["directions/v5/mapbox/driving/0,0;1,1", 200, "NoRoute"],
      ["matching/v5/mapbox/driving/0,0;0,1", 200, "NoMatch"],
      ["isochrone/v1/mapbox/driving/-111.2,48.99", 422, "InvalidInput"],
      [`optimized-trips/v1/mapbox/driving/${lonLat([WEST, EAST])}?distributions=0,1`, 422, "InvalidInput"],
      ["geocoding/v5/mapbox.places/a.json", 404, "NotFound"],
    ] as const) {
      const found = await peer.ask(`/mapbox/${path}`);
      expect([path, found.status, found.body.code]).toEqual([path, status, code]);
    }
  });
});

describe("@mapbox/mapbox-sdk", () => {
  const at = (coordinates: [number, number]) => ({ coordinates });

  it("gets directions, a matrix and an isochrone", async () => {
    const route = await directionsService(client)
      .getDirections({
        profile: "driving",
        waypoints: [at(WEST), at(EAST)],
        steps: true,
        bannerInstructions: true,
        language: "fr",
        annotations: ["maxspeed"],
        continueStraight: true,
      })
      .send();
    expect(route.body.routes[0].legs[0].steps[0].bannerInstructions.length).toBeGreaterThan(0);
    const matrix = await matrixService(client)
      .getMatrix({
        points: [at(WEST), at(EAST)],
        profile: "walking",
        annotations: ["distance", "duration"],
        sources: [0],
        destinations: "all" as never,
      })
      .send();
    expect([matrix.body.durations[0].length, matrix.body.distances[0][0]]).toEqual([2, 0]);
    const areas = await isochroneService(client)
      .getContours({ coordinates: EAST, minutes: [2, 5], colors: ["ff0000", "00ff00"], polygons: true } as never)
      .send();
    expect(areas.body.features.map(({ properties }: any) => [properties.contour, properties.color])).toEqual([
      [5, "#00ff00"],
      [2, "#ff0000"],
    ]);
    const own = await peer.own(`/v1/route/isochrone?origin=49.015,-111.17&mode=car&minutes=2,5&denoise=1`);
    expect(
      areas.body.features.map(({ geometry }: any) =>
        geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates,
      ),
    ).toEqual(own.features.map(({ geometry }: any) => geometry.coordinates));
  });

  it("matches a trace, and optimizes a trip", async () => {
    const driven = await ask(`directions/v5/mapbox/driving/${lonLat([WEST, EAST])}?overview=full&geometries=geojson`);
    const trace = driven.routes[0].geometry.coordinates.slice(0, 40);
    const matched = await matchingService(client)
      .getMatch({
        points: trace.map(at),
        profile: "driving",
        steps: true,
        tidy: false,
        annotations: ["distance"],
      } as never)
      .send();
    expect(matched.body.matchings[0].legs.length).toBe(trace.length - 1);
    const timed = await matchingService(client)
      .getMatch({
        points: trace.map((coordinates: [number, number], i: number) => ({
          coordinates,
          timestamp: 1_700_000_000_000 + 5000 * i,
          isWaypoint: i === 0 || i === trace.length - 1,
        })),
        profile: "driving",
      } as never)
      .send();
    expect(timed.body.matchings[0].legs.length).toBe(1);
    const trip = await optimizationService(client)
      .getOptimization({
        profile: "driving",
        waypoints: [at(WEST), at([-111.2, 48.99]), at(EAST)],
        roundtrip: true,
        steps: true,
      } as never)
      .send();
    expect(trip.body.waypoints.map(({ waypoint_index: index }: any) => index).sort()).toEqual([0, 1, 2]);
  });
});

describe("Ferrostar", () => {
  const parse = (core: any, body: unknown) =>
    new core.RouteAdapter("https://example.com", "auto").parseResponse(new TextEncoder().encode(JSON.stringify(body)));
  const config = {
    stepAdvance: { DistanceToEndOfStep: { distance: 8, minimumHorizontalAccuracy: 20 } },
    routeDeviationTracking: { StaticThreshold: { minimumHorizontalAccuracy: 20, maxAcceptableDeviation: 40 } },
    snappedLocationCourseFiltering: "SnapToRoute",
  };

  it("drives through every step of a route, speaks each text once, and arrives", async () => {
    const core = await loadFerrostar();
    const random = seeded(24);
    for (let i = 0; i < 5; i++) {
      const answer = await guided([randomPoint(random), randomPoint(random)]);
      if (answer.code !== "Ok") continue;
      const [route] = parse(core, answer);
      const [{ legs }] = answer.routes;
      expect(route.steps.length).toBe(legs[0].steps.length);
      let simulation = core.locationSimulationFromRoute(route, 5, "None");
      const controller = new core.NavigationController(route, config);
      let state = controller.getInitialState(simulation.current_location);
      const spoken: string[] = [];
      const seen = new Set<number>();
      for (let n = 0; simulation.remaining_locations.length > 0 && n < 20_000; n++) {
        simulation = core.advanceLocationSimulation(simulation);
        state = controller.updateUserLocation(simulation.current_location, state);
        const trip = state.tripState ?? state;
        if (trip === "Complete" || trip.Complete !== undefined) break;
        const { remainingSteps, spokenInstruction, deviation } = trip.Navigating;
        expect(deviation).toBe("NoDeviation");
        seen.add(route.steps.length - remainingSteps.length);
        const id = spokenInstruction?.utteranceId;
        if (id !== undefined && spoken.at(-1) !== id) spoken.push(id);
      }
      // The last step is the arrival itself.
      const [first] = seen;
      expect(first).toBeLessThanOrEqual(1);
      expect([...seen]).toEqual([...seen].map((_, at) => first + at));
      expect(Math.max(...seen)).toBeGreaterThanOrEqual(route.steps.length - 2);
      expect(new Set(spoken).size).toBe(spoken.length);
      const texts = route.steps.flatMap(({ spokenInstructions }: any) => spokenInstructions);
      expect(spoken.length).toBeGreaterThanOrEqual(texts.length * 0.9 - 1);
    }
  });

  it("notices a wrong turn, and follows a new route from there", async () => {
    const core = await loadFerrostar();
    const [route] = parse(core, await guided([WEST, EAST]));
    const controller = new core.NavigationController(route, config);
    const { current_location: form } = core.locationSimulationFromRoute(route, 5, "None");
    const [{ lat, lng }] = route.geometry;
    const off: [number, number] = [lng, lat - 0.004];
    const begun = controller.getInitialState(fix(form, [lng, lat]));
    const lost = controller.updateUserLocation(fix(form, off), begun);
    const { deviation } = (lost.tripState ?? lost).Navigating;
    expect(deviation.OffRoute.deviationFromRouteLine).toBeGreaterThan(40);
    const [again] = parse(core, await guided([off, EAST]));
    const fresh = new core.NavigationController(again, config);
    const [start] = again.geometry;
    const there = fix(form, [start.lng, start.lat]);
    const found = fresh.updateUserLocation(there, fresh.getInitialState(there));
    expect((found.tripState ?? found).Navigating.deviation).toBe("NoDeviation");
  });
});
