import { describe, expect, it } from "vitest";
import { faultsOf, pointsOf } from "../../src/dashboard/map/tools/tool.ts";
import { TOOLS } from "../../src/dashboard/map/tools.ts";

const tool = (id: string) => TOOLS.find((one) => one.id === id)!;
const draw = (id: string, answer: unknown, values = {}) => tool(id).draw!(answer as never, values);
const quantity = (value: number, text: string) => ({ value, text });
const line = (...coordinates: number[][]) => ({ type: "LineString", coordinates });

describe("a tool of the dashboard", () => {
  it("asks the endpoint that it is named after, with what was filled in and nothing else", () => {
    const { method, path } = tool("geocode").request({ query: "20 Jay St", country: "", lang: "de" });
    expect(`${method} ${path}`).toBe("GET /v1/geocode/forward?query=20%20Jay%20St&lang=de");
  });

  it("sends a trace as a body, and an isochrone as a geofence that counts for nobody and deletes itself", () => {
    expect(tool("match").request({ path: "1,2|3,4", mode: "car", units: "metric" }).body).toEqual({
      path: [{ coordinates: "1,2" }, { coordinates: "3,4" }],
      ...{ mode: "car", units: "metric", geometry: "linestring" },
    });
    const { path, body } = tool("isochrone").request({ coordinates: "48.99,-111.2", radius: "7", mode: "foot" });
    expect(path).toBe("/v1/geofences");
    expect(body).toMatchObject({ type: "isochrone", coordinates: [-111.2, 48.99], radius: 7, enabled: false });
    const lives = Date.parse((body as { deleteAfter: string }).deleteAfter) - Date.now();
    expect(lives).toBeGreaterThan(60_000);
    expect(lives).toBeLessThan(600_000);
  });

  it("says what is missing or cannot be a position, before anything is sent", () => {
    expect(faultsOf(tool("distance"), { origin: "1,2", modes: "car" })).toEqual({ destination: "Required." });
    expect(faultsOf(tool("distance"), { origin: "100,2", destination: "1,2" })).toHaveProperty("origin");
    expect(faultsOf(tool("directions"), { locations: "1,2|here" })).toHaveProperty("locations");
    expect(faultsOf(tool("static"), { zoom: "near" })).toEqual({ zoom: "Expected a number." });
    expect(faultsOf(tool("directions"), { locations: "1,2|3,4" })).toEqual({});
  });

  it("shows the quickest route on top of its alternatives, and its steps in their order", () => {
    const steps = ["Head north", "Turn left"].map((instructions) => ({
      ...{ instructions, distance: quantity(10, "10 m"), start_location: { latitude: 1, longitude: 2 } },
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
    expect(draw("directions", { routes: [] }, { locations: "1,2|3,4" }).summary).toContain("do not connect");
  });

  it("numbers the locations of the quickest order as they are driven", () => {
    const leg = (startIndex: number, endIndex: number) => ({
      ...{ startIndex, endIndex, distance: quantity(1, "1 m"), duration: quantity(1, "1 min") },
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
