import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildArcs, withTraffic } from "../../../../src/core/routing/graph/arcs.ts";
import { bucketAt, later, type TimeWindow } from "../../../../src/core/routing/graph/traffic.ts";
import { optimizeOrder } from "../../../../src/core/routing/route/optimize.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { OperatorSpeeds } from "../../../../src/importer/layers/roads/profiles/apply-speeds.ts";
import { readSpeedFile } from "../../../../src/importer/layers/roads/profiles/speed-file.ts";
import { parseDays, parseHours } from "../../../../src/importer/layers/roads/profiles/time-window.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { isNight, samples } from "../../../support/night.ts";
import { randomTown, seeded } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import { compare, pointMaker } from "../search/compare.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "speeds-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file of speeds as it is read, and what was said of its lines. */
async function read(text: string) {
  const path = join(folder, "speeds.csv");
  await writeFile(path, text);
  const said: string[] = [];
  const table = await readSpeedFile(path, (line, reason) => said.push(`${line}: ${reason}`));
  return { table, said };
}

async function graphWith(elements: readonly OsmElement[], text: string) {
  const { table } = await read(text);
  const speeds = new OperatorSpeeds(table);
  return { graph: buildGraph(elements, { speeds }), speeds };
}

describe("windows of time", () => {
  it.each([
    ["", 127],
    ["Mo-Fr", 31],
    ["Sa,Su", 96],
    ["sa su", 96],
    ["Fr-Mo", 1 + 16 + 32 + 64],
    ["Wednesday", 4],
    ["Mo-", undefined],
    ["Xy", undefined],
  ])("days %j are the bits %j", (text, bits) => expect(parseDays(text)).toBe(bits));

  it.each([
    ["", { from: 0, until: 1440 }],
    ["07:00-09:30", { from: 420, until: 570 }],
    ["7-9", { from: 420, until: 540 }],
    ["22:00-06:00", { from: 1320, until: 360 }],
    ["00:00-24:00", { from: 0, until: 1440 }],
    ["08:00-08:00", undefined],
    ["25:00-26:00", undefined],
    ["08:70-09:00", undefined],
    ["morning", undefined],
  ])("hours %j are the minutes %j", (text, minutes) => expect(parseHours(text)).toEqual(minutes));

  it("begin on their first minute, end before their last, and go on past midnight", () => {
    const windows: TimeWindow[] = [
      { days: 31, from: 420, until: 540 },
      { days: 16, from: 1320, until: 120 },
    ];
    const at = (day: number, minute: number) => bucketAt(windows, { day, minute });
    expect([at(0, 419), at(0, 420), at(0, 539), at(0, 540), at(5, 450)]).toEqual([0, 1, 1, 0, 0]);
    // Friday night is Friday's until two on Saturday; Thursday night is not.
    expect([at(4, 1319), at(4, 1320), at(5, 119), at(5, 120), at(4, 60)]).toEqual([0, 2, 2, 0, 0]);
    expect(bucketAt(windows, undefined)).toBe(0);
  });

  it("are met later on a long journey", () => {
    expect(later({ day: 6, minute: 1439 }, 59)).toEqual({ week: 0, day: 6, minute: 1439 });
    expect(later({ week: 2965, day: 6, minute: 1439 }, 60)).toEqual({ week: 2966, day: 0, minute: 0 });
    expect(later({ day: 2, minute: 600 }, 26 * 3600)).toEqual({ week: 0, day: 3, minute: 720 });
  });
});

