import { describe, expect, it } from "vitest";
import { destination, distance } from "../../../../src/core/geo/distance.ts";
import type { Rerun } from "../../../../src/core/tracking/history/rerun.ts";
import { subjectVerdict } from "../../../../src/core/tracking/history/verdict.ts";
import { localDays } from "../../../../src/core/tracking/insights/spots.ts";
import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import type { Decision } from "../../../../src/core/tracking/trace/decision.ts";
import type { Insights } from "../../../../src/core/tracking/types/insights.ts";
import { DEFAULT_SETTINGS } from "../../../../src/core/tracking/types/settings.ts";
import { wireUser } from "../../../../src/worker/wire/user.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { samples } from "../../../support/night.ts";
import { DAY, HOUR, Life, MINUTE, MONDAY } from "./simulated.ts";

const HOME = { latitude: 48.2, longitude: 16.37 };
const at = (metres: number, bearing = 90) => destination(HOME, bearing, metres);
const insightsOf = (life: Life) => life.state?.insights as Insights;
const isVisiting = (life: Life) => insightsOf(life).stay?.isVisit === true;

/** Days of home, work and the way between them. @param sparse one fix per stay, as phones with stop detection send */
function liveDays(life: Life, days: number, work: { latitude: number; longitude: number }, sparse: boolean): void {
  const every = sparse ? undefined : 10 * MINUTE;
  for (let day = 0; day < days; day++) {
    const midnight = MONDAY + day * DAY;
    if (day % 7 >= 5) {
      life.stay(midnight + DAY, every);
      continue;
    }
    life.stay(midnight + 8 * HOUR + life.random() * HOUR, every);
    life.go(work, 30);
    life.stay(midnight + 17 * HOUR + life.random() * HOUR, every);
    life.go(HOME, 30);
    life.stay(midnight + DAY, every);
  }
}

describe("stays", () => {
  it("begin after ten minutes in one place, and end with the way from it", () => {
    const life = new Life(seededRandom(1), HOME);
    life.stay(life.now + 9 * MINUTE, MINUTE);
    expect(isVisiting(life)).toBe(false);
    life.stay(life.now + 3 * MINUTE, MINUTE);
    expect(isVisiting(life)).toBe(true);
    expect(insightsOf(life).stay?.since).toBe(MONDAY);
    life.go(at(400), 5);
    expect(isVisiting(life)).toBe(false);
  });

  it("last through bad fixes, and through a night without any", () => {
    const life = new Life(seededRandom(2), HOME);
    life.stay(life.now + 20 * MINUTE, MINUTE);
    life.here = at(5000);
    life.accuracy = 500;
    life.send();
    life.here = HOME;
    life.accuracy = 15;
    life.now += 8 * HOUR;
    life.send();
    expect(insightsOf(life).stay).toMatchObject({ isVisit: true, since: MONDAY });
  });

  it("are not slow walks, of any speed from 1 km/h, straight or in circles around blocks", () => {
    for (let seed = 0; seed < samples(40, 600); seed++) {
      const life = new Life(seededRandom(seed), HOME);
      life.accuracy = 5 + life.random() * 25;
      const speed = 1 + life.random() * 4;
      let visits = 0;
      let walked = 0;
      const corners = [at(0), at(300), destination(at(300), 0, 300), destination(HOME, 0, 300)];
      const isRound = life.random() < 0.5;
      for (let corner = 1; walked < 2000; corner++) {
        const to = isRound ? corners[corner % 4] : destination(life.here, 70 + 30 * life.random(), 300);
        const from = life.here;
        life.go(to, speed, { stopped: undefined });
        walked += distance(from, to);
        if (isVisiting(life)) visits++;
      }
      expect(visits, `seed ${seed}, ${speed} km/h, accuracy ${life.accuracy}`).toBe(0);
    }
  });

  it("are found at any true stay of half an hour, whatever its fixes' errors", () => {
    for (let seed = 0; seed < samples(40, 600); seed++) {
      const life = new Life(seededRandom(seed), HOME);
      life.accuracy = 5 + life.random() * 25;
      life.go(at(1000), 5);
      life.stay(life.now + 30 * MINUTE, MINUTE);
      expect(isVisiting(life), `seed ${seed}, accuracy ${life.accuracy}`).toBe(true);
      expect(distance(insightsOf(life).stay?.location ?? HOME, life.here)).toBeLessThan(2 * life.accuracy + 10);
    }
  });

  it("of a device that sends nothing while it has stopped lasted until it had to leave", () => {
    const life = new Life(seededRandom(3), HOME);
    life.stay(life.now + 2 * HOUR);
    life.here = at(3000);
    life.send();
    const quiet = new Life(seededRandom(3), HOME);
    quiet.send();
    quiet.now += 2 * HOUR;
    quiet.here = at(3000);
    quiet.send();
    expect(insightsOf(life).spots).toHaveLength(1);
    expect(insightsOf(quiet).spots).toHaveLength(0);
  });

  it("cost a bounded state, wherever a device goes for months", () => {
    const life = new Life(seededRandom(4), HOME);
    for (let day = 0; day < samples(60, 400); day++) {
      life.here = destination(HOME, life.random() * 360, life.random() * 50_000);
      life.stay(life.now + DAY, 30 * MINUTE);
    }
    expect(insightsOf(life).spots.length).toBeLessThanOrEqual(8);
    expect(JSON.stringify(insightsOf(life)).length).toBeLessThan(4000);
  });
});

