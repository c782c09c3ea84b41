import { beforeAll, describe, expect, it, vi } from "vitest";
import { samples } from "../../support/night.ts";
import { MOVES, STAYS } from "./move-world.ts";
import { HOST, RoundWorld, scopesOf } from "./round-world.ts";

/** A scheduled run that fails at any call does not stop the next; nor does a project that always fails stop the others. */

const PROJECTS = [STAYS, MOVES, HOST];
const HOUR = 3_600_000;

// Rounds tell the log what they did.
beforeAll(() => {
  for (const method of ["log", "error"] as const) vi.spyOn(console, method).mockReturnValue();
  return () => vi.restoreAllMocks();
});

const undone = (world: RoundWorld) => PROJECTS.flatMap((project) => world.undone(project));

/** Makes calls of databases, objects and the bucket fail. @param fails called before each with its words */
function failing(world: RoundWorld, fails: (words: readonly unknown[]) => boolean): void {
  const check = (words: readonly unknown[]) => {
    if (fails(words)) throw new Error("it failed");
  };
  // Of a statement that begins with another number, such as a project's, that number is not its scope.
  world.during = ({ sql, values }) => (/"project"\."id" = \?|coalesce\(.*\?/.test(sql) ? undefined : check(values));
  world.beforeCall = (scope) => check([scope]);
  world.bucket.beforeCall = (key) => check([Number(key.split("/")[key.startsWith("learning/states/") ? 2 : 1]), key]);
}

describe("a scheduled run", () => {
  it("that fails at any call, or is killed there, leaves nothing undone that the next ones cannot do", async () => {
    const whole = new RoundWorld("DB_2", "DB_3");
    let calls = 0;
    failing(whole, () => ++calls < 0);
    await whole.hourly();
    expect(undone(whole)).toEqual([]);
    expect(calls).toBeGreaterThan(200);
    const step = samples(Math.ceil(calls / 3), 1);
    for (const isKilled of [false, true])
      for (let at = 1; at <= calls; at += step) {
        const world = new RoundWorld("DB_2", "DB_3");
        let call = 0;
        failing(world, () => ++call === at || (isKilled && call > at));
        await world.hourly().catch(() => {});
        failing(world, () => false);
        for (let run = 0; run < 2 && undone(world).length > 0; run++) {
          world.now += HOUR;
          await world.hourly();
        }
        expect([at, isKilled, undone(world)]).toEqual([at, isKilled, []]);
      }
  }, 240_000);

  it.each(PROJECTS)("does all of the others, although every call of project %s fails", async (broken) => {
    const world = new RoundWorld("DB_2", "DB_3");
    failing(world, ([scope]) => scopesOf(broken).includes(Number(scope)));
    await world.hourly();
    failing(world, () => false);
    for (const project of PROJECTS)
      if (project !== broken) expect([project, world.undone(project)]).toEqual([project, []]);
    world.now += HOUR;
    await world.hourly();
    world.now += HOUR;
    await world.hourly();
    expect(undone(world)).toEqual([]);
  });

  it("does the rest, although one device never answers", async () => {
    const world = new RoundWorld("DB_2", "DB_3");
    world.beforeCall = (_, name) => {
      if (/:(old|silent)$/.test(name) && name.startsWith(`${STAYS * 2}:`)) throw new Error("this object is damaged");
    };
    await world.hourly();
    // Of its project in Test. They are asked again by the next run.
    expect(undone(world)).toEqual(["old users", "silent devices"]);
  });
});
