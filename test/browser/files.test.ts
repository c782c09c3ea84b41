import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, get, type Json, makeWorld, post, put, sql, type World } from "../support/world.ts";
import { AGAIN, CHROMIUM } from "./chromium.ts";
import type { Driver } from "./driver.ts";
import { Person } from "./person.ts";

/** Files that go in and come out by clicks: imports with dry run, report and history; downloads with their progress. */
const EVENTS = 20_000;

let world: World;
let person: Person;
let driver: Driver;
let downloads: string;

const secret = () => world.keys.testSecret;
const fences = async (): Promise<Json[]> => (await get("/v1/geofences?limit=1000", secret())).body.geofences;
const lastButton = (start: string) =>
  driver.waitFor(
    `[...document.querySelectorAll(".map-detail-foot button")].at(-1)?.innerText.startsWith(${JSON.stringify(start)})`,
  );

beforeAll(async () => {
  if (!CHROMIUM) return;
  world = await makeWorld();
  await put("/v1/geofences/store/1", secret(), {
    description: "Store Mitte",
    type: "circle",
    coordinates: [13.3777, 52.5163],
    radius: 120,
  });
  for (const [deviceId, description] of [
    ["phone-1", "مريم الخوارزمي"],
    ["phone-2", "Ada Lovelace"],
  ])
    await post("/v1/track", world.keys.testPublishable, {
      deviceId,
      userId: `user-${deviceId}`,
      description,
      latitude: 52.5163,
      longitude: 13.3777,
      accuracy: 5,
    });
  await eventually(
    () => get("/v1/events", secret()),
    ({ body }) => body.events.length === 2,
  );
  await sql(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS - 2})
     INSERT INTO event (scope, id, type, user, created_at, doc)
     SELECT e.scope, printf('e%023x', i), e.type, e.user, e.created_at - i * 1000,
       json_set(e.doc, '$._id', printf('e%023x', i), '$.createdAt', e.created_at - i * 1000)
     FROM n, (SELECT * FROM event WHERE scope = ? LIMIT 1) e`,
    world.id * 2,
  );
  person = await Person.of(world);
  driver = person.driver;
  downloads = mkdtempSync(join(tmpdir(), "graticule-downloads-"));
  await driver.downloadTo(downloads);
});

afterAll(async () => {
  await driver?.close();
  if (downloads) rmSync(downloads, { recursive: true, force: true });
});

describe.skipIf(!CHROMIUM)("a person with a file", { timeout: 90_000, ...AGAIN }, () => {
  it("of geofences from a spreadsheet with semicolons tries it, imports it, and sees each row's outcome", async () => {
    const csv = [
      "Name;Tag;External ID;Lat;Lng;Radius",
      "Köln;city;1;50,94;6,96;100",
      "مستودع;city;2;50,95;6,96;150",
      "Store Mitte;store;1;52,5163;13,3777;120",
    ].join("\r\n");
    await person.open("/geofences/import", "Import history");
    await person.pick("cities.csv", csv);
    await driver.text("3 rows read, drawn on the map.");
    await driver.click(".map-detail-foot button", "Dry run");
    await driver.text("2 would be created, 0 would be updated, 1 unchanged, 0 would fail. No changes were made.");
    expect(await fences()).toHaveLength(1);
    await lastButton("Import 3");
    await driver.click(".map-detail-foot button", "Import 3");
    await driver.text("2 created, 0 updated, 1 unchanged, 0 failed.");
    await driver.waitFor("document.querySelectorAll('.report-table li.line').length === 3");
    const report = await driver.eval<string>("document.querySelector('.report-table').innerText");
    for (const words of ["created", "unchanged", "Köln", "مستودع"]) expect(report).toContain(words);
    await driver.shot("geofence-import-done-wide-light");
    const made = (await fences()).find(({ description }) => description === "Köln");
    expect(made).toMatchObject({ tag: "city", externalId: "1", geometryRadius: 100 });
    expect(driver.errors()).toEqual([]);
  });

  it("of GeoJSON imports the good rows, and finds the bad one with its reason in the history later", async () => {
    const square = (east: number) =>
      [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]].map(([x, y]) => [7 + (east + x) / 100, 50 + y / 100]); // biome-ignore format: a square
    const feature = (description: string, geometry: Json, more: Json = {}) => ({
      type: "Feature",
      properties: { description, tag: "area", externalId: description, ...more },
      geometry,
    });
    const features = [
      feature("Yard", { type: "Polygon", coordinates: [square(0)] }),
      feature("Round", { type: "Point", coordinates: [7.05, 50] }, { radius: 200 }),
      feature("Too wide", { type: "Point", coordinates: [7.1, 50] }, { radius: 99_999 }),
    ];
    await person.open("/geofences/import", "Import history");
    await person.pick("areas.geojson", JSON.stringify({ type: "FeatureCollection", features }));
    await driver.click(".map-detail-foot button", "Dry run");
    await driver.text("2 would be created, 0 would be updated, 0 unchanged, 1 would fail.");
    await driver.click(".map-detail-foot button", "Import 2");
    await driver.text("2 created, 0 updated, 0 unchanged, 1 failed.");
    expect((await fences()).map(({ description }) => description)).toEqual(expect.arrayContaining(["Yard", "Round"]));

    await person.open("/geofences/import", "areas.geojson");
    await driver.click(".past-import summary");
    await driver.text("Row 3, Too wide");
    await driver.text("radius: Invalid radius. Valid range: [10, 10000].");
    await driver.waitFor("/^[0-9a-f]{24}$/.test(new URL(location).searchParams.get('import'))");
    await driver.shot("geofence-import-history-wide-light");
    expect(await driver.axe()).toEqual([]);
    expect(driver.errors()).toEqual([]);
  });

  it("of beacons tries it, imports it, and opens the history with the rows that failed", async () => {
    const head = "description,tag,externalId,type,uuid,major,minor,uid,instance,coordinates,enabled,metadata";
    const row = (i: number, uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d") =>
      `Door ${i},door,${i},ibeacon,${uuid},1,${i},,,"[13.37,52.51]",true,"{""floor"":${i}}"`;
    await person.open("/beacons?beacon=import", "CSV file");
    await person.pick(
      "doors.csv",
      [head, row(1), row(2), row(3, "no uuid !").replace(",1,3,", ",70000,3,")].join("\n"),
    );
    await driver.click("button", "Dry run");
    await driver.text("2 would be created");
    expect((await get("/v1/beacons", secret())).body.beacons).toEqual([]);
    await driver.click("button", "Import 2 of 3 rows");
    await driver.text("Imported. Failed rows are in the history.");
    expect((await get("/v1/beacons", secret())).body.beacons).toHaveLength(2);

    await person.open("/beacons?tab=imports", "doors.csv");
    await driver.click("main a.row-link");
    await driver.waitFor("document.querySelector('.drawer')");
    await driver.waitFor("document.querySelectorAll('.drawer tbody tr').length === 1");
    const report = await driver.eval<string>("document.querySelector('.drawer').innerText");
    for (const words of ["doors.csv", "2 created", "1 failed", "door / 3", "65535"]) expect(report).toContain(words);
    await driver.shot("beacon-import-history-wide-light");
    expect(await driver.axe()).toEqual([]);
    expect(driver.errors()).toEqual([]);
  });

  it("sees how far a large file is on a slow line, and stops it", async () => {
    const rows = Array.from({ length: 6000 }, (_, i) => `"Stop ${i}, ${"x".repeat(150)}",stop,${i},50.1,7.1,50`);
    await person.open("/geofences/import", "Import history");
    await person.pick("stops.csv", ["description,tag,externalId,latitude,longitude,radius", ...rows].join("\n"));
    await driver.send("Network.enable");
    const line = { offline: false, latency: 0, downloadThroughput: -1 };
    await driver.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: 100_000 });
    await driver.click(".map-detail-foot button", "Dry run");
    await driver.waitFor(`/[\\d.]+ (KB|B) of 1\\.[12] MB sent/.test(document.body.innerText)`);
    await driver.click(".upload button", "Cancel");
    await driver.text("Canceled. Nothing was imported.");
    await driver.send("Network.emulateNetworkConditions", { ...line, uploadThroughput: -1 });
    expect((await fences()).some(({ tag }) => tag === "stop")).toBe(false);
    driver.errors();
  });

  it("sees how far a download is, goes on to another page, stops one, and has the other whole", async () => {
    await person.open("/events", "entered geofence");
    const line = { offline: false, latency: 0, uploadThroughput: -1 };
    await driver.send("Network.emulateNetworkConditions", { ...line, downloadThroughput: 500_000 });
    await driver.click("main button", "CSV");
    await driver.waitFor(`/[\\d,]+ of 20,000 rows/.test(document.querySelector(".download")?.innerText)`);
    await driver.shot("download-wide-light");
    await driver.eval(
      `[...document.querySelectorAll("nav.sidebar a")].find((one) => one.innerText.includes("Beacons")).click()`,
    );
    await driver.text("Door 1");
    await driver.waitFor("document.querySelector('.download')");
    await driver.click("button[aria-label='Cancel the download']");
    await driver.waitFor("!document.querySelector('.download')");
    expect(readdirSync(downloads)).toEqual([]);

    await driver.send("Network.emulateNetworkConditions", { ...line, downloadThroughput: -1 });
    await person.open("/events", "entered geofence");
    await driver.click("main button", "CSV");
    await driver.text("Downloaded", 30_000);
    const [file] = await eventually(
      async () => readdirSync(downloads).filter((name) => name.endsWith(".csv")),
      (names) => names.length === 1,
    );
    expect(readFileSync(join(downloads, file), "utf8").trim().split("\r\n")).toHaveLength(EVENTS + 1);
    expect(driver.errors()).toEqual([]);
  });

  it("finds a user by name and a geofence by its description with Ctrl-K", async () => {
    await person.open("/beacons", "Door 1");
    for (const [typed, found, path] of [
      ["lovel", "Ada Lovelace", /\/users\/[0-9a-f]{24}$/],
      ["الخوا", "مريم الخوارزمي", /\/users\/[0-9a-f]{24}$/],
      ["köln", "Köln", /\/geofences\/[0-9a-f]{24}$/],
    ] as const) {
      await driver.press("k", 2);
      await driver.waitFor("document.querySelector('dialog.palette[open]')");
      await driver.send("Input.insertText", { text: typed });
      await driver.waitFor(
        `[...document.querySelectorAll(".palette-entry")].some((one) => one.innerText.startsWith(${JSON.stringify(found)}))`,
      );
      if (typed === "lovel") await driver.shot("palette-wide-light");
      await driver.press("Enter");
      await driver.waitFor("!document.querySelector('dialog.palette')");
      expect(await driver.eval("location.pathname")).toMatch(path);
    }
    driver.errors();
  });
});
