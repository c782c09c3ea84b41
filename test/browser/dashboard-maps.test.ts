import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { expectWithin } from "../support/times.ts";
import {
  del,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sleep,
  type World,
  withGeodata,
} from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import { type Driver, LOOKS, looksOf, WALKS, WIDTHS } from "./driver.ts";
import { Person } from "./person.ts";

/** The pages with maps, as a person sees them, over the demo town. */

const [LATITUDE, LONGITUDE] = [48.99, -111.2];
const AT = `at=${LATITUDE},${LONGITUDE},14`;

let world: World;
let person: Person;
let driver: Driver;
let base: string;
let yard: string;
let trip: string;

const secret = () => world.keys.testSecret;
beforeAll(async () => {
  if (!CHROMIUM) return;
  await withGeodata("world");
  await withGeodata("demo");
  world = await makeWorld({ settings: { tracking: { places: false } } });
  await put("/v1/geofences/depot/1", secret(), {
    description: "Depot",
    type: "circle",
    coordinates: [LONGITUDE, LATITUDE],
    radius: 200,
  });
  const square = [[0.004, 0.002], [0.01, 0.002], [0.011, 0.006], [0.004, 0.006], [0.004, 0.002]]; // biome-ignore format: a shape
  const made = await put("/v1/geofences/yard/2", secret(), {
    description: "Northern yard",
    type: "polygon",
    metadata: { team: "north", floor: 2 },
    // Not of the depot: a device that arrives there on a Sunday has to arrive.
    operatingHours: { Mon: [["08:00", "18:00"]] },
    coordinates: square.map(([east, north]) => [LONGITUDE + east, LATITUDE + north]),
  });
  yard = made.body.geofence._id;
  for (let i = 0; i < 12; i++)
    await post("/v1/track", world.keys.testPublishable, {
      deviceId: `van-${i}`,
      userId: `driver-${i}`,
      accuracy: 10,
      foreground: true,
      stopped: i % 3 === 0,
      latitude: LATITUDE + ((i % 4) - 1.5) / 300,
      longitude: LONGITUDE + ((i % 3) - 1) / 200,
    });
  const order = await post("/v1/trips", secret(), {
    externalId: "order-7",
    userId: "driver-1",
    mode: "car",
    destinationGeofenceTag: "yard",
    destinationGeofenceExternalId: "2",
    scheduledArrivalAt: new Date(Date.now() - 600_000).toISOString(),
  });
  trip = order.body.trip._id;
  for (const step of [0, 1]) {
    await sleep(1100);
    await post("/v1/track", world.keys.testPublishable, {
      deviceId: "van-1",
      userId: "driver-1",
      accuracy: 8,
      foreground: true,
      latitude: LATITUDE - 0.002 + step / 500,
      longitude: LONGITUDE - 0.003 + step / 500,
    });
  }
  person = await Person.of(world);
  ({ driver, base } = person);
}, 300_000);

afterAll(() => driver?.close());

/** Each page: where it is, and a text that stands there when it is ready. */
const PAGES: [name: string, path: () => string, ready: string][] = [
  ["live-map", () => "/map", "driver-7"],
  ["geofences", () => "/geofences", "Northern yard"],
  ["geofence", () => `/geofences/${yard}`, "inside now"],
  ["geofence-edit", () => `/geofences/${yard}/edit`, "Operating hours"],
  ["geofence-new", () => `/geofences/new?${AT}`, "Click the center on the map"],
  ["geofence-import", () => `/geofences/import?${AT}`, "Import history"],
  ["places", () => `/places?category=restaurant&around=${LATITUDE},${LONGITUDE},14`, "pizza-place"],
  ["places-chains", () => `/places?show=chains&${AT}`, "No mapped chains yet"],
  ["chain", () => `/places/chain/starbucks?${AT}`, "Detect users nearby"],
  ["trips", () => "/trips", "order-7"],
  ["trip", () => `/trips/${trip}`, "Share links"],
  ["tools", () => `/tools?tool=directions&locations=48.99,-111.2|48.995,-111.19&${AT}`, "Request"],
  ["simulator", () => `/simulator?${AT}`, "Events appear here as the device moves"],
  ["geodata", () => "/geodata", "How to import"],
];

