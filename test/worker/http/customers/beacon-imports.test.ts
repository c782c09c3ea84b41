import { describe, expect, it } from "vitest";
import { call, get, type Json, makeWorld, post, sql, type World } from "../../../support/world.ts";

const COLUMNS = "description,tag,externalId,type,uuid,major,minor,uid,instance,coordinates,enabled,metadata";
const DOOR = `Door,shop,door,ibeacon,2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6,1,2,,,"[-73.98,40.7]",true,"{""floor"": 1}"`;
const TILL = `"Till, the left one",,,eddystone,,,,F7826DA64FA24E988024,000000000001,"[-73.98,40.71]",TRUE,`;
const FILE = [COLUMNS, DOOR, TILL].join("\r\n");

const importFile = async (world: World, csv: string, query = "") => {
  const headers = { "content-type": "text/csv; charset=utf-8" };
  const { status, body } = await call("POST", `/v1/imports/beacons${query}`, {
    key: world.keys.testSecret,
    body: csv,
    headers,
  });
  expect([status, body.meta]).toEqual([200, { code: 200 }]);
  const { created, updated, unchanged, failed } = body.import;
  return { ...body, counts: [created, updated, unchanged, failed] };
};
const beacons = async (world: World): Promise<Json[]> =>
  (await get("/v1/beacons", world.keys.testSecret)).body.beacons.sort((a: Json, b: Json) =>
    String(a.description) < String(b.description) ? -1 : 1,
  );

