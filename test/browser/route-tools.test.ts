import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { get, makeWorld, type World, withGeodata } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";

/** Tools about routes that take more than typing: a file that is dropped, an area whose corners are clicked. */
const [WEST, EAST] = ["48.985,-111.23", "49.015,-111.17"];
/** Between the two, on the map. */
const AT = "at=49,-111.2,13";

let world: World;
let person: Person;
let driver: Driver;
/** The way from west to east, as [longitude, latitude]. */
let line: [number, number][];

const panel = () => driver.eval<string>(`document.querySelector(".map-panel").innerText`);

async function clickMap(east: number, south: number): Promise<void> {
  const [x, y] = await driver.eval<[number, number]>(
    "(() => { const box = document.querySelector('.map-canvas').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()",
  );
  await driver.clickAt(x + east, y + south);
}

beforeAll(async () => {
  if (!CHROMIUM) return;
  await withGeodata("demo");
  world = await makeWorld();
  const way = `/v1/route/distance?origin=${WEST}&destination=${EAST}&modes=car&geometry=linestring`;
  line = (await get(way, world.keys.testSecret)).body.routes.car.geometry.coordinates;
  person = await Person.of(world);
  driver = person.driver;
}, 300_000);

afterAll(() => driver?.close());

describe.skipIf(!CHROMIUM)("a person with the tools for routes", { timeout: 120_000, ...AGAIN }, () => {
  it("drops a GPX file and sees the roads it went along, on a desk and on a phone", async () => {
    const points = line.slice(0, 80).map(([lon, lat], i) => {
      const time = new Date(Date.UTC(2026, 10, 22) + i * 4000).toISOString();
      return `<trkpt lat="${lat}" lon="${lon}"><time>${time}</time></trkpt>`;
    });
    const gpx = `<gpx><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`;
    for (const [width, name] of [
      [1440, "wide-light"],
      [390, "narrow-light"],
    ] as const) {
      await driver.look(width, "light");
      await person.open(`/tools?tool=match&roadAttributes=names,speed,speedLimit&${AT}`, "Or a GPX file");
      // The page before has the file still.
      await driver.waitFor(`document.querySelector("textarea[placeholder*='drop a file']")?.value === ""`);
      await driver.eval(`(() => { const files = new DataTransfer();
        files.items.add(new File([${JSON.stringify(gpx)}], "walk.gpx", { type: "application/gpx+xml" }));
        const field = document.querySelector("textarea[placeholder*='drop a file']").closest(".place-field");
        for (const type of ["dragover", "drop"])
          field.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files })); })()`);
      await driver.waitFor(`document.querySelector("textarea[placeholder*='drop a file']").value.startsWith("<gpx>")`);
      await driver.click("button[type=submit]", "Run");
      await driver.waitFor(`/\\d+ points matched, /.test(document.querySelector(".map-panel").innerText)`);
      await driver.mapDrawn();
      await driver.shot(`tools-gpx-${name}`);
      expect(await panel()).toMatch(/(km\/h|mph)/);
      // The file is too long to stand in the address.
      expect(await driver.eval("location.search")).not.toContain("gpx=");
      expect(driver.errors()).toEqual([]);
    }
    await driver.look(1440, "light");
  });

  it("clicks the corners of an area, and the way goes round it", async () => {
    const places = `origin=${WEST}&destination=${EAST}`;
    await person.open(`/tools?tool=distance&modes=car&${places}&${AT}`, "Avoid area");
    await driver.mapDrawn();
    await driver.click("button[aria-label='Click Avoid area on the map']");
    for (const [east, south] of [
      [-30, -30],
      [30, -30],
      [30, 30],
      [-30, 30],
    ])
      await clickMap(east, south);
    await driver.waitFor(`new URL(location).searchParams.get("avoidPolygons")?.split("|").length === 4`);
    await driver.click("button[type=submit]", "Run");
    await driver.waitFor(`/response in/.test(document.querySelector(".map-panel").innerText)`);
    await driver.mapDrawn();
    await driver.shot("tools-avoid-area-wide-light");
    const request = await driver.eval<string>("document.querySelector('[aria-label=Request] pre').innerText");
    expect(decodeURIComponent(request)).toMatch(/avoidPolygons=\{"type":"Polygon"/);
    await driver.look(390, "light");
    await driver.mapDrawn();
    await driver.shot("tools-avoid-area-narrow-light");
    expect(driver.errors()).toEqual([]);
    await driver.look(1440, "light");
  });
});
