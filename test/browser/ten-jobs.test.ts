import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortDay } from "../support/short-day.ts";
import { eventually, get, type Json, makeWorld, post, put, sleep, sql, type World } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { type Driver, WIDTHS } from "./driver.ts";
import { Person } from "./person.ts";

/** The ten common jobs of the guide (docs/guides/dashboard.md), done as it says: from the overview, with the clicks that it lists. */

const GUIDE = readFileSync(resolve(import.meta.dirname, "../../docs/guides/dashboard.md"), "utf8");
const [, TABLE] = /## Ten common jobs\n([\s\S]*?)\n## /.exec(GUIDE) ?? [];
const JOBS = [...TABLE.matchAll(/^\| ([A-Z][^|]+) \| ([^|]+) \|$/gm)].map(([, job, clicks]) => [job, clicks] as const);
const MAX_CLICKS = 5;
const PLACE = "52.5163, 13.3777";

let world: World;
let person: Person;
let driver: Driver;

async function begin(): Promise<void> {
  if (!CHROMIUM) return;
  world = await makeWorld({ settings: { tracking: { places: false } } });
  const { testSecret: secret, testPublishable } = world.keys;
  const fence = { description: "Store", type: "circle", coordinates: [13.3777, 52.5163], radius: 120 };
  await put("/v1/geofences/store/1", secret, fence);
  const webhook = await post("/v1/webhooks", secret, { url: "https://hooks.example.com/x", description: "Warehouse" });
  const goal = { destinationGeofenceTag: "store", destinationGeofenceExternalId: "1" };
  await post("/v1/trips", secret, { externalId: "order-1", userId: "ada", mode: "car", ...goal });
  const there = { userId: "ada", deviceId: "phone", latitude: 52.5163, longitude: 13.3777, accuracy: 8 };
  await shortDay(secret, { userId: "ada", deviceId: "phone" });
  await sleep(1100);
  // Right after midnight, the day up to now is yesterday: two positions make one of today's.
  await post("/v1/track", testPublishable, { ...there, latitude: 52.53 });
  await sleep(1100);
  await post("/v1/track", testPublishable, { ...there, foreground: true });
  const entered = ({ type }: Json) => type === "user.entered_geofence";
  const { body } = await eventually(
    () => get("/v1/events", secret),
    (answer) => answer.body.events?.some(entered),
  );
  const event = body.events.find(entered);
  await sql(
    "INSERT INTO dead_letter VALUES (?, ?, ?, NULL, ?, ?, 9, 'the receiver answered 500', ?, ?)",
    ...[world.id * 2, webhook.body.webhook._id, event._id, JSON.stringify([{ id: event._id, type: event.type }])],
    ...[JSON.stringify({ event }), Date.now() - 90_000_000, Date.now() - 3_600_000],
  );
  person = await Person.of(world);
  ({ driver } = person);
}

/** What is clicked where the guide names no button. */
const RECORDS: Record<string, string> = {
  "the user": "ada",
  "the event": "entered geofence",
  "the trip": "order-1",
  "the webhook": "https://hooks.example.com/x",
};
/** What is typed before the next click. */
const TYPED: Record<string, () => Promise<Record<string, string>>> = {
  "its description": async () => ({ Description: "Yard" }),
  "the user, the geofence and the time": async () => ({ User: "ada", Geofence: "store/1" }),
  "its URL": async () => ({ URL: "https://hooks.example.com/y" }),
  "its last four characters": async () => {
    const label = await driver.eval<string>("document.querySelector('dialog[open] label').textContent");
    return { [label]: /Type (\S+) to confirm/.exec(label)?.[1] ?? "" };
  },
  "the email address": async () => ({ Email: "grace@example.com" }),
};
/** What is there in the end. */
const DONE: Record<string, string> = {
  "See where a user is": "location.search.includes('follow=1')",
  "Replay a user's day": "document.querySelector('[aria-label=Pause]')",
  "Find out why an event was generated": "document.body.innerText.includes('Explanation')",
  "Find out why an event was not generated": "document.querySelector('.drawer .verdict')",
  "Draw a geofence": "document.querySelector('.toasts')?.innerText.includes('Geofence created')",
  "Share a trip": "document.querySelector('[aria-label=\"Copy link\"]')",
  "Send events to your server": "document.body.innerText.includes('I have saved it')",
  "Replay failed deliveries": "document.body.innerText.includes('No dead letters')",
  "Rotate a key": "/prj_test_\\w{2}_\\w{8}|prj_live_\\w{2}_\\w{8}/.test(document.body.innerText)",
  "Invite a member": "document.body.innerText.includes('A link for grace@example.com')",
};

