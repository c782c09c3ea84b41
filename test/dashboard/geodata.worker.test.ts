import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectList } from "../../src/core/geo/builds/manifest.ts";
import { as, makeMember, makeOperator, makeSession, type Signed } from "../support/members.ts";
import { control, type Json, makeWorld, type World } from "../support/world.ts";
import { putIsland } from "../support/worlds/island.ts";

/** Builds of geodata from the dashboard. Each test has a name of its own: what is live is one list for the whole Worker. */
let world: World;
let admin: Signed;
let name: string;
let made = 0;

beforeEach(async () => {
  world = await makeWorld();
  admin = await makeMember({ [world.id]: "admin" });
  await makeOperator(admin);
  name = `geodata-test-${Date.now()}-${made++}`;
});

const PATH = "/dashboard/api/geodata";
const put = (id: string, of = name, objects?: ObjectList) => putIsland(id, of, objects);
const ask = (method: string, path: string, json?: unknown, who = admin) =>
  as(who, world.id)(method, `${PATH}${path}`, json);
const live = async (): Promise<Json | undefined> =>
  (await ask("GET", "")).body.builds.find((build: Json) => build.name === name);
const activate = (id: string, of = name) => ask("POST", `/${of}/activate`, { id });

describe("geodata in the dashboard", () => {
  it("is listed with layers, areas, sources, ages and what it can go back to", async () => {
    const [first, second] = [`${name}-1`, `${name}-2`];
    await put(first);
    await put(second);
    expect((await activate(first)).body).toEqual({ meta: { code: 200 }, name, id: first });
    expect((await activate(second)).status).toBe(200);
    expect(await live()).toEqual({
      ...{
        name,
        id: second,
        layers: [],
        areas: [[-30, -60, -29, -59]],
        bytes: 1234,
        importedAt: expect.stringMatching(/Z$/),
        liveSince: expect.stringMatching(/Z$/),
        dataDate: "2026-11-01T00:00:00.000Z",
      },
      sources: [{ name: "OSM", url: "https://example.com", licence: "ODbL-1.0", attribution: "© OSM" }],
      inputs: [{ name: "island.osm.pbf", bytes: 99, timestamp: "2026-11-01T00:00:00.000Z" }],
      previous: [{ id: first, bytes: 1234, importedAt: expect.stringMatching(/Z$/) }],
    });
  });

  it("goes back to the build before, and says when there is none", async () => {
    await put(`${name}-1`);
    await put(`${name}-2`);
    await activate(`${name}-1`);
    await activate(`${name}-2`);
    const back = await ask("POST", `/${name}/roll-back`);
    expect([back.status, back.body.id]).toEqual([200, `${name}-1`]);
    expect(await live()).toMatchObject({ id: `${name}-1`, previous: [] });
    const again = await ask("POST", `/${name}/roll-back`);
    expect([again.status, again.body.meta.message]).toEqual([409, `${name} has no build to go back to.`]);
  });

  it("is taken off at once, and the world base data can't be removed", async () => {
    await put(`${name}-1`);
    await activate(`${name}-1`);
    const { status, body } = await ask("DELETE", `/${name}`);
    expect([status, body.removed]).toEqual([200, [`${name}-1`]]);
    expect(await live()).toBeUndefined();
    expect((await ask("DELETE", `/${name}`)).status).toBe(404);
    const base = await ask("DELETE", "/world");
    expect([base.status, base.body.meta.message]).toEqual([
      409,
      expect.stringContaining("world base data can't be removed"),
    ]);
  });

  it("is changed by two at once and neither is lost", async () => {
    const names = [0, 1, 2, 3].map((i) => `${name}-${i}`);
    for (const of of names) await put(`${of}-1`, of);
    const answers = await Promise.all(names.map((of) => activate(`${of}-1`, of)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const all = (await ask("GET", "")).body.builds.map((build: Json) => build.name);
    expect(all).toEqual(expect.arrayContaining(names));
  });

  it("is activated only as what it is", async () => {
    await put(`${name}-1`);
    await put(`${name}-other`, `${name}-other`);
    expect((await activate("nothing")).status).toBe(404);
    expect((await activate(`${name}-other`)).body.meta.message).toBe(`There is no build ${name}-other of ${name}.`);
    expect((await ask("POST", `/${name}/activate`, {})).body.meta).toEqual({
      code: 400,
      param: "id",
      message: "id: Required.",
    });
    expect((await ask("POST", `/${name}/roll-back`)).status).toBe(404);
    expect(await live()).toBeUndefined();
  });

  it("is told whole, damaged or unreadable, by its list of objects", async () => {
    const of = async () => (await ask("GET", `/${name}/health`)).body;
    const whole: [number, string] = [1, createHash("sha256").update("x").digest("hex")];
    expect((await ask("GET", `/${name}/health`)).status).toBe(404);
    await put(`${name}-1`);
    await activate(`${name}-1`);
    expect(await of()).toMatchObject({ state: "unreadable", id: `${name}-1` });

    await put(`${name}-2`, name, { "places/a": whole });
    await activate(`${name}-2`);
    expect(await of()).toEqual({
      meta: { code: 200 },
      id: `${name}-2`,
      state: "whole",
      objects: 1,
      compared: 1,
      read: 1,
      missing: 0,
      damaged: 0,
      examples: [],
    });
    await control("putObject", { key: `builds/${name}-2/places/a`, text: "y" });
    expect(await of()).toMatchObject({ state: "damaged", missing: 0, damaged: 1, examples: ["places/a"] });
    await control("putObject", { key: `builds/${name}-2/objects.json`, text: "{}" });
    expect(await of()).toMatchObject({ state: "unreadable" });

    await put(`${name}-3`, name, { "places/a": whole, "places/b": [7, ""] });
    await activate(`${name}-3`);
    expect(await of()).toMatchObject({ state: "damaged", objects: 2, missing: 1, damaged: 0, examples: ["places/b"] });
  });

  it("is changed by operators alone, and by none whose session opens one project only", async () => {
    await put(`${name}-1`);
    const owner = await makeMember({ [world.id]: "owner" });
    const narrow = { ...admin, cookie: await makeSession(admin.id, world.id) };
    for (const [method, path, json] of [
      ["POST", `/${name}/activate`, { id: `${name}-1` }],
      ["POST", `/${name}/roll-back`, undefined],
      ["DELETE", `/${name}`, undefined],
    ] as const) {
      for (const member of [owner, narrow]) {
        const refused = await ask(method, path, json, member);
        expect([refused.status, refused.body.meta.message]).toEqual([403, expect.stringContaining("Only an operator")]);
      }
    }
    expect((await ask("GET", "", undefined, owner)).status).toBe(200);
    expect(await live()).toBeUndefined();
  });

  it("leaves a line in the audit log for each change", async () => {
    await put(`${name}-1`);
    await activate(`${name}-1`);
    await ask("DELETE", `/${name}`);
    const { entries } = (await as(admin, world.id)("GET", "/dashboard/api/audit")).body;
    expect(entries.map(({ action, target, summary }: Json) => [action, target, summary])).toEqual([
      ["removeGeodata", name, "removed with 1 builds"],
      ["activateGeodata", name, `build ${name}-1 is live`],
    ]);
  });
});
