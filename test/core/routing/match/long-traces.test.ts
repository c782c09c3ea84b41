import { describe, expect, it } from "vitest";
import { unpaced } from "../../../../src/core/geo/pace.ts";
import { match } from "../../../../src/core/routing/match/match.ts";
import { roadParts } from "../../../../src/core/routing/match/road-attributes.ts";
import { tidied } from "../../../../src/core/routing/match/trace.ts";
import { readGeoJson } from "../../../../src/worker/wire/traces/read-geojson-trace.ts";
import { readGpx } from "../../../../src/worker/wire/traces/read-gpx.ts";
import { build } from "../scenario.ts";

const ROAD = { map: "a----b----c----d", ways: { ab: "", bc: "", cd: "" } };

describe("a long trace", () => {
  it("is split where nothing was heard for longer than the gap, and not without one", async () => {
    const world = await build(ROAD);
    const trace = ["a", "b", "c", "d"].map((place, i) => ({ ...world.at(place), time: i * 50 + (i > 1 ? 61 : 0) }));
    const courses = async (gap?: number) => {
      const found = await match(world.router, trace, { mode: "car", ...(gap === undefined ? {} : { gap }) });
      return [found.courses.length, found.points.map(({ index }) => index)];
    };
    expect(await courses(60)).toEqual([2, [0, 1, 2, 3]]);
    expect(await courses(120)).toEqual([1, [0, 1, 2, 3]]);
    expect(await courses()).toEqual([1, [0, 1, 2, 3]]);
  });

  it("tells of each piece of road how fast it was travelled", async () => {
    const world = await build(ROAD);
    const seconds = [0, 50, 75, 175];
    const trace = ["a", "b", "c", "d"].map((place, i) => ({ ...world.at(place), time: seconds[i] }));
    const { courses } = await match(world.router, trace, { mode: "car" });
    const parts = courses.flatMap((course) => roadParts(course, (index) => trace[index].time));
    const metres = courses[0].distance / 3;
    const speeds = new Map(parts.map(({ names, speed }) => [names[0], speed]));
    expect([...speeds.keys()]).toEqual(["ab", "bc", "cd"]);
    for (const [name, taken] of [
      ["ab", 50],
      ["bc", 25],
      ["cd", 100],
    ] as const) {
      expect(speeds.get(name)).toBeCloseTo(metres / taken, 1);
    }
    for (const part of courses.flatMap((course) => roadParts(course))) expect(part).not.toHaveProperty("speed");
  });

  it("that is tidied keeps its ends, and no two points less than ten metres apart", () => {
    const trace = Array.from({ length: 101 }, (_, i) => ({ latitude: 41 + i * 0.00001, longitude: -8 }));
    const kept = tidied(trace);
    expect([kept[0], kept.at(-1)]).toEqual([0, 100]);
    expect(kept.length).toBeLessThan(14);
    expect(tidied([trace[0], trace[0]])).toEqual([0, 1]);
  });
});

describe("a trace is read from", () => {
  const at = Date.parse("2026-11-22T10:00:00Z");

  it("the tracks of a GPX file, with or without times, or from its routes where it has no track", async () => {
    const time = "<time>2026-11-22T10:00:00Z</time>";
    const read = (text: string) => readGpx(text, 1000, unpaced());
    expect(
      await read(`<gpx><wpt lat="9" lon="9"/><trk><trkseg><trkpt lon="-8.5" lat='41.5'><ele>3</ele>${time}</trkpt>
      <trkpt lat="41.6" lon="-8.6"/></trkseg></trk></gpx>`),
    ).toEqual([
      { latitude: 41.5, longitude: -8.5, at },
      { latitude: 41.6, longitude: -8.6 },
    ]);
    expect(await read('<gpx><rte><rtept lat="1" lon="2"></rtept></rte></gpx>')).toEqual([
      { latitude: 1, longitude: 2 },
    ]);
    expect(await read('<trkpt lat="91" lon="2"/>')).toBeUndefined();
    expect(await read('<trkpt lat="1"/>')).toBeUndefined();
    expect(await read("nothing")).toEqual([]);
  });

  it("GeoJSON: lines with times beside them, or points with times of their own", () => {
    const geometry = {
      type: "LineString",
      coordinates: [
        [-8.5, 41.5, 3],
        [-8.6, 41.6],
      ],
    };
    const places = [
      { latitude: 41.5, longitude: -8.5 },
      { latitude: 41.6, longitude: -8.6 },
    ];
    expect(readGeoJson(geometry)).toEqual(places);
    const coordTimes = ["2026-11-22T10:00:00Z", at + 5000];
    const timed = [
      { ...places[0], at },
      { ...places[1], at: at + 5000 },
    ];
    expect(readGeoJson({ type: "Feature", properties: { coordTimes }, geometry })).toEqual(timed);
    const features = geometry.coordinates.map((coordinates, i) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates },
      properties: { timestamp: (at + i * 5000) / 1000 },
    }));
    expect(readGeoJson({ type: "FeatureCollection", features })).toEqual(timed);
    for (const wrong of [null, 7, {}, { type: "Polygon", coordinates: [] }, { type: "Point", coordinates: ["a", 1] }]) {
      expect(readGeoJson(wrong)).toBeUndefined();
    }
  });
});
