import { beforeAll, describe, expect, it } from "vitest";
import { ByteReader, ByteWriter } from "../../../../src/core/geo/bytes/bytes.ts";
import { buildArcs } from "../../../../src/core/routing/graph/arcs.ts";
import { minuteIn, readCalendar, writeCalendar } from "../../../../src/core/routing/graph/calendar.ts";
import { MODES, type Mode } from "../../../../src/core/routing/graph/modes.ts";
import { appliesWithin, entryAt, isWithin, spansWhere } from "../../../../src/core/routing/graph/schedule.ts";
import { type LocalTime, localTimeOf, minuteOf } from "../../../../src/core/routing/graph/traffic.ts";
import { findPath } from "../../../../src/core/routing/route/path-search.ts";
import type { Router } from "../../../../src/core/routing/route/router.ts";
import { endsOf, startsOf } from "../../../../src/core/routing/search/end-points.ts";
import { snap } from "../../../../src/core/routing/store/snap.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { conditionsIn, conditionsOf } from "../../../../src/importer/layers/roads/profiles/conditional.ts";
import { inOneCalendar, timesOf } from "../../../../src/importer/layers/roads/profiles/times.ts";
import type { OsmElement, Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { samples } from "../../../support/night.ts";
import { seeded } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";
import { pointMaker } from "../search/compare.ts";
import { Dijkstra } from "../search/dijkstra.ts";
import { HoursDraw } from "./generated-hours.ts";
import { hourlyTown } from "./hourly-town.ts";

const EPOCH = Date.UTC(1970, 0, 5);
const localOf = (time: Date): LocalTime => localTimeOf(Math.floor((time.getTime() - EPOCH) / 60_000));
const local = (text: string): LocalTime => localOf(new Date(`${text}Z`));

/** Forty moments from now until two years later, and the ends of months and years among them. */
function moments(random: () => number, count = 40): Date[] {
  const edges = ["2026-12-31T23:59", "2027-01-01T00:00", "2028-02-29T12:00", "2027-03-28T02:30", "2026-10-31T23:45"];
  const others = Array.from(
    { length: count - edges.length },
    () => Date.UTC(2026, 0, 1) + Math.floor(random() * 1050 * 1440) * 60_000,
  );
  return [...edges.map((text) => new Date(`${text}Z`)), ...others.map((time) => new Date(time))];
}

describe("conditions about dates", () => {
  it("hold when the values that they were drawn from do, also in a calendar with others, and once written and read", () => {
    const random = seeded(11);
    const draw = new HoursDraw(random);
    let [dated, held] = [0, 0];
    for (let i = 0; i < samples(250, 5000); i++) {
      const [one, other] = [draw.condition(), draw.condition()];
      const times = timesOf(one.text);
      expect(times, one.text).toBeDefined();
      const both = inOneCalendar([times!, timesOf(other.text)!]);
      if (!both) continue;
      const out = new ByteWriter();
      writeCalendar(out, both.calendar ?? []);
      const calendar = both.calendar && readCalendar(new ByteReader(out.finish()));
      if (calendar) dated++;
      for (const time of moments(random)) {
        const minute = minuteOf(localOf(time));
        const what = `${one.text} at ${time.toISOString()}`;
        expect(isWithin(times!.spans, minuteIn(times!.calendar, minute)), what).toBe(one.holds(time));
        expect(isWithin(both.spans[0], minuteIn(calendar, minute)), what).toBe(one.holds(time));
        expect(isWithin(both.spans[1], minuteIn(calendar, minute)), `${other.text} at ${time}`).toBe(other.holds(time));
        if (one.holds(time)) held++;
      }
    }
    expect(dated).toBeGreaterThan(100);
    expect(held).toBeGreaterThan(1000);
  });

  it("change within some minutes if one of these is unlike the first", () => {
    const random = seeded(12);
    const draw = new HoursDraw(random);
    for (let i = 0; i < samples(60, 600); i++) {
      const { calendar, spans } = timesOf(draw.condition().text)!;
      const froms = [...new Set([0, ...spans.flat()])].sort((a, b) => a - b);
      const table = { calendar, entries: froms.map((from) => ({ from, on: isWithin(spans, from) })) };
      expect(spansWhere(table, ({ on }) => on)).toEqual(spans);
      for (const time of moments(random, 8)) {
        const [minute, minutes] = [minuteOf(localOf(time)), Math.floor(random() * 3000)];
        const at = (after: number) => entryAt(table, minute + after).on;
        const isOnLater = Array.from({ length: minutes + 1 }, (_, after) => at(after)).includes(true);
        expect(appliesWithin(table, minute, minutes, ({ on }) => on)).toBe(isOnLater);
      }
    }
  });

  it.each([
    ["no @ (winter)", 1],
    ["no @ (PH)", 1],
    ["no @ (wet); no @ (Nov-May)", 1],
    ["no @ (Mo-Fr AND permit)", 1],
    ["no @ (sunset-sunrise)", 0],
    ["no @ (height>3 AND Nov-May)", 0],
    ["no @ (01.11-30.04)", 1],
    ["no @ (15.10-15.04)", 1],
    ["no @ (7.30-18.00)", 0],
    ["no @ (Mo-Fr 07:00-09:00); Sa 08:00-09:00", 1],
    ["Nov-May", 1],
    ["no @", 1],
  ])("in %s are told if they are not understood", (text, count) => {
    const skipped: string[] = [];
    conditionsOf(text, (one) => skipped.push(one));
    expect(skipped).toHaveLength(count);
  });

  it("may have several times after semicolons, in brackets or not", () => {
    const spansOf = (text: string) => conditionsOf(text).map(({ value, hours }) => [value, hours?.spans]);
    const bracketed = spansOf("no @ (Mo-Fr 07:00-09:00; Sa 08:00-09:00); yes @ (Su)");
    expect(bracketed).toHaveLength(2);
    expect(bracketed[0][1]).toHaveLength(6);
    expect(spansOf("no @ Mo-Fr 07:00-09:00; Sa 08:00-09:00; yes @ Su")).toEqual(bracketed);
  });

  it("leave out what would need too many special days", () => {
    const text = MONTHS.map((month, i) => `no @ (${month} ${i + 1})`).join("; ");
    const skipped: string[] = [];
    expect(conditionsIn({ "access:conditional": text }, undefined, (one) => skipped.push(one)).list).toHaveLength(8);
    expect(skipped).toHaveLength(4);
  });
});

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Roads side by side, each of three ways of 300 m, the second with a condition that `closes` it for a mode. */
type Closing = (condition: string) => { mode: Mode; pass?: Tags; node?: Tags; turn?: Tags; isOpening?: boolean };
const CLOSINGS: Closing[] = [
  (at) => ({ mode: "car", pass: { "access:conditional": `no @ (${at})` } }),
  (at) => ({ mode: "bike", pass: { "access:conditional": `no @ (${at})` } }),
  (at) => ({ mode: "foot", pass: { foot: "no", "foot:conditional": `yes @ (${at})` }, isOpening: true }),
  (at) => ({ mode: "car", pass: { "oneway:conditional": `-1 @ (${at})` } }),
  (at) => ({ mode: "truck", pass: { "maxheight:conditional": `3 @ (${at})` } }),
  (at) => ({ mode: "truck", pass: { maxweight: "5", "maxweight:conditional": `40 @ (${at})` }, isOpening: true }),
  (at) => ({ mode: "truck", pass: { "hgv:conditional": `no @ (${at} AND weight>7.5)` } }),
  (at) => ({ mode: "car", node: { barrier: "gate", access: "yes", "motor_vehicle:conditional": `no @ (${at})` } }),
  (at) => ({ mode: "car", turn: { "restriction:conditional": `no_straight_on @ (${at})` } }),
];

function roadsSideBySide(closed: readonly ReturnType<Closing>[]): OsmElement[] {
  const elements: OsmElement[] = [];
  closed.forEach(({ pass = {}, node, turn }, row) => {
    const id = row * 4 + 1;
    for (let i = 0; i < 4; i++)
      elements.push({
        type: "node",
        id: id + i,
        latitude: row / 100,
        longitude: i * 0.0027,
        tags: i === 1 && node ? node : {},
      });
    for (let i = 0; i < 3; i++)
      elements.push({
        type: "way",
        id: id + i,
        refs: [id + i, id + i + 1],
        tags: { highway: "secondary", ...(i === 1 && pass) },
      });
    const members = [
      { type: "way" as const, ref: id, role: "from" },
      { type: "node" as const, ref: id + 1, role: "via" },
      { type: "way" as const, ref: id + 1, role: "to" },
    ];
    if (turn) elements.push({ type: "relation", id, members, tags: { type: "restriction", ...turn } });
  });
  return elements;
}

it("closes and opens roads, turns, barriers and limits on the dates of their conditions", async () => {
  const random = seeded(13);
  const draw = new HoursDraw(random);
  const rows = CLOSINGS.flatMap((closing) =>
    Array.from({ length: samples(6, 60) }, () => {
      const condition = draw.condition();
      return { ...closing(condition.text), condition };
    }),
  );
  const { router } = await buildRoads(buildGraph(roadsSideBySide(rows)));
  const met = { open: 0, closed: 0 };
  for (const time of moments(random)) {
    for (const [row, { mode, condition, isOpening }] of rows.entries()) {
      // It is met some minutes after the departure.
      if (condition.holds(time) !== condition.holds(new Date(time.getTime() + 4 * 60_000))) continue;
      const [from, to] = [0, 0.0081].map((longitude) => ({ latitude: row / 100, longitude }));
      const route = await router.route([from, to], { mode, departure: localOf(time), reach: 50 });
      const expected = condition.holds(time) === (isOpening === true);
      expect(route !== undefined, `${JSON.stringify(rows[row])} at ${time.toISOString()}`).toBe(expected);
      met[expected ? "open" : "closed"]++;
    }
  }
  expect(Math.min(met.open, met.closed)).toBeGreaterThan(300);
});

it("closes a pass from November to May, with the speed of its season and of each hour in it", async () => {
  const { router } = await buildRoads(
    buildGraph(
      roadsSideBySide([
        { mode: "car", pass: { "motor_vehicle:conditional": "no @ (Nov-May)" } },
        { mode: "car", pass: { "access:conditional": "no @ (Mo-Su 00:00-24:00)" } },
        { mode: "car", pass: { "access:conditional": "no @ 24/7; yes @ (Jul)" } },
        { mode: "car", pass: { maxspeed: "80", "maxspeed:conditional": "40 @ (Nov-Mar); 20 @ (Nov-Mar 18:00-06:00)" } },
      ]),
    ),
  );
  const durationAt = async (row: number, time: string) => {
    const [from, to] = [0, 0.0081].map((longitude) => ({ latitude: row / 100, longitude }));
    return (await router.route([from, to], { mode: "car", departure: local(time), reach: 50 }))?.duration;
  };
  expect(await durationAt(0, "2026-12-15T12:00")).toBeUndefined();
  expect(await durationAt(0, "2027-06-01T00:00")).toBeGreaterThan(0);
  expect(await durationAt(0, "2027-10-31T23:57")).toBeGreaterThan(0);
  expect(await durationAt(1, "2026-07-01T12:00")).toBeUndefined();
  expect(await durationAt(2, "2026-06-30T23:50")).toBeUndefined();
  expect(await durationAt(2, "2026-07-01T00:00")).toBeGreaterThan(0);
  const [summer, day, night] = await Promise.all(
    ["2026-08-03T23:00", "2026-12-03T12:00", "2026-12-03T23:00"].map((time) => durationAt(3, time)),
  );
  const limited = 300 / ((80 * 0.8) / 3.6);
  expect(day! - summer!).toBeCloseTo(limited, -0.5);
  expect(night! - summer!).toBeCloseTo(3 * limited, -0.5);
});

describe("a random town with conditions about dates", () => {
  let router: Router;
  let town: RoadsBuild;
  const draw = new HoursDraw(seeded(4));
  const drawn = Array.from({ length: 12 }, () => draw.condition());
  beforeAll(async () => {
    const times = drawn.map(({ text }) => text);
    const made = await buildRoads(buildGraph(hourlyTown(samples(16, 34), 3, times)), [8, 32, 128, 512]);
    router = made.router;
    town = made.build;
  });

  /** Does nothing change while a route is under way? */
  const isSteady = (time: Date) =>
    drawn.every((one) => {
      const first = one.holds(time);
      return Array.from({ length: 5 }, (_, i) => i * 15).every(
        (m) => one.holds(new Date(time.getTime() + m * 60_000)) === first,
      );
    });

  it("has routes as light as Dijkstra's on forty dates", async () => {
    const point = pointMaker(town, 7);
    const { store } = router;
    const { topology } = town.part;
    let unlike = 0;
    for (const time of moments(seeded(14), 200).filter(isSteady).slice(0, 40)) {
      const departure = localOf(time);
      const minutes = [minuteOf(departure)];
      for (const mode of [0, 3]) {
        const metric = { mode, avoid: 0 };
        const arcs = MODES.map((_, own) => (own === mode ? buildArcs(topology, own, minutes) : town.arcs[own]));
        const [dijkstra, best] = [new Dijkstra({ ...town, arcs }), new Dijkstra(town)];
        for (let i = 0; i < samples(3, 20); i++) {
          const [from, to] = [
            await snap(store, point(), { mode, minutes }),
            await snap(store, point(), { mode, minutes }),
          ];
          const ends = [await startsOf(store, from.nearest), await endsOf(store, to.nearest)] as const;
          const expected = dijkstra.weight(metric, ...ends);
          const found = await findPath(store, { metric, areas: undefined, departure }, from.nearest, to.nearest);
          expect(found?.weight, `${time.toISOString()}, ${MODES[mode]}, pair ${i}`).toBe(expected);
          if (best.weight(metric, ...ends) !== expected) unlike++;
        }
      }
    }
    expect(unlike).toBeGreaterThan(20);
  });
});
