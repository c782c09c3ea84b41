import { readFileSync } from "node:fs";
import Radar from "radar-sdk-js";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { get } from "../../support/world.ts";
import { openWorld } from "../../worker/http/conformance/open-world.ts";
import { type Browser, openBrowser } from "./browser.ts";

/** The guide's example for browsers, run with the package that it imports. */
const GUIDE = readFileSync(new URL("../../../docs/guides/sdks.md", import.meta.url), "utf8");

/** The code of the block below a heading of the guide, in some language. */
function exampleOf(heading: string, language: string): string {
  const section = GUIDE.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const [, code = ""] = section.split(`\`\`\`${language}\n`);
  return code.split("\n```")[0];
}

let browser: Browser;
beforeEach(() => {
  browser = openBrowser();
});
afterEach(() => {
  Radar.clear();
  vi.unstubAllGlobals();
});

it("the example for browsers initializes, tracks and gets a context", async () => {
  const { keys } = await openWorld();
  browser.position = { latitude: 40.7, longitude: -73.98, accuracy: 5 };
  const code = exampleOf("Browser", "js")
    .replace('import Radar from "radar-sdk-js";', "")
    .replace("$PUBLISHABLE", keys.testPublishable)
    .replace("$HOST", inject("baseUrl"));
  expect(code).not.toMatch(/import |\$[A-Z]/);
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (sdk: unknown) => Promise<unknown>;
  const found = await new AsyncFunction("Radar", `${code}\nreturn { user, events, geofences };`)(Radar);
  expect(found).toMatchObject({ user: { userId: "ann", deviceType: "Web" }, events: [], geofences: [] });
  expect((await get("/v1/users/ann", keys.testSecret)).body.user.location.coordinates).toEqual([-73.98, 40.7]);
  expect(browser.seen.map(({ path }) => path)).toEqual(expect.arrayContaining(["/v1/track", "/v1/context"]));
});

it("the other examples set both hosts, by the names that the SDKs read, before they initialize", () => {
  // RadarSettings.m and RadarSettings.kt of the SDKs.
  for (const [heading, language, names] of [
    ["iOS", "swift", ['forKey: "radar-host"', 'forKey: "radar-verifiedHost"']],
    ["Android", "kotlin", ['putString("host"', 'putString("verified_host"']],
  ] as const) {
    const code = exampleOf(heading, language);
    const start = code.indexOf("Radar.initialize");
    expect(start).toBeGreaterThan(0);
    for (const name of names) {
      const at = code.indexOf(name);
      expect([name, at >= 0 && at < start]).toEqual([name, true]);
    }
  }
});
