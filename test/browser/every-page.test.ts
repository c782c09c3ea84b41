import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTING_SECTIONS } from "../../src/dashboard/pages/settings/sections.ts";
import { shortDay } from "../support/short-day.ts";
import { eventually, get, type Json, makeWorld, post, put, type World } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";
import { TEXTS, textFaults } from "./texts.ts";

/** Every page of the route table: its texts read aloud, and each of its controls used by keyboard alone. */

const DASHBOARD = resolve(import.meta.dirname, "../../src/dashboard");
const TABLE = readFileSync(join(DASHBOARD, "frame/pages.tsx"), "utf8");
/** The paths of all pages, and of the sections of the settings. */
const ROUTES = [...TABLE.matchAll(/makePage\("([^"]*)",/g)]
  .map(([, path]) => path)
  .flatMap((path) => (path === "settings" ? SETTING_SECTIONS.map(({ name }) => `settings?section=${name}`) : [path]));

let world: World;
let person: Person;
let driver: Driver;

beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld({ settings: { tracking: { places: false }, learning: { enabled: true } } });
  await fillWorld();
  person = await Person.of(world);
  ({ driver } = person);
  await driver.downloadTo(join(tmpdir(), "graticule-every-page"));
});

afterAll(() => driver?.close());

/** One record of each kind: where a page counts, it counts one. */
async function fillWorld(): Promise<void> {
  const { testSecret: secret, testPublishable } = world.keys;
  const center = [13.3777, 52.5163];
  await put("/v1/geofences/store/mitte", secret, {
    ...{ description: "Store Mitte", type: "circle", coordinates: center, radius: 120 },
  });
  const there = { userId: "ada", deviceId: "phone", latitude: 52.5163, longitude: 13.3777, accuracy: 8 };
  await post("/v1/campaigns", secret, {
    ...{ name: "Welcome", type: "eventNotification", trigger: { event: "user.entered_geofence" } },
    content: { title: "Welcome", text: "Coffee is on us." },
  });
  await post("/v1/trips", secret, {
    ...{ externalId: "order-1", userId: "ada", mode: "car" },
    ...{ destinationGeofenceTag: "store", destinationGeofenceExternalId: "mitte" },
  });
  await post("/v1/track", testPublishable, { ...there, foreground: true });
  await post("/v1/beacons", secret, {
    ...{ description: "Gate 1", type: "ibeacon", uuid: "b9407f30-f5f8-466e-aff9-25556b57fe6d" },
    ...{ major: "100", minor: "1", tag: "gate", externalId: "1", coordinates: center, enabled: true },
  });
  await post("/v1/geocode/jobs?filename=customers.csv", secret, { csv: "address\nBerlin\n" });
  await shortDay(secret, { userId: "ada", deviceId: "van" });
  const rule = { conditions: [{ type: "geofenceTag", value: "store", visits: 1, days: 1 }] };
  await post("/v1/segments", secret, { externalId: "regulars", description: "Regulars", rule });
  await post("/v1/meetings", secret, { name: "Courier at customer", users: { userTags: ["courier"] }, radius: 100 });
  await post("/v1/webhooks", secret, { url: "https://hooks.example.com/graticule", description: "The warehouse" });
  await eventually(
    () => get("/v1/events", secret),
    ({ body }) => body.events.some(({ type }: Json) => type === "campaign.sent"),
  );
}

