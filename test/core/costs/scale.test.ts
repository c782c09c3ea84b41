import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CALL_CLASSES } from "../../../src/core/costs/call-classes.ts";
import { costOf, EMPTY_MIX } from "../../../src/core/costs/mix.ts";
import { PRICES, type Usage } from "../../../src/core/costs/prices.ts";
import { OWN_LIMITS } from "../../../src/core/costs/scale/part.ts";
import { PLATFORM_LIMITS } from "../../../src/core/costs/scale/platform-limits.ts";
import { LARGE_PROJECT, readScale, type ScaleProject, times } from "../../../src/core/costs/scale/project.ts";
import rates from "../../../src/core/costs/scale/rates.json" with { type: "json" };
import { scaleOf } from "../../../src/core/costs/scale/scale.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { ROOT } from "../../support/imports.ts";

const wallsOf = (project: ScaleProject) =>
  new Map(scaleOf(project).walls.map((wall) => [`${wall.part}: ${wall.what}`, wall]));
const wall = (project: ScaleProject, part: string, words: string) => {
  const found = scaleOf(project).walls.find((one) => one.part === part && one.what.includes(words));
  if (!found) throw new Error(`No limit of ${part} about ${words}`);
  return found;
};
/** Nothing but updates. */
const ONLY_UPDATES: ScaleProject = {
  ...{ ...LARGE_PROJECT, searchesPerSecond: 0, geofences: 0, campaigns: 0, eventsPerActiveUser: 0, webhooks: 0 },
  ...{ meetingShare: 0, leavingPerMonth: 0, geodataGB: 5, isolates: 10 },
};

describe("a large project", () => {
  it("is what one counts by hand", () => {
    // 3,600 users, all in motion for one hour of a day with an update each 10 s: 360 a second, 1,296,000 a day.
    const project = { ...ONLY_UPDATES, users: 3_600, activePerDay: 3_600, movingAtOnce: 3_600 };
    Object.assign(project, { secondsBetweenUpdates: 10, hoursMovingPerDay: 1, eventsPerActiveUser: 2 });
    const { load, usage } = scaleOf(project);
    expect([load.updates, load.updatesADay, load.updatesAMonth]).toEqual([360, 1_296_000, 38_880_000]);
    // 7,200 events in the same hour: 2 a second.
    expect([load.events, load.eventsAMonth]).toEqual([2, 216_000]);
    expect(wall(project, "database writers", "calls").used).toBe(360);
    expect(wall({ ...project, writers: 4 }, "database writers", "calls").used).toBe(90);
    // 51.84 million updates are 3,600 users with 7 × 360 updates each, and 7 days of 7,200 events.
    expect(scaleOf(project).parts.find(({ name }) => name === "trackers")?.bytes).toBe(
      3_600 * (rates.bytes.tracker + 7 * 360 * rates.bytes.update),
    );
    expect(wall(project, "D1, the project's", "one D1 database: users").used).toBe(
      3_600 * rates.bytes.user + 50_400 * rates.bytes.event,
    );
    expect(wall(project, "scheduled runs", "archive").used).toBe(300);
    expect(usage.requests).toBe(38_880_000);
    expect(usage.databaseRows).toBeCloseTo(38_880_000 * 1.09 + 216_000 * 7 + (10 / 25) * 30 * 86_400 + 13.5, 0);
  });

  it("costs about what the price table of a mix says, which was counted from other devices", () => {
    for (const factor of [0.01, 0.1, 1]) {
      const project = times(ONLY_UPDATES, factor);
      const { load, total } = scaleOf(project);
      const mix = costOf({ ...EMPTY_MIX, calls: { track: load.updatesAMonth }, users: project.users });
      expect(total / mix.total, String(factor)).toBeGreaterThan(0.75);
      expect(total / mix.total, String(factor)).toBeLessThan(1.25);
    }
  });

  it("asks for geofences with most updates once trackers are forgotten between them, and after each change", () => {
    const index = (more: Partial<ScaleProject>) =>
      wall({ ...ONLY_UPDATES, geofences: 1, geofenceChangesPerDay: 0, ...more }, "geofence index", "calls").used;
    const [awake, asleep] = [index({ secondsBetweenUpdates: 10 }) * 10, index({ secondsBetweenUpdates: 11 }) * 11];
    expect(asleep / awake).toBeGreaterThan(20);
    expect(index({ geofenceChangesPerDay: 86_400 })).toBeCloseTo(LARGE_PROJECT.movingAtOnce / 20, -2);
    expect(index({ geofences: 0 })).toBe(0);
  });

  it("breaks first at its writer, then at the index of its geofences, then at the size of its database", () => {
    const first = scaleOf(LARGE_PROJECT).walls.slice(0, 3);
    expect(first.map(({ part }) => part)).toEqual(["database writers", "geofence index", "D1, the project's"]);
    for (const { utilization } of first) expect(utilization).toBeGreaterThan(10);
  });

  it("is held by each limit exactly up to the size it names", () => {
    for (const [name, { holds }] of wallsOf(LARGE_PROJECT)) {
      if (holds === Number.POSITIVE_INFINITY) continue;
      const at = (factor: number) => wallsOf(times(LARGE_PROJECT, factor)).get(name)?.utilization ?? 0;
      expect(at(holds * 0.999), name).toBeLessThanOrEqual(1);
      expect(at(holds * 1.001), name).toBeGreaterThan(1);
    }
  });
});

