import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readGuides } from "../../src/cli/docs/build-docs.ts";
import { makeMember } from "../support/members.ts";
import { makeWorld, withGeodata } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { Driver, WIDTHS } from "./driver.ts";

/** The pages below /docs, as somebody sees and uses them. */

let driver: Driver;
const base = inject("baseUrl");
const names = ["guides", ...readGuides().map(({ name }) => name)];
/** The reference, by its address. */
const REFERENCE = "";
/** Every kind of block stands on one of these; EVERY_LOOK=1 has all pages looked at by axe, the reference (which is long) with them. */
const LOOKED_AT = process.env.EVERY_LOOK
  ? [...names, REFERENCE]
  : ["guides", "getting-started", "webhooks", "maps", "events"];
/** By day, the reference, these, and one in three of the others are opened on a phone; EVERY_LOOK=1 has all. */
const OPENED = [
  ...names.filter((name, i) => process.env.EVERY_LOOK || LOOKED_AT.includes(name) || i % 3 === 0),
  REFERENCE,
];
const pathOf = (name: string) => (name === REFERENCE ? "/docs" : `/docs/${name}`);

describe.skipIf(!CHROMIUM)("the pages below /docs", { timeout: 120_000, ...AGAIN }, () => {
  beforeAll(async () => {
    driver = await Driver.start();
  }, 60_000);
  afterAll(() => driver?.close());

  const open = async (path: string, width: number, theme: "light" | "dark") => {
    await driver.look(width, theme);
    await driver.goto(base + path);
    await driver.waitFor("document.querySelector('#query') && document.readyState === 'complete'", 30_000);
  };

  it("have nothing cut off on a phone, and go wrong nowhere", async () => {
    for (const name of OPENED) {
      await open(pathOf(name), WIDTHS.phone, "light");
      const wide = await driver.eval("document.documentElement.scrollWidth - innerWidth");
      expect([name, Number(wide) <= 0, driver.errors()]).toEqual([name, true, []]);
      expect([name, await driver.eval("[...document.images].every((one) => one.naturalWidth > 0)")]).toEqual([
        name,
        true,
      ]);
      if (process.env.EVERY_LOOK) await driver.shot(`docs-${name}-phone`);
    }
  });

  it.each(LOOKED_AT)("/docs/%s has nothing that axe finds serious, in light and dark", async (name) => {
    await open(pathOf(name), WIDTHS.wide, "light");
    await driver.shot(`docs-${name}-wide-light`);
    expect(await driver.axe()).toEqual([]);
    await open(pathOf(name), WIDTHS.phone, "dark");
    await driver.shot(`docs-${name}-phone-dark`);
    expect(await driver.axe(process.env.EVERY_LOOK ? undefined : "color-contrast")).toEqual([]);
    const wide = await driver.eval("document.documentElement.scrollWidth - innerWidth");
    expect(Number(wide)).toBeLessThanOrEqual(0);
  });

  it("fill the reader's keys in, and keep the language that was chosen", async () => {
    await open("/docs/getting-started", WIDTHS.wide, "light");
    await driver.type("#key-publishable", "prj_test_pk_mine");
    await driver.waitFor(
      "[...document.querySelectorAll('pre')].some((one) => one.textContent.includes('prj_test_pk_mine'))",
    );
    await driver.click("[role=tab]", "Python");
    const shown =
      "[...document.querySelectorAll('[data-tab]')].filter((one) => !one.hidden).map((one) => one.dataset.tab)";
    expect(new Set(await driver.eval<string[]>(shown))).toEqual(new Set(["Python"]));
    await open("/docs/trips", WIDTHS.wide, "light");
    expect(new Set(await driver.eval<string[]>(shown))).toEqual(new Set(["Python"]));
    expect(await driver.eval("document.querySelector('[data-tab=Python]').textContent")).toContain(`"${base}/v1/`);
  });

  it("find a word on all pages, and an endpoint", async () => {
    await open("/docs/guides", WIDTHS.wide, "light");
    await driver.type("#query", "approaching");
    await driver.waitFor("document.querySelector('#found a[href^=\"/docs/trips\"]')");
    await driver.type("#query", "route/matrix");
    await driver.waitFor("document.querySelector('#found a')?.href.endsWith('/docs#matrix')");
  });

  it("send what the reader tries to the running server, and show what it answers", async () => {
    const { keys } = await makeWorld();
    await open("/docs#context", WIDTHS.wide, "light");
    await driver.eval(`localStorage.setItem("graticule-docs-publishable", ${JSON.stringify(keys.testPublishable)})`);
    await driver.eval("document.querySelector('#context details.try').open = true");
    await driver.waitFor("document.querySelector('#context button.go')");
    await driver.eval("document.querySelector('#context button.go').click()");
    await driver.waitFor("document.querySelector('#context output .status')?.textContent === '200'");
    expect(await driver.eval("document.querySelector('#context output').textContent")).toContain('"geofences": []');
    await driver.shot("docs-reference-try");
    const problems = await driver.eval<unknown[]>("document.documentElement.scrollWidth - innerWidth");
    expect(Number(problems)).toBeLessThanOrEqual(0);
    expect(driver.errors()).toEqual([]);
  });

  describe("a map that moves in the guide of maps", () => {
    const state = (is: string) => `document.querySelector("#live-map")?.dataset.state === ${JSON.stringify(is)}`;
    const says = () => driver.eval<string>("document.querySelector('.live-says').textContent");
    const see = async (width: number, theme: "light" | "dark", is: string) => {
      await open("/docs/maps", width, theme);
      await driver.eval("document.getElementById('interactive-map').scrollIntoView()");
      await driver.waitFor(state(is), 30_000);
      expect(await driver.eval("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    };

    beforeAll(async () => {
      await withGeodata("world");
      await driver.goto(`${base}/docs/guides`);
      await driver.eval("localStorage.clear()");
    }, 300_000);

    it("says what it lacks without a key, and is a sentence without a script", async () => {
      await see(WIDTHS.phone, "light", "lacking");
      expect(await says()).toContain("Type yours above");
      const page = await (await fetch(`${base}/docs/maps`)).text();
      expect(page).toMatch(/<div id="live-map"><p[^>]*>This map requires JavaScript/);
    });

    it("is drawn with the key that was typed, and the examples say what is looked at", async () => {
      const { keys } = await makeWorld();
      await see(WIDTHS.wide, "light", "lacking");
      await driver.type("#key-publishable", keys.testPublishable);
      await driver.waitFor(state("drawn"), 60_000);
      expect(await says()).toContain("with your publishable key");
      await driver.shot("docs-live-map-wide-light");
      expect(await driver.axe()).toEqual([]);
      await driver.eval(`(() => { const field = document.querySelector("#live-map select"); field.value = "grayscale";
        field.dispatchEvent(new Event("change", { bubbles: true })); })()`);
      await driver.waitFor(
        "[...document.querySelectorAll('pre')].filter((one) => one.textContent.includes('grayscale') && one.textContent.includes('center: [10, 30]')).length === 1",
      );
      expect(driver.errors()).toEqual([]);
    });

    it("is drawn for a member who is signed in to the dashboard, and has typed no key", async () => {
      const { id } = await makeWorld();
      const [name, value] = (await makeMember({ [id]: "read" })).cookie.split("=");
      await driver.eval("localStorage.clear()");
      await driver.send("Network.setCookie", { name, value, url: base, httpOnly: true });
      await driver.goto(`${base}/dashboard/${id}/test/beacons`);
      await driver.waitFor("localStorage.getItem('graticule-docs-member') === '1'");
      await see(WIDTHS.phone, "dark", "drawn");
      expect(await says()).toContain("with your dashboard session");
      await driver.shot("docs-live-map-phone-dark");
      expect(await driver.axe()).toEqual([]);
      expect(driver.errors()).toEqual([]);
    });
  });
});