describe("a file of speeds", () => {
  it("tells of ways in either direction, and of two nodes that follow one another", async () => {
    const { table, said } = await read(
      "way_id,direction,from_node,to_node,days,hours,speed\n" +
        '7,,,,,,40\n7,forward,,,Mo-Fr,07:00-09:00,15\n,,3,4,"Sa,Su",10:00-14:00,22.5\n',
    );
    expect(said).toEqual([]);
    expect(table.windows).toEqual([
      { days: 31, from: 420, until: 540 },
      { days: 96, from: 600, until: 840 },
    ]);
    const { forward, backward } = table.ways.get(7)!;
    expect([...(forward?.speeds.slice(0, 3) ?? [])]).toEqual([40, 15, 0]);
    expect([...(backward?.speeds.slice(0, 3) ?? [])]).toEqual([40, 0, 0]);
    expect([...(table.segments.get("3 4")?.speeds.slice(0, 3) ?? [])]).toEqual([0, 0, 22.5]);
    expect(table.segments.has("4 3")).toBe(false);
  });

  it("has each line that cannot be read named, with the reason", async () => {
    const { table, said } = await read(
      "\uFEFFspeed,way_id,days,hours,direction\r\n30,5,,,\r\n\r\nfast,5,,,\r\n300,5,,,\r\n30,x,,,\r\n30,5,Xx,,\r\n30,5,,late,\r\n30,5,,,up\r\n",
    );
    expect(table.ways.size).toBe(1);
    expect(said).toEqual([
      '4: speed "fast" is not 1 to 250 km/h',
      '5: speed "300" is not 1 to 250 km/h',
      '6: way_id "x" is not the id of a way',
      '7: days "Xx" are not such as Mo-Fr or Sa,Su',
      '8: hours "late" are not such as 07:00-09:30',
      '9: direction "up" is not forward, backward or both',
    ]);
  });

  it.each([
    ["", /is empty/],
    ["way_id,days\n1,Mo", /no column speed/],
    ["speed\n30", /names no roads/],
    ["from_node,speed\n1,30", /names no roads/],
    ["way_id,speed,colour\n1,30,red", /no column is called "colour"/],
    ["way_id,speed\n1,fast", /no line of use/],
    ["way_id,hours,speed\n1,7-9,30\n1,8-10,30", /line 3: its days and hours overlap those of line 2/],
    [
      `way_id,hours,speed\n${Array.from({ length: 9 }, (_, i) => `1,${i}-${i + 1},30`).join("\n")}`,
      /line 10: more than 8 different days and hours/,
    ],
  ])("that reads %j is refused", async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason);
  });
});

it("a file of speeds for more roads than may be held is refused", async () => {
  const path = join(folder, "many.csv");
  await writeFile(path, "way_id,speed\n1,30\n2,30\n2,40\n3,30\n4,30");
  await expect(readSpeedFile(path, () => {}, 2)).rejects.toThrow("many.csv, line 6: more than 2 roads");
  expect((await readSpeedFile(path, () => {}, 4)).ways.size).toBe(4);
});

describe("roads with speeds of their own", () => {
  /** 1 ─ 2 ─ 3 in a line, a kilometre each, one way. */
  const street = (tags = {}): OsmElement[] => [
    ...[1, 2, 3].map((id) => ({ type: "node" as const, id, latitude: 41, longitude: -8 + id * 0.0119, tags: {} })),
    { type: "way", id: 9, refs: [1, 2, 3], tags: { highway: "primary", maxspeed: "100", ...tags } },
  ];
  const speedsOf = ({ graph }: Awaited<ReturnType<typeof graphWith>>, side: "forward" | "backward" = "forward") => {
    const { traffic, profiles } = graph;
    const row = traffic?.rows[traffic[side][0] - 1];
    const profile = profiles[(side === "forward" ? graph.pieceForward : graph.pieceBackward)[0]];
    return { row: row && [...row], always: profile.passages.map(({ speed }) => speed) };
  };

  it("are as fast as the file says for a car, and no faster than else for a truck", async () => {
    const plain = buildGraph(street());
    const [car, truck, foot, bike] = plain.profiles[plain.pieceForward[0]].passages.map(({ speed }) => speed);
    const made = await graphWith(street(), "way_id,hours,speed\n9,7-9,20\n9,22-23,120\n");
    expect(speedsOf(made)).toEqual({ row: [200, 1200, 200, truck], always: [car, truck, foot, bike] });
    const always = await graphWith(street(), "way_id,speed\n9,20\n");
    expect(speedsOf(always)).toEqual({ row: undefined, always: [200, 200, foot, bike] });
  });

  it("take the time of their parts, where only a part is told", async () => {
    const made = await graphWith(
      street(),
      "way_id,from_node,to_node,hours,speed\n9,,,7-9,60\n,1,2,7-9,20\n,3,2,7-9,30\n",
    );
    // Half at 20, half at 60 km/h: 30. Back: half at 60, half at 30: 40.
    expect(speedsOf(made).row?.[0]).toBe(300);
    expect(speedsOf(made, "backward").row?.[0]).toBe(400);
  });

  it("stay closed where they are closed, and ferries keep their pace", async () => {
    const oneway = await graphWith(street({ oneway: "yes" }), "way_id,speed\n9,20\n");
    expect(speedsOf(oneway, "backward").always.slice(0, 2)).toEqual([0, 0]);
    const ferry = await graphWith(street({ highway: undefined, route: "ferry" }), "way_id,hours,speed\n9,7-9,90\n");
    expect(speedsOf(ferry).row).toBeUndefined();
  });

  it("are told apart from lines about roads that are not here", async () => {
    const { speeds } = await graphWith(street(), "way_id,from_node,to_node,speed\n9,,,30\n77,,,30\n,1,3,30\n,1,2,20\n");
    expect(speeds.unused()).toEqual([3, 4]);
  });
});

