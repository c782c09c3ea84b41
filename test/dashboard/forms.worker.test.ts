import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGAIN, CHROMIUM } from "../browser/chromium.ts";
import { Person } from "../browser/person.ts";
import { makeWorld, type World } from "../support/world.ts";

/** What every form of the dashboard does, shown with one form of each kind. */
let world: World;
let person: Person;

beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld();
  person = await Person.of(world, "admin");
});

afterAll(() => person?.driver.close());

const focused = () =>
  person.driver.eval<string>(`document.querySelector('label[for="' + document.activeElement.id + '"]')?.textContent`);
const isDisabled = (selector: string) =>
  person.driver.eval<boolean>(`document.querySelector(${JSON.stringify(selector)}).disabled`);

describe.skipIf(!CHROMIUM)("a form", { timeout: 90_000, ...AGAIN }, () => {
  it("shows the API's error at the field of its parameter, moves the focus there, and clears it on input", async () => {
    const { driver } = person;
    await person.open("/beacons?beacon=new", "UUID");
    await person.fill("Description", "Gate");
    await person.fill("UUID", "b9407f30-f5f8-466e-aff9-25556b57fe6d");
    await person.fill("Major", "1");
    await person.fill("Minor", "70000");
    await person.fill("Position", "52.5163, 13.3777");
    await driver.click(".drawer button[type=submit]");
    await driver.waitFor(`document.activeElement.getAttribute("aria-invalid") === "true"`);
    expect(await focused()).toBe("Minor");
    expect(
      await driver.eval(
        `document.getElementById(document.activeElement.getAttribute("aria-describedby").split(" ").at(-1)).innerText`,
      ),
    ).toBe("Invalid minor. Must be an integer from 0 to 65535.");
    expect(await driver.eval(`document.querySelectorAll(".drawer [role=alert]").length`)).toBe(1);
    await person.fill("Minor", "7");
    await driver.waitFor(`!document.querySelector(".drawer [role=alert]")`);
    driver.errors();
  });

  it("opens the folded part that contains the first error of the local check", async () => {
    const { driver } = person;
    await person.open("/geofences/new", "Custom rules");
    await person.fill("Description", "Depot");
    await person.fill("Center", "52.5163, 13.3777");
    await person.fill("Deleted after", "2001-01-01T00:00");
    await driver.eval(`for (const part of document.querySelectorAll("details")) part.open = false`);
    await driver.click("button", "Create geofence");
    await driver.waitFor(`document.activeElement.getAttribute("aria-invalid") === "true"`);
    expect(await driver.eval(`document.activeElement.closest("details").open`)).toBe(true);
    driver.errors();
  });

  it("saves only changes, and asks before they are lost", async () => {
    const { driver } = person;
    await person.open("/settings?section=tracking", "Buffered entries");
    const save = ".save-bar button[type=submit]";
    expect(await isDisabled(save)).toBe(true);
    await person.fill("Dwell after", "9");
    await driver.waitFor(`!document.querySelector(${JSON.stringify(save)}).disabled`);
    await driver.eval(`window.asked = []; window.confirm = (text) => { asked.push(text); return false; }`);
    await driver.eval(`document.querySelector("nav a[href$='/users']").click()`);
    expect(await driver.eval("asked")).toEqual(["You have unsaved changes. Leave this page?"]);
    expect(await driver.eval("location.pathname")).toMatch(/\/settings$/);
    await driver.click(".save-bar button", "Discard");
    await driver.waitFor(`document.querySelector(${JSON.stringify(save)}).disabled`);
    await driver.eval(`document.querySelector("nav a[href$='/users']").click()`);
    expect(await driver.eval("asked.length")).toBe(1);
    expect(await driver.eval("location.pathname")).toMatch(/\/users$/);
    driver.errors();
  });

  it("accepts names that are typed letter by letter, with a comma after each", async () => {
    const { driver } = person;
    await person.open("/webhooks?webhook=new", "All, and conversions");
    await driver.click("dialog[open] .types label", "Selected");
    const label = "Conversion names, comma-separated";
    await person.fill(label, "");
    const find = `[...document.querySelectorAll("label")].find((one) => one.textContent === ${JSON.stringify(label)})`;
    await driver.eval(`document.getElementById(${find}.htmlFor).focus()`);
    for (const letter of "bought, rented") await driver.send("Input.insertText", { text: letter });
    expect(await person.filled(label)).toBe("bought, rented");
  });

  it("of a dangerous action needs the name, typed", async () => {
    const { driver } = person;
    await person.open("/settings?section=keys", "Live secret");
    await driver.click("button", "Rotate");
    const rotate = "dialog[open] button[type=submit]";
    await driver.waitFor(`document.querySelector(${JSON.stringify(rotate)})`);
    expect(await isDisabled(rotate)).toBe(true);
    const name = await driver.eval<string>(`document.querySelector("dialog[open] label code").innerText`);
    await driver.type("dialog[open] input", name.slice(0, -1));
    expect(await isDisabled(rotate)).toBe(true);
    await driver.type("dialog[open] input", name);
    await driver.waitFor(`!document.querySelector(${JSON.stringify(rotate)}).disabled`);
    driver.errors();
  });
});
