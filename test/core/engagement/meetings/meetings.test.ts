import { describe, expect, it } from "vitest";
import { type Meeting, rulesOf, type SidedRule } from "../../../../src/core/engagement/meeting.ts";
import { coarseCellsAround } from "../../../../src/core/engagement/meetings/coarse-cells.ts";
import { confidenceOfPair, type Fix } from "../../../../src/core/engagement/meetings/judge-pair.ts";
import { MAX_TOGETHER, MeetingCell } from "../../../../src/core/engagement/meetings/meeting-cell.ts";
import { SAFE_METRES } from "../../../../src/core/engagement/meetings/messages.ts";
import { Watch } from "../../../../src/core/engagement/meetings/watch.ts";
import { cellToBoundary, cellToLatLng, gridDisk, latLngToCell } from "../../../../src/core/geo/cells/h3.ts";
import { destination, distance } from "../../../../src/core/geo/distance.ts";
import type { UserState } from "../../../../src/core/tracking/types/state.ts";
import { random } from "../../tracking/journeys/simulated-day.ts";
import { AllPairs } from "./all-pairs.ts";
import { type Phone, SimulatedMeetings } from "./simulated-meetings.ts";

const ruleOf = (more: Partial<SidedRule> = {}): SidedRule => ({
  ...{ _id: "r", name: "Rule", radius: 100, minimumSeconds: 0, freshMinutes: 10, sides: 3 },
  ...more,
});
/** A corner of three coarse cells. */
const cornerNear = (latitude: number, longitude: number) => {
  const [corner] = cellToBoundary(latLngToCell(latitude, longitude, 5));
  return { latitude: corner[0], longitude: corner[1] };
};
/** `MEETING_SEED=101 MEETING_SEEDS=20` takes other walks. */
const [FIRST_SEED, SEEDS] = [Number(process.env.MEETING_SEED ?? 1), Number(process.env.MEETING_SEEDS ?? 4)];
const at = (seconds: number) => Date.UTC(2026, 6, 1) + seconds * 1000;

