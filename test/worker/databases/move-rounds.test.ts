import { beforeAll, describe, expect, it, vi } from "vitest";
import { refusing } from "../../../src/worker/db/moves/move-triggers.ts";
import { isNight, samples } from "../../support/night.ts";
import { contents, MOVES, STAYS, stepsOf, stops } from "./move-world.ts";
import { HOST, RoundWorld } from "./round-world.ts";

/**
 * Scheduled runs while a project moves: they do all of their work for the other projects of both databases, and leave
 * the one that moves alone where its rows are a copy that has not arrived, or must not change.
 */

beforeAll(() => {
  // Of the Worker's runtime.
  vi.stubGlobal("scheduler", { wait: () => Promise.resolve() });
  for (const method of ["log", "error"] as const) vi.spyOn(console, method).mockReturnValue();
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  };
});

const HOUR = 3_600_000;

/** Steps in which the rows of a project must not change anywhere; in the others, those of its home may. */
const PAUSED = ["last", "undo", "switched"];

/** The world in which the move has stopped at a call. */
async function stoppedAt(from: string, to: string, call: number): Promise<RoundWorld> {
  const world = new RoundWorld(from, to);
  world.ask(from, to);
  world.stopAt = call;
  for (let i = 0; i < 30 && !world.stopped; i++) await world.round();
  return world;
}

/** Shares of the steps that go through the tables, at which a move stops. */
const BETWEEN = [0.4, 0.8, 0.3, 0.6, 0.9].slice(0, samples(2, 5));

/** Calls of the steps that go through the tables, and those of the others: first, middle and last, or one. */
function stopsIn(steps: readonly string[], isThorough: boolean): number[] {
  const at = (step: string, share: number) => {
    const [first, last] = [steps.indexOf(step) + 1, steps.lastIndexOf(step) + 1];
    return Math.floor(first + share * (last - first));
  };
  const between = BETWEEN.flatMap((share) => [at("copy", share), at("compare", share)]);
  const others = isThorough ? stops(steps) : ["begin", "last", "switched", "clean"].map((step) => at(step, 0.5));
  // By day, `stops` has three of these already.
  return [...new Set([...others, ...(isThorough && !isNight ? [] : between)])].sort((a, b) => a - b);
}

/** A complete run now: all is done for the others, and the project is changed only where it is at home, and not paused. */
async function expectFairRun(world: RoundWorld): Promise<void> {
  const [step, home] = [world.step(), world.home()];
  const names = Object.keys(world.files);
  const before = names.map((name) => world.moving(name));
  const learned = world.bucket.objects.get(`learning/states/${MOVES * 2 + 1}`);
  world.called.length = 0;
  await world.hourly();
  const at = `${step} at call ${world.calls}`;
  expect([at, world.undone(STAYS), world.undone(HOST)]).toEqual([at, [], []]);
  const isPaused = PAUSED.includes(step);
  for (const [i, name] of names.entries())
    if (isPaused || name !== home) expect([at, name, world.moving(name)]).toEqual([at, name, before[i]]);
  if (isPaused) {
    expect([at, world.callsOf(MOVES)]).toEqual([at, []]);
    expect(world.bucket.objects.get(`learning/states/${MOVES * 2 + 1}`)).toBe(learned);
  } else {
    expect([at, world.callsOf(MOVES)]).toEqual([at, world.callsOf(STAYS)]);
    expect([at, world.undone(MOVES)]).toEqual([at, []]);
  }
}

/** The project is at home there, complete, and nowhere else; later runs serve it as its neighbor. */
async function expectFaithful(world: RoundWorld, home: string, step: string): Promise<void> {
  expect([world.step(), world.home()]).toEqual([step, home]);
  for (const name of Object.keys(world.files))
    if (name !== home) expect([name, Object.values(contents(world.files[name], MOVES)).flat()]).toEqual([name, []]);
  for (let i = 0; i < 2; i++) {
    world.now += 2 * HOUR;
    await world.hourly();
  }
  expect(world.undone(MOVES)).toEqual([]);
  expect(world.sizesOf(MOVES)).toEqual(world.sizesOf(STAYS));
}