describe("more of anything", () => {
  const random = seededRandom(59);
  const projects = Array.from({ length: 60 }, (): ScaleProject => {
    const project: Record<string, number> = { ...LARGE_PROJECT };
    for (const [name, value] of Object.entries(LARGE_PROJECT)) project[name] = value * (0.05 + 0.9 * random());
    return {
      ...(project as ScaleProject),
      ...{ writers: 1 + Math.floor(random() * 16), databases: 1, isolates: 1 + Math.floor(random() * 2_000) },
      ...{ secondsBetweenUpdates: 1 + random() * 60, learning: random() < 0.5 ? 0 : 1, campaigns: 3 },
      // So that the day fits into its busiest second, whatever else is drawn.
      ...{ activePerDay: project.movingAtOnce * 1.5, hoursMovingPerDay: random() * 2 },
      users: project.movingAtOnce * (1.5 + 5 * random()),
    };
  });
  /** Fields of which more is more work, in itself. */
  const MORE = [
    ...(["users", "searchesPerSecond", "geofences", "geofenceChangesPerDay", "eventsPerActiveUser"] as const),
    ...(["webhooks", "meetingShare", "campaigns", "campaignEventShare", "phoneCampaigns", "learning"] as const),
    ...(["isolates", "leavingPerMonth", "eventDays", "hotDays", "geodataGB", "logShare"] as const),
  ];

  it.each(MORE)("%s costs no less and eases no limit", (field) => {
    for (const project of projects) {
      const more = { ...project, [field]: project[field] * 1.7 + (field === "phoneCampaigns" ? 1 : 0) };
      const [before, after] = [scaleOf(project), scaleOf(more)];
      expect(after.total, field).toBeGreaterThanOrEqual(before.total);
      const [walls, later] = [wallsOf(project), wallsOf(more)];
      for (const [name, { used }] of walls)
        expect(later.get(name)?.used, `${field}: ${name}`).toBeGreaterThanOrEqual(used * (1 - 1e-12));
    }
  });

  it("twice the size costs at most twice as much and never less", () => {
    for (const project of projects) {
      const [once, twice] = [scaleOf(project).total, scaleOf(times(project, 2)).total];
      expect(twice).toBeGreaterThanOrEqual(once);
      // What the plan includes is included once; silent devices rise with nothing.
      expect(twice).toBeLessThanOrEqual(2 * once + INCLUDED);
    }
  });

  it("updates that are kept longer cost more, and fewer devices fall silent", () => {
    const [week, month] = [7, 30].map((updateDays) => scaleOf({ ...LARGE_PROJECT, updateDays }));
    expect(month.usage.objectStorage).toBeGreaterThan(2 * week.usage.objectStorage);
    const silent = ({ walls }: typeof week) => walls.find(({ what }) => what.includes("silent"))?.used ?? 0;
    expect(silent(month)).toBeLessThan(silent(week) / 50);
  });

  it("more writers take calls from each and add those of searches", () => {
    const one = scaleOf(LARGE_PROJECT).parts.find(({ name }) => name === "database writers");
    const many = scaleOf({ ...LARGE_PROJECT, writers: 16 }).parts.find(({ name }) => name === "database writers");
    expect(many?.checks[0].used).toBe(50_000 / 16 + 1_000);
    expect(one?.checks[0].used).toBe(51_000);
    expect(many?.calls).toBe(66_000);
  });
});

