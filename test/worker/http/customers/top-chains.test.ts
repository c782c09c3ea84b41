import { beforeAll, expect, it } from "vitest";
import { call, get, makeWorld, post, type World, withGeodata } from "../../../support/world.ts";

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ geodata: true, settings: { rateLimits: { track: 1000, patchSettings: 1000 } } });
});

interface Place {
  name: string;
  chain: { slug: string; name: string };
  location: { coordinates: [number, number] };
}

it("a user shows the chains it visits most, with the customer's ids, and a walk past counts for nothing", async () => {
  const near = "48.99,-111.2";
  const found = await get(
    `/v1/search/places?near=${near}&radius=10000&limit=100&categories=food-beverage,shopping-retail`,
    world.keys.testSecret,
  );
  const places = (found.body.places as Place[]).filter(({ chain }) => chain);
  const one = places[0];
  const other = places.find(({ chain }) => chain.slug !== one.chain.slug) as Place;
  await call("PATCH", "/v1/settings", {
    key: world.keys.testSecret,
    json: { chainMappings: { [other.chain.slug]: "shop-77" } },
  });
  const visit = async ({ location: { coordinates } }: Place, more = {}) => {
    const [longitude, latitude] = coordinates;
    const body = { deviceId: "phone", latitude, longitude, accuracy: 1, stopped: true, ...more };
    return (await post("/v1/track", world.keys.testPublishable, body)).body;
  };
  const away = { location: { coordinates: [-111.0, 49.5] } } as unknown as Place;
  expect((await visit(one, { stopped: false })).user).not.toHaveProperty("topChains");
  await visit(away);
  expect((await visit(one)).user.topChains).toEqual([{ slug: one.chain.slug, name: one.chain.name }]);
  for (const place of [away, other, away, other]) await visit(place);
  expect((await visit(away)).user.topChains).toEqual([
    { slug: other.chain.slug, name: other.chain.name, externalId: "shop-77" },
    { slug: one.chain.slug, name: one.chain.name },
  ]);
});
