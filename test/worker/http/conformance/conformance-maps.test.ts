import { beforeAll, describe, expect, inject, it } from "vitest";
import { BASE, ICONS, MAPS_DIFFERENCES, PLAIN_STYLE } from "../../../conformance/differences/maps.ts";
import { type Picture, readPng } from "../../../core/maps/read-png.ts";
import { type Json, makeWorld, put, type World, withGeodata } from "../../../support/world.ts";
import { queryOf } from "./conformance-geo-requests.ts";

let world: World;
beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: { staticMap: 10_000 } } });
  const key = world.keys.testSecret;
  expect((await put("/v1/maps/styles/plain", key, PLAIN_STYLE)).status).toBe(200);
  for (const [id, image] of Object.entries(ICONS))
    expect((await put(`/v1/maps/icons/${id}`, key, { image })).status).toBe(200);
}, 240_000);

async function draw(values: Json): Promise<Picture> {
  const response = await fetch(`${inject("baseUrl")}/maps/static?${queryOf({ ...BASE, ...values })}`, {
    headers: { authorization: world.keys.testPublishable },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(new TextDecoder().decode(bytes));
  return readPng(bytes);
}

describe("a parameter", () => {
  it.each(MAPS_DIFFERENCES)("$id: $effect", async ({ both, a, b, expects }) => {
    const [first, second] = await Promise.all([a, b].map((own) => draw({ ...both, ...own })));
    expects(first, second);
  });
});