describe("meetings", () => {
  it.each([
    ["in a town", 48.2, 16.37],
    ["at the equator and the 180th meridian", 0.01, 180],
    ["near the pole", 89.9, 40],
  ])("are those of all pairs compared after each update, %s", (_, latitude, longitude) => {
    let [met, parted, calls, updates] = [0, 0, 0, 0];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const next = random(seed);
      const fails = () => (next() < 0.1 ? (next() < 0.5 ? "before" : "after") : undefined);
      const ours = new SimulatedMeetings(fails);
      const model = new AllPairs();
      const center = cornerNear(latitude, longitude);
      const phones = Array.from({ length: 14 }, (_, i): Phone & { at: { latitude: number; longitude: number } } => ({
        ...{ _id: `id${i}`, deviceId: `phone${i}` },
        // Two phones of one user, and two users without a name.
        ...(i > 1 && { userId: `user${i < 4 ? 2 : i}` }),
        at: destination(center, next() * 360, next() * 2500),
      }));
      const rulesOfPhone = (i: number, shift: number): SidedRule[] => [
        ...((i + shift) % 5 > 0 ? [ruleOf({ _id: "all", radius: 250 })] : []),
        ruleOf({ _id: "two", radius: 600, minimumSeconds: 90, freshMinutes: 3, sides: i % 2 === 0 ? 1 : 2 }),
      ];
      let time = 0;
      let shift = 0;
      for (let step = 0; step < 400; step++) {
        const i = Math.floor(next() * phones.length);
        const phone = phones[i];
        time += next() * 40;
        if (next() < 0.02) ours.restart(next() < 0.5);
        if (next() < 0.01) shift++;
        // Two of the phones are nobody's until their users sign in.
        if (i < 2 && phone.userId === undefined && next() < 0.1) phone.userId = `user${i}`;
        if (next() < 0.01) {
          for (const one of [ours, model]) one.remove(phone);
          continue;
        }
        // Most stay where they are, up to the noise of positions.
        phone.at = destination(phone.at, next() * 360, next() < 0.7 ? next() * 40 : next() * 900);
        const late = next() < 0.05 ? 200 : 0;
        const fix = { ...phone.at, accuracy: 5 + next() * 60, at: at(time - late) };
        if (late === 0) {
          for (const one of [ours, model]) one.update({ ...phone }, fix, rulesOfPhone(i, shift));
          updates++;
        }
        expect([seed, step, ...ours.events.splice(0).sort()]).toEqual([seed, step, ...model.events.sort()]);
        for (const event of model.events.splice(0)) event.startsWith("met") ? met++ : parted++;
      }
      calls += ours.calls;
    }
    expect(met).toBeGreaterThan(60);
    expect(parted).toBeGreaterThan(40);
    expect(updates).toBeGreaterThan(1200);
    expect(calls).toBeGreaterThan(400);
  });

  it("are the same of users who stand near the limit, and report less often than they move", () => {
    let [events, calls, updates] = [0, 0, 0];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 2 * SEEDS; seed++) {
      const next = random(seed);
      const [ours, model] = [new SimulatedMeetings(), new AllPairs()];
      const homes = [0, 80, 130, 60, 200].map((metres) => place(metres, 0));
      for (let step = 0; step < 600; step++) {
        const i = Math.floor(next() * homes.length);
        const fix = { ...destination(homes[i], next() * 360, next() * 25), accuracy: 1, at: at(step * 5) };
        for (const one of [ours, model]) one.update(phone(`u${i}`), fix, [ruleOf()]);
        if (next() < 0.02) ours.restart(next() < 0.5);
        expect([seed, step, ...ours.events.splice(0).sort()]).toEqual([seed, step, ...model.events.sort()]);
        events += model.events.splice(0).length;
        updates++;
      }
      calls += ours.calls;
    }
    expect(events).toBeGreaterThan(200);
    expect(calls / updates).toBeLessThan(0.95);
  });

  it("go on over cells: a convoy from Vienna to Salzburg reports to no more than it is near", () => {
    const [ours, model] = [new SimulatedMeetings(), new AllPairs()];
    const next = random(3);
    const rules = [ruleOf({ radius: 300, minimumSeconds: 3600, freshMinutes: 5 }), ruleOf({ _id: "now", radius: 250 })];
    const events: string[] = [];
    let [updates, most] = [0, 0];
    for (let seconds = 0; seconds < 7200; seconds += 4, updates += 3)
      for (const [i, behind] of [0, 60, 120].entries()) {
        // The last one stops after one and a half hours.
        const from = { latitude: 48.2, longitude: 16.37 };
        const at0 = destination(from, 265, Math.min(seconds, i === 2 ? 5400 : Infinity) * 25 - behind);
        const fix = { ...destination(at0, next() * 360, next() * 10), accuracy: 10, at: at(seconds + i) };
        const before = ours.calls;
        for (const one of [ours, model]) one.update(phone(`u${i}`), fix, rules);
        most = Math.max(most, ours.calls - before);
        if (next() < 0.01) ours.restart(next() < 0.5);
        expect([seconds, ...ours.events.splice(0).sort()]).toEqual([seconds, ...model.events.sort()]);
        events.push(...model.events.splice(0));
      }
    // Three pairs meet, and the last one parts from both.
    for (const rule of [" r", " now"]) expect(events.filter((one) => one.endsWith(rule))).toHaveLength(10);
    expect(most).toBeLessThanOrEqual(4);
    expect(ours.calls / updates).toBeLessThan(1.3);
  });

  const phone = (name: string, userId: string | undefined = name): Phone => ({ _id: name, deviceId: name, userId });
  const place = (metres: number, seconds: number, accuracy = 5): Fix => ({
    ...destination({ latitude: 48.2, longitude: 16.37 }, 90, metres),
    ...{ accuracy, at: at(seconds) },
  });

  it("end only beyond the radius and both accuracies", () => {
    const world = new SimulatedMeetings();
    const rules = [ruleOf()];
    world.update(phone("a"), place(0, 0, 20), rules);
    world.update(phone("b"), place(101, 1, 30), rules);
    expect(world.events).toEqual([]);
    world.update(phone("b"), place(99, 2, 30), rules);
    expect(world.events.splice(0)).toEqual(["met b a r", "met a b r"]);
    for (const [i, metres] of [120, 140, 149].entries()) world.update(phone("b"), place(metres, 3 + i, 30), rules);
    expect(world.events).toEqual([]);
    world.update(phone("b"), place(151, 9, 30), rules);
    expect(world.events).toEqual(["parted b a r", "parted a b r"]);
    expect(world.distances).toEqual([99, 99, 151, 151]);
  });

  it("need positions that are fresh, and time together", () => {
    const rules = [ruleOf({ minimumSeconds: 60, freshMinutes: 5 })];
    const world = new SimulatedMeetings();
    world.update(phone("a"), place(0, 0), rules);
    world.update(phone("b"), place(10, 301), rules);
    world.update(phone("b"), place(10, 400), rules);
    expect(world.events).toEqual([]);
    world.update(phone("a"), place(0, 410), rules);
    world.update(phone("b"), place(10, 469), rules);
    expect(world.events).toEqual([]);
    world.update(phone("b"), place(10, 470), rules);
    expect(world.events.sort()).toEqual(["met a b r", "met b a r"]);
  });

  it("of a user with two phones count once, and never with itself", () => {
    const world = new SimulatedMeetings();
    const rules = [ruleOf()];
    world.update(phone("p1", "anna"), place(0, 0), rules);
    world.update(phone("p2", "anna"), place(1, 1), rules);
    expect(world.events).toEqual([]);
    world.update(phone("b"), place(50, 2), rules);
    expect(world.events.splice(0).sort()).toEqual(["met anna b r", "met b anna r"]);
    // One phone stays at the other user: they are still together.
    world.update(phone("p1", "anna"), place(5000, 60), rules);
    world.update(phone("p2", "anna"), place(20, 61), rules);
    expect(world.events).toEqual([]);
    world.update(phone("p2", "anna"), place(4000, 62), rules);
    expect(world.events.sort()).toEqual(["parted anna b r", "parted b anna r"]);
  });

  it("of a user with two phones on both sides of a border end when the second one leaves, too", () => {
    const [a, b] = cellToBoundary(latLngToCell(48.2, 16.37, 5)).map(([latitude, longitude]) => ({
      latitude,
      longitude,
    }));
    const border = { latitude: (a.latitude + b.latitude) / 2, longitude: (a.longitude + b.longitude) / 2 };
    const [latitude, longitude] = cellToLatLng(latLngToCell(48.2, 16.37, 5));
    const east = (border.longitude - longitude) * Math.cos((latitude * Math.PI) / 180);
    const bearing = (Math.atan2(east, border.latitude - latitude) * 180) / Math.PI;
    for (const way of [0, 180]) {
      const beyond = (metres: number, seconds: number): Fix => ({
        ...destination(border, bearing + way, metres),
        ...{ accuracy: 1, at: at(seconds) },
      });
      const [ours, model] = [new SimulatedMeetings(), new AllPairs()];
      const tell = (name: string, userId: string, fix: Fix) => {
        for (const one of [ours, model]) one.update(phone(name, userId), fix, [ruleOf()]);
        expect([fix.at, ...ours.events.splice(0).sort()]).toEqual([fix.at, ...model.events.sort()]);
        return model.events.splice(0).length;
      };
      // One cell has them until 450 m beyond its border: it has the meeting, and not the second phone.
      expect(tell("b", "ben", beyond(-1000, 0)) + tell("p1", "anna", beyond(-990, 1))).toBe(2);
      for (const metres of [-900, -600, -300, 0, 250]) {
        const seconds = 1000 + metres;
        tell("b", "ben", beyond(metres + 90, seconds));
        tell("p1", "anna", beyond(metres + 50, seconds + 1));
      }
      tell("b", "ben", beyond(390, 1300));
      expect(tell("p2", "anna", beyond(485, 1301))).toBe(0);
      expect(tell("p1", "anna", beyond(0, 1302))).toBe(0);
      expect(tell("p1", "anna", beyond(-3000, 1303))).toBe(0);
      expect(tell("p2", "anna", beyond(900, 1304))).toBe(2);
      expect(tell("p2", "anna", beyond(450, 1305))).toBe(2);
    }
  });

  it("end for a second phone that came later, when the first is gone", () => {
    const world = new SimulatedMeetings();
    const rules = [ruleOf()];
    world.update(phone("b"), place(0, 0), rules);
    world.update(phone("p1", "anna"), place(20, 1), rules);
    expect(world.events.splice(0).length).toBe(2);
    world.update(phone("p2", "anna"), place(30, 2), rules);
    world.remove(phone("p1", "anna"));
    world.update(phone("p2", "anna"), place(4000, 62), rules);
    expect(world.events.sort()).toEqual(["parted anna b r", "parted b anna r"]);
  });

  it("are not those of two users who sign in on one phone", () => {
    const world = new SimulatedMeetings();
    for (const [i, userId] of ["anna", "ben"].entries())
      world.update({ _id: `p${i}`, deviceId: "shared", userId }, place(i, i), [ruleOf()]);
    expect(world.events).toEqual([]);
  });

  it("end without an event when a group changes or a user is deleted, and begin again", () => {
    const world = new SimulatedMeetings();
    const [a, b] = [phone("a"), phone("b")];
    world.update(a, place(0, 0), [ruleOf()]);
    for (const change of ["group", "deleted"] as const) {
      world.update(b, place(10, 1), [ruleOf()]);
      expect(world.events.splice(0).sort()).toEqual(["met a b r", "met b a r"]);
      if (change === "group") world.update(b, place(11, 2), []);
      else world.remove(b);
      world.update(a, place(5000, 3), [ruleOf()]);
      world.update(a, place(0, 4), [ruleOf()]);
      expect(world.events).toEqual([]);
    }
  });

  it("are compared with the radius that the rule has now", () => {
    const world = new SimulatedMeetings();
    for (const [i, name] of ["a", "b"].entries()) world.update(phone(name), place(i * 80, i), [ruleOf()]);
    expect(world.events.splice(0).length).toBe(2);
    world.update(phone("a"), place(0, 2), [ruleOf({ radius: 50 })]);
    expect(world.events.sort()).toEqual(["parted a b r", "parted b a r"]);
  });

  it("of a user that gets its name meanwhile are the same for it", () => {
    const world = new SimulatedMeetings();
    const nameless = { _id: "id1", deviceId: "x" };
    world.update(phone("b"), place(0, 0), [ruleOf()]);
    world.update(nameless, place(10, 1), [ruleOf()]);
    expect(world.events.splice(0).sort()).toEqual(["met b id1 r", "met id1 b r"]);
    world.update({ ...nameless, userId: "anna" }, place(10, 2), [ruleOf()]);
    expect(world.events).toEqual([]);
    world.update({ ...nameless, userId: "anna" }, place(3000, 3), [ruleOf()]);
    expect(world.events.splice(0).sort()).toEqual(["parted anna b r", "parted b anna r"]);
  });

  it.each([
    ["before the other comes", ["sign in", "bob comes"]],
    ["while they are together", ["bob comes", "sign in"]],
    ["with the update that leaves", ["bob comes"]],
  ])("of a user that signs in %s are met and parted once, each time", (_, steps) => {
    const world = new SimulatedMeetings();
    const ann = { _id: "id1", deviceId: "x" };
    const signedIn = { ...ann, userId: "ann" };
    let seconds = 0;
    world.update(ann, place(0, seconds++), [ruleOf()]);
    for (const step of steps)
      if (step === "sign in") world.update(signedIn, place(0, seconds++), [ruleOf()]);
      else world.update(phone("bob"), place(20, seconds++), [ruleOf()]);
    const kinds = () =>
      world.events
        .splice(0)
        .map((event) => event.replace("id1", "ann"))
        .sort();
    expect(kinds()).toEqual(["met ann bob r", "met bob ann r"]);
    for (let turn = 0; turn < 2; turn++) {
      world.update(signedIn, place(400, seconds++), [ruleOf()]);
      expect(kinds()).toEqual(["parted ann bob r", "parted bob ann r"]);
      world.update(signedIn, place(0, seconds++), [ruleOf()]);
      world.update(phone("bob"), place(20, seconds++), [ruleOf()]);
      expect(kinds()).toEqual(["met ann bob r", "met bob ann r"]);
    }
  });

  it("end without an event where the other turns out to be the same user", () => {
    const world = new SimulatedMeetings();
    const nobody = { _id: "id1", deviceId: "x" };
    world.update(phone("ann"), place(0, 0), [ruleOf()]);
    world.update(nobody, place(10, 1), [ruleOf()]);
    world.update(phone("bob"), place(20, 2), [ruleOf()]);
    expect(world.events.splice(0)).toHaveLength(6);
    world.update({ ...nobody, userId: "ann" }, place(10, 3), [ruleOf()]);
    expect(world.events).toEqual([]);
    world.update({ ...nobody, userId: "ann" }, place(3000, 4), [ruleOf()]);
    expect(world.events).toEqual([]);
    world.update(phone("bob"), place(5000, 5), [ruleOf()]);
    expect(world.events.sort()).toEqual(["parted ann bob r", "parted bob ann r"]);
  });

  it("continue with a friend in the same car, through any number of cells", () => {
    const world = new SimulatedMeetings();
    const rules = [ruleOf()];
    for (let i = 0; i < 600; i++) {
      world.update(phone("a"), place(i * 80, i * 4), rules);
      world.update(phone("b"), place(i * 80 + 10, i * 4 + 1), rules);
    }
    expect(world.events).toEqual(["met b a r", "met a b r"]);
  });

  it("are those of the users that a cell can hold; others take part when some leave", () => {
    const cell = new MeetingCell([], 4);
    const put = (name: string) => cell.place({ ...phone(name), fixes: [place(0, 0)], rules: [ruleOf()] }, at(0));
    expect([put("a").stays, put("b").stays, put("c").stays, cell.isFull]).toEqual([true, true, true, true]);
    expect(put("d")).toEqual({ safe: SAFE_METRES, stays: false, messages: [] });
    expect([cell.size, cell.stored().length]).toEqual([3, 4]);
    cell.remove("a");
    expect([put("d").stays, cell.stored().length]).toEqual([true, 4]);
  });

  it("cost no call while a user moves within its safe circle, and none without rules", () => {
    const world = new SimulatedMeetings();
    for (let i = 0; i < 50; i++) world.update(phone("a"), place(i * 2.5, i), []);
    expect(world.calls).toBe(0);
    for (let i = 0; i < 50; i++) world.update(phone("a"), place(i * 2.5, 100 + i), [ruleOf()]);
    // Nor after its object was evicted, as it is between two updates of most devices.
    world.restart(true);
    world.update(phone("a"), place(126, 150), [ruleOf()]);
    expect(world.calls).toBe(1);
    // One that comes near asks for the position.
    world.update(phone("b"), place(215, 151), [ruleOf()]);
    expect([world.calls, world.pulls, world.events.length]).toEqual([2, 1, 2]);
  });

  it("cost no call while both stand near each other, and end with the first position beyond", () => {
    const world = new SimulatedMeetings();
    const rules = [ruleOf()];
    for (let i = 0; i < 6; i++) world.update(phone(i % 2 === 0 ? "a" : "b"), place((i % 2) * 20, i), rules);
    expect(world.events.splice(0).length).toBe(2);
    const { calls } = world;
    for (let i = 6; i < 100; i++) world.update(phone(i % 2 === 0 ? "a" : "b"), place((i % 2) * 20 + (i % 7), i), rules);
    expect([world.calls, world.pulls]).toEqual([calls, 1]);
    // It moves within its circle, then the other goes: the meeting ends by where it is now.
    world.update(phone("a"), place(-10, 100), rules);
    world.update(phone("b"), place(99, 101), rules);
    expect(world.events).toEqual([]);
    world.update(phone("b"), place(101, 102), rules);
    expect([world.events.sort(), world.distances.slice(2)]).toEqual([
      ["parted a b r", "parted b a r"],
      [111, 111],
    ]);
  });

  it("know an update that comes while another is being reported", () => {
    const watch = new Watch();
    watch.note(place(0, 0), [ruleOf()], undefined);
    const report = watch.report(phone("a"));
    expect(watch.note(place(1, 1), [ruleOf()], undefined)).toBe(true);
    if (report) watch.reported(report, [{ safe: 150, stays: true }]);
    expect(watch.report(phone("a"))?.calls[0].placement.fixes).toEqual([place(1, 1)]);
    expect(watch.note(place(2, 2), [ruleOf()], undefined)).toBe(true);
  });

  it(`are at most ${MAX_TOGETHER} at a time for a user`, () => {
    const world = new SimulatedMeetings();
    const one = [ruleOf({ sides: 1 })];
    for (let i = 0; i < MAX_TOGETHER + 20; i++) world.update(phone(`u${i}`), place(i * 0.1, i), one);
    world.update(phone("guide"), place(5, 200), [ruleOf({ sides: 2 })]);
    expect(world.events.filter((event) => event.startsWith("met guide")).length).toBe(MAX_TOGETHER);
  });
});

