import { beforeAll, expect, it } from "vitest";
import { type Answer, call, control, makeWorld, type World } from "../../../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld({ settings: { blockedCountries: ["FR", "T1"] } });
});
const UPDATE = JSON.stringify({ deviceId: "phone", latitude: 1, longitude: 2, accuracy: 5 });
const from = (country: string, path: string, key: string, body?: string) =>
  control<Answer>("fetchFrom", {
    country,
    method: body ? "POST" : "GET",
    path,
    headers: { authorization: key, "content-type": "application/json" },
    body,
  });

it("a call with a publishable key from a blocked country is refused with 451, on every such endpoint", async () => {
  const { testPublishable: test, livePublishable: live } = world.keys;
  for (const answer of [
    await from("FR", "/v1/track", test, UPDATE),
    await from("T1", "/v1/track", live, UPDATE),
    await from("FR", "/v1/config", test),
    await from("FR", "/v1/context?coordinates=1,2", live),
  ]) {
    expect([answer.status, answer.body.meta]).toEqual([
      451,
      { code: 451, message: "Unavailable for legal reasons. The project does not serve this country." },
    ]);
  }
});

it("the same call from elsewhere, from nowhere known, or for another project is served", async () => {
  expect((await from("DE", "/v1/track", world.keys.testPublishable, UPDATE)).status).toBe(200);
  expect((await call("GET", "/v1/config", { key: world.keys.testPublishable })).status).toBe(200);
  const other = await makeWorld();
  expect((await from("FR", "/v1/config", other.keys.testPublishable)).status).toBe(200);
});

it("a secret key is served from everywhere, so that its owner can change the list", async () => {
  expect((await from("FR", "/v1/settings", world.keys.testSecret)).body.blockedCountries).toEqual(["FR", "T1"]);
});

it("a header that claims another country changes nothing", async () => {
  const headers = { authorization: world.keys.testPublishable, "cf-ipcountry": "DE", "x-country": "DE" };
  const answer = await control<Answer>("fetchFrom", { country: "FR", method: "GET", path: "/v1/config", headers });
  expect(answer.status).toBe(451);
});
