import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { as, makeOperator, makeSession } from "../support/members.ts";
import { control, eventually, type Json, makeWorld, sql, type World } from "../support/world.ts";
import { putIsland } from "../support/worlds/island.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { Person } from "./person.ts";

/** Builds are switched by clicks, and what is live is asked of the endpoint. The name is this file's own. */
const NAME = `island-${Date.now()}`;
const BUILDS = [1, 2, 3].map((i) => `${NAME}-${i}`);

let world: World;
let person: Person;

const OBJECTS = { "places/a": [1, createHash("sha256").update("x").digest("hex")] as [number, string] };
const api = (method: string, path: string, json?: unknown) =>
  as(person.member, world.id)(method, `/dashboard/api/geodata${path}`, json);
const live = async (): Promise<Json | undefined> =>
  (await api("GET", "")).body.builds.find(({ name }: Json) => name === NAME);

beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld();
  person = await Person.of(world, "admin");
  await makeOperator(person.member);
  await person.signIn(await makeSession(person.member.id));
  for (const id of BUILDS) {
    await putIsland(id, NAME, OBJECTS);
    await api("POST", `/${NAME}/activate`, { id });
  }
});

afterAll(() => person?.driver.close());

describe.skipIf(!CHROMIUM)("an operator at the page of geodata", { timeout: 90_000, ...AGAIN }, () => {
  it("sees a live build with its layers, the age of its data, where it has some, and that it is whole", async () => {
    const { driver } = person;
    await person.open("/geodata", NAME);
    await driver.click(`a.row-link[href$="/geodata/${NAME}"]`);
    await driver.text("Data as of");
    await driver.text("1 object: all present with the expected size. 1 compared byte by byte.");
    await driver.text("2026");
    await driver.mapDrawn();
    await driver.shot("geodata-build-wide-light");
    expect(await driver.axe()).toEqual([]);
    expect(driver.errors()).toEqual([]);
  });

  it("goes back to the build before with a click", async () => {
    const { driver } = person;
    await person.open(`/geodata/${NAME}`, BUILDS[1]);
    await driver.click(".map-detail-foot button", "Roll back");
    await driver.text("Rolled back. Takes effect within 10 seconds.");
    expect(await live()).toMatchObject({ id: BUILDS[1], previous: [{ id: BUILDS[0] }] });
    await driver.waitFor(
      `[...document.querySelectorAll(".facts dd")].some((one) => one.innerText.includes("${BUILDS[1]}"))`,
    );
    await driver.text("compared byte by byte");
    expect(driver.errors()).toEqual([]);
  });

  it("activates a build that was live before", async () => {
    const { driver } = person;
    await person.open(`/geodata/${NAME}`, BUILDS[0]);
    await driver.click(".import-line button", "Activate");
    await driver.text(`${BUILDS[0]} is live within 10 seconds.`);
    const now = await live();
    expect(now).toMatchObject({ id: BUILDS[0] });
    expect((now!.previous as Json[])[0]).toMatchObject({ id: BUILDS[1] });
    expect(driver.errors()).toEqual([]);
  });

  it("is told when objects of a live build are damaged or missing", async () => {
    const { driver } = person;
    await control("putObject", { key: `builds/${BUILDS[0]}/places/a`, text: "another" });
    await person.open(`/geodata/${NAME}`, "Health");
    await driver.text("0 objects missing, 1 damaged, of 1.");
    await driver.text("places/a");
    expect(driver.errors()).toEqual([]);
  });

  it("is told what stands against it when another was quicker", async () => {
    const { driver } = person;
    await person.open(`/geodata/${NAME}`, BUILDS[1]);
    while ((await api("POST", `/${NAME}/roll-back`)).status === 200);
    await driver.click(".map-detail-foot button", "Roll back");
    await driver.text("has no build to go back to");
    driver.errors();
  });

  it("removes a build only after its name was typed, and it is off the list and the map", async () => {
    const { driver } = person;
    await person.open(`/geodata/${NAME}`, "No previous builds.");
    await driver.click(".map-detail-foot button", "Remove");
    await driver.waitFor("document.querySelector('dialog[open] button[type=submit]').disabled");
    await driver.type("dialog[open] input", NAME);
    await driver.click("dialog[open] button[type=submit]");
    await driver.text(`${NAME} is no longer live.`);
    expect(await eventually(live, (build) => build === undefined)).toBeUndefined();
    await driver.waitFor(`!document.querySelector('a.row-link[href$="/geodata/${NAME}"]')`);
    expect(driver.errors()).toEqual([]);
  });

  it("who is no longer one sees what is live, and no buttons", async () => {
    const { driver, member } = person;
    await putIsland(BUILDS[0], NAME, OBJECTS);
    await api("POST", `/${NAME}/activate`, { id: BUILDS[0] });
    await sql("DELETE FROM operator WHERE member = ?", member.id);
    await person.signIn(await makeSession(member.id));
    await person.open(`/geodata/${NAME}`, "Only operators of the deployment can change it.");
    await driver.shot("geodata-build-not-operator-wide-light");
    expect(await driver.eval(`document.querySelectorAll(".map-detail-foot button, .picks button").length`)).toBe(0);
    driver.errors();
  });
});
