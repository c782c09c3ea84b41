import { beforeAll, describe, expect, it } from "vitest";
import { call, eventually, get, type Json, makeWorld, post, type World, withGeodata } from "../../../support/world.ts";

const WEST = "48.985,-111.23";
const EAST = "49.015,-111.17";

let world: World;
/** From west to east along the roads, as [longitude, latitude]. */
let line: [number, number][];
const start = (path: string, body: Json) => post(`/v1/route/${path}/jobs`, world.keys.testSecret, body);
const jobAt = (id: string, rest = "") => get(`/v1/route/jobs/${id}${rest}`, world.keys.testSecret);
const finished = async (id: string) => {
  const { body } = await eventually(
    () => jobAt(id),
    ({ body }) => body.job.status === "finished",
    30_000,
  );
  return body.job;
};
const at = (second: number) => new Date(Date.UTC(2026, 10, 22) + second * 1000).toISOString();

/** So many points along the way there and back again, one a second. */
function drive(points: number): { coordinates: string; createdAt: string }[] {
  const back = [...line, ...line.toReversed()];
  return Array.from({ length: points }, (_, i) => {
    const place = ((i / 400) % 1) * (back.length - 1);
    const [from, to] = [back[Math.floor(place)], back[Math.min(back.length - 1, Math.floor(place) + 1)]];
    const share = place % 1;
    const [x, y] = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    return { coordinates: `${y},${x}`, createdAt: at(i * 3) };
  });
}

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({
    settings: { rateLimits: { getRouteJob: 1000, match: 1000, createMatchJob: 1000, createFleetJob: 1000 } },
  });
  const way = `/v1/route/distance?origin=${WEST}&destination=${EAST}&modes=car&geometry=linestring`;
  line = (await get(way, world.keys.testSecret)).body.routes.car.geometry.coordinates;
});

describe("a long question about routes", () => {
  it("is a trace of thousands of points, matched as a short one would be", async () => {
    const { status, body } = await start("match", { path: drive(1100), units: "metric", tidy: true });
    expect([status, body.job.kind]).toEqual([200, "match"]);
    const job = await finished(body.job._id);
    expect(job).toMatchObject({ kind: "match", progress: 1 });
    expect(Date.parse(job.expiresAt) - Date.parse(job.updatedAt)).toBe(24 * 3600_000);
    const { match } = (await jobAt(body.job._id, "/result")).body;
    expect(match.matchedPath.length).toBeGreaterThan(800);
    expect(match.matchedPath.at(-1).originalIndex).toBeGreaterThan(1000);
    const short = { path: drive(100), units: "metric", tidy: true, gap: 60 };
    const { job: small } = (await start("match", short)).body;
    await finished(small._id);
    const { meta: _, ...direct } = (await post("/v1/route/match", world.keys.testPublishable, short)).body;
    expect((await jobAt(small._id, "/result")).body.match).toEqual(direct);
  });

  it("may be a GPX file, answered as one", async () => {
    const points = drive(50).map(({ coordinates, createdAt }, i) => {
      const [lat, lon] = coordinates.split(",");
      // Nobody heard anything for two minutes in between.
      const time = i < 25 ? createdAt : at(i * 3 + 120);
      return `<trkpt lat="${lat}" lon="${lon}"><time>${time}</time></trkpt>`;
    });
    const gpx = `<gpx><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`;
    const { job } = (await start("match", { gpx, format: "gpx" })).body;
    await finished(job._id);
    const { headers, body } = await jobAt(job._id, "/result");
    expect(headers.get("content-type")).toContain("gpx+xml");
    expect(headers.get("x-graticule-attribution")).toBe("(c) OpenStreetMap contributors");
    expect(body.match(/<trkseg>/g)).toHaveLength(2);
    expect(body.match(/<trkpt /g).length).toBeGreaterThan(40);
  });

  it("is a fleet that is larger than a request may be, and is planned all the same", async () => {
    const jobs = Array.from({ length: 60 }, (_, i) => ({
      id: i + 1,
      location: line[(i * 7) % line.length],
      delivery: [1],
    }));
    const vehicles = Array.from({ length: 25 }, (_, i) => ({
      id: i + 1,
      start: line[0],
      end: line[0],
      capacity: [4],
    }));
    const fleet = { vehicles, jobs, options: { x: 0 } };
    const direct = await post("/v1/route/optimize", world.keys.testPublishable, fleet);
    expect([direct.status, direct.body.meta.param]).toEqual([400, "vehicles"]);
    const { job } = (await start("optimize", fleet)).body;
    await finished(job._id);
    const { fleet: plan } = (await jobAt(job._id, "/result")).body;
    expect(plan.unassigned).toEqual([]);
    expect(plan.summary.delivery).toEqual([60]);
  });

  it("ends when it is cancelled, and is gone when it is deleted", async () => {
    const vehicles = [{ id: 1, start: line[0] }];
    const jobs = Array.from({ length: 40 }, (_, i) => ({ id: i, location: line[i % line.length] }));
    const { job } = (await start("optimize", { vehicles, jobs, options: { x: 5 } })).body;
    const early = await jobAt(job._id, "/result");
    expect(early.status).toBe(409);
    const { body } = await post(`/v1/route/jobs/${job._id}/cancel`, world.keys.testSecret, {});
    expect(body.job.status).toBe("cancelled");
    expect((await call("DELETE", `/v1/route/jobs/${job._id}`, { key: world.keys.testSecret })).status).toBe(200);
    expect((await jobAt(job._id)).status).toBe(404);
  });

  it.each([
    ["match", { path: [{ coordinates: "0,0" }] }, "path"],
    ["match", {}, "path"],
    ["match", { gpx: "<gpx></gpx>" }, "gpx"],
    ["match", { gpx: "<gpx/>", geojson: {} }, "gpx"],
    ["match", { geojson: { type: "Point", coordinates: [0, 0] } }, "geojson"],
    [
      "match",
      {
        geojson: {
          type: "LineString",
          coordinates: [
            [0, 0],
            [0, 91],
          ],
        },
      },
      "geojson",
    ],
    ["match", { path: [{ coordinates: "0,0" }, { coordinates: "0,1" }], gap: 0 }, "gap"],
    ["match", { path: [{ coordinates: "0,0" }, { coordinates: "0,1" }], format: "kml" }, "format"],
    ["optimize", { vehicles: [] }, "vehicles"],
    ["optimize", { vehicles: [{ id: 1, start: [0, 0] }], avoidPolygons: 7 }, "avoidPolygons"],
  ])("%s refuses %j at once", async (path, body, param) => {
    const answer = await start(path, body);
    expect([answer.status, answer.body.meta.param]).toEqual([400, param]);
  });
});

describe("the result of a file that was geocoded", () => {
  it("names the sources that its answers may be of", async () => {
    const { body } = await post("/v1/geocode/jobs", world.keys.testSecret, { csv: "address\nMeridale, MT\n" });
    const path = `/v1/geocode/jobs/${body.job._id}`;
    await eventually(
      () => get(path, world.keys.testSecret),
      (now) => now.body.job.status === "finished",
      30_000,
    );
    const { headers } = await get(`${path}/result`, world.keys.testSecret);
    const named = headers.get("x-graticule-attribution") ?? "";
    for (const source of ["(c) OpenStreetMap contributors", "Made with Natural Earth"]) expect(named).toContain(source);
  });
});
