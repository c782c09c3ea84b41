import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, get, makeWorld, post, sql, type World } from "../support/world.ts";
import { CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";

/**
 * What a viewer feels of many. Frames are counted in the page while it is used, and printed; asserted is what they cost the page's own
 * thread, in its CPU time, which other work on the machine does not lengthen. Drawing in software is another process.
 */
const UPDATES = 5000;
const USERS = 10_000;
const [LATITUDE, LONGITUDE] = [48.99, -111.2];

interface Felt {
  frames: number;
  /** Of the page's thread, for a frame [ms]. */
  cpu: number;
  /** [ms] */
  longest: number;
  /** The frame of which 95 of 100 are quicker [ms]. */
  p95: number;
  median: number;
}

/** Measures frames in the page while something goes on for some time; `act` is run in the page at each frame. */
async function feel(driver: Driver, forMs: number, act = ""): Promise<Felt> {
  const before = await threadTime(driver);
  const felt = await frames(driver, forMs, act);
  return { ...felt, cpu: Math.round(((await threadTime(driver)) - before) / felt.frames) };
}

/** CPU time of the page's thread since it began [ms]. */
async function threadTime(driver: Driver): Promise<number> {
  const { metrics } = await driver.send<{ metrics: { name: string; value: number }[] }>("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
}

const frames = (driver: Driver, forMs: number, act: string) =>
  driver.eval<Omit<Felt, "cpu">>(`(async () => {
    const gaps = []; let before = performance.now(); const until = before + ${forMs}; let frame = 0;
    while (performance.now() < until) {
      ${act}
      await new Promise(requestAnimationFrame);
      const now = performance.now(); gaps.push(now - before); before = now; frame++;
    }
    gaps.sort((a, b) => a - b);
    const at = (share) => Math.round(gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))]);
    return { frames: gaps.length, longest: Math.round(gaps.at(-1)), p95: at(0.95), median: at(0.5) };
  })()`);

let world: World;
let person: Person;
let driver: Driver;

/** A minute of looking at frames: with EVERY_LOOK=1, as times are for a quiet machine. */
const skipped = !CHROMIUM || !process.env.EVERY_LOOK;

beforeAll(async () => {
  if (skipped) return;
  world = await makeWorld({ settings: { rateLimits: { track: 100_000 } } });
  person = await Person.of(world);
  driver = person.driver;
  await driver.send("Performance.enable", { timeDomain: "threadTicks" });
});

afterAll(() => driver?.close());

describe.skipIf(skipped)("the dashboard with much to show (EVERY_LOOK=1)", { timeout: 240_000 }, () => {
  it("replays a day of 5,000 updates: playing and dragging the slider go on frame by frame", async () => {
    const day = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
    const start = Date.parse(`${day}T00:30:00Z`);
    const replays = Array.from({ length: UPDATES }, (_, i) => ({
      deviceId: "walker",
      userId: "walker",
      accuracy: 8,
      foreground: true,
      latitude: LATITUDE + Math.sin(i / 300) / 50 + i / 1e6,
      longitude: LONGITUDE + Math.cos(i / 170) / 40,
      updatedAt: new Date(start + i * 16_000).toISOString(),
    }));
    for (let i = 0; i < UPDATES; i += 500) {
      const { status } = await post("/v1/track/replay", world.keys.testSecret, {
        replays: replays.slice(i, i + 500),
      });
      expect(status).toBe(200);
    }
    // The page's days are the viewer's.
    await driver.send("Emulation.setTimezoneOverride", { timezoneId: "UTC" });
    await person.open(`/users/walker?day=${day}`, "updates");
    await driver.text("5,000 updates", 60_000);
    await driver.mapDrawn(60_000);
    // A minute of the day at each frame, as a hand that drags.
    const scrubbed = await feel(
      driver,
      5000,
      `const slider = document.querySelector("input[type=range][aria-label=Time]");
       slider.value = Number(slider.min) + ((frame * 60_000 * 5) % (Number(slider.max) - Number(slider.min)));
       slider.dispatchEvent(new Event("input", { bubbles: true }));`,
    );
    await driver.eval(`(() => { const slider = document.querySelector("input[type=range][aria-label=Time]");
      slider.value = slider.min; slider.dispatchEvent(new Event("input", { bubbles: true })); })()`);
    const before = await driver.eval<number>(
      "Number(document.querySelector('input[type=range][aria-label=Time]').value)",
    );
    await driver.click("button[aria-label=Play]");
    const played = await feel(driver, 5000);
    const after = await driver.eval<number>(
      "Number(document.querySelector('input[type=range][aria-label=Time]').value)",
    );
    await driver.shot("replay-5000-wide-light");
    console.log(
      "5,000 updates, dragged:",
      scrubbed,
      "played:",
      played,
      `${Math.round((after - before) / 60_000)} min shown`,
    );
    // Ten minutes of the day each second: five seconds are fifty minutes, whatever the frames.
    expect(after - before).toBeGreaterThan(30 * 60_000);
    for (const { cpu, frames } of [scrubbed, played]) {
      expect(cpu).toBeLessThan(60);
      expect(frames).toBeGreaterThan(2);
    }
    expect(driver.errors()).toEqual([]);
  });

  it("opens a live map of 10,000 users, pans and zooms it, and goes on while a hundred of them move", async () => {
    const many = await makeWorld();
    await post("/v1/track", many.keys.testPublishable, {
      ...{
        deviceId: "first",
        userId: "first",
        latitude: LATITUDE,
        longitude: LONGITUDE,
        accuracy: 5,
        foreground: true,
      },
    });
    await eventually(
      () => get("/v1/users/first", many.keys.testSecret),
      ({ status }) => status === 200,
    );
    await sql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${USERS - 1})
       INSERT INTO user (scope, id, user_id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc)
       SELECT u.scope, printf('u%023x', i), 'user-' || i, 'device-' || i, u.latitude, u.longitude, u.cell, 1, u.created_at, u.updated_at - i * 10,
         json_set(u.doc, '$._id', printf('u%023x', i), '$.userId', 'user-' || i, '$.deviceId', 'device-' || i, '$.updatedAt', u.updated_at - i * 10,
           '$.location.latitude', u.latitude + (i % 100 - 50) / 500.0, '$.location.longitude', u.longitude + (i / 100 - 50) / 400.0)
       FROM n, (SELECT * FROM user WHERE scope = ? LIMIT 1) u`,
      many.id * 2,
    );
    const viewer = await Person.of(many, "read");
    try {
      const { driver } = viewer;
      await driver.send("Performance.enable", { timeDomain: "threadTicks" });
      const begun = Date.now();
      await viewer.open(`/map?at=${LATITUDE},${LONGITUDE},11`, "first");
      await driver.waitFor(
        `[...document.querySelectorAll(".legend .number")].reduce((sum, one) => sum + Number(one.innerText.replaceAll(",", "")), 0) === ${USERS}`,
        60_000,
      );
      const opened = Date.now() - begun;
      await driver.mapDrawn(60_000);
      await driver.shot("live-map-10000-wide-light");
      // The keyboard moves the map as a hand would: MapLibre eases to where it goes, frame by frame.
      await driver.eval("document.querySelector('.maplibregl-canvas').focus()");
      const keys = (async () => {
        for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowLeft"]) {
          await driver.press(key);
          await new Promise((later) => setTimeout(later, 700));
        }
      })();
      const panned = await feel(driver, 5000);
      await keys;
      const moving = (async () => {
        for (let i = 0; i < 100; i++)
          await post("/v1/track", many.keys.testPublishable, {
            deviceId: `mover-${i}`,
            accuracy: 5,
            foreground: true,
            latitude: LATITUDE + i / 1000,
            longitude: LONGITUDE,
          });
      })();
      const watched = await feel(driver, 5000);
      await moving;
      await driver.waitFor(
        `[...document.querySelectorAll(".legend .number")].reduce((sum, one) => sum + Number(one.innerText.replaceAll(",", "")), 0) === ${USERS + 100}`,
      );
      console.log(`10,000 users: counted after ${opened} ms; panned:`, panned, "while 100 move:", watched);
      for (const { cpu, frames } of [panned, watched]) {
        expect(cpu).toBeLessThan(60);
        expect(frames).toBeGreaterThan(2);
      }
      expect(driver.errors()).toEqual([]);
    } finally {
      await viewer.driver.close();
    }
  });
});
