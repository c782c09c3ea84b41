import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeWorld, post, put, type World } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { WIDTHS } from "./driver.ts";
import { Person } from "./person.ts";

/** One page of each kind, once: the other tests of pages run where pages changed (test/near/rare.ts). */
const PAGES: [kind: string, width: keyof typeof WIDTHS, path: string, ready: string][] = [
  ["figures", "wide", "", "By endpoint"],
  ["a list", "phone", "/users", "ada"],
  ["a record with a map of its day", "wide", "/users/ada", "\\d updates?"],
  ["a form in a drawer", "phone", "/webhooks?webhook=new", "All, and conversions"],
  ["settings", "wide", "/settings", "Buffered entries"],
];

let world: World;
let person: Person;
beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld();
  const fence = { description: "Store", type: "circle", coordinates: [13.3777, 52.5163], radius: 120 };
  await put("/v1/geofences/store/mitte", world.keys.testSecret, fence);
  const at = { latitude: 52.5163, longitude: 13.3777, accuracy: 8, foreground: true };
  await post("/v1/track", world.keys.testPublishable, { deviceId: "phone", userId: "ada", ...at });
  person = await Person.of(world);
});
afterAll(() => person?.driver.close());

describe.skipIf(!CHROMIUM)("a tour of the dashboard", { timeout: 90_000, ...AGAIN }, () => {
  it.each(PAGES)("shows %s, in which axe finds nothing and no text is cut", async (_, width, path, ready) => {
    const { driver, base } = person;
    await driver.look(WIDTHS[width], width === "wide" ? "light" : "dark");
    await driver.visit(base + path);
    const text = 'document.body.innerText + document.querySelector("main")?.textContent';
    await driver.waitFor(`new RegExp(${JSON.stringify(ready)}).test(${text})`);
    await driver.waitFor("!document.querySelector('main .skeleton')");
    expect(await driver.axe()).toEqual([]);
    expect(await driver.cutText(width === "phone" ? undefined : "^[+−-]?\\d")).toEqual([]);
    expect(driver.errors()).toEqual([]);
  });

  it("goes from page to page with Ctrl-K", async () => {
    const { driver, base } = person;
    await driver.look(WIDTHS.wide, "light");
    await driver.visit(`${base}/users`);
    await driver.text("ada");
    await driver.press("k", 2);
    await driver.waitFor("document.querySelector('dialog.palette[open]')");
    await driver.send("Input.insertText", { text: "dead letters" });
    await driver.text("Webhooks");
    await driver.press("Enter");
    await driver.waitFor("/\\/webhooks$/.test(location.pathname)");
    expect(driver.errors()).toEqual([]);
  });
});
