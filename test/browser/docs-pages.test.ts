import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readGuides } from "../../src/cli/docs/build-docs.ts";
import { makeWorld } from "../support/world.ts";
import { CHROMIUM } from "./chromium.ts";
import { Driver, WIDTHS } from "./driver.ts";

/** The pages below /docs, as somebody sees and uses them. */

let driver: Driver;
const base = inject("baseUrl");
const names = ["guides", ...readGuides().map(({ name }) => name)];
/** Every kind of block stands on one of these; EVERY_LOOK=1 has all pages looked at by axe. */
const LOOKED_AT = process.env.EVERY_LOOK ? names : ["guides", "getting-started", "webhooks", "maps", "events"];

describe.skipIf(!CHROMIUM)("the pages below /docs", { timeout: 120_000 }, () => {
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
    for (const name of names) {
      await open(`/docs/${name}`, WIDTHS.phone, "light");
      const wide = await driver.eval("document.documentElement.scrollWidth - innerWidth");
      expect([name, Number(wide) <= 0, driver.errors()]).toEqual([name, true, []]);
      expect([name, await driver.eval("[...document.images].every((one) => one.naturalWidth > 0)")]).toEqual([
        name,
        true,
      ]);
      if (process.env.EVERY_LOOK) await driver.shot(`docs-${name}-phone`);
    }
  });

  it.each(LOOKED_AT)("%s has nothing that axe finds serious, in light and dark", async (name) => {
    await open(`/docs/${name}`, WIDTHS.wide, "light");
    await driver.shot(`docs-${name}-wide-light`);
    expect(await driver.axe()).toEqual([]);
    await driver.look(WIDTHS.phone, "dark");
    await driver.shot(`docs-${name}-phone-dark`);
    expect(await driver.axe("color-contrast")).toEqual([]);
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
});
