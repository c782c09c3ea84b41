import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, post, put, sleep, type World, withGeodata } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";

/** Pages that stay open while hours pass without an update: every word of now on them has to go. */

const [LATITUDE, LONGITUDE] = [48.99, -111.2];
const HOURS = 3;
/** What is no longer true after hours of silence. */
const OF_NOW = String.raw`/\b(moving|on a trip|in \d[\d.]* (min|h)\b|\d+ min away|expected at|just now|[1-5]?\d ?s(econds)? ago|[1-9]m ago|early|on time|seen now|is moving|on the way)\b/i`;

let world: World;
let person: Person;
let driver: Driver;
let trip: string;
let user: string;
let share: string;

beforeAll(async () => {
  if (!CHROMIUM) return;
  await withGeodata("demo");
  world = await makeWorld({ settings: { tracking: { places: false } } });
  const { testSecret: secret, testPublishable: key } = world.keys;
  const fence = { description: "Yard", type: "circle", coordinates: [LONGITUDE + 0.02, LATITUDE], radius: 60 };
  await put("/v1/geofences/yard/1", secret, fence);
  await post("/v1/trips", secret, {
    ...{ externalId: "order-1", userId: "ada", mode: "car" },
    ...{ destinationGeofenceTag: "yard", destinationGeofenceExternalId: "1" },
    scheduledArrivalAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  for (const step of [0, 1, 2])
    for (const userId of ["ada", "bob"]) {
      if (userId === "ada") await sleep(1100);
      await post("/v1/track", key, {
        ...{ userId, deviceId: `phone-of-${userId}`, accuracy: 8, foreground: true, speed: 12, stopped: false },
        ...{ latitude: LATITUDE, longitude: LONGITUDE + step * 0.002 },
      });
    }
  const { body } = await get("/v1/trips", secret);
  trip = body.trips[0]._id;
  user = (await get("/v1/users/bob", secret)).body.user._id;
  share = (await post(`/v1/trips/${trip}/shares`, secret, { minutes: 600 })).body.share.url;
  person = await Person.of(world);
  ({ driver } = person);
}, 300_000);

afterAll(() => driver?.close());

/** The text of the page as it is read, and the labels of its pictures. */
const SHOWN = `(document.querySelector("main") ?? document.body).innerText`;

const PAGES: [name: string, path: () => string, now: string[], later: string[]][] = [
  ["live map", () => "/map", ["Moving 1", "On a trip 1"], ["Moving 0", "On a trip 0", "Quiet 2"]],
  ["list of users", () => "/users", ["Moving", "On a trip"], ["Quiet"]],
  ["page of a user", () => `/users/${user}`, ["Moving"], ["Quiet", "seen 3h ago"]],
  ["list of trips", () => "/trips", ["in ", "early"], ["overdue", "no update for 3 h"]],
  ["page of a trip", () => `/trips/${trip}`, ["in ", "early"], ["overdue", "no update for 3 h", "at the last update"]],
];

describe.skipIf(!CHROMIUM)("after hours without an update", { timeout: 90_000, ...AGAIN }, () => {
  /** Moves the clock of the page, and lets it be looked at again. */
  const pass = () =>
    driver.eval(`(() => { const now = Date.now.bind(Date); Date.now = () => now() + ${HOURS} * 3600_000;
      document.dispatchEvent(new Event("visibilitychange")); })()`);
  const shows = (words: string) =>
    driver.waitFor(`${SHOWN}.replace(/\\s+/g, " ").toLowerCase().includes(${JSON.stringify(words.toLowerCase())})`);
  /** Words of now that stand on the page, without the chips of states that no user is in, and what filters offer. */
  const leftOver = () =>
    driver.eval<string[]>(`${SHOWN}.replace(/\\b(Moving|On a trip)\\s+0\\b/g, "").split("\\n")
      .filter((line) => ${OF_NOW}.test(line) && ![...document.querySelectorAll("option")].some(({ text }) => text === line.trim()))`);

  it.each(PAGES)("the %s says what is known, and when of", async (_, path, now, later) => {
    // Loaded, so that its clock is right.
    await driver.goto(`${person.base}${path()}`);
    for (const words of now) await shows(words);
    expect(await leftOver()).not.toEqual([]);
    await pass();
    for (const words of later) await shows(words);
    expect(await leftOver()).toEqual([]);
    driver.errors();
  });

  it("a shared trip is overdue, and its ETA was", async () => {
    await driver.goto("about:blank");
    await driver.goto(share);
    await driver.text("away");
    await pass();
    for (const words of ["overdue", "Was expected at", "no update for 3 h", "Last seen with"]) await driver.text(words);
    expect(await driver.eval(`document.body.innerText.match(/\\baway\\b|(?<!was )expected at/i)`)).toBeNull();
  });
});