describe.each([
  ["the first database", "DB", "DB_2"],
  ["a further one to the first", "DB_2", "DB"],
  ["a further one to another", "DB_3", "DB_2"],
])("a complete run while a project moves out of %s", (_, from, to) => {
  it("does everything for the others at each step, and the move loses and doubles nothing", async () => {
    const steps = await stepsOf(new RoundWorld(from, to), from, to);
    for (const call of stopsIn(steps, to === "DB")) {
      const world = await stoppedAt(from, to, call);
      expect([call, world.stopped]).toEqual([call, true]);
      await expectFairRun(world);
      await world.untilDone();
      expect(world.files.DB.prepare("SELECT error FROM project_move").get()?.error).toBe(null);
      await expectFaithful(world, to, "done");
    }
  }, 300_000);

  it("leaves a project alone that is being taken back", async () => {
    const steps = await stepsOf(new RoundWorld(from, to), from, to);
    for (const step of ["copy", "compare", "last"]) {
      const world = await stoppedAt(from, to, steps.lastIndexOf(step) - 2);
      expect(world.step()).toBe(step);
      world.files.DB.exec("UPDATE project_move SET step = 'undo', at = NULL");
      await expectFairRun(world);
      // Some of the rows in the target are deleted.
      world.stopAt = world.calls + 60;
      await world.round();
      expect(world.step()).toBe("undo");
      await expectFairRun(world);
      await world.untilDone();
      await expectFaithful(world, from, "undone");
    }
  });

  it("leaves the copy alone that a failed move has left, also while the project moves to another database", async () => {
    const world = new RoundWorld(from, to);
    world.files[to].exec(`CREATE TRIGGER odd AFTER INSERT ON user WHEN NEW.scope = ${MOVES * 2}
      BEGIN UPDATE user SET doc = 'other' WHERE scope = NEW.scope AND id = NEW.id; END`);
    world.ask(from, to);
    await world.untilDone();
    expect(world.step()).toBe("failed");
    expect(contents(world.files[to], MOVES).event).not.toEqual([]);
    await expectFairRun(world);
    const third = Object.keys(world.files).find((name) => name !== from && name !== to) as string;
    world.ask(from, third);
    for (let i = 0; i < 3; i++) {
      world.stopAt = world.calls + 200;
      await world.round();
      const left = world.moving(to);
      await world.hourly();
      expect(world.moving(to)).toEqual(left);
    }
    await world.untilDone();
    expect([world.step(), world.home()]).toEqual(["done", third]);
  });
});

describe("a move that goes on during a run", () => {
  it.each([
    ["DB", "DB_2"],
    ["DB_2", "DB"],
  ])(
    "from %s to %s loses and doubles nothing, and the run does everything for the others",
    async (from, to) => {
      const seen = new Set<string>();
      for (let seed = 0; seed < 8; seed++) {
        const world = new RoundWorld(from, to);
        const clock = vi.spyOn(Date, "now").mockImplementation(() => world.now);
        let [statements, lists] = [0, 0];
        world.during = async ({ sql }) => {
          // A query follows the reading of its list within seconds: in between, a move only begins, or goes on a little.
          const isList = /from "project_move"/i.test(sql);
          const isTurn = isList ? lists++ % 3 === seed % 3 : statements++ % 10 === seed;
          if (!isTurn) return;
          if (world.step() === "undefined" && statements > 15 * seed) world.ask(from, to);
          await world.work((isList ? 10_000 : 100) + 100 * seed);
          seen.add(world.step());
        };
        await world.hourly();
        world.during = () => {};
        clock.mockRestore();
        expect([seed, world.undone(STAYS), world.undone(HOST)]).toEqual([seed, [], []]);
        await world.untilDone();
        expect(world.files.DB.prepare("SELECT error FROM project_move").get()?.error).toBe(null);
        await expectFaithful(world, to, "done");
      }
      expect([...seen]).toEqual(expect.arrayContaining(["begin", "copy", "compare", "switched", "clean"]));
    },
    120_000,
  );

  it.each([
    ["the due times of lost users", /DELETE FROM "?segment_due"?/],
    ["users without a day", /UPDATE "?user"? SET day/],
    ["dead letters", /DELETE FROM "?dead_letter"?/],
    ["statistics", /DELETE FROM "?stat"?/],
    ["links", /DELETE FROM "?trip_share"? WHERE \(scope, id\)/],
    ["one scope's geofences", /delete from "geofence"/],
    ["one scope's events", /DELETE FROM "?event"?/],
    ["one scope's users", /select "id", "device_id" from "user"/],
    ["one scope's silent devices", /insert into "history_round"/],
    ["one scope's archive", /INSERT INTO "?archive_part"?/],
  ])(
    "rejects a statement for %s that does not know of its last step, and nothing else is left out",
    async (_, which) => {
      const steps = await stepsOf(new RoundWorld("DB_2", "DB_3"), "DB_2", "DB_3");
      const world = await stoppedAt("DB_2", "DB_3", steps.lastIndexOf("compare"));
      let isLast = false;
      world.during = ({ name, sql, values }) => {
        // The statement of one scope: that of the project.
        const isOne = !values.some((value) => typeof value === "string" && /^\[[\d,]*\]$/.test(value));
        if (isLast || name !== "DB_2" || !which.test(sql) || (isOne && !values.some((one) => one === 4))) return;
        isLast = true;
        world.files.DB.exec("UPDATE project_move SET step = 'last', at = '{\"table\":0}'");
        for (const trigger of refusing(MOVES)) world.files.DB_2.exec(trigger);
      };
      const clock = vi.spyOn(Date, "now").mockImplementation(() => world.now);
      await world.hourly();
      clock.mockRestore();
      expect([isLast, world.rejected > 0]).toEqual([true, true]);
      expect([world.undone(STAYS), world.undone(HOST)]).toEqual([[], []]);
      await world.untilDone();
      await expectFaithful(world, "DB_3", "done");
    },
  );
});