/** Clicks what reads so, in what is above all else; nothing may cover it. */
async function click(text: string, selector = "a, button, [role=tab], summary"): Promise<void> {
  const find = `(() => { const top = document.querySelector("dialog[open]") ?? document.querySelector(".drawer") ?? document;
    const all = [...top.querySelectorAll(${JSON.stringify(selector)})].filter((one) => one.getClientRects().length > 0 && !one.disabled);
    const said = (one) => [one.getAttribute("aria-label") ?? "", ...one.innerText.split("\\n").map((line) => line.trim())];
    return all.find((one) => said(one).includes(${JSON.stringify(text)})) ?? all.find((one) => said(one).some((words) => words.startsWith(${JSON.stringify(text)}))); })()`;
  await driver.waitFor(find);
  const look = () =>
    driver.eval<{ x: number; y: number; isFree: boolean }>(`(async () => { const one = ${find};
      one.scrollIntoView({ block: "nearest" });
      let box;
      for (let before = ""; ; ) { box = one.getBoundingClientRect(); const now = box.x + " " + box.y; if (now === before) break; before = now; await new Promise((next) => setTimeout(next, 50)); }
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]; const over = document.elementFromPoint(x, y);
      return { x, y, isFree: one === over || one.contains(over) }; })()`);
  let at = await look();
  for (let tries = 0; tries < 20 && !at.isFree; tries++) {
    await new Promise((later) => setTimeout(later, 50));
    at = await look();
  }
  expect(at.isFree, `“${text}” is covered`).toBe(true);
  await driver.clickAt(at.x, at.y);
}

/** A settings section is a link, or an option of a list on a phone. */
async function choose(text: string): Promise<void> {
  const option = `[...document.querySelectorAll("main select option")].find((one) => one.text === ${JSON.stringify(text)} && one.parentElement.closest("select").getClientRects().length > 0)`;
  if (!(await driver.eval<boolean>(`Boolean(${option})`))) return click(text);
  await driver.eval(
    `(() => { const one = ${option}; const list = one.closest("select"); list.value = one.value; list.dispatchEvent(new Event("change", { bubbles: true })); })()`,
  );
}

/** @returns the number of clicks */
async function clickStep(step: string, isFirst: boolean): Promise<number> {
  const name = /^\*(.+)\*$/.exec(step)?.[1] ?? RECORDS[step];
  if (name === undefined) {
    expect(step).toBe("its center on the map");
    // Typed, as maps draw nothing here.
    await person.fill("Center", PLACE);
    return 1;
  }
  if (RECORDS[step]) {
    await click(name, "tbody a, .lines a");
    return 1;
  }
  // On a phone, the menu is behind a button.
  const menu = "document.querySelector('[aria-label=Menu]')?.getClientRects().length > 0";
  const isHidden = isFirst && (await driver.eval<boolean>(menu));
  if (isHidden) await click("Menu");
  await (isFirst ? click(name) : choose(name));
  return isHidden ? 2 : 1;
}

describe.skipIf(!CHROMIUM)("the ten jobs of the guide", { timeout: 90_000, ...AGAIN }, () => {
  it("are ten, each with an end that is looked for", () => {
    expect(JOBS.map(([job]) => job)).toEqual(Object.keys(DONE));
  });

  describe.each(["wide", "phone"] as const)("at the width of a %s window", (width) => {
    beforeAll(begin);
    afterAll(() => driver?.close());

    it.each(JOBS)("%s: %s", async (job, clicks) => {
      await driver.look(WIDTHS[width], "light");
      // Loaded, so that the menu is as a newcomer finds it.
      await driver.goto(person.base);
      let count = 0;
      for (const part of clicks.split(" → ")) {
        await driver.waitFor(
          "document.querySelector('main h1, main .map') && !document.querySelector('main .skeleton')",
        );
        const [step, typed] = part.split(/,? then /);
        // A group that is open already is not clicked.
        const isOpen = `[...document.querySelectorAll(".pages button[aria-expanded=true]")].some((one) => "*" + one.textContent.trim() + "*" === ${JSON.stringify(step)})`;
        if (!(await driver.eval<boolean>(isOpen))) count += await clickStep(step, count === 0);
        if (typed) for (const [label, text] of Object.entries(await TYPED[typed]())) await person.fill(label, text);
      }
      await driver.waitFor(DONE[job]);
      expect(count).toBeLessThanOrEqual(width === "wide" ? MAX_CLICKS : MAX_CLICKS + 1);
      driver.errors();
      await driver.press("Escape");
    });
  });
});