describe("the confidence of a meeting", () => {
  it("compares the circle of both accuracies with the radius", () => {
    const pair = (metres: number, a: number, b: number) => {
      const [one, two] = [place(0, a), place(metres, b)];
      return confidenceOfPair(true, one, two, distance(one, two), 100);
    };
    const place = (metres: number, accuracy: number): Fix => ({
      ...destination({ latitude: 10, longitude: 10 }, 0, metres),
      ...{ accuracy, at: 0 },
    });
    expect([pair(50, 20, 29), pair(50, 30, 30), pair(99, 100, 200)]).toEqual([3, 2, 1]);
  });
});

describe("the coarse cells around a point", () => {
  it("contain every point within reach", () => {
    const next = random(7);
    for (let i = 0; i < 300; i++) {
      const center = { latitude: Math.asin(2 * next() - 1) * (180 / Math.PI), longitude: next() * 360 - 180 };
      const reach = 500 + next() * 10_500;
      const cells = coarseCellsAround(center, reach);
      for (let k = 0; k < 30; k++) {
        const { latitude, longitude } = destination(center, next() * 360, Math.sqrt(next()) * reach);
        expect(cells).toContain(latLngToCell(latitude, longitude, 5));
      }
    }
  });

  it("are one in the middle of a cell", () => {
    const [latitude, longitude] = cellToLatLng(latLngToCell(48.2, 16.37, 5));
    const cell = latLngToCell(48.2, 16.37, 5);
    expect(coarseCellsAround({ latitude, longitude }, 600)).toEqual([cell]);
    expect(coarseCellsAround({ latitude, longitude }, 10_500).sort()).toEqual(gridDisk(cell, 1).sort());
  });
});