/** What a page that is open has to be asked in. A control is known by its place in the order of the page. */
const SCRIPT = `window.walk ??= (() => {
  const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const isSeen = (one) => one.getClientRects().length > 0 && one.checkVisibility({ visibilityProperty: true });
  const scope = () => document.querySelector("dialog[open]") ?? document.querySelector(".drawer") ?? document.querySelector("main");
  const said = (one) => (one.getAttribute("aria-label") || one.innerText || one.closest("label")?.innerText || one.id || one.name || "").trim().replace(/\\s+/g, " ").slice(0, 60);
  // Of a group of radio buttons, Tab goes to one; of tabs and handles of a list, arrows go on.
  const isInOrder = (one) => one.tabIndex >= 0 && !one.disabled &&
    !(one.type === "radio" && !one.checked && document.querySelector('input[type=radio][name="' + one.name + '"]:checked'));
  const controls = () => [...scope().querySelectorAll(CONTROLS)].filter((one) => isSeen(one) && isInOrder(one));
  const keyOf = (one) => one ? one.tagName + " " + (one.type ?? one.getAttribute("role") ?? "") + " " + said(one) : "";
  // The ring is that of the element, of what is drawn over its row, or of the box that holds it.
  const styleOf = (one, part) => { const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(one, part); return [outlineStyle, outlineWidth, boxShadow, borderColor].join(); };
  const ringOf = (one) => styleOf(one) + styleOf(one, "::after") + styleOf(one.parentElement) + (one.nextElementSibling ? styleOf(one.nextElementSibling) : "");
  // Changes that are under way: a dialog may come with their answer.
  const send = window.fetch;
  let changes = 0;
  window.fetch = async (input, init) => {
    const change = (init?.method ?? "GET") === "GET" ? 0 : 1;
    changes += change;
    try { return await send(input, init); } finally { changes -= change; }
  };
  return {
    isSettled: () => changes === 0,
    list: () => controls().map((one) => ({ key: keyOf(one), said: said(one), tag: one.tagName, type: one.getAttribute("role") ?? one.type ?? "", inTable: one.closest("tbody, .lines, .picks") !== null, isSubmit: one.type === "submit", href: one.getAttribute("href"), isMap: one.matches(".maplibregl-canvas, .maplibregl-map *") })),
    nameless: () => controls().filter((one) => said(one) === "" && !one.labels?.length && one.tagName !== "SECTION" && !one.getAttribute("aria-labelledby") && !one.matches(".drawer-body, .maplibregl-canvas, [tabindex='0']:not(a, button, input, select, textarea)")).map((one) => one.outerHTML.slice(0, 100)),
    mark: () => { document.activeElement?.blur(); window.walk.all = controls(); window.walk.before = new Map(window.walk.all.map((one) => [one, ringOf(one)])); scope().focus(); document.activeElement === scope() || getSelection().setPosition(scope(), 0); return window.walk.all.length; },
    missed: (reached) => window.walk.all.filter((one, index) => !reached.includes(index) && one.isConnected && isSeen(one) && isInOrder(one)).map(keyOf),
    at: () => { const one = document.activeElement; return { key: keyOf(one), index: window.walk.all.indexOf(one), hasRing: window.walk.before.get(one) !== ringOf(one) || one.matches(".maplibregl-canvas"), isIn: (() => { const { left, top, right, bottom, width } = one.getBoundingClientRect(); return width < 4 || (right > 0 && bottom > 0 && left < innerWidth && top < innerHeight); })() }; },
    focus: (index) => { const one = controls()[index]; one?.focus(); return document.activeElement === one; },
    state: () => { const one = document.activeElement; return { key: keyOf(one), path: location.pathname + location.search, open: document.querySelectorAll("dialog[open]").length + document.querySelectorAll(".drawer").length, expanded: one.getAttribute("aria-expanded") ?? String(one.closest("details")?.open), value: one.type === "checkbox" ? String(one.checked) : one.value ?? "", holds: scope().contains(one) }; },
    key: () => keyOf(document.activeElement),
  };
})()`;

interface Control {
  key: string;
  said: string;
  tag: string;
  type: string;
  inTable: boolean;
  isSubmit: boolean;
  href: string | null;
  isMap: boolean;
}
interface State {
  key: string;
  path: string;
  open: number;
  expanded: string;
  value: string;
  holds: boolean;
}

const ask = <T>(what: string) => driver.eval<T>(`(${SCRIPT}, window.walk.${what})`);
const frame = () => driver.eval("new Promise((next) => requestAnimationFrame(() => setTimeout(next)))");

async function open(path: string): Promise<void> {
  await driver.visit(`${person.base}/${path}`);
  await driver.waitFor("document.querySelector('main h1, main .map') && !document.querySelector('main .skeleton')");
  await frame();
}

const faultsHere = async () => [...new Set((await driver.eval<string[]>(TEXTS)).flatMap(textFaults))];

/** Presses Tab through all that is in the order of the page, or of what is open above it. */
async function tabThrough(): Promise<string[]> {
  const count = await ask<number>("mark()");
  const reached = new Set<number>();
  const faults: string[] = [];
  for (let presses = 0; presses < count + 12 && reached.size < count; presses++) {
    await driver.press("Tab");
    const at = await ask<{ key: string; index: number; hasRing: boolean; isIn: boolean }>("at()");
    if (at.index < 0 || reached.has(at.index)) continue;
    reached.add(at.index);
    if (!at.hasRing) faults.push(`the focus is not seen: ${at.key}`);
    if (!at.isIn) faults.push(`the focus is outside of the window: ${at.key}`);
  }
  const missed = await ask<string[]>(`missed(${JSON.stringify([...reached])})`);
  faults.push(...missed.map((key) => `Tab does not reach: ${key}`));
  return faults;
}

/** What leaves the dashboard or asks something of the browser. */
const LEAVES = /^(Sign out|Print)/;
const TYPED = /^(text|search|number|textarea|email|url|tel)$/;