/** What is free with the plan [$]. */
const INCLUDED = Object.values(PRICES).reduce((sum, { included, per, dollars }) => sum + (included / per) * dollars, 0);

describe("where the figures come from", () => {
  it("names a page of the platform or a file here for each limit", () => {
    const pages: string[] = Object.values(PLATFORM_LIMITS).map(({ page }) => page);
    for (const { source, limit } of scaleOf(LARGE_PROJECT).walls) {
      if (source === OWN_LIMITS) expect(existsSync(join(ROOT, source))).toBe(true);
      else expect(pages).toContain(source);
      expect(limit).toBeGreaterThan(0);
    }
    for (const { read } of Object.values(PLATFORM_LIMITS)) expect(read).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it("names the command that measures each rate", () => {
    for (const [name, { command, date }] of Object.entries(rates)) {
      expect(date, name).toMatch(/^20\d\d-\d\d-\d\d$/);
      if (name === "platform") continue;
      const [, bench] = /^npm run bench -- (\w+)/.exec(command) ?? [];
      const folders = ["", "scale", "core"].map((folder) => join(ROOT, "test/bench", folder, `${bench}.bench.ts`));
      expect(
        folders.some((path) => existsSync(path)),
        command,
      ).toBe(true);
    }
  });

  it("sums up parts item by item", () => {
    const { parts, usage } = scaleOf(LARGE_PROJECT);
    for (const item of Object.keys(PRICES) as (keyof Usage)[])
      expect(parts.reduce((sum, part) => sum + (part.usage[item] ?? 0), item === "plan" ? 1 : 0)).toBe(usage[item]);
    expect(usage.cpu).toBe(21.6e9 * CALL_CLASSES.track.cpu + 2.16e9 * CALL_CLASSES.lookup.cpu);
  });
});

describe("the file of a project", () => {
  it("has defaults for what it leaves out, sizes in proportion to its users", () => {
    expect(readScale("{}")).toEqual(LARGE_PROJECT);
    expect(readScale('{"users": 1000000, "campaigns": 3}')).toEqual({
      ...{ ...LARGE_PROJECT, users: 1e6, activePerDay: 2e5, movingAtOnce: 1e5, geofences: 5e4, campaigns: 3 },
      ...{ geofenceChangesPerDay: 1, searchesPerSecond: 500, isolates: 100 },
    });
  });

  it.each([
    ["{", "The file is not JSON."],
    ["[]", 'The file must be an object such as {"users": 10000000}.'],
    ['{"user": 1}', "user: Unknown field. Fields: users, activePerDay, "],
    ['{"users": 0}', "users: Must be a number from 1 to"],
    ['{"users": "1"}', "users: Must be a number from 1 to"],
    ['{"writers": 17}', "writers: Must be a number from 1 to 16."],
    ['{"meetingShare": 2}', "meetingShare: Must be a number from 0 to 1."],
    ['{"learning": 2}', "learning: Must be a number from 0 to 1."],
    ['{"activePerDay": 20000000}', "activePerDay: Must not be more than users."],
    ['{"movingAtOnce": 1000}', "movingAtOnce: activePerDay × hoursMovingPerDay makes 166667 at any time."],
    ['{"movingAtOnce": 3000000}', "movingAtOnce: Must not be more than activePerDay."],
    ['{"hoursMovingPerDay": 25}', "hoursMovingPerDay: Must be at most 24."],
    ['{"userSearchShare": 0.7, "geofenceSearchShare": 0.4}', "geofenceSearchShare: With userSearchShare, at most 1."],
  ])("%s is rejected with the field and its rule", (text, message) => {
    expect(() => readScale(text)).toThrow(message);
  });
});