describe("the groups of a rule", () => {
  const rule: Meeting = {
    ...{ _id: "r", name: "Rule", radius: 100, minimumSeconds: 0, freshMinutes: 10, createdAt: 0, updatedAt: 0 },
    ...{ enabled: true, users: { userTags: ["courier"] }, others: { metadata: { kind: "customer" } } },
  };
  const user = (more: Partial<UserState>) => ({ _id: "x", deviceId: "d", userId: "u", ...more }) as UserState;
  const sides = (more: Partial<UserState>, change: Partial<Meeting> = {}) =>
    rulesOf([{ ...rule, ...change }], user(more)).map((one) => one.sides);

  it("are users by tag, metadata and segment, or test users first", () => {
    expect(sides({ userTags: ["courier"] })).toEqual([1]);
    expect(sides({ metadata: { kind: "customer" } })).toEqual([2]);
    expect(sides({ userTags: ["courier"], metadata: { kind: "customer" } })).toEqual([3]);
    expect(sides({ userTags: ["cook"] })).toEqual([]);
    const vip = { _id: "s", description: "", externalId: "vip" };
    expect(sides({ segments: [vip] }, { others: { segments: ["vip"] } })).toEqual([2]);
    expect(sides({ userTags: ["courier"] }, { testUserIds: ["other"] })).toEqual([]);
    expect(sides({ userTags: ["courier"] }, { testUserIds: ["u"] })).toEqual([1]);
  });
});