describe("POST /v1/imports/beacons", () => {
  it("creates a beacon per row, with coordinates and metadata from JSON texts", async () => {
    const world = await makeWorld();
    const done = await importFile(world, FILE);
    expect(done.counts).toEqual([2, 0, 0, 0]);
    const [door, till] = await beacons(world);
    expect(door).toMatchObject({
      description: "Door",
      tag: "shop",
      externalId: "door",
      type: "ibeacon",
      major: "1",
      minor: "2",
      uuid: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6",
      enabled: true,
      metadata: { floor: 1 },
      geometry: { type: "Point", coordinates: [-73.98, 40.7] },
    });
    expect(till).toMatchObject({ description: "Till, the left one", type: "eddystone", instance: "000000000001" });
    expect(done.rows).toEqual([
      { line: 2, status: "created", _id: door._id, tag: "shop", externalId: "door" },
      { line: 3, status: "created", _id: till._id },
    ]);
  });

  it("changes nothing when the same file comes again, also for rows without a pair", async () => {
    const world = await makeWorld();
    await importFile(world, FILE);
    const before = await beacons(world);
    const [{ epoch }] = await sql("SELECT epoch FROM beacon_epoch WHERE scope = ?", world.id * 2);
    expect((await importFile(world, FILE)).counts).toEqual([0, 0, 2, 0]);
    expect(await beacons(world)).toEqual(before);
    expect(await sql("SELECT epoch FROM beacon_epoch WHERE scope = ?", world.id * 2)).toEqual([{ epoch }]);
  });

  it("updates the beacon with the pair of a row: disabled, or with new identifiers", async () => {
    const world = await makeWorld();
    await importFile(world, FILE);
    const [door] = await beacons(world);
    const changed = [COLUMNS, DOOR.replace(",1,2,", ",1,9,").replace("true", "false")].join("\n");
    const done = await importFile(world, changed);
    expect([done.counts, done.rows[0]]).toEqual([[0, 1, 0, 0], expect.objectContaining({ _id: door._id })]);
    expect((await beacons(world))[0]).toMatchObject({ _id: door._id, minor: "9", enabled: false });
  });

  it("reports a bad row by line, column and rule, and lets the good ones through", async () => {
    const world = await makeWorld();
    const rows = [
      DOOR,
      DOOR.replace("ibeacon", "wifi"),
      DOOR.replace('"[-73.98,40.7]"', '"[-73.98]"').replace(",door,", ",gate,"),
      DOOR.replace(",1,2,", ",1,,"),
      DOOR.replace("true", "maybe"),
      DOOR.replace('"{""floor"": 1}"', "no json"),
      DOOR.replace("Door", ""),
      `${DOOR},too,many`,
      TILL,
    ];
    const done = await importFile(world, [COLUMNS, ...rows].join("\n"));
    expect(done.counts).toEqual([2, 0, 0, 7]);
    expect(done.rows.map(({ line, status, param }: Json) => [line, status, param])).toEqual([
      [2, "created", undefined],
      [3, "failed", "type"],
      [4, "failed", "coordinates"],
      [5, "failed", "minor"],
      [6, "failed", "enabled"],
      [7, "failed", "metadata"],
      [8, "failed", "description"],
      [9, "failed", undefined],
      [10, "created", undefined],
    ]);
    expect(done.rows[3].message).toBe("minor: Required.");
    expect(await beacons(world)).toHaveLength(2);
  });

  it("lets the last of two rows of one beacon win", async () => {
    const world = await makeWorld();
    const done = await importFile(world, [COLUMNS, DOOR, DOOR.replace("Door", "Gate")].join("\n"));
    expect(done.counts).toEqual([1, 1, 0, 0]);
    expect((await beacons(world)).map(({ description }) => description)).toEqual(["Gate"]);
  });

  it("takes columns in any order, without those nobody needs, and passes over others", async () => {
    const world = await makeWorld();
    const csv = 'enabled,colour,instance,uid,coordinates,type,description\ntrue,red,01,aa,"[1,2]",eddystone,Small\n\n';
    expect((await importFile(world, csv)).counts).toEqual([1, 0, 0, 0]);
    const { _id, createdAt, updatedAt, ...beacon } = (await beacons(world))[0];
    expect(beacon).toEqual({
      description: "Small",
      type: "eddystone",
      uid: "aa",
      instance: "01",
      enabled: true,
      live: false,
      geometry: { type: "Point", coordinates: [1, 2] },
    });
  });

  it.each(["", "?dryRun=true"])("refuses an iBeacon whose uuid is none, as the API does%s", async (query) => {
    const world = await makeWorld();
    const bad = DOOR.replace("2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6", "front door").replace(",door,", ",gate,");
    const done = await importFile(world, [COLUMNS, DOOR, bad].join("\n"), query);
    expect([done.counts, done.rows[1].param]).toEqual([[1, 0, 0, 1], "uuid"]);
  });

  it("writes nothing in a dry run, and says what it would have done", async () => {
    const world = await makeWorld();
    const dry = await importFile(world, FILE, "?dryRun=true");
    expect([dry.counts, dry.import.dryRun]).toEqual([[2, 0, 0, 0], true]);
    expect(await beacons(world)).toEqual([]);
    expect((await get("/v1/imports/beacons", world.keys.testSecret)).body.imports).toEqual([]);
  });

  it("keeps a history with the rows that failed, newest first, per environment", async () => {
    const world = await makeWorld();
    await importFile(world, FILE, "?filename=one.csv");
    const bad = [COLUMNS, DOOR.replace("true", "maybe")].join("\n");
    const second = await post("/v1/imports/beacons", world.keys.testSecret, { csv: bad, filename: "two.csv" });
    const { body } = await get("/v1/imports/beacons", world.keys.testSecret);
    expect(body.imports.map(({ filename }: Json) => filename).sort()).toEqual(["one.csv", "two.csv"]);
    const one = await get(`/v1/imports/beacons/${second.body.import._id}`, world.keys.testSecret);
    expect(one.body.import).toMatchObject({ total: 1, failed: 1, failures: [{ line: 2, param: "enabled" }] });
    expect((await get("/v1/imports/beacons", world.keys.liveSecret)).body.imports).toEqual([]);
    expect((await get(`/v1/imports/beacons/${second.body.import._id}`, world.keys.liveSecret)).status).toBe(404);
  });

  it.each([
    ["", "csv: Required."],
    ["\n", "csv: Invalid csv. The file is empty."],
    ["a,b\n1,2", "csv: Invalid csv. The first row must name the columns; description, type, coordinates, enabled"],
  ])("refuses the file %j", async (csv, message) => {
    const world = await makeWorld();
    const { status, body } = await post("/v1/imports/beacons", world.keys.testSecret, { csv: csv || null });
    expect([status, body.meta.param]).toEqual([400, "csv"]);
    expect(body.meta.message).toContain(message);
  });

  it.each<[what: string, csv: string, message: RegExp]>([
    ["of five million rows", `${COLUMNS}\n${"a\n".repeat(5_000_000)}`, /At most 50000 rows/],
    ["of one endless row", `${COLUMNS}\n${",".repeat(9_000_000)}`, /Line 2: a row has at most 65536 characters/],
    ["with a quote never closed", `${COLUMNS}\n"${"a\n".repeat(4_000_000)}`, /Is a closing quote missing/],
    ["of empty rows", `${COLUMNS}${"\n".repeat(9_000_000)}`, /0 rows/],
  ])("a file %s costs a sentence", async (_, csv, message) => {
    const world = await makeWorld();
    const headers = { "content-type": "text/csv" };
    const sent = call("POST", "/v1/imports/beacons", { key: world.keys.testSecret, body: csv, headers });
    const { status, body } = await sent;
    if (status === 200) expect([body.import.total, message.test("0 rows")]).toEqual([0, true]);
    else expect([status, body.meta.message]).toEqual([400, expect.stringMatching(message)]);
    expect((await get("/v1/beacons", world.keys.testSecret)).body.beacons).toEqual([]);
  });

  it("takes ten thousand rows, of which one is heard like any other", async () => {
    const world = await makeWorld();
    const rows = Array.from({ length: 10_000 }, (_, i) =>
      DOOR.replace(",door,", `,${i},`).replace(",1,2,", `,1,${i},`),
    );
    expect((await importFile(world, [COLUMNS, ...rows].join("\n"))).counts).toEqual([10_000, 0, 0, 0]);
    const { body } = await post("/v1/track", world.keys.testPublishable, {
      deviceId: "phone",
      latitude: 40.7,
      longitude: -73.98,
      accuracy: 5,
      beacons: [{ type: "ibeacon", uuid: "2f234454-cf6d-4a0f-adf2-f4911ba9ffa6", major: "1", minor: "7777" }],
    });
    expect(body.events).toEqual([expect.objectContaining({ type: "user.entered_beacon" })]);
    expect(body.events[0].beacon.externalId).toBe("7777");
  });
});
