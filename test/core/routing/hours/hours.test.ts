import { beforeAll, describe, expect, it, vi } from "vitest";
import { arcBetween, buildArcs } from "../../../../src/core/routing/graph/arcs.ts";
import { WEEK } from "../../../../src/core/routing/graph/calendar.ts";
import { type EdgeProfile, MODES, type Mode, type Variant } from "../../../../src/core/routing/graph/modes.ts";
import { segmentAt, segmentsFrom } from "../../../../src/core/routing/graph/schedule.ts";
import type { Tile } from "../../../../src/core/routing/graph/tile.ts";
import type { LocalTime } from "../../../../src/core/routing/graph/traffic.ts";
import { type Vehicle, variantOf } from "../../../../src/core/routing/graph/vehicle.ts";
import { reach } from "../../../../src/core/routing/reach/reach.ts";
import { findPath } from "../../../../src/core/routing/route/path-search.ts";
import type { Leg, Router } from "../../../../src/core/routing/route/router.ts";
import { endsOf, startsOf } from "../../../../src/core/routing/search/end-points.ts";
import { RouteHours } from "../../../../src/core/routing/search/route-hours.ts";
import { snap } from "../../../../src/core/routing/store/snap.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { conditionsOf, switchedHours } from "../../../../src/importer/layers/roads/profiles/conditional.ts";
import { timesOf } from "../../../../src/importer/layers/roads/profiles/times.ts";
import type { Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { samples } from "../../../support/night.ts";
import { seeded, townWithTimedTurns } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";
import { build, type World } from "../scenario.ts";
import { pointMaker } from "../search/compare.ts";
import { Dijkstra } from "../search/dijkstra.ts";
import { hourlyTown } from "./hourly-town.ts";

const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** "Tu 10:00". */
function at(text: string): LocalTime {
  const [day, hour, minute] = text.split(/[ :]/);
  return { day: DAYS.indexOf(day), minute: Number(hour) * 60 + Number(minute) };
}

const minuteAt = (text: string) => at(text).day * 1440 + at(text).minute;

describe("times of the week", () => {
  it.each([
    ["Mo-We 07:00-09:00", ["Mo 07:00 Mo 09:00", "Tu 07:00 Tu 09:00", "We 07:00 We 09:00"]],
    ["Su 22:00-06:00", ["Su 22:00 Su 24:00"]],
    ["Fr 22:00-26:00", ["Fr 22:00 Sa 02:00"]],
    ["Sa 07:30-09:00; PH off", ["Sa 07:30 Sa 09:00"]],
    ["Su,PH", ["Su 00:00 Su 24:00"]],
    ["SH Mo 08:00-12:00", undefined],
    ["PH 08:00-12:00", undefined],
    ["Mo-Su 00:00-24:00", ["Mo 00:00 Su 24:00"]],
    [
      "Mo-Fr 08:00-18:00; We 12:00-13:00 off; Tu,Th,Fr off",
      ["Mo 08:00 Mo 18:00", "We 08:00 We 12:00", "We 13:00 We 18:00"],
    ],
    ["Tu 10:30:00-12:30:00", ["Tu 10:30 Tu 12:30"]],
    ["Mo 7.00 - 17.00", ["Mo 07:00 Mo 17:00"]],
    ["Mo sunset-24:00", ["Mo 18:00 Mo 24:00"]],
    ["24/7", ["Mo 00:00 Su 24:00"]],
    ["Mo 10:00+", undefined],
    ["wet", undefined],
    ["winter", undefined],
    ["", undefined],
  ])("of %j", (text, spans) => {
    const expected = spans?.map((span) => [minuteAt(span.slice(0, 8)), minuteAt(span.slice(9))]);
    // What lasts beyond Sunday continues on Monday.
    expect(timesOf(text)?.spans.filter(([from, until]) => from > 0 || until === WEEK)).toEqual(expected);
  });

  it("begin on Monday with the end of Sunday night", () => {
    expect(timesOf("Su 22:00-06:00")?.spans[0]).toEqual([0, 360]);
  });

  it.each([
    ["no_left_turn @ (Mo-Fr 07:00-19:00); no_u_turn @ (weight>7.5)", ["no_left_turn 10", "no_u_turn >7.5"]],
    ["no @ (7:30-19:00 AND weight>7.5)", ["no 14 >7.5"]],
    ["no @ (Mo-Fr AND 07:00-09:00)", ["no 10"]],
    ["no @ (24/7)", ["no"]],
    ["no @ (wet)", []],
    ["no @ (07:00-09:00 AND wet)", []],
    ["yes @ permit_holder; no @(Mo 07:00-09:00; PH off)", ["no 2"]],
    ["no @ Mo 07:00-09:00", ["no 2"]],
    ["30 @ (22:00-06:00)", ["30 16"]],
    ["no @ (Mo AND Tu)", []],
  ])("in the conditions %s", (text, expected) =>
    expect(
      conditionsOf(text).map(({ value, over, hours }) =>
        [value, hours && hours.spans.length * 2, over && `>${over.limit / 100}`].filter(Boolean).join(" "),
      ),
    ).toEqual(expected),
  );

  it.each([
    [{ day_on: "Monday", day_off: "Friday", hour_on: "15:00", hour_off: "18:00" }, 5],
    [{ hour_on: "07:30-09:30,17:30-19:30" }, 14],
    [{ hour_on: "7.00", hour_off: "9.00" }, 7],
    [{ day_on: "Monday", hour_on: "7:00", hour_off: "9:00" }, undefined],
    [{}, undefined],
  ] as [Tags, number | undefined][])("in the older tags %j", (tags, count) =>
    expect(switchedHours(tags)?.spans.length).toBe(count),
  );

  it("are in one segment of the week or more", () => {
    expect(segmentsFrom(minuteAt("Mo 07:00"), 0)).toBe(segmentAt(minuteAt("Mo 07:00")));
    expect(segmentsFrom(0, WEEK)).toBe(255);
    const random = seeded(5);
    for (let i = 0; i < 200; i++) {
      const [from, minutes] = [Math.floor(random() * WEEK), Math.floor(random() * 600)];
      let bits = 0;
      for (let m = 0; m <= minutes; m++) bits |= segmentAt((from + m) % WEEK);
      expect(segmentsFrom(from, minutes), `${from} + ${minutes}`).toBe(bits);
    }
  });
});

const SQUARE = `
  a--b----c--d
     |    |
     e----f
`;

async function namesAt(world: World, places: string, times: Record<string, string>, mode = "car"): Promise<void> {
  for (const [time, names] of Object.entries(times)) {
    expect(await world.names(places, { mode: mode as "car", departure: at(time) }), time).toBe(names);
  }
}

/** A route, a distance and a matrix tell the same. */
async function expectOneRoute(
  world: World,
  places: string,
  time: string,
  { mode = "car", vehicle }: { mode?: Mode; vehicle?: Vehicle | undefined } = {},
): Promise<void> {
  const options = { mode, vehicle, departure: at(time) };
  const [from, to] = places.split(" ").map((place) => world.at(place));
  const route = (await world.router.route([from, to], options))!;
  const one = (await world.router.distance(from, to, options))!;
  const [[cell]] = await world.router.matrix([from], [to], options);
  const expected = [expect.closeTo(route.duration, 6), expect.closeTo(route.distance, 6)];
  expect([one.duration, one.distance], time).toEqual(expected);
  expect([cell?.duration, cell?.distance], time).toEqual(expected);
}

describe("a route at an hour", () => {
  const around = { ab: "", be: "", ef: "", fc: "", cd: "" };

  it.each([
    ["motor_vehicle:conditional", "no @ (Mo-Fr 07:00-09:00)", "car"],
    ["access:conditional", "no @ (Mo-Fr 07:00-09:00)", "foot"],
    ["vehicle:forward:conditional", "no @ (Mo-Fr 07:00-09:00)", "bike"],
    ["hgv:conditional", "no @ (Mo-Fr 07:00-09:00)", "truck"],
    ["oneway:conditional", "-1 @ (Mo-Fr 07:00-09:00)", "car"],
    ["access:conditional", "no @ (Mo-Fr 07:00-09:00 AND weight>7.5)", "truck"],
  ])("respects %s=%s by %s", async (key, value, mode) => {
    const world = await build({ map: SQUARE, ways: { ...around, bc: `${key}="${value}"` } });
    const detour = "ab,be,ef,fc,cd";
    await namesAt(
      world,
      "a d",
      {
        "Mo 06:50": "ab,bc,cd",
        "Mo 07:00": detour,
        "Fr 08:30": detour,
        "Fr 09:00": "ab,bc,cd",
        "Sa 08:00": "ab,bc,cd",
      },
      mode,
    );
    expect(await world.names("a d", { mode: mode as "car" })).toBe("ab,bc,cd");
  });

  it("closes a road at night to vehicles over a weight, by the weight of each request", async () => {
    const world = await build({
      map: SQUARE,
      ways: { ...around, bc: `access:conditional="no @ (22:00-06:00 AND weight>7.5)"` },
    });
    const [over, around7] = ["ab,bc,cd", "ab,be,ef,fc,cd"];
    const rows: [Mode, Vehicle | undefined, string, string][] = [
      ["truck", undefined, "Mo 12:00", over],
      ["truck", undefined, "Mo 23:00", around7],
      ["truck", { weight: 7.5 }, "Mo 23:00", over],
      ["truck", { weight: 8 }, "Mo 23:00", around7],
      ["car", undefined, "Mo 23:00", over],
      ["car", { weight: 8 }, "Mo 23:00", around7],
      ["car", { weight: 8 }, "Mo 21:00", over],
    ];
    for (const [mode, vehicle, time, names] of rows)
      expect(await world.names("a d", { mode, vehicle, departure: at(time) }), `${mode} ${time}`).toBe(names);
  });

  it("drives slower at night over a weight", async () => {
    const world = await build({
      map: "a----b",
      ways: { ab: `maxspeed=100 maxspeed:hgv:conditional="30 @ (22:00-06:00 AND weight>12)"` },
    });
    const seconds = async (vehicle: Vehicle | undefined, time: string) =>
      (await world.find(["a", "b"], { mode: "truck", vehicle, departure: at(time) }))!.duration;
    const day = await seconds(undefined, "Mo 12:00");
    expect(await seconds({ weight: 12 }, "Mo 23:00")).toBe(day);
    expect((await seconds(undefined, "Mo 23:00")) / day).toBeGreaterThan(2);
  });

  it("uses a road that only an hour opens, and one that only an hour makes two-way", async () => {
    const open = await build({
      map: SQUARE,
      ways: { ...around, bc: `motor_vehicle=no motor_vehicle:conditional="yes @ (20:00-06:00)"` },
    });
    await namesAt(open, "a d", { "Mo 12:00": "ab,be,ef,fc,cd", "Mo 20:00": "ab,bc,cd", "Tu 05:59": "ab,bc,cd" });
    const both = await build({
      map: SQUARE,
      ways: { ...around, bc: `oneway=yes oneway:conditional="no @ (Sa,Su)"` },
    });
    await namesAt(both, "d a", { "Fr 23:00": "cd,fc,ef,be,ab", "Su 12:00": "cd,bc,ab" });
  });

  it.each([
    [`barrier=gate access=yes access:conditional="no @ (22:00-06:00)"`, "car", "Mo 21:50", "Mo 22:30"],
    [`barrier=lift_gate vehicle:conditional="no @ (22:00-06:00)"`, "bike", "Mo 21:50", "Mo 22:30"],
    [`barrier=bollard motor_vehicle=no motor_vehicle:conditional="yes @ (06:00-10:00)"`, "car", "Mo 07:00", "Mo 11:00"],
    [`barrier=gate access=yes access:conditional="no @ (22:00-06:00 AND weight>7.5)"`, "truck", "Mo 12:00", "Mo 23:00"],
    [`barrier=bollard motor_vehicle:conditional="yes @ (permit)"`, "foot", "Mo 12:00", undefined],
    [`barrier=gate access=yes access:conditional="no @ (22:00-06:00 AND weight>7.5)"`, "car", "Mo 23:00", undefined],
  ])("passes %s by %s when it is open", async (tags, mode, open, closed) => {
    const world = await build({
      map: `
        a--b-g--c--d
           |    |
           e----f
      `,
      ways: { ab: "", bgc: "", be: "", ef: "", fc: "", cd: "" },
      nodes: { g: tags },
    });
    await namesAt(world, "a d", { [open]: "ab,bgc,cd" }, mode);
    if (closed) await namesAt(world, "a d", { [closed]: "ab,be,ef,fc,cd" }, mode);
  });

  it("takes longer where the limit is lower at night", async () => {
    const world = await build({
      map: "a----b",
      ways: { ab: `maxspeed=100 maxspeed:conditional="30 @ (22:00-06:00)"` },
    });
    const [day, night] = await Promise.all(
      ["Mo 12:00", "Mo 23:00"].map(
        async (time) => (await world.find(["a", "b"], { mode: "car", departure: at(time) }))!,
      ),
    );
    expect(night.duration / day.duration).toBeCloseTo(100 / 30, 1);
    // Both ends are on one road.
    await expectOneRoute(world, "a+0.5,0 b+-0.5,0", "Mo 23:00");
  });

  it.each([
    [`motor_vehicle:conditional="destination @ (07:00-09:00)"`, undefined],
    [`access:conditional="destination @ (22:00-06:00 AND weight>20)"`, { weight: 30 }],
  ])("leaves a road with %s as freely as its hour allows", async (tags, vehicle) => {
    const world = await build({
      map: `
        a--b--c--d--g
           |     |
           e-----f
      `,
      ways: { ab: "", bc: tags, cd: "access=destination", dg: "", be: "", ef: "", fd: "" },
    });
    const options = { mode: "car" as const, vehicle, departure: at("Mo 12:00") };
    expect(await world.names("a g", options)).toBe("ab,be,ef,fd,dg");
    await expectOneRoute(world, "a g", "Mo 12:00", options);
  });

  it("respects turns that are forbidden at rush hour, over a way, and the only ones", async () => {
    const turns = (text: string) => ({ "ab b bc": `restriction:conditional="${text}"` });
    const world = await build({
      map: SQUARE,
      ways: { ...around, bc: "" },
      turns: turns("no_straight_on @ (Mo-Fr 07:00-09:00)"),
    });
    await namesAt(world, "a d", { "Mo 08:00": "ab,be,ef,fc,cd", "Mo 09:00": "ab,bc,cd" });
    const only = await build({
      map: SQUARE,
      ways: { ...around, bc: "" },
      turns: { "ab b be": `restriction:conditional="only_right_turn @ (Mo-Fr 07:00-09:00)"` },
    });
    await namesAt(only, "a d", { "Mo 08:00": "ab,be,ef,fc,cd", "Sa 08:00": "ab,bc,cd" });
    const over = await build({
      map: SQUARE,
      ways: { ...around, bc: "" },
      turns: { "ab bc cd": `restriction:conditional="no_straight_on @ (Mo-Fr 07:00-09:00)"` },
    });
    await namesAt(over, "a d", { "Mo 08:00": "ab,be,ef,fc,cd", "Mo 06:00": "ab,bc,cd" });
    const older = await build({
      map: SQUARE,
      ways: { ...around, bc: "" },
      turns: { "ab b bc": "restriction=no_straight_on day_on=Monday day_off=Friday hour_on=07:00 hour_off=09:00" },
    });
    await namesAt(older, "a d", { "Mo 08:00": "ab,be,ef,fc,cd", "Mo 10:00": "ab,bc,cd" });
  });

  it("applies conditions when they are reached, not at the departure", async () => {
    const long = {
      map: SQUARE,
      grid: 3000,
      ways: { ...around, bc: `motor_vehicle:conditional="no @ (Mo-Fr 07:00-09:00)"` },
    };
    const world = await build(long);
    // It takes minutes to b.
    await namesAt(world, "a d", { "Mo 06:59": "ab,be,ef,fc,cd", "Mo 08:59": "ab,bc,cd", "Mo 06:30": "ab,bc,cd" });
  });

  it("begins and ends on roads that are open", async () => {
    const world = await build({
      map: `
        a----b
        c----d`,
      ways: { ab: "", cd: `access:conditional="no @ (Mo-Fr 07:00-09:00)"`, ac: "", bd: "" },
    });
    await namesAt(world, "ab+0,0.9 b", { "Mo 08:00": "ab", "Mo 10:00": "cd,bd" });
  });

  it("is the one of distance, matrix and reach", async () => {
    const world = await build({
      map: SQUARE,
      ways: { ...around, bc: `motor_vehicle:conditional="no @ (Mo-Fr 07:00-09:00)"` },
    });
    const { router } = world;
    const [a, d] = [world.at("a"), world.at("d")];
    for (const time of ["Mo 08:00", "Mo 10:00", "Mo 06:58"]) {
      const options = { mode: "car" as const, departure: at(time) };
      await expectOneRoute(world, "a d", time);
      if (time === "Mo 06:58") continue;
      const route = (await router.route([a, d], options))!;
      const [seconds] = await reach(router, a, [d], { ...options, within: 3600 });
      expect(seconds, time).toBeCloseTo(route.duration, 6);
    }
  });
});

it("costs a matrix and a distance little where nothing is worse at that hour, or nothing that they pass", async () => {
  const town = townWithTimedTurns(24, 5, ["Mo-Fr 07:00-09:00", "Sa 10:00-16:00"]);
  const { router, build: made } = await buildRoads(buildGraph(town), [8, 32, 128, 512]);
  const point = pointMaker(made, 3);
  const points = Array.from({ length: 12 }, point);
  const tiles = await Promise.all(
    Array.from({ length: router.store.manifest.tileCount }, (_, i) => router.store.tile(i)),
  );
  expect(tiles.filter((tile) => tile?.hours).length).toBeGreaterThan(tiles.length / 3);
  const work = vi.spyOn(router.store, "spend");
  const workOf = async (departure?: LocalTime) => {
    work.mockClear();
    const options = { mode: "car" as const, departure };
    await router.matrix(points.slice(0, 6), points.slice(6), options);
    for (let i = 0; i < 6; i++) await router.distance(points[i], points[i + 6], options);
    return work.mock.calls.reduce((sum, [units]) => sum + units, 0);
  };
  // Views and cliques are made by the first.
  for (let i = 0; i < 4; i++) await workOf();
  const without = await workOf();
  expect(await workOf(at("Tu 12:00"))).toBeLessThan(1.02 * without);
  await workOf(at("Tu 08:00"));
  expect(await workOf(at("Tu 08:00"))).toBeLessThan(5 * without);
  work.mockRestore();
});

describe("a random town with conditions", () => {
  let router: Router;
  let town: RoadsBuild;
  beforeAll(async () => {
    const made = await buildRoads(buildGraph(hourlyTown(samples(24, 34), 3)), [8, 32, 128, 512]);
    router = made.router;
    town = made.build;
  });

  /** Dijkstra's algorithm at some minutes, of which the worst counts. */
  const oracles = new Map<string, Dijkstra>();
  const dijkstraAt = (minutes: readonly number[], variant?: Variant) => {
    const key = `${minutes.join()} ${variant?.id}`;
    const { topology } = town.part;
    const arcs = MODES.map((_, mode) => {
      const passage = (profile: EdgeProfile) => variant?.passage(profile, mode) ?? profile.passages[mode];
      const profiles = topology.profiles.map((own) => ({ ...own, passages: own.passages.with(mode, passage(own)) }));
      return buildArcs({ ...topology, profiles }, mode, minutes);
    });
    const known = oracles.get(key) ?? new Dijkstra({ ...town, arcs });
    oracles.set(key, known);
    return known;
  };

  it("has no arc at an hour that is lighter than the best of all hours", () => {
    const { topology } = town.part;
    let closed = 0;
    for (let mode = 0; mode < MODES.length; mode++) {
      const best = town.arcs[mode];
      for (const minutes of [[minuteAt("Mo 08:00")], [minuteAt("Sa 23:00")], [500, 5000]]) {
        const arcs = buildArcs(topology, mode, minutes);
        closed += best.to.length - arcs.to.length;
        for (let edge = 0; edge < topology.edgeCount; edge++) {
          for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
            const arc = arcBetween(best, edge, arcs.to[i]);
            expect(arc).toBeGreaterThanOrEqual(0);
            const weight = arcs.turnWeight[arcs.turn[i]] + arcs.weight[arcs.to[i]];
            expect(weight).toBeGreaterThanOrEqual(best.turnWeight[best.turn[arc]] + best.weight[best.to[arc]]);
          }
        }
      }
    }
    expect(closed).toBeGreaterThan(100);
  });

  it("has routes as light as Dijkstra's at any hour", async () => {
    const point = pointMaker(town, 7);
    const { store } = router;
    let unlike = 0;
    for (const time of ["Mo 07:15", "We 11:15", "Sa 09:30", "Tu 23:00"]) {
      const departure = at(time);
      const minute = minuteAt(time);
      for (let mode = 0; mode < MODES.length; mode++) {
        for (const avoid of [0, 3]) {
          for (let i = 0; i < samples(3, 40); i++) {
            const minutes = [minute];
            const [from, to] = [
              await snap(store, point(), { mode, minutes }),
              await snap(store, point(), { mode, minutes }),
            ];
            const ends = [await startsOf(store, from.nearest), await endsOf(store, to.nearest)] as const;
            const metric = { mode, avoid };
            const options = { metric, areas: undefined, departure };
            const expected = dijkstraAt(minutes).weight(metric, ...ends);
            const found = await findPath(store, options, from.nearest, to.nearest);
            expect(found?.weight, `${time}, ${MODES[mode]}, avoid ${avoid}, pair ${i}`).toBe(expected);
            if (dijkstraAt([]).weight(metric, ...ends) !== expected) unlike++;
          }
        }
      }
    }
    expect(unlike).toBeGreaterThan(10);
  });

  it("has routes as light as Dijkstra's at any hour for vehicles of any size", async () => {
    const point = pointMaker(town, 12);
    const { store } = router;
    let unlike = 0;
    for (const [time, vehicle] of [
      ["Mo 07:15", { height: 3.5, maxSpeed: 60 }],
      ["Tu 23:00", { height: 2.5 }],
      ["Tu 23:00", { weight: 6 }],
      ["Mo 07:10", { weight: 3.5 }],
    ] as const) {
      const minutes = [minuteAt(time)];
      for (const mode of [0, 1]) {
        const variant = variantOf(mode, vehicle);
        for (let i = 0; i < samples(3, 40); i++) {
          const metric = { mode, avoid: 0, variant };
          const options = { mode, minutes, metric };
          const [from, to] = [await snap(store, point(), options), await snap(store, point(), options)];
          const ends = [await startsOf(store, from.nearest), await endsOf(store, to.nearest)] as const;
          const expected = dijkstraAt(minutes, variant).weight({ mode, avoid: 0 }, ...ends);
          const found = await findPath(
            store,
            { metric, areas: undefined, departure: at(time) },
            from.nearest,
            to.nearest,
          );
          expect(found?.weight, `${time}, ${MODES[mode]}, pair ${i}`).toBe(expected);
          if (dijkstraAt(minutes).weight({ mode, avoid: 0 }, ...ends) !== expected) unlike++;
        }
      }
    }
    expect(unlike).toBeGreaterThan(3);
  });

  it("has distances and matrices of the same routes", async () => {
    const point = pointMaker(town, 8);
    let hourly = 0;
    // Shortly before something changes; while much is closed, and little.
    for (const time of ["Mo 08:55", "Mo 08:00", "We 13:50", "Fr 15:58", "Sa 23:00"]) {
      for (const mode of MODES) {
        const [origins, destinations] = [Array.from({ length: 3 }, point), Array.from({ length: 4 }, point)];
        const options = { mode, departure: at(time) };
        const cells = await router.matrix(origins, destinations, options);
        for (let i = 0; i < origins.length; i++) {
          for (let j = 0; j < destinations.length; j++) {
            const what = `${time}, ${mode}, ${i} to ${j}`;
            const route = await router.route([origins[i], destinations[j]], options);
            const one = await router.distance(origins[i], destinations[j], options);
            expect(one?.duration ?? 0, what).toBeCloseTo(route?.duration ?? 0, 6);
            // The matrix starts on the mainland.
            if (!route || isOnIsland(route.legs[0])) continue;
            expect(cells[i][j]?.duration ?? 0, what).toBeCloseTo(route.duration, 6);
            const best = await router.distance(origins[i], destinations[j], { mode });
            if (Math.abs((best?.duration ?? 0) - route.duration) > 1) hourly++;
          }
        }
      }
    }
    expect(hourly).toBeGreaterThan(30);
  });

  it("considers a tile at a minute only if something on the route depends on the hour", async () => {
    const point = pointMaker(town, 10);
    const { store } = router;
    const view = vi.spyOn(store, "view");
    const isHourly = ({ tile }: { tile: Tile }, edge: number) =>
      tile.passage(edge, 0).hours !== undefined || tile.exceptions.some((turn) => turn.hours && turn.from === edge);
    const considered = { steady: 0, hourly: 0 };
    let steady = 0;
    for (let i = 0; i < 120; i++) {
      const leg = (await router.route([point(), point()], { mode: "car" }))?.legs[0];
      if (!leg?.edges.some(({ view }) => view.tile.hours)) continue;
      const met = leg.turns.flatMap(({ view, from, to }) => [isHourly(view, from), isHourly(view, to)]);
      const [first] = leg.edges;
      const kind = met.includes(true) || isHourly(first.view, first.edge) ? "hourly" : "steady";
      if (kind === "steady") steady++;
      view.mockClear();
      new RouteHours(at("Tu 03:00")).agree(store, { mode: 0, avoid: 0 }, leg);
      considered[kind] += view.mock.calls.length;
    }
    view.mockRestore();
    expect(steady).toBeGreaterThan(3);
    expect(considered.steady).toBe(0);
    expect(considered.hourly).toBeGreaterThan(50);
  });

  it("lets no route pass what is closed when it gets there", async () => {
    const point = pointMaker(town, 9);
    let late = 0;
    for (let i = 0; i < samples(60, 400); i++) {
      const mode = i % MODES.length;
      // Shortly before something changes.
      const departure = at(["Mo 06:58", "Mo 08:58", "Tu 05:59", "Sa 21:58", "We 13:58"][i % 5]);
      const start = departure.day * 1440 + departure.minute;
      const route = await router.route([point(), point()], { mode: MODES[mode], departure });
      for (const { edges, turns } of route?.legs ?? []) {
        let seconds = 0;
        turns.forEach(({ view, from, to, arc }, turn) => {
          seconds += edges[turn].duration;
          const minute = (start + Math.floor(seconds / 60)) % WEEK;
          const { arcs } = router.store.view(view.tile, { mode, avoid: 0, minutes: [minute] });
          const own = arcBetween(arcs, from, to);
          expect(own, `route ${i}, turn ${turn}`).toBeGreaterThanOrEqual(0);
          expect(arcs.duration[to]).toBeLessThanOrEqual(view.arcs.duration[view.arcs.to[arc]]);
          if (minute > start && view.tile.hours?.changesWithin(start, minute - start)) late++;
        });
      }
    }
    expect(late).toBeGreaterThan(20);
  });

  it("offers alternatives that pass at their hour", async () => {
    const point = pointMaker(town, 10);
    let others = 0;
    for (let i = 0; i < samples(12, 60); i++) {
      const departure = at("Mo 08:00");
      const routes = await router.routeWithAlternatives(point(), point(), { mode: "car", departure });
      others += Math.max(0, routes.length - 1);
      for (const { legs } of routes) {
        for (const { view, from, to } of legs[0].turns) {
          const { arcs } = router.store.view(view.tile, { mode: 0, avoid: 0, minutes: [minuteAt("Mo 08:00")] });
          expect(arcBetween(arcs, from, to)).toBeGreaterThanOrEqual(0);
        }
      }
    }
    expect(others).toBeGreaterThan(0);
  });
});

const isOnIsland = ({ start, end }: Leg) => start.island || end.island;