describe("home and work", () => {
  it.each([
    ["fixes every ten minutes", false],
    ["one fix per stay", true],
  ])("are found where the device truly lives and works: %s", (_, sparse) => {
    for (let seed = 0; seed < samples(6, 100); seed++) {
      const life = new Life(seededRandom(seed), HOME);
      const work = at(3000 + life.random() * 12_000, life.random() * 360);
      liveDays(life, 14, work, sparse);
      const { home, work: found } = insightsOf(life);
      expect(distance(home?.location ?? work, HOME), `home, seed ${seed}`).toBeLessThan(60);
      expect(distance(found?.location ?? HOME, work), `work, seed ${seed}`).toBeLessThan(60);
      expect(home?.confidence).toBe(3);
      // In the second week, each workday has its four events of bases and two of each commute.
      const week = life.types(MONDAY + 7 * DAY + 4 * HOUR).filter((type) => !type.startsWith("entered_region"));
      const day = [
        ...["exited_home", "started_commuting", "entered_work", "stopped_commuting"],
        ...["exited_work", "started_commuting", "entered_home", "stopped_commuting"],
      ];
      expect(week, `seed ${seed}`).toEqual(Array.from({ length: 5 }, () => day).flat());
    }
  });

  it("are not found before three nights, and are known then", () => {
    const life = new Life(seededRandom(7), HOME);
    liveDays(life, 2, at(5000), false);
    expect(insightsOf(life).home).toBeUndefined();
    const three = new Life(seededRandom(7), HOME);
    liveDays(three, 4, at(5000), false);
    expect(insightsOf(three).home?.confidence).toBe(1);
    expect(wireUser(three.state as NonNullable<typeof three.state>).insights).toMatchObject({
      homeLocation: { type: "home", confidence: 1 },
      officeLocation: { type: "office" },
      state: { home: true, office: false, traveling: false, commuting: false },
    });
  });

  it("follow the time zone: who sleeps by day there is at home by night elsewhere", () => {
    const life = new Life(seededRandom(8), HOME);
    life.timeZone = "Asia/Tokyo";
    liveDays(life, 14, at(8000), false);
    // 8 to 17 UTC is 17 to 2 in Tokyo, and the rest of the day 2 to 17: the nights are shorter there, but longer at home.
    expect(distance(insightsOf(life).home?.location ?? at(8000), HOME)).toBeLessThan(60);
  });

  it("move with the user after a week or so", () => {
    const life = new Life(seededRandom(9), HOME);
    liveDays(life, 14, at(5000), false);
    const flat = at(20_000, 0);
    life.here = flat;
    life.stay(life.now + 9 * DAY, 20 * MINUTE);
    expect(distance(insightsOf(life).home?.location ?? HOME, flat)).toBeLessThan(60);
    expect(life.types(MONDAY + 14 * DAY)).toContain("entered_home");
  });

  it("are not entered by passing them, nor left by a bad fix", () => {
    const life = new Life(seededRandom(10), HOME);
    liveDays(life, 7, at(5000), false);
    life.go(at(3000, 180), 30);
    const before = life.happened.length;
    life.go(at(3000, 0), 60);
    expect(life.types(0).slice(before)).not.toContain("entered_home");
  });

  it("are far away on a journey", () => {
    const life = new Life(seededRandom(11), HOME);
    liveDays(life, 7, at(5000), false);
    life.here = at(200_000);
    life.now += 3 * HOUR;
    life.send();
    life.here = at(120_000);
    life.send();
    expect(life.types(MONDAY + 7 * DAY)).toContain("started_traveling");
    expect(life.types(MONDAY + 7 * DAY)).not.toContain("stopped_traveling");
    life.here = HOME;
    life.now += 3 * HOUR;
    life.send({ stopped: true });
    expect(life.types(MONDAY + 7 * DAY).slice(-2)).toEqual(["entered_home", "stopped_traveling"]);
  });

  it("are not commuted between by a walk elsewhere", () => {
    const life = new Life(seededRandom(12), HOME);
    liveDays(life, 7, at(5000), false);
    const from = life.now;
    life.go(at(2000, 270), 5);
    life.go(HOME, 5);
    life.stay(life.now + HOUR, 10 * MINUTE);
    expect(life.types(from)).toEqual(["exited_home", "entered_home"]);
  });

  it("are no longer commuted between far from the way", () => {
    const life = new Life(seededRandom(15), HOME);
    liveDays(life, 7, at(5000), false);
    const from = life.now;
    life.go(at(2000), 30);
    expect(life.types(from)).toEqual(["exited_home", "started_commuting"]);
    life.go(destination(at(2000), 0, 6000), 30);
    expect(life.types(from).at(-1)).toBe("stopped_commuting");
  });

  it("are not learned unless enabled, and are dropped when disabled", () => {
    const life = new Life(seededRandom(13), HOME);
    liveDays(life, 4, at(5000), false);
    life.settings = { ...DEFAULT_SETTINGS, insights: false };
    life.send();
    expect(life.state).not.toHaveProperty("insights");
  });
});

