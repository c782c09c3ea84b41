import { beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, type World, withGeodata } from "../../../support/world.ts";

/** Along the streets of the demo world. */
const WEST = "48.985,-111.23";
const EAST = "49.015,-111.17";
const SLOW = "&vehicle[maxSpeed]=10";

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld();
});
const ask = (path: string) => get(`/v1/route/${path}`, world.keys.testPublishable);

describe("the parameter vehicle", () => {
  it.each([
    ["distance", `distance?origin=${WEST}&destination=${EAST}&modes=car,foot`, "routes.car.duration.value"],
    ["directions", `directions?locations=${WEST}|${EAST}&mode=truck`, "routes.0.duration.value"],
    ["matrix", `matrix?origins=${WEST}&destinations=${EAST}&mode=truck`, "matrix.0.0.duration.value"],
    ["optimize", `optimize?locations=${WEST}|${EAST}&mode=motorbike`, "route.duration.value"],
    ["isochrone", `isochrone?origin=${WEST}&mode=car&minutes=3`, "features.0.properties.area"],
  ])("changes %s", async (name, path, value) => {
    const at = (body: unknown) =>
      value.split(".").reduce((part, key) => (part as Record<string, unknown>)[key], body) as number;
    const usual = at((await ask(path)).body);
    const slow = at((await ask(path + SLOW)).body);
    const factor = name === "isochrone" ? usual / slow : slow / usual;
    expect(factor).toBeGreaterThan(2);
  });

  it("may be JSON", async () => {
    const path = `distance?origin=${WEST}&destination=${EAST}&modes=car`;
    const json = encodeURIComponent(JSON.stringify({ maxSpeed: 10 }));
    expect((await ask(`${path}&vehicle=${json}`)).body.routes).toEqual((await ask(path + SLOW)).body.routes);
  });

  it.each([
    ["vehicle[height]=0", "vehicle[height]"],
    ["vehicle[height]=high", "vehicle[height]"],
    ["vehicle[weight]=201", "vehicle[weight]"],
    ["vehicle[axles]=2.5", "vehicle[axles]"],
    ["vehicle[hazmat]=A", "vehicle[hazmat]"],
    ["vehicle[trailer]=2", "vehicle[trailer]"],
    ["vehicle[maxSpeed]=0", "vehicle[maxSpeed]"],
    ["vehicle[hight]=4", "vehicle"],
    ["vehicle=large", "vehicle"],
  ])("is checked: %s", async (query, param) => {
    const { status, body } = await ask(`directions?locations=${WEST}|${EAST}&mode=truck&${query}`);
    expect([status, body.meta.param]).toEqual([400, param]);
  });

  it("is for motor vehicles", async () => {
    const { status, body } = await ask(`matrix?origins=${WEST}&destinations=${EAST}&mode=bike&vehicle[height]=2`);
    expect([status, body.meta.param]).toEqual([400, "vehicle"]);
  });
});

describe("low-emission zones", () => {
  it("may be avoided where there are none, and not by a name that there is not", async () => {
    const path = `distance?origin=${WEST}&destination=${EAST}&modes=car,bike`;
    expect((await ask(`${path}&avoid=tolls,lowEmissionZones`)).body.routes).toEqual(
      (await ask(`${path}&avoid=tolls`)).body.routes,
    );
    const { status, body } = await ask(`${path}&avoidZones=Atlantis`);
    expect([status, body.meta.param]).toEqual([400, "avoidZones"]);
  });
});
