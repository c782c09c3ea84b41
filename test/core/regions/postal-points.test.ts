import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { buildKey } from "../../../src/core/geo/builds/manifest.ts";
import { decodeCellList } from "../../../src/core/geo/cells/cell-list.ts";
import { cellAt } from "../../../src/core/geo/cells/cells.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import {
  encodePostalPoints,
  MAX_POSTAL_DISTANCE,
  POSTAL_CELLS_KEY,
  POSTAL_RESOLUTION,
  type PostalPoint,
  PostalPoints,
  postalKey,
} from "../../../src/core/regions/postal-points.ts";
import { random } from "../../../src/demo/world/random.ts";
import { quiet } from "../../../src/importer/common/progress.ts";
import { postalPoints } from "../../../src/importer/layers/regions/postal-points-layer.ts";
import { openGeodata } from "../../../src/worker/geodata/live.ts";
import { everyRegionAt } from "../../../src/worker/geodata/regions.ts";
import { FakeBucket } from "../../worker/geodata/fake-bucket.ts";
import { layerInput, layerOutput } from "./layer-harness.ts";

const folder = mkdtempSync(join(tmpdir(), "postal-points-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const draw = random("postal points");
const somewhere = (latitude: number, longitude: number) => ({
  latitude: latitude + draw.between(-0.1, 0.1),
  longitude: longitude + draw.between(-0.1, 0.1),
});

describe("centers of postal codes", () => {
  it.each([
    [51.1, 13.9],
    [-89.8, 0],
    [0, 0],
    [60, -1.2],
  ])("around %d, %d: the nearest of a country is the one that a plain search finds", (latitude, longitude) => {
    const points = Array.from({ length: 300 }, (_, i): PostalPoint => {
      const at = somewhere(latitude, longitude);
      const rounded = {
        latitude: Math.round(at.latitude * 1e5) / 1e5,
        longitude: Math.round(at.longitude * 1e5) / 1e5,
      };
      return { at: rounded, country: draw.pick(["DE", "CZ"]), code: String(10_000 + i) };
    });
    const packed = new PostalPoints(encodePostalPoints(points));
    for (let i = 0; i < 100; i++) {
      const here = somewhere(latitude, longitude);
      const country = draw.pick(["DE", "CZ", ""]);
      const [best] = points
        .filter((one) => country === "" || one.country === country)
        .map(({ at, code }) => ({ code, away: distance(at, here) }))
        .filter(({ away }) => away <= MAX_POSTAL_DISTANCE)
        .sort((a, b) => a.away - b.away);
      expect(packed.nearest(here, country, MAX_POSTAL_DISTANCE)?.code).toBe(best?.code);
    }
  });

  it("are none of another country, and none that are far away", () => {
    const at = { latitude: 47.6, longitude: 7.6 };
    const packed = new PostalPoints(encodePostalPoints([{ at, country: "CH", code: "4001" }]));
    expect(packed.nearest(at, "CH", MAX_POSTAL_DISTANCE)).toEqual({ code: "4001", distance: 0 });
    expect(packed.nearest(at, "DE", MAX_POSTAL_DISTANCE)).toBeUndefined();
    expect(packed.nearest({ latitude: 47.7, longitude: 7.6 }, "CH", MAX_POSTAL_DISTANCE)).toBeUndefined();
  });

  it("are rejected when they are damaged", () => {
    expect(() => new PostalPoints(new Uint8Array(20))).toThrow("postal codes of a cell");
  });

  it("of a file of GeoNames have an object for each cell, and a list of these", async () => {
    const path = join(folder, "DE.txt");
    writeFileSync(
      path,
      "DE\t10115\tBerlin\tBerlin\tBE\t\t00\t\t11000\t52.5323\t13.3846\t4\nDE\t69117\tHeidelberg\tBaden-Württemberg\tBW\t\t\t\t08221\t49.4122\t8.7100\t4\n",
    );
    const { objects, counts, out } = layerOutput();
    await postalPoints.build(layerInput({ files: { addresses: [path] } }), out, quiet);
    expect(counts).toEqual({ "centers of postal codes": 2 });
    const bucket = new FakeBucket();
    for (const [key, bytes] of objects) bucket.put(buildKey("codes", key), bytes);
    const build = { name: "codes", id: "codes", areas: [[5, 45, 15, 55]], sources: [], previous: [] };
    bucket.put("live.json", JSON.stringify({ version: 1, builds: [{ ...build, layers: { "postal-points": 1 } }] }));
    const geodata = await openGeodata(bucket, { now: 0, waitUntil: undefined });
    const here = { latitude: 52.53, longitude: 13.38 };
    // Reverse geocoding and the context of a point ask here; no import has an area of a code.
    expect((await everyRegionAt(geodata, here)).postalCode).toEqual({ code: "10115", name: "10115" });
    expect((await everyRegionAt(geodata, { latitude: 51, longitude: 11 })).postalCode).toBeUndefined();
    const cells = decodeCellList(objects.get(POSTAL_CELLS_KEY) ?? new Uint8Array());
    const cell = cellAt(here, POSTAL_RESOLUTION);
    expect([cells.size, cells.has(cell)]).toEqual([2, true]);
    const packed = new PostalPoints(objects.get(postalKey(cell)) ?? new Uint8Array());
    expect(packed.nearest(here, "DE", MAX_POSTAL_DISTANCE)?.code).toBe("10115");
  });
});
