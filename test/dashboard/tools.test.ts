import { describe, expect, it } from "vitest";
import { TOOLS } from "../../src/dashboard/map/tools/all-tools.ts";
import { faultsOf, pointsOf } from "../../src/dashboard/map/tools/tool.ts";

const tool = (id: string) => TOOLS.find((one) => one.id === id)!;
const draw = (id: string, answer: unknown, values = {}) => tool(id).draw(answer as never, values);
const quantity = (value: number, text: string) => ({ value, text });
const line = (...coordinates: number[][]) => ({ type: "LineString", coordinates });

describe("a tool of the dashboard", () => {
  it("asks the endpoint that it is named after, with what was filled in and nothing else", () => {
    const { method, path } = tool("geocode").request({ query: "20 Jay St", country: "", lang: "de" });
    expect(`${method} ${path}`).toBe("GET /v1/geocode/forward?query=20%20Jay%20St&lang=de");
  });

  it("sends a trace as a body, and asks for an isochrone without making anything", () => {
    expect(tool("match").request({ path: "1,2|3,4", mode: "car", units: "metric" }).body).toEqual({
      path: [{ coordinates: "1,2" }, { coordinates: "3,4" }],
      mode: "car",
      units: "metric",
      geometry: "linestring",
    });
    const { path } = tool("isochrone").request({ origin: "48.99,-111.2", minutes: "5,10", mode: "foot" });
    expect(path).toBe("/v1/route/isochrone?origin=48.99,-111.2&minutes=5,10&mode=foot");
  });

  it("sends a file in place of a trace, and the input of VROOM with lines asked for", () => {
    expect(tool("match").request({ path: "", gpx: "<gpx/>", mode: "foot" }).body).toEqual({
      gpx: "<gpx/>",
      mode: "foot",
      geometry: "linestring",
    });
    const problem = JSON.stringify({ vehicles: [{ id: 1 }], options: { x: 1 } });
    expect(tool("fleet").request({ problem, avoidPolygons: "0,0|0,1|1,1", avoidGeofences: "closed" }).body).toEqual({
      vehicles: [{ id: 1 }],
      options: { x: 1, g: true },
      avoidPolygons: {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      avoidGeofences: "closed",
    });
  });

  it("sends an area that is drawn by its corners as GeoJSON, and none with fewer than three", () => {
    const { path } = tool("distance").request({ origin: "1,2", destination: "3,4", avoidPolygons: "0,0|0,1|1,1" });
    expect(JSON.parse(new URL(path, "http://x").searchParams.get("avoidPolygons") ?? "")).toEqual({
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    });
    expect(faultsOf(tool("directions"), { locations: "1,2|3,4", avoidPolygons: "0,0|0,1" })).toHaveProperty(
      "avoidPolygons",
    );
    expect(faultsOf(tool("directions"), { locations: "1,2|3,4", avoidPolygons: "" })).toEqual({});
  });

  it("draws a fleet's routes, and tells what is left over and why", () => {
    const steps = [{ type: "start", location: [2, 1] }, { type: "job", id: 7, location: [3, 1] }, { type: "end" }];
    const drawn = draw("fleet", {
      summary: { routes: 1, unassigned: 1, distance: 2500, duration: 300 },
      routes: [{ vehicle: 4, distance: 2500, duration: 300, steps, geometry: "_p~iF~ps|U_ulLnnqC" }],
      unassigned: [{ id: 9, type: "job", reason: "unreachable" }],
    });
    expect(drawn.points).toEqual([{ longitude: 3, latitude: 1 }]);
    expect(drawn.lines[0].pairs[0]).toEqual([-120.2, 38.5]);
    expect(drawn.lineup).toEqual([
      { title: "Vehicle 4", detail: "1 stop · 2.5 km · 5 min" },
      { title: "job 9 is unassigned", detail: "unreachable" },
    ]);
  });

  it("says what is missing or cannot be a position, before anything is sent", () => {
    expect(faultsOf(tool("distance"), { origin: "1,2", modes: "car" })).toEqual({ destination: "Required." });
    expect(faultsOf(tool("distance"), { origin: "100,2", destination: "1,2" })).toHaveProperty("origin");
    expect(faultsOf(tool("directions"), { locations: "1,2|here" })).toHaveProperty("locations");
    expect(faultsOf(tool("autocomplete"), { query: "x", limit: "few" })).toEqual({ limit: "Expected a number." });
    expect(faultsOf(tool("directions"), { locations: "1,2|3,4" })).toEqual({});
  });

  it("shows the quickest route on top of its alternatives, and its steps in their order", () => {
    const steps = ["Head north", "Turn left"].map((instructions) => ({
      instructions,
      distance: quantity(10, "10 m"),
      start_location: { latitude: 1, longitude: 2 },
    }));
    const route = { distance: quantity(900, "0.9 km"), duration: quantity(2, "2 mins"), legs: [{ steps }] };
    const routes = [
      { ...route, geometry: line([2, 1], [4, 3]) },
      { ...route, geometry: line([2, 1], [5, 5]) },
    ];
    const drawn = draw("directions", { routes }, { locations: "1,2|3,4" });
    expect(drawn.lines.map(({ look }) => look)).toEqual(["faint", "route"]);
    expect(drawn.lineup.map(({ title }) => title)).toEqual(["Head north", "Turn left"]);
    expect(drawn.summary).toBe("0.9 km, 2 mins");
    expect(draw("directions", { routes: [] }, { locations: "1,2|3,4" }).summary).toContain("No road connects");
  });

  it("numbers the locations of the quickest order as they are driven", () => {
    const leg = (startIndex: number, endIndex: number) => ({
      startIndex,
      endIndex,
      distance: quantity(1, "1 m"),
      duration: quantity(1, "1 min"),
    });
    const route = { distance: quantity(2, "2 m"), duration: quantity(2, "2 mins"), legs: [leg(0, 2), leg(2, 1)] };
    const { points, lineup } = draw("optimize", { route }, { locations: "0,0|1,1|2,2" });
    expect(points.map(({ latitude }) => latitude)).toEqual([0, 2, 1]);
    expect(lineup.map(({ title }) => title)).toEqual(["1. location 1 → 3", "2. location 3 → 2"]);
    expect(draw("optimize", { unavailable: "No roads." }, { locations: "0,0|1,1" }).summary).toBe("No roads.");
  });

  it("counts the cells of a matrix from the numbers on the map, and tells which are guesses", () => {
    const cell = { originIndex: 0, destinationIndex: 1, estimated: true };
    const connection = { distance: quantity(1, "1 km"), duration: quantity(1, "1 min") };
    const drawn = draw(
      "matrix",
      { matrix: [[{ ...cell, ...connection }]] },
      { origins: "0,0", destinations: "1,1|2,2" },
    );
    expect(drawn.lineup).toEqual([{ title: "1 → 3", detail: "1 km · 1 min · estimated" }]);
    expect(drawn.points).toHaveLength(3);
  });

  it("reads positions between bars, and leaves out what is none", () => {
    expect(pointsOf("1,2|x|3,4")).toEqual([
      { latitude: 1, longitude: 2 },
      { latitude: 3, longitude: 4 },
    ]);
    expect(pointsOf()).toEqual([]);
  });
});