/** Uses the control that has the focus. @returns what is wrong */
async function operate(control: Control): Promise<string[]> {
  const { key, tag, type } = control;
  const before = await ask<State>("state()");
  const fault = (text: string) => [`${text}: ${key}`];
  if (tag === "SELECT") {
    await driver.press("ArrowDown");
    await driver.press("ArrowUp");
    return [];
  }
  if (type === "checkbox" || type === "switch") {
    for (let i = 0; i < 2; i++) {
      await driver.press(" ");
      await frame();
      const { value } = await ask<State>("state()");
      if (i === 0 && value === before.value) return fault("Space does not switch");
    }
    return [];
  }
  if (tag === "SUMMARY") {
    await driver.press("Enter");
    await frame();
    const { expanded } = await ask<State>("state()");
    if (expanded === before.expanded) return fault("Enter does not unfold");
    await driver.press("Enter");
    return [];
  }
  if (TYPED.test(type)) {
    await driver.send("Input.insertText", { text: before.value.startsWith("4") ? "5" : "4" });
    const { value } = await ask<State>("state()");
    // Searches wait for a pause.
    if (type === "search") await driver.press("Enter");
    await frame();
    return value === before.value ? fault("takes no text") : [];
  }
  if (type === "tab") {
    await driver.press("ArrowRight");
    await frame();
    return (await ask<State>("state()")).path === before.path ? fault("arrows do not change the tab") : [];
  }
  const isRow = tag === "A" && control.inTable;
  if ((tag !== "BUTTON" && !isRow) || control.isSubmit || LEAVES.test(control.said)) return [];
  await driver.press("Enter");
  await frame();
  await driver.waitFor("window.walk.isSettled()");
  await frame();
  let after = await ask<State>("state()");
  if (after.open <= before.open) return [];
  const faults: string[] = [];
  await driver.waitFor("!document.querySelector('.drawer .skeleton')");
  faults.push(...(await faultsHere()), ...(await tabThrough()));
  await driver.eval("document.querySelector('dialog[open], .drawer')?.focus()");
  await driver.press("Escape");
  await frame();
  after = await ask<State>("state()");
  if (after.open > before.open) return [...faults, ...fault("Escape does not close")];
  if (after.key !== before.key) faults.push(`the focus does not return to ${before.key}: it is at ${after.key}`);
  return faults;
}

/** Each control once; of rows of a list, those of the first. */
async function operateAll(path: string): Promise<string[]> {
  const faults: string[] = [];
  const done = new Set<string>();
  for (let index = 0; index < 80; index++) {
    const all = await ask<Control[]>("list()");
    const next = all.findIndex(({ key, isMap }) => !done.has(key) && !isMap);
    if (next < 0) break;
    const control = all[next];
    done.add(control.key);
    if (control.tag === "A" && !control.inTable) continue;
    const here = await driver.eval<string>("location.pathname + location.search");
    if (!(await ask<boolean>(`focus(${next})`))) {
      faults.push(`takes no focus: ${control.key}`);
      continue;
    }
    faults.push(...(await operate(control)));
    const there = await driver.eval<string>("location.pathname + location.search");
    if (there === here) continue;
    if (there.split("?")[0] !== here.split("?")[0]) await open(path);
    else {
      await driver.eval(
        `(() => { history.replaceState(null, "", ${JSON.stringify(here)}); dispatchEvent(new PopStateEvent("popstate")); })()`,
      );
      await frame();
      await driver.waitFor("!document.querySelector('main .skeleton')");
    }
  }
  return faults;
}

describe.skipIf(!CHROMIUM)("each page of the dashboard", { timeout: 90_000, ...AGAIN }, () => {
  it.each(ROUTES.map((path) => [path]))("/%s reads well, and all of it can be done by keyboard", async (path) => {
    await driver.look(1400, "light");
    await open(path);
    const faults = [...(await faultsHere()), ...(await tabThrough()), ...(await ask<string[]>("nameless()"))];
    faults.push(...(await operateAll(path)));
    expect([...new Set(faults)].join("\n")).toBe("");
    driver.errors();
  });

  it("shows itself at an address that was mistyped", async () => {
    const sources = globSync("**/*.{ts,tsx}", { cwd: DASHBOARD }).map((path) =>
      readFileSync(join(DASHBOARD, path), "utf8"),
    );
    const reads = /(?:query\.get\(|useQueryValue\(|Filter name=)"(\w+)"/g;
    const names = new Set(sources.flatMap((text) => [...text.matchAll(reads)].map(([, name]) => name)));
    expect(names.size).toBeGreaterThan(30);
    names.delete("section");
    const broken: string[] = [];
    await open("");
    for (const path of [...ROUTES, "users/ada", "trips/none"])
      for (const value of ["abc", "9999-99-99", "2026-11-30 x", "1e999", "{}"]) {
        const query = [...names].map((name) => `${name}=${encodeURIComponent(value)}`).join("&");
        const address = `${person.base}/${path}${path.includes("?") ? "&" : "?"}${query}`;
        await driver.eval(
          `(() => { history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent("popstate")); })()`,
        );
        await frame();
        await driver.waitFor("document.querySelector('main h1, main .map, main .empty')");
        if (!(await driver.eval<boolean>("document.body.innerText.includes('This page failed')"))) continue;
        broken.push(`/${path} with ${value}`);
        await open("");
      }
    expect(broken).toEqual([]);
  });
});