describe.skipIf(!CHROMIUM)("the dashboard's maps", { timeout: 90_000, ...AGAIN }, () => {
  it.each(["light", "dark"] as const)(
    "in %s say in a corner where no streets are imported, until there are",
    async (theme) => {
      await driver.look(WIDTHS.phone, theme);
      const note = "document.querySelector('.streets-note')?.checkVisibility()";
      const go = async (at: string) => {
        await driver.visit(`${base}/geofences?at=${at}`);
        await driver.mapDrawn();
      };
      await go("48.8566,2.3522,13");
      await driver.waitFor(note);
      const { over, beyond } = await driver.eval<{ over: boolean; beyond: number }>(`(() => {
      const { left, top, right, bottom, width, height } = document.querySelector(".streets-note").getBoundingClientRect();
      const map = document.querySelector(".map").getBoundingClientRect();
      return { over: document.elementFromPoint(left + width / 2, top + height / 2).matches(".streets-note"),
        beyond: Math.max(map.left - left, right - map.right, map.top - top, bottom - map.bottom) }; })()`);
      expect({ over, isWithin: beyond <= 0 }).toEqual({ over: true, isWithin: true });
      expect(await driver.axe("color-contrast", ".streets-note")).toEqual([]);
      await go(`${LATITUDE},${LONGITUDE},13`);
      await driver.waitFor(`!${note}`);
      await go("48.8566,2.3522,10");
      await driver.waitFor(`!${note}`);
      await driver.look(WIDTHS.wide, "light");
    },
  );

  for (const [i, [name, path, ready]] of PAGES.entries()) {
    for (const [width, themes] of looksOf(i)) {
      it(`${name} is whole at ${WIDTHS[width]} pixels, ${themes.join(" and ")}, axe finds nothing, and no text is cut`, async () => {
        await driver.look(WIDTHS[width], themes[0]);
        await driver.visit(base + path());
        await driver.waitFor(`document.querySelector("main")?.textContent.includes(${JSON.stringify(ready)})`, 30_000);
        for (const theme of themes) {
          await driver.look(WIDTHS[width], theme);
          await driver.mapDrawn();
          await driver.shot(`${name}-${width}-${theme}`);
          // In another theme only colours are others.
          expect(await driver.axe(theme === themes[0] ? undefined : "color-contrast")).toEqual([]);
        }
        // A phone cuts no word; a wide window cuts no number.
        expect(await driver.cutText(width === "phone" ? undefined : "^[+−-]?\\d")).toEqual([]);
        expect(await driver.eval("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
        expect(driver.errors()).toEqual([]);
      });
    }
  }
});

const fill = (label: string, text: string) => person.fill(label, text);
const pick = (name: string, text: string) => person.pick(name, text);
const open = async (path: string, ready: string) => {
  await driver.look(1400, "light");
  await person.open(path, ready);
};

const fenceNames = async () => {
  const { body } = await get("/v1/geofences?limit=1000", secret());
  return body.geofences.map(({ description }: Json) => description) as string[];
};

describe.skipIf(!CHROMIUM)("a person at a map of the dashboard", { timeout: 90_000, ...AGAIN }, () => {
  it("draws a polygon with clicks, and it is there with its corners", async () => {
    await open(`/geofences/new?at=${LATITUDE},${LONGITUDE},16`, "Click the center on the map");
    await driver.mapDrawn();
    await driver.click(".choice button", "Polygon");
    await driver.text("Click the corners on the map");
    await driver.waitFor("document.querySelector('[data-drawing=polygon]')");
    for (const [x, y] of [
      [900, 300],
      [1150, 300],
      [1150, 560],
      [900, 560],
      [900, 300],
    ]) {
      // biome-ignore format: corners
      await driver.clickAt(x, y);
      await sleep(150);
    }
    await driver.text("4 corners.");
    await fill("Description", "Drawn by hand");
    await driver.click(".map-detail-foot button", "Create geofence");
    await driver.text("inside now");
    const { body } = await get("/v1/geofences?limit=1", secret());
    expect(body.geofences[0]).toMatchObject({ description: "Drawn by hand", type: "polygon" });
    expect(body.geofences[0].geometry.coordinates[0]).toHaveLength(5);
    driver.errors();
  });

  it("loses nothing typed when the connection is lost or the page is loaded again, and saves when it is back", async () => {
    await open(`/geofences/new?${AT}`, "Description");
    await fill("Description", "Typed in a tunnel");
    await fill("Center", "48.991, -111.201");
    await driver.eval(`(() => { window.fetch = () => Promise.reject(new TypeError("Failed to fetch")); })()`);
    await driver.click(".map-detail-foot button", "Create geofence");
    await driver.text("The server cannot be reached. The data may be outdated. Your input is not lost.");
    // Loaded again, the line is back.
    await driver.goto(`${base}/geofences/new?${AT}`);
    await driver.text("Your earlier input was restored.");
    // On a busy machine, what comes with the map moves the button.
    await driver.mapDrawn();
    await driver.click(".map-detail-foot button", "Create geofence");
    await driver.text("inside now");
    expect(await fenceNames()).toContain("Typed in a tunnel");
    driver.errors();
  });

  it("is told which edges of an imported area cross, tries it without a change, and imports what is right", async () => {
    const feature = (description: string, ring: number[][]) => ({
      type: "Feature",
      properties: { description, tag: "import", externalId: description },
      geometry: { type: "Polygon", coordinates: [ring] },
    });
    const corner = (east: number, north: number) => [LONGITUDE + east / 500, LATITUDE + north / 500];
    const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
    const features = [feature("Sound", [a, b, c, d, a]), feature("Bow tie", [a, c, b, d, a])];
    await open(`/geofences/import?${AT}`, "Import history");
    await pick("areas.geojson", JSON.stringify({ type: "FeatureCollection", features }));
    await driver.text("2 rows read; 1 invalid, in red on the map.");
    await driver.text("The ring crosses itself: its edge 1");
    await driver.click(".map-detail-foot button", "Dry run");
    await driver.text("No changes were made.");
    expect(await fenceNames()).not.toContain("Sound");
    await driver.shot("geofence-import-report-wide-light");
    await driver.waitFor(
      `[...document.querySelectorAll(".map-detail-foot button")].at(-1).innerText.startsWith("Import ")`,
    );
    await driver.eval(`[...document.querySelectorAll(".map-detail-foot button")].at(-1).click()`);
    await eventually(fenceNames, (names) => names.includes("Sound"));
    expect(await fenceNames()).toContain("Sound");
    driver.errors();
  });

  it("is told why a file is of no use", async () => {
    await open(`/geofences/import?${AT}`, "Import history");
    await pick("fences.csv", "name,where\nDepot,here");
    await driver.text('It is "name, where"');
    await pick("fences.geojson", '{"type":');
    await driver.text("This is not valid JSON");
    driver.errors();
  });

  it("deletes a geofence only after its name was typed", async () => {
    const made = await post("/v1/geofences", secret(), {
      description: "To be gone",
      type: "circle",
      coordinates: [LONGITUDE, LATITUDE],
      radius: 50,
    });
    await open(`/geofences/${made.body.geofence._id}`, "inside now");
    await driver.click(".map-detail-foot button", "Delete");
    await driver.waitFor("document.querySelector('dialog[open] button[type=submit]').disabled");
    await driver.type("dialog[open] input", "To be gone");
    await driver.click("dialog[open] button[type=submit]");
    await eventually(fenceNames, (names) => !names.includes("To be gone"));
    expect(await fenceNames()).not.toContain("To be gone");
    driver.errors();
  });

  it.runIf(WALKS)("walks a simulated device into a geofence, and sees the entry beside it", async () => {
    await open(`/simulator?${AT}`, "Along roads");
    await driver.mapDrawn();
    await driver.eval(`sessionStorage.setItem("graticule-draft simulator ${world.id}", JSON.stringify({
      way: "line", mode: "car", stops: [], road: [], drawn: [[-111.21, 48.99], [-111.2, 48.99]],
      speed: "720", interval: "1", accuracy: "5", pace: "1", deviceId: "sim-1", userId: "", trip: "" }))`);
    await driver.goto(`${base}/simulator?${AT}`);
    await driver.text("5 updates");
    await driver.click("button", "Walk");
    await driver.text("entered geofence", 30_000);
    await driver.text("5 of 5 sent, done", 30_000);
    await driver.shot("simulator-walked-wide-light");
    expect((await get("/v1/users/sim-1", secret())).body.user.geofences.map(({ tag }: Json) => tag)).toContain("depot");
    driver.errors();
  });

  it("asks for directions, sees them, and copies the request without a key in it", async () => {
    await open(`/tools?tool=directions&locations=48.99,-111.2|48.995,-111.19&${AT}`, "Request");
    await driver.click("button[type=submit]");
    await driver.text("response in");
    await driver.waitFor("document.querySelectorAll('.lineup li').length > 2");
    const shown = await driver.eval<string>("document.querySelector('[aria-label=Request] pre').innerText");
    expect(shown).toContain("/v1/route/directions?locations=48.99,-111.2%7C48.995,-111.19");
    expect(shown).toContain("$PUBLISHABLE");
    await driver.mapDrawn();
    await driver.shot("tools-directions-wide-light");
    driver.errors();
  });

  it("asks for an isochrone outside an area that is drawn, and no geofence is made of it", async () => {
    const before = await fenceNames();
    const area = "48.985,-111.199|48.995,-111.199|48.995,-111.19|48.985,-111.19";
    await open(`/tools?tool=isochrone&origin=48.99,-111.2&minutes=2,4&mode=car&avoidPolygons=${area}&${AT}`, "Request");
    await driver.click("button[type=submit]");
    await driver.text("4 min");
    expect(await fenceNames()).toEqual(before);
    await driver.mapDrawn();
    await driver.shot("tools-isochrone-wide-light");
    driver.errors();
  });

  it("plans a fleet from what is pasted, on a phone in the dark", async () => {
    await open(`/tools?tool=fleet&${AT}`, "Request");
    await driver.look(WIDTHS.phone, "dark");
    const at = [-111.2, 48.99];
    const jobs = [0.004, 0.008, -0.006].map((east, id) => ({ id, location: [at[0] + east, at[1]] }));
    const problem = { vehicles: [{ id: 7, start: at, end: at }], jobs, options: { x: 0 } };
    await driver.type("textarea", JSON.stringify(problem));
    await driver.click("button[type=submit]");
    await driver.text("Vehicles used: 1, unassigned: 0");
    await driver.text("Vehicle 7");
    await driver.mapDrawn();
    await driver.shot("tools-fleet-phone-dark");
    expect(await driver.axe()).toEqual([]);
    await driver.look(WIDTHS.wide, "light");
    driver.errors();
  });

  it("shares a trip by a link that needs no session, shows what it says, and ends when it is revoked", async () => {
    // Also after a failure: the next tests need the session.
    onTestFinished(() => person.signIn());
    await open(`/trips/${trip}`, "Share links");
    await driver.click("button", "Create link");
    await driver.text("Copy it now");
    const url = await driver.eval<string>("document.querySelector('.note .code pre').innerText");
    // First away from the page: it may still load parts of its map.
    await driver.goto("about:blank");
    await driver.send("Network.clearBrowserCookies");
    driver.errors();
    await driver.look(WIDTHS.wide, "light");
    await driver.goto(url);
    for (const [width, themes] of LOOKS) {
      for (const theme of themes) {
        await driver.look(WIDTHS[width], theme);
        await driver.text("this link expires");
        await driver.mapDrawn();
        await driver.shot(`share-${width}-${theme}`);
        expect(await driver.axe()).toEqual([]);
      }
    }
    expect(driver.errors()).toEqual([]);
    expect(await driver.eval("document.body.innerText.includes('driver-1')")).toBe(false);
    // Three hours pass without an update.
    await driver.eval(`(() => { const now = Date.now.bind(Date); Date.now = () => now() + 3 * 3600_000;
      document.dispatchEvent(new Event("visibilitychange")); })()`);
    for (const text of ["overdue", "no update for 3 h", "Was expected at"]) await driver.text(text);
    const { body } = await get(`/v1/trips/${trip}/shares`, secret());
    await del(`/v1/shares/${body.shares[0]._id}`, secret());
    await driver.goto("about:blank");
    await driver.goto(url);
    await driver.text("This link was revoked.");
    await driver.shot("share-revoked-phone-dark");
    driver.errors();
  });

  it("follows a user in the address, and moves the map by keyboard", async () => {
    await open(`/map?${AT}`, "driver-10");
    await driver.mapDrawn();
    await driver.eval("document.querySelector('.maplibregl-canvas').focus()");
    await driver.press("ArrowRight");
    await driver.waitFor(`new URL(location).searchParams.get("at").split(",")[1] !== "${LONGITUDE.toFixed(5)}"`);
    await driver.eval(
      `[...document.querySelectorAll(".row-link")].find((one) => one.innerText.includes("driver-10")).click()`,
    );
    await driver.text("Timeline and replay");
    await driver.click("button", "Follow");
    await driver.text("Following");
    expect(await driver.eval("new URL(location).searchParams.get('follow')")).toBe("1");
    // Live positions have no geofences: the details are those of the record.
    const van = { deviceId: "van-10", userId: "driver-10", accuracy: 10, foreground: true };
    const facts = "document.querySelector('.map-detail .facts').innerText";
    await driver.waitFor(`${facts}.includes("Depot")`);
    await post("/v1/track", world.keys.testPublishable, { ...van, latitude: LATITUDE + 0.02, longitude: LONGITUDE });
    await driver.waitFor(`!${facts}.includes("Depot")`);
    driver.errors();
  });

  it("sees an event without loading the page again", async () => {
    await open(`/map?show=events&${AT}`, "No events since you opened this page.");
    await driver.text("Connected");
    await driver.waitFor("document.querySelector('.map-panel-head .pill')?.innerText === 'Connected'");
    const began = Date.now();
    await post("/v1/track", world.keys.testPublishable, {
      deviceId: "late-van",
      latitude: LATITUDE,
      longitude: LONGITUDE,
      accuracy: 5,
      foreground: true,
    });
    const answered = Date.now();
    await driver.text("entered geofence", 5000);
    expectWithin(answered, 1500);
    expect(began).toBeLessThanOrEqual(answered);
    driver.errors();
  });
});
