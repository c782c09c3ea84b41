import { beforeEach, describe, expect, it } from "vitest";
import { REFUSAL } from "../../../src/worker/db/refusal.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";

// The room of the database knows the platform's types, which tests in Node do not.
const { MovingScopes, pausedScopes } = (await ((file: string) =>
  import(new URL(`../../../src/worker/db/${file}.ts`, import.meta.url).href))("moves/moving-scopes")) as {
  MovingScopes: new (
    env: object,
    now?: () => number,
  ) => {
    leftOutOf<T>(query: (except: ReadonlySet<number>) => Promise<T>): Promise<T>;
    unlessMoving<T>(scope: number, work: () => Promise<T>): Promise<T | undefined>;
  };
  pausedScopes(env: object): Promise<ReadonlySet<number>>;
};
const { envIn } = (await import(new URL("../../../src/worker/db/databases.ts", import.meta.url).href)) as {
  envIn(env: object, name: string): object;
};

/** The project with the scopes 4 and 5. */
const PROJECT = 2;
const SCOPES = [4, 5];

let file: ReturnType<typeof newDatabase>;
let env: object;
let reads: number;
beforeEach(() => {
  file = newDatabase();
  reads = 0;
  env = {
    DB: d1On(file, (when) => void (when === "before" && reads++)),
    DB_2: d1On(newDatabase()),
    DB_3: d1On(newDatabase()),
  };
  file.exec(
    `INSERT INTO project (id, name, created_at, "database") VALUES (1, 'a', 0, 'DB'), (${PROJECT}, 'b', 0, 'DB')`,
  );
});

function move(step: string, home: string, at: string | null = null, target = "DB_2"): void {
  file.prepare(`UPDATE project SET "database" = ? WHERE id = ?`).run(home, PROJECT);
  file
    .prepare(
      "INSERT OR REPLACE INTO project_move (project, source, target, step, at, begun_at, changed_at) VALUES (?, 'DB', ?, ?, ?, 0, 0)",
    )
    .run(PROJECT, target, step, at);
}

const listIn = (name: string) => new MovingScopes(envIn(env, name)).leftOutOf(async (except) => [...except]);

describe("the scopes that a scheduled run leaves out", () => {
  it.each([
    // step, home, at, in the source, in the target
    ["begin", "DB", null, [], SCOPES],
    ["copy", "DB", '{"table":7}', [], SCOPES],
    ["compare", "DB", '{"table":7}', [], SCOPES],
    ["last", "DB", '{"table":0}', SCOPES, SCOPES],
    ["switched", "DB_2", '{"table":0}', SCOPES, SCOPES],
    ["objects", "DB_2", '{"table":0,"after":[1]}', SCOPES, SCOPES],
    ["objects", "DB_2", '{"table":1}', SCOPES, []],
    ["clean", "DB_2", '{"table":0}', SCOPES, []],
    ["done", "DB_2", null, SCOPES, []],
    ["undo", "DB", null, SCOPES, SCOPES],
    ["undone", "DB", null, [], SCOPES],
    ["failed", "DB", '{"table":9}', [], SCOPES],
  ] as const)("at the step %s, at home in %s, at %s", async (step, home, at, inSource, inTarget) => {
    move(step, home, at);
    expect([await listIn("DB"), await listIn("DB_2")]).toEqual([inSource, inTarget]);
    const isPaused = inSource.length > 0 && inTarget.length > 0;
    expect([...(await pausedScopes(env))]).toEqual(isPaused ? SCOPES : []);
  });

  it("include a copy that an earlier move has left in a third database", async () => {
    move("failed", "DB", null, "DB_3");
    move("copy", "DB");
    expect(await listIn("DB_3")).toEqual(SCOPES);
  });

  it("are none without a move, and are not read where there is one database", async () => {
    expect(await listIn("DB_2")).toEqual([]);
    const one = { DB: d1On(file, () => reads++) };
    reads = 0;
    move("last", "DB");
    expect(await new MovingScopes(one).leftOutOf(async (except) => [...except])).toEqual([]);
    expect([...(await pausedScopes(one))]).toEqual([]);
    expect(await new MovingScopes(one).unlessMoving(4, async () => 1)).toBe(1);
    expect(reads).toBe(0);
  });

  it("are read again after a second, and where a clock goes back", async () => {
    let now = 10_000;
    const moving = new MovingScopes(env, () => now);
    const list = () => moving.leftOutOf(async (except) => [...except]);
    expect(await list()).toEqual([]);
    move("last", "DB");
    now += 999;
    expect([await list(), reads]).toEqual([[], 1]);
    now += 1;
    expect([await list(), reads]).toEqual([SCOPES, 2]);
    now -= 5000;
    await list();
    expect(reads).toBe(3);
  });
});

describe("a query that a database rejects because a project has begun to move", () => {
  const rejected = () => new Error(`D1_ERROR: ${REFUSAL}: SQLITE_CONSTRAINT`);

  it("is repeated with the new list, at most twice", async () => {
    const moving = new MovingScopes(env, () => 0);
    const lists: number[][] = [];
    await moving.leftOutOf(async (except) => {
      lists.push([...except]);
      if (lists.length > 1) return;
      move("last", "DB");
      throw rejected();
    });
    expect(lists).toEqual([[], SCOPES]);
    let attempts = 0;
    const always = moving.leftOutOf(async () => {
      attempts++;
      throw rejected();
    });
    await expect(always).rejects.toThrow(REFUSAL);
    expect(attempts).toBe(3);
  });

  it("is left out for its scope", async () => {
    const moving = new MovingScopes(env, () => 0);
    const reject = async () => {
      throw rejected();
    };
    expect(await moving.unlessMoving(4, reject)).toBe(undefined);
    const fail = async () => {
      throw new Error("other");
    };
    await expect(moving.unlessMoving(4, fail)).rejects.toThrow("other");
    await expect(moving.leftOutOf(fail)).rejects.toThrow("other");
  });

  it("does not begin where the scope is known to move", async () => {
    move("last", "DB");
    let calls = 0;
    const work = async () => ++calls;
    const moving = new MovingScopes(env);
    expect([await moving.unlessMoving(5, work), await moving.unlessMoving(6, work), calls]).toEqual([undefined, 1, 1]);
  });
});