describe("explanations", () => {
  it("say what was decided, and what is missing", () => {
    const life = new Life(seededRandom(16), HOME);
    liveDays(life, 2, at(5000), false);
    const { past, before } = { past: life.now + 5 * MINUTE, before: life.state };
    const update = { deviceId: "phone", location: HOME, accuracy: 10, replayed: false, receivedAt: past };
    const explain = (more: object = {}, settings = life.settings) => {
      const decisions: Decision[] = [];
      const around = { fences: [], timeZone: "UTC" };
      const outcome = applyUpdate(
        before,
        { ...update, ...more },
        around,
        settings,
        { _id: "00ff", live: false },
        (one) => decisions.push(one),
      );
      return subjectVerdict(
        { decisions, past: { at: past }, before, after: outcome.state } as unknown as Rerun,
        "insights",
      );
    };
    const { verdict, sentence, steps } = explain();
    expect(verdict).toBe("insights");
    expect(sentence).toContain("it is a stay");
    expect(sentence).toContain(
      "home is not known: no spot has three nights (22 to 6) of the last 14 days; the most is 2",
    );
    expect(steps.filter(({ about }) => about).every(({ about }) => about?.kind === "insight")).toBe(true);
    expect(explain({ accuracy: 900 }).sentence).toContain("not accurate enough for insights");
    expect(explain({}, { ...DEFAULT_SETTINGS, insights: false }).verdict).toBe("disabled");
    expect(explain({ replayed: true, updatedAt: MONDAY }).verdict).toBe("ignored");
  });
});

describe("minutes of nights and workdays", () => {
  it("are those that a clock would count minute by minute", () => {
    const random = seededRandom(14);
    const zones = ["UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kathmandu"];
    for (let i = 0; i < samples(20, 500); i++) {
      const zone = zones[i % zones.length];
      const from = MONDAY + Math.floor(random() * 10 * DAY);
      const to = from + Math.floor(random() * 14 * 60) * MINUTE;
      const found = localDays(from, to, zone);
      const clock = new Intl.DateTimeFormat("en-US", {
        timeZone: zone,
        weekday: "short",
        hour: "2-digit",
        hourCycle: "h23",
      });
      let night = 0;
      let work = 0;
      for (let minute = from; minute < to; minute += MINUTE) {
        const parts = clock.formatToParts(minute);
        const hour = Number(parts.find(({ type }) => type === "hour")?.value);
        const weekday = parts.find(({ type }) => type === "weekday")?.value ?? "";
        if (hour >= 22 || hour < 6) night++;
        if (hour >= 9 && hour < 17 && !weekday.startsWith("S")) work++;
      }
      const sum = (what: "night" | "work") => found.reduce((all, one) => all + one[what], 0);
      expect(Math.abs(sum("night") - night), `${zone} ${from} ${to}`).toBeLessThanOrEqual(1);
      expect(Math.abs(sum("work") - work), `${zone} ${from} ${to}`).toBeLessThanOrEqual(1);
    }
  });
});
