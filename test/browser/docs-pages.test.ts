import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readGuides } from "../../src/server/docs/build-docs.ts";
import { makeMember } from "../support/members.ts";
import { makeWorld, withGeodata } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { Driver, WIDTHS } from "./driver.ts";

/** The pages below /docs, as somebody sees and uses them. */

let driver: Driver;
const base = inject("baseUrl");
const names = ["guides", ...readGuides().map(({ name }) => name)];
/**
 * Leaves three of each kind of element in each place: by day, axe looks at every kind of block and not at hundreds of each. Highlighted
 * code is most of a page.
 */
const THIN = `() => {
  const kinds = new Map();
  for (const one of [...document.querySelectorAll("main *, nav *")]) {
    if (/^H[1-6]$/.test(one.tagName)) continue;
    const kind = one.tagName + " " + one.className + " " + (one.parentElement?.className ?? "") + " " + one.parentElement?.tagName;
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    if (count > 3 && !one.querySelector("h1, h2, h3, h4")) one.remove();
  }
}`;
/** The reference, by its address. */
const REFERENCE = "";
/** Every kind of block is on one of these; EVERY_LOOK=1 has axe look at all pages, the reference (which is long) with them. */
const LOOKED_AT = process.env.EVERY_LOOK
  ? [...names, REFERENCE]
  : ["guides", "getting-started", "webhooks", "maps", "events"];
const pathOf = (name: string) => (name === REFERENCE ? "/docs" : `/docs/${name}`);

describe.skipIf(!CHROMIUM)("the pages below /docs", { timeout: 120_000, ...AGAIN }, () => {
  beforeAll(async () => {
    driver = await Driver.start();
  });
  afterAll(() => driver?.close());

  const open = async (path: string, width: number, theme: "light" | "dark") => {
    await driver.look(width, theme);
    await driver.goto(base + path);
    await driver.waitFor("document.querySelector('#query') && document.readyState === 'complete'", 30_000);
  };

  it("have nothing cut off on a phone, and no image that is missing", async () => {
    await open("/docs/guides", WIDTHS.phone, "light");
    // The guides have one style and one script: by day their texts are put into one page.
    const wrong: Record<string, unknown> = {};
    for (const name of [...names, REFERENCE]) {
      const missing = await driver.eval<number>(`(async () => {
        const page = new DOMParser().parseFromString(await (await fetch(${JSON.stringify(pathOf(name))})).text(), "text/html");
        document.body.innerHTML = page.body.innerHTML;
        const images = [...document.images].map((one) => ((one.loading = "eager"), one.decode()));
        return (await Promise.allSettled(images)).filter(({ status }) => status === "rejected").length
          + (document.documentElement.scrollWidth > innerWidth ? 1 : 0);
      })()`);
      // The reference has as much text as all guides.
      const cut = name !== REFERENCE || process.env.EVERY_LOOK ? await driver.cutText() : [];
      if (missing > 0 || cut.length > 0) wrong[name] = { missing, cut };
    }
    expect(wrong).toEqual({});
    driver.errors();
  });

  it.each(LOOKED_AT)("/docs/%s has nothing that axe finds, in light and dark, and goes wrong nowhere", async (name) => {
    await open(pathOf(name), WIDTHS.wide, "light");
    await driver.shot(`docs-${name}-wide-light`);
    if (!process.env.EVERY_LOOK) await driver.eval(`(${THIN})()`);
    expect(await driver.axe()).toEqual([]);
    await driver.look(WIDTHS.phone, "dark");
    await driver.shot(`docs-${name}-phone-dark`);
    expect(await driver.axe(process.env.EVERY_LOOK ? undefined : "color-contrast")).toEqual([]);
    const wide = await driver.eval("document.documentElement.scrollWidth - innerWidth");
    expect(Number(wide)).toBeLessThanOrEqual(0);
    expect(driver.errors()).toEqual([]);
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
      expect(await driver.axe(undefined, "#live-map")).toEqual([]);
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
      expect(await driver.axe(undefined, "#live-map")).toEqual([]);
      expect(driver.errors()).toEqual([]);
    });
  });
});
