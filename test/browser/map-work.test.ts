import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, get, type Json, makeWorld, post, put, type World, withGeodata } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";

/** Work at maps that asks the roads and the places of the demo town. */
const [LATITUDE, LONGITUDE] = [48.99, -111.2];
const AT = `at=${LATITUDE},${LONGITUDE},14`;

let world: World;
let person: Person;
let driver: Driver;
const secret = () => world.keys.testSecret;

/** Clicks the map so many pixels east and south of its middle. */
async function clickMap(east: number, south: number): Promise<void> {
  await driver.mapDrawn();
  const [x, y] = await driver.eval<[number, number]>(
    "(() => { const box = document.querySelector('.map-canvas').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()",
  );
  await driver.clickAt(x + east, y + south);
}

beforeAll(async () => {
  if (!CHROMIUM) return;
  await withGeodata("demo");
  world = await makeWorld();
  await put("/v1/geofences/depot/1", secret(), {
    description: "Depot",
    type: "circle",
    coordinates: [LONGITUDE, LATITUDE],
    radius: 250,
  });
  await put("/v1/beacons/gate/1", secret(), {
    description: "Gate 1",
    type: "ibeacon",
    uuid: "b9407f30-f5f8-466e-aff9-25556b57fe6d",
    major: "1",
    minor: "1",
    coordinates: [LONGITUDE, LATITUDE],
    enabled: true,
  });
  person = await Person.of(world);
  driver = person.driver;
}, 300_000);

afterAll(() => driver?.close());

