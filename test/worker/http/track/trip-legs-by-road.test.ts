import { beforeAll, expect, it } from "vitest";
import { get, makeWorld, post, put, type World, withGeodata } from "../../../support/world.ts";

/** Meridale of the demo world, whose roads and addresses are known. */
const START = { latitude: 48.98, longitude: -111.21 };
const STOP = { latitude: 48.99, longitude: -111.2 };

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld();
});

it("a leg to an address leads to its house, and the ways between legs are those of the roads", async () => {
  const { testSecret: key } = world.keys;
  const near = `${STOP.latitude},${STOP.longitude}`;
  const [house] = (await get(`/v1/geocode/reverse?coordinates=${near}&layers=address`, key)).body.addresses;
  const legs = [
    { destination: { coordinates: [STOP.longitude, STOP.latitude] } },
    { destination: { address: house.formattedAddress, arrivalRadius: 30 }, stopDuration: 1 },
    { destination: { coordinates: [START.longitude, START.latitude] } },
  ];
  const made = await post("/v1/trips", key, { externalId: "round", userId: "ann", legs });
  expect(made.status).toBe(200);
  expect(made.body.trip.legs[1].destination).toEqual({
    type: "address",
    address: house.formattedAddress,
    source: { data: house.formattedAddress },
    location: house.geometry,
    arrivalRadius: 30,
    confidence: "exact",
    precision: "rooftop",
  });
  const body = { deviceId: "phone", userId: "ann", accuracy: 5, ...START };
  const { trip } = (await post("/v1/track", key, body)).body.user;
  const [lon, lat] = house.geometry.coordinates;
  const home = `origin=${lat},${lon}&destination=${START.latitude},${START.longitude}&modes=car&units=metric`;
  const { car } = (await get(`/v1/route/distance?${home}`, key)).body.routes;
  const [, second, last] = trip.legs.map((leg: { eta: { duration: number; distance: number } }) => leg.eta);
  expect(last.distance - second.distance).toBeCloseTo(car.distance.value, 0);
  expect(last.duration - second.duration).toBeCloseTo(car.duration.value + 1, 2);
  const unknown = await post("/v1/trips", key, {
    externalId: "x",
    legs: [{ destination: { address: "9 Nowhere Road, Atlantis" } }],
  });
  expect([unknown.status, unknown.body.meta.param]).toEqual([400, "legs[0][destination][address]"]);
});

it("a leg to a number far from those of its street leads to the street, and says so; a long street alone does not", async () => {
  const { testSecret: key } = world.keys;
  const near = `${STOP.latitude},${STOP.longitude}`;
  const [house] = (await get(`/v1/geocode/reverse?coordinates=${near}&layers=address`, key)).body.addresses;
  const { street, city, stateCode } = house;
  const made = async (externalId: string, destination: object) => {
    const legs = [{ destination }, { destination: { coordinates: [START.longitude, START.latitude] } }];
    return post("/v1/trips", key, { externalId, userId: externalId, legs });
  };
  const alone = await made("alone", { address: `${street}, ${city}, ${stateCode}` });
  expect([alone.status, alone.body.meta.param]).toEqual([400, "legs[0][destination][address]"]);
  expect(alone.body.meta.message).toContain("set arrivalRadius to at least");
  const region = await made("town", { address: `${city}, ${stateCode}` });
  expect([region.status, region.body.meta.message]).toEqual([400, expect.stringContaining("only a town")]);
  const beyond = await made("beyond", { address: `${Number(house.number) + 1000} ${street}, ${city}, ${stateCode}` });
  expect(beyond.status).toBe(200);
  const { destination, _id } = beyond.body.trip.legs[0];
  expect(destination).toMatchObject({ type: "address", confidence: "fallback", precision: "street" });
  expect(destination.arrivalRadius).toBeGreaterThan(100);
  const legs = [_id, { destination: { address: `${street}, ${city}, ${stateCode}` } }];
  const changed = await put("/v1/trips/beyond/legs", key, { legs });
  expect([changed.status, changed.body.meta.param]).toEqual([400, "legs[1][destination][address]"]);
});
