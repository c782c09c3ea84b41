import { describe, expect, it, vi } from "vitest";
import { type Bounds, formatLiveList, type LiveBuild } from "../../../src/core/geo/builds/manifest.ts";
import { openGeodata } from "../../../src/worker/geodata/live.ts";
import { FakeBucket } from "./fake-bucket.ts";

function build(name: string, id: string, areas: Bounds[], layers: string[] = ["places"]): LiveBuild {
  const versions = Object.fromEntries(layers.map((layer) => [layer, 1]));
  return { name, id, areas, layers: versions, sources: [], previous: [] };
}

function live(bucket: FakeBucket, ...builds: LiveBuild[]): void {
  bucket.put("live.json", JSON.stringify({ version: 1, builds }));
}

/** One who waits for what there is to do. */
const at = (now: number) => ({ now, waitUntil: undefined });

const earth: Bounds = [-180, -90, 180, 90];
const monaco = { latitude: 43.73, longitude: 7.42 };

describe("the live geodata", () => {
  it("is empty before anything was imported", async () => {
    const geodata = await openGeodata(new FakeBucket(), at(0));
    expect(geodata.builds).toEqual([]);
    expect(geodata.world).toBeUndefined();
    expect(geodata.at(monaco, "places")).toEqual([]);
  });

  it("is asked for every five seconds at most, and read only when it changed", async () => {
    const bucket = new FakeBucket();
    live(bucket, build("monaco", "a1", [[7, 43, 8, 44]]));
    const first = await openGeodata(bucket, at(1000));
    expect(await openGeodata(bucket, at(5900))).toBe(first);
    expect(bucket.asked).toHaveLength(1);
    expect(await openGeodata(bucket, at(6100))).toBe(first);
    expect(bucket.asked).toHaveLength(2);

    live(bucket, build("monaco", "b2", [[7, 43, 8, 44]]));
    expect((await openGeodata(bucket, at(9000))).builds[0].build.id).toBe("a1");
    expect((await openGeodata(bucket, at(11_200))).builds[0].build.id).toBe("b2");
  });

  it("keeps the source of a build that stays live when another one changes", async () => {
    const bucket = new FakeBucket();
    live(bucket, build("monaco", "a1", [[7, 43, 8, 44]]));
    const [before] = (await openGeodata(bucket, at(0))).builds;
    live(bucket, build("malta", "c3", [[14, 35, 15, 36]]), build("monaco", "a1", [[7, 43, 8, 44]]));
    const { builds } = await openGeodata(bucket, at(6000));
    expect(builds[1]).toBe(before);
    expect(builds[0].build.name).toBe("malta");
  });

  it("is one list for a request, whatever is switched meanwhile", async () => {
    const bucket = new FakeBucket();
    live(bucket, build("monaco", "a1", [[7, 43, 8, 44]]));
    const mine = await openGeodata(bucket, at(0));
    live(bucket);
    expect((await openGeodata(bucket, at(9000))).builds).toEqual([]);
    expect(mine.at(monaco, "places").map(({ build }) => build.id)).toEqual(["a1"]);
  });

  it("chooses the builds that hold the point and have the layer, the smallest first, the world never", async () => {
    const bucket = new FakeBucket();
    live(
      bucket,
      build("france", "f0", [[-5, 41, 10, 51]]),
      build("monaco", "a1", [[7, 43, 8, 44]]),
      build("roads", "r0", [[7, 43, 8, 44]], ["roads"]),
      build("two", "t0", [
        [100, 0, 101, 1],
        [7.4, 43.7, 7.5, 43.8],
      ]),
      build("world", "w0", [earth]),
    );
    const geodata = await openGeodata(bucket, at(0));
    expect(geodata.at(monaco, "places").map(({ build }) => build.name)).toEqual(["two", "monaco", "france"]);
    expect(geodata.at(monaco, "roads").map(({ build }) => build.name)).toEqual(["roads"]);
    expect(geodata.at({ latitude: 0, longitude: 0 }, "places")).toEqual([]);
    expect(geodata.with("places").map(({ build }) => build.name)).toEqual(["france", "monaco", "two"]);
    expect(geodata.world?.build.id).toBe("w0");
  });

  it("holds points on both sides of the 180th meridian", async () => {
    const bucket = new FakeBucket();
    live(bucket, build("fiji", "f1", [[176, -21, -178, -12]]));
    const geodata = await openGeodata(bucket, at(0));
    for (const longitude of [177, 179.9, -179.9, -178]) {
      expect(geodata.at({ latitude: -17, longitude }, "places")).toHaveLength(1);
    }
    expect(geodata.at({ latitude: -17, longitude: 0 }, "places")).toHaveLength(0);
  });

  it("holds what begins within reach of a point, over the 180th meridian too, and nothing farther away", async () => {
    const bucket = new FakeBucket();
    live(bucket, build("fiji", "f1", [[176, -21, 179.99, -12]]), build("pole", "p1", [[0, 80, 10, 90]]));
    const geodata = await openGeodata(bucket, at(0));
    const names = (latitude: number, longitude: number, reach: number) =>
      geodata.at({ latitude, longitude }, "places", reach).map(({ build }) => build.name);
    // 0.01° of longitude at 17° S are 1,064 m; the point lies 0.02° beyond the edge.
    expect(names(-17, -179.99, 3000)).toEqual(["fiji"]);
    expect([names(-17, -179.99, 1000), names(-17, -179.99, 0), names(-17, 0, 10_000)]).toEqual([[], [], []]);
    expect([names(-11.995, 178, 1000), names(-11.98, 178, 1000)]).toEqual([["fiji"], []]);
    expect(names(89.99, 120, 10_000)).toEqual(["pole"]);
  });

  it("is read once when many requests ask at the same time", async () => {
    const bucket = new FakeBucket();
    live(bucket, build("monaco", "a1", [[7, 43, 8, 44]]));
    await Promise.all(Array.from({ length: 20 }, () => openGeodata(bucket, at(0))));
    expect(bucket.asked).toHaveLength(1);
  });

  it("is looked up behind a request's back while the list is not too old", async () => {
    const bucket = new FakeBucket();
    const work: Promise<unknown>[] = [];
    const open = (now: number) => openGeodata(bucket, { now, waitUntil: (promise) => work.push(promise) });
    live(bucket, build("monaco", "a1", [[7, 43, 8, 44]]));
    await open(0);
    live(bucket, build("monaco", "b2", [[7, 43, 8, 44]]));
    expect((await open(6000)).builds[0].build.id).toBe("a1");
    await Promise.all(work);
    expect((await open(6001)).builds[0].build.id).toBe("b2");
    live(bucket, build("monaco", "c3", [[7, 43, 8, 44]]));
    expect((await open(15_100)).builds[0].build.id).toBe("c3");
    expect(work).toHaveLength(1);
  });

  it("goes on as it was while R2 does not answer, and asks again a second later", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const bucket = new FakeBucket();
    live(bucket, build("monaco", "a1", [[7, 43, 8, 44]]));
    await openGeodata(bucket, at(0));
    bucket.pause = () => Promise.reject(new Error("R2 is away"));
    expect((await openGeodata(bucket, at(20_000))).builds[0].build.id).toBe("a1");
    expect(warn.mock.calls[0][0]).toMatch(/R2 is away/);
    await openGeodata(bucket, at(20_900));
    expect(bucket.asked).toHaveLength(2);
    bucket.pause = async () => {};
    live(bucket, build("monaco", "b2", [[7, 43, 8, 44]]));
    expect((await openGeodata(bucket, at(21_100))).builds[0].build.id).toBe("b2");
    warn.mockRestore();
  });

  it("refuses a list of a version it does not know", async () => {
    const bucket = new FakeBucket();
    bucket.put("live.json", JSON.stringify({ version: 99, builds: [] }));
    await expect(openGeodata(bucket, at(0))).rejects.toThrow(/version 99/);
  });

  it.each([
    ["cut short", (text: string) => text.slice(0, -20)],
    ["flipped where it is still JSON", (text: string) => text.replace('"a1"', '"a9"')],
    ["gone", () => undefined],
  ])("goes on as it was while the list is %s, and is the new one soon after it is mended", async (_, damage) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const bucket = new FakeBucket();
    const whole = formatLiveList([build("monaco", "a1", [[7, 43, 8, 44]])]);
    bucket.put("live.json", whole);
    await openGeodata(bucket, at(0));
    const damaged = damage(whole);
    if (damaged === undefined) bucket.objects.delete("live.json");
    else bucket.put("live.json", damaged);
    expect((await openGeodata(bucket, at(20_000))).builds[0].build.id).toBe("a1");
    expect(warn.mock.calls[0][0]).toMatch(/live\.json/);
    bucket.put("live.json", formatLiveList([build("monaco", "b2", [[7, 43, 8, 44]])]));
    expect((await openGeodata(bucket, at(21_100))).builds[0].build.id).toBe("b2");
    warn.mockRestore();
  });

  it("is empty, and says so, where the list was damaged before anyone saw it; then it is mended", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const bucket = new FakeBucket();
    bucket.put("live.json", "{ not JSON");
    const leftOut = vi.fn();
    expect((await openGeodata(bucket, { ...at(0), leftOut })).builds).toEqual([]);
    expect(leftOut).toHaveBeenCalledWith("geodata");
    live(bucket, build("monaco", "b2", [[7, 43, 8, 44]]));
    expect((await openGeodata(bucket, { ...at(100), leftOut })).builds[0].build.id).toBe("b2");
    expect(leftOut).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it("knows where each layer has data: a layer of addresses alone answers for its own box", async () => {
    const bucket = new FakeBucket();
    const town = build("town", "t0", [[0, 0, 2, 2]], ["places", "addresses"]);
    bucket.put("live.json", formatLiveList([{ ...town, layerAreas: { addresses: [[1, 1, 1.5, 1.5]] } }]));
    const geodata = await openGeodata(bucket, at(0));
    const at1 = { latitude: 0.5, longitude: 0.5 };
    expect([geodata.at(at1, "places").length, geodata.at(at1, "addresses").length]).toEqual([1, 0]);
    expect(geodata.at({ latitude: 1.2, longitude: 1.2 }, "addresses")).toHaveLength(1);
  });
});
