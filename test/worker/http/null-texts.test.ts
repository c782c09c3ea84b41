import { beforeAll, describe, expect, it } from "vitest";
import { formFields, queryFields } from "../../../src/worker/http/serve/body.ts";
import { dereferenced } from "../../support/open-api.ts";
import { type Answer, call, get, type Json, makeWorld, type World } from "../../support/world.ts";

/**
 * Clients write an absent value as the text "null": Android's SDK `limit=null`, radar-sdk-js 3.7 `near=null`. In every parameter that is
 * the same as no parameter.
 */

let world: World;
let operations: { path: string; method: string; query: { name: string; required: boolean }[]; body: string[] }[];
beforeAll(async () => {
  world = await makeWorld({ geodata: true });
  const { paths } = dereferenced((await call("GET", "/openapi.json", {})).body as Json);
  operations = Object.entries(paths as Answer["body"]).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Answer["body"]>).map(([method, operation]) => ({
      path,
      method,
      query: (operation.parameters ?? []).filter((one: Json) => one.in === "query"),
      body: Object.keys(operation.requestBody?.content?.["application/json"]?.schema?.properties ?? {}),
    })),
  );
});

describe("the text null", () => {
  it("is absent in every parameter of every query and form, except in the text that a person searches for", () => {
    const names = operations.flatMap(({ query, body }) => [...query.map(({ name }) => name), ...body]);
    expect(names.length).toBeGreaterThan(400);
    const keeps = (name: string) =>
      [queryFields, formFields].some((read) => Object.keys(read([[name, "null"]])).length > 0);
    expect([...new Set(names.filter(keeps))]).toEqual(["query", "q"]);
  });

  it("answers as without the parameter, at every list and search", async () => {
    const { testSecret: key } = world.keys;
    const VALUES: Record<string, string> = { query: "main", near: "49.26,-123.11", coordinates: "49.26,-123.11" };
    const asked = operations.filter(
      ({ method, path, query }) =>
        method === "get" && path.startsWith("/v1/") && !path.includes("{") && query.some(({ required }) => !required),
    );
    expect(asked.length).toBeGreaterThan(20);
    for (const { path, query } of asked) {
      const required = query.filter((one) => one.required).map(({ name }) => `${name}=${VALUES[name] ?? "1"}`);
      const optional = query
        .filter((one) => !one.required && one.name !== "query")
        .map(({ name }) => `${encodeURIComponent(name)}=null`);
      const shown = ({ status, body }: Awaited<ReturnType<typeof get>>) => [path, status, body?.meta?.param];
      const without = await get(`${path}?${required.join("&")}`, key);
      const nulls = await get(`${path}?${[...required, ...optional].join("&")}`, key);
      expect(shown(nulls)).toEqual(shown(without));
    }
  });

  it.each([
    "search/autocomplete?query=nelson&near=49.2606,-123.1139&limit=null",
    "search/autocomplete?query=nelson&near=null&layers=null&countryCode=null",
    "search/autocomplete?query=null&limit=null",
    "search/places?near=49.2606,-123.1139&radius=1000&limit=null&categories=food-beverage",
    "search/geofences?near=49.2606,-123.1139&limit=null&radius=null&tags=null",
    "search/beacons?near=49.2606,-123.1139&radius=1000&limit=null",
    "geocode/reverse?coordinates=49.26,-123.11&layers=null",
    "geocode/forward?query=null&country=null",
    "../maps/static?center=49.26,-123.11&zoom=10&width=100&height=100&markers=null&path=null&geojson=null&path=null",
  ])("is accepted as the SDKs send it: %s", async (path) => {
    expect((await get(`/v1/${path}`, world.keys.testPublishable)).status).toBe(200);
  });

  it("of a required parameter is a missing one, and in a form an absent field", async () => {
    const { testPublishable: key } = world.keys;
    const missing = await get("/v1/geocode/reverse?coordinates=null", key);
    expect([missing.status, missing.body.meta.param, missing.body.meta.message]).toEqual([
      ...[400, "coordinates", expect.stringContaining("Required")],
    ]);
    const form = { deviceId: "null-form", latitude: "1", longitude: "1", accuracy: "5", userId: "null", speed: "null" };
    const { status, body } = await call("POST", "/v1/track", { key, form: { ...form, "metadata[a]": "null" } });
    expect([status, body.user.userId, body.user.metadata]).toEqual([200, undefined, undefined]);
  });
});