/** Speeds for a third of a town's ways, by day and by night. */
function townSpeeds(elements: readonly OsmElement[], seed: number): string {
  const random = seeded(seed);
  const lines = ["way_id,direction,from_node,to_node,days,hours,speed"];
  for (const element of elements) {
    if (element.type !== "way" || random() > 0.35) continue;
    const speed = () => (3 + random() * 60).toFixed(1);
    lines.push(`${element.id},${random() < 0.5 ? "forward" : ""},,,Mo-Fr,07:00-09:30,${speed()}`);
    if (random() < 0.5) lines.push(`,,${element.refs[0]},${element.refs[1]},,22:00-05:00,${speed()}`);
    if (random() < 0.2) lines.push(`${element.id},backward,,,,,${speed()}`);
  }
  return lines.join("\n");
}

describe("routes in traffic", () => {
  let shared: ReturnType<typeof buildRoads> | undefined;
  const townInTraffic = () => {
    shared ??= (async () => {
      const town = randomTown(30, 12);
      return buildRoads((await graphWith(town, townSpeeds(town, 4))).graph);
    })();
    return shared;
  };

  it("are those Dijkstra finds under the speeds of that time, for every mode and avoid set", {
    timeout: 120_000,
  }, async () => {
    const town = randomTown(samples(28, 40), 11);
    const { graph } = await graphWith(town, townSpeeds(town, 3));
    const { router, build, objects } = await buildRoads(graph, isNight ? [12, 60, 300] : [6, 30, 150]);
    expect(router.store.manifest.levels).toBeGreaterThanOrEqual(3);
    expect(router.store.manifest.windows).toHaveLength(2);
    for (const bucket of [0, 1, 2]) {
      const { wrong, brokenSums, pairs } = await compare(router, build, samples(1, 3), 30 + bucket, bucket);
      expect(wrong).toEqual([]);
      expect(brokenSums).toEqual([]);
      expect(pairs).toBe(64 * samples(1, 3));
    }
    // Nobody on foot or by bike waits in a jam: their packs are those of any time.
    const packs = [...objects.keys()].filter((key) => /^roads\/(packs|bundles)\//.test(key));
    expect(packs.some((key) => /\/0\/\d+-1\//.test(key))).toBe(true);
    expect(packs.some((key) => /\/[23]\/\d+-/.test(key))).toBe(false);
  });

  it("take other times at other hours, in a distance, a matrix and a route alike", async () => {
    const { router, build } = await townInTraffic();
    const point = pointMaker(build, 5);
    const jam = { day: 1, minute: 480 };
    const noon = { day: 1, minute: 720 };
    let different = 0;
    for (let i = 0; i < samples(12, 20); i++) {
      const [origin, destination] = [point(), point()];
      const ask = async (mode: "car" | "truck" | "foot", departure: typeof jam) => {
        const options = { mode, departure };
        const distance = await router.distance(origin, destination, options);
        const [[cell]] = await router.matrix([origin], [destination], options);
        const route = await router.route([origin, destination], options);
        // Where an end lies on an island the matrix goes from mainland to mainland.
        const [leg] = route?.legs ?? [];
        if (!leg.start.island && !leg.end.island) expect(cell?.weight).toBe(leg.weight);
        expect(distance?.duration).toBeCloseTo(route?.duration ?? Number.NaN, 6);
        return route?.duration;
      };
      if (!(await router.distance(origin, destination, { mode: "car" }))) continue;
      if ((await ask("car", jam)) !== (await ask("car", noon))) different++;
      await ask("truck", jam);
      expect(await ask("foot", jam)).toBe(await ask("foot", noon));
      expect(await ask("car", noon)).toBe((await router.route([origin, destination], { mode: "car" }))?.duration);
    }
    expect(different).toBeGreaterThan(3);
  });

  it("of several legs see the traffic there is when each begins", async () => {
    const { router, build } = await townInTraffic();
    const point = pointMaker(build, 8);
    let seen = 0;
    for (let i = 0; i < 30 && seen < 5; i++) {
      const places = [point(), point(), point()];
      const one = await router.route(places.slice(0, 2), { mode: "car" });
      if (!one || one.duration < 61) continue;
      // One minute before the jam begins, so that the second leg sets out into it.
      const route = await router.route(places, { mode: "car", departure: { day: 0, minute: 419 } });
      const second = await router.route(places.slice(1), { mode: "car", departure: { day: 0, minute: 420 } });
      if (!route || !second) continue;
      expect(route.legs[0].duration).toBe(one.duration);
      expect(route.legs[1].duration).toBe(second.duration);
      const plan = await optimizeOrder(router, places, { mode: "car", departure: { day: 0, minute: 419 } });
      if (!route.legs.some(({ start, end }) => start.island || end.island))
        route.legs.forEach((leg, k) => {
          expect(plan?.legs[k].duration).toBeCloseTo(leg.duration, 1);
        });
      seen++;
    }
    expect(seen).toBe(5);
  });

  it("share the arcs of a tile between windows, and lose none with the window that built them", async () => {
    const { store } = (await townInTraffic()).router;
    // Windows first: no view of default speeds is there to begin from.
    const tile = (await store.tile(0))!;
    tile.shrink();
    const metric = (bucket: number) => ({ mode: 0, avoid: 0, bucket });
    const views = [1, 2, 0].map((bucket) => store.view(tile, metric(bucket)));
    expect(new Set(views.map(({ arcs }) => arcs.first)).size).toBe(1);
    const expected = [1, 2, 0].map((bucket) => withTraffic(tile.topology(), buildArcs(tile.topology(), 0), bucket));
    for (const [i, { arcs }] of views.entries()) {
      for (const column of ["first", "to", "turn", "turnWeight", "turnDuration", "duration", "weight"] as const)
        expect([...arcs[column]], `${i}: ${column}`).toEqual([...expected[i][column]]);
    }
    expect(store.view(tile, { mode: 3, avoid: 0, bucket: 1 })).toBe(store.view(tile, { mode: 3, avoid: 0, bucket: 2 }));
  });

  it("are the same bytes for the same map and file", async () => {
    const town = randomTown(samples(14, 20), 4);
    const make = async () => (await buildRoads((await graphWith(town, townSpeeds(town, 9))).graph)).objects;
    const [one, two] = [await make(), await make()];
    expect([...one.keys()]).toEqual([...two.keys()]);
    for (const [key, bytes] of one) expect(Buffer.compare(bytes, two.get(key)!), key).toBe(0);
  });
});