describe.skipIf(!CHROMIUM)("a person at a map of the demo town", { timeout: 120_000, ...AGAIN }, () => {
  it("walks a simulated device along roads between two clicks, and its events appear beside it", async () => {
    await person.open(`/simulator?${AT}`, "Along roads");
    await person.fill("Speed", "600");
    await person.fill("Update every", "1");
    await person.fill("deviceId", "sim-roads");
    await clickMap(-260, -120);
    await driver.waitFor("document.querySelector('button.primary')");
    await clickMap(0, 0);
    await driver.waitFor(`/\\d+ updates/.test(document.querySelector(".map-panel").innerText)`);
    await driver.click("button", "Walk");
    await driver.text("entered geofence", 60_000);
    await driver.waitFor(`/(\\d+) of \\1 sent, done/.test(document.querySelector(".map-panel").innerText)`, 60_000);
    await driver.shot("simulator-roads-wide-light");
    const { user } = (await get("/v1/users/sim-roads", secret())).body;
    expect(user.geofences.map(({ tag }: Json) => tag)).toEqual(["depot"]);
    const { updates } = (await get("/v1/users/sim-roads/updates", secret())).body;
    expect(updates.length).toBeGreaterThanOrEqual(3);
    expect(driver.errors()).toEqual([]);
  });

  it("gives a chain an id and metadata of their own, and events and searches know both", async () => {
    await person.open(`/places/chain/starbucks?${AT}`, "Detect users nearby");
    await person.fill("Your id", "sbux-7");
    await driver.click(".map-detail button", "Add");
    await driver.type("input[aria-label=Name]", "region");
    await driver.type("input[aria-label=Value]", "north");
    await driver.click(".map-detail-foot button", "Save");
    await driver.text("starbucks saved. Takes effect within 10 seconds.");
    const { body } = await get("/v1/settings", secret());
    expect(body.tracking.chainMappings ?? body.chainMappings).toMatchObject({ starbucks: "sbux-7" });
    expect(body.tracking.chainMetadata ?? body.chainMetadata).toMatchObject({ starbucks: { region: "north" } });
    await person.open(`/places?show=chains&${AT}`, "starbucks");
    await driver.text("sbux-7");
    await driver.shot("places-chains-mapped-wide-light");
    expect(driver.errors()).toEqual([]);
  });

  it("picks a place from the search, and sees its hours, also on a phone; a house has its id", async () => {
    const near = `${LATITUDE},${LONGITUDE}`;
    const all = (await get(`/v1/search/places?near=${near}&radius=5000&categories=food-beverage&limit=8`, secret()))
      .body;
    let place = { _id: "", name: "", openingHours: { text: "" } };
    for (const { _id } of all.places) {
      place = (await get(`/v1/places/${_id}`, secret())).body.place as typeof place;
      if (place.openingHours) break;
    }
    await person.open(`/places?${AT}`, "Search for places");
    await driver.type("input[role=combobox]", place.name);
    await driver.waitFor(
      `document.querySelector("[role=option]")?.innerText.startsWith(${JSON.stringify(place.name)})`,
    );
    await driver.click("[role=option]");
    await driver.text("Hours");
    await driver.text(place.openingHours.text);
    expect(await driver.eval("new URL(location.href).searchParams.get('place')")).toBe(place._id);
    await driver.look(390, "dark");
    await driver.text("Hours");
    await driver.shot("place-narrow-dark");
    expect(await driver.axe()).toEqual([]);
    expect(await driver.eval("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    const reverse = (await get(`/v1/geocode/reverse?coordinates=${near}&layers=address`, secret())).body;
    const house = reverse.addresses.find(({ id }: Json) => id);
    await driver.look(1400, "light");
    await person.open(`/places?house=${house.id}&${AT}`, house.formattedAddress);
    expect(driver.errors()).toEqual([]);
  });

  it("changes the minutes and the mode of an isochrone geofence, and its area follows", async () => {
    const made = await post("/v1/geofences", secret(), {
      ...{
        description: "Ten minutes",
        type: "isochrone",
        coordinates: [LONGITUDE, LATITUDE],
        radius: 10,
        mode: "foot",
      },
    });
    const id = made.body.geofence._id;
    await person.open(`/geofences/${id}/edit`, "Operating hours");
    expect(await person.filled("Description")).toBe("Ten minutes");
    await person.fill("Travel time", "3");
    await driver.click(".map-detail-foot button", "Save");
    await driver.text("inside now");
    const read = async () => (await get(`/v1/geofences/${id}`, secret())).body.geofence;
    const now = await eventually(read, ({ geometryRadius }) => geometryRadius === 3);
    expect(now).toMatchObject({ type: "isochrone", geometryRadius: 3, mode: "foot" });
    const span = ({ geometry }: { geometry: { coordinates: number[][][] } }) => {
      const longitudes = geometry.coordinates[0].map(([longitude]) => longitude);
      return Math.max(...longitudes) - Math.min(...longitudes);
    };
    expect(span(now)).toBeLessThan(span(made.body.geofence) / 2);
    await driver.mapDrawn();
    await driver.shot("geofence-isochrone-wide-light");
    expect(driver.errors()).toEqual([]);
  });

  it("puts a static map together, sees each change, and takes its address along without a key", async () => {
    const map = JSON.stringify({ center: `${LATITUDE},${LONGITUDE}`, width: "500", height: "300" });
    await person.open(`/tools?tool=static&map=${encodeURIComponent(map)}&${AT}`, "URL");
    const picture = "document.querySelector('img[alt=\"The static map\"]')";
    const drawn = "document.querySelector('.static-map')?.dataset.drawn === 'image/png'";
    const address = () => driver.eval<string>("document.querySelector('[aria-label=URL] pre').innerText");
    await driver.waitFor(`${drawn} && ${picture}.naturalWidth === 500 && ${picture}.naturalHeight === 300`, 60_000);
    const before = await driver.eval<string>(`${picture}.src`);

    await driver.click("button", "Add markers");
    await person.fill("Markers 1", `${LATITUDE},${LONGITUDE}`);
    await person.fill("Letters", "A");
    await person.fill("Label", "Depot");
    await driver.click("button", "Add a path");
    await driver.mapDrawn();
    for (const [x, y] of [
      [-80, -40],
      [80, -40],
      [80, 60],
    ])
      await clickMap(x, y);
    await driver.click(".choice button", "Image");
    await driver.click("label", "Filled");
    await driver.waitFor(`${drawn} && ${picture}.src !== ${JSON.stringify(before)}`, 60_000);
    expect(await address()).toMatch(
      /&markers=label:A%7Ctext:Depot%7C[-\d.,]+&path=fill:0x2a9d8f80(%7C[-\d.]+,[-\d.]+){3}&publishableKey=\$PUBLISHABLE$/,
    );
    await driver.shot("tools-static-wide-light");
    expect(await driver.axe()).toEqual([]);

    await driver.click(".choice button", "Fit content");
    await person.fill("Padding", "many");
    await driver.text("Expected pixels");
    await person.fill("Padding", "30");
    await driver.click(".choice button", "Signed");
    expect(await address()).toMatch(/\/v1\/maps\/sign'.*SECRET.*padding=30/s);
    driver.errors();
    await driver.look(390, "dark");
    await driver.waitFor(drawn, 60_000);
    await driver.shot("tools-static-phone-dark");
    expect(await driver.axe("color-contrast")).toEqual([]);
    expect(await driver.eval("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await driver.look(1400, "light");
    expect(driver.errors()).toEqual([]);
  });

  it("lays beacons over the live map, and sees how exact positions are when close", async () => {
    await post("/v1/track", world.keys.testPublishable, {
      deviceId: "van",
      latitude: LATITUDE,
      longitude: LONGITUDE,
      accuracy: 40,
      foreground: true,
    });
    await eventually(
      () => get("/v1/users/van", secret()),
      ({ status }) => status === 200,
    );
    await person.open(`/map?at=${LATITUDE},${LONGITUDE},17`, "van");
    await driver.mapDrawn();
    await driver.click("button.chip", "Beacons");
    expect(await driver.eval("new URL(location).searchParams.get('beacons')")).toBe("1");
    await driver.mapDrawn();
    await driver.shot("live-map-close-wide-light");
    // The dot of a beacon lies at the middle of the map: a click on it leads to the beacon.
    expect(driver.errors()).toEqual([]);
  });

  it("draws a circle with a finger, which need not hit the middle of a handle", async () => {
    const touch = (type: string, ...touchPoints: { x: number; y: number }[]) =>
      driver.send("Input.dispatchTouchEvent", { type, touchPoints });
    await driver.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 });
    await driver.look(390, "light");
    try {
      // Loaded: what is pointed with is known from the beginning.
      await driver.goto(`${person.base}/geofences/new?at=${LATITUDE},${LONGITUDE},15`);
      await driver.text("Tap the center on the map");
      await driver.waitFor("document.querySelector('[data-drawing=circle]')");
      await clickMap(-60, 0);
      const edge = "document.querySelector('.circle-handle.edge')";
      await driver.waitFor(`${edge}?.dataset.radius === "100 m"`);
      const { x, y, width } = await driver.eval<DOMRect>(`${edge}.getBoundingClientRect().toJSON()`);
      const finger = { x: x + width / 2 + 14, y: y + width / 2 + 16 };
      await touch("touchStart", finger);
      for (let step = 1; step <= 5; step++) await touch("touchMove", { ...finger, x: finger.x + 12 * step });
      await touch("touchEnd");
      await driver.waitFor(`Number.parseFloat(${edge}.dataset.radius) > 130`);
      const grown = Number(await person.filled("Radius"));
      expect(grown).toBeGreaterThan(130);
      // Changes that follow each other at once are one step.
      await driver.click("button", "Undo");
      await driver.waitFor(`(${edge}?.dataset.radius ?? "100 m") === "100 m"`);
    } finally {
      await driver.send("Emulation.setTouchEmulationEnabled", { enabled: false });
      await driver.look(1400, "light");
    }
    expect(driver.errors()).toEqual([]);
  });

  it("takes back what was drawn, as long as there is something, beside the note about streets", async () => {
    const undo = "document.querySelector('.map-undo button')";
    for (const width of [390, 1400]) {
      await driver.look(width, "light");
      for (const kind of ["Circle", "Polygon", "Travel-time area"]) {
        await person.open("/events", "Events");
        await driver.eval("sessionStorage.clear()");
        await person.open("/geofences/new?at=52.52,13.405,12.5", "New geofence");
        await driver.click(".choice button", kind);
        // A change of the kind is a change.
        if (kind !== "Circle") {
          await driver.waitFor(`${undo}?.disabled === false`);
          await driver.click("button", "Undo");
        }
        await driver.waitFor(`/* ${kind} */ ${undo}?.disabled`);
        await driver.waitFor("document.querySelector('.streets-note')?.hidden === false");
        expect(
          await driver.eval(`(() => {
            const [a, b] = [${undo}, document.querySelector(".streets-note")].map((one) => one.getBoundingClientRect());
            return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
          })()`),
        ).toBe(false);
      }
    }
    await clickMap(0, 0);
    await driver.waitFor(`!${undo}.disabled`);
    await driver.click("button", "Undo");
    await driver.waitFor(`${undo}.disabled`);
    expect(driver.errors()).toEqual([]);
  });

  it("types a position, and the map shows it; a click moves no map", async () => {
    await driver.eval("sessionStorage.clear()");
    await person.open(`/geofences/new?at=${LATITUDE},${LONGITUDE},14`, "New geofence");
    await driver.mapDrawn();
    const at = () => driver.eval<string>("new URL(location).searchParams.get('at')");
    await clickMap(40, 40);
    await driver.waitFor("document.querySelector('.circle-handle')");
    await new Promise((done) => setTimeout(done, 800));
    expect(await at()).toBe(`${LATITUDE},${LONGITUDE},14`);
    await person.fill("Center", "52.52,13.405");
    await driver.waitFor("new URL(location).searchParams.get('at').startsWith('52.5')");
    await person.fill("Radius", "10000");
    await driver.waitFor("Number(new URL(location).searchParams.get('at').split(',')[2]) < 13");
    expect(driver.errors()).toEqual([]);
  });

  it("opens the live map at its users, whatever was looked at before, and the address says where", async () => {
    await driver.look(1400, "light");
    const bus = { latitude: LATITUDE, longitude: LONGITUDE, accuracy: 40, foreground: true, deviceId: "blue-bus" };
    await post("/v1/track", world.keys.testPublishable, bus);
    await eventually(
      () => get("/v1/users/blue-bus", secret()),
      ({ status }) => status === 200,
    );
    await person.open("/events", "Events");
    const lookedElsewhere = `localStorage.setItem("graticule-map " + location.pathname.split("/")[2] + " test", "52.52,13.405,15")`;
    await driver.eval(lookedElsewhere);
    const at = async () => {
      const text = await driver.eval<string>("new URL(location).searchParams.get('at') ?? ''");
      const [latitude, longitude] = text.split(",").map(Number);
      return Math.abs(latitude - LATITUDE) < 0.1 && Math.abs(longitude - LONGITUDE) < 0.1;
    };
    await person.open("/places", "Places");
    await driver.mapDrawn();
    await driver.click("nav a", "Live map");
    await driver.text("blue-bus");
    await driver.mapDrawn();
    expect(await at()).toBe(true);
    const shared = await driver.eval<string>("location.search");
    // The same on a first visit, for whoever gets the address, and with an address from elsewhere.
    for (const path of ["/map", `/map${shared}`, "/map?at=52.52,13.405,15"]) {
      await driver.eval(lookedElsewhere);
      await person.open(path, "blue-bus");
      await driver.mapDrawn();
      await eventually(at, (isThere) => isThere);
      expect(await at()).toBe(true);
    }
    expect(driver.errors()).toEqual([]);
  });

  it("chooses the day of several users in one row", async () => {
    for (const width of [390, 1400]) {
      await driver.look(width, "light");
      await person.open("/users?replay=van,other", "Replay of 2 users");
      await driver.waitFor("document.querySelector('input[type=date]')");
      const [before, day, after] = ["[aria-label='Previous day']", "input[type=date]", "[aria-label='Next day']"];
      const middles = await driver.eval<number[]>(
        `${JSON.stringify([before, day, after])}.map((one) => { const { top, bottom } = document.querySelector(one).getBoundingClientRect(); return (top + bottom) / 2; })`,
      );
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
    }
    driver.errors();
  });
});
