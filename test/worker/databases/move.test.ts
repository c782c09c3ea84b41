import { describe, expect, it } from "vitest";
import { MOVED_TABLES } from "../../../src/worker/db/moves/moved-tables.ts";
import { REFUSAL } from "../../../src/worker/db/refusal.ts";
import { contents, MOVES, noted, STAYS, stepsOf, stops, triggers, World } from "./move-world.ts";

const SEEDS = process.env.EVERY_KILL === "1" ? 200 : 3;

describe.each([
  ["the first database", "DB", "DB_2"],
  ["a further one to the first", "DB_2", "DB"],
  ["a further one to another", "DB_3", "DB_2"],
])("a project that moves out of %s", (_, from, to) => {
  it("is there with every row as it was, and nowhere else", async () => {
    const world = new World(from);
    const [before, neighbour] = [contents(world.files[from], MOVES), contents(world.files[from], STAYS)];
    expect(Object.values(before).every((rows) => rows.length > 0)).toBe(true);
    world.ask(from, to);
    await world.untilDone();
    expect([world.step(), world.home()]).toEqual(["done", to]);
    expect(contents(world.files[to], MOVES)).toEqual(before);
    expect(Object.values(contents(world.files[from], MOVES)).flat()).toEqual([]);
    expect(contents(world.files[from], STAYS)).toEqual(neighbour);
    const move = world.files.DB.prepare("SELECT counts, error FROM project_move").get();
    expect(move?.error).toBe(null);
    const counts = JSON.parse(String(move?.counts)) as Record<string, { rows: number; sha256: string }>;
    for (const { name } of MOVED_TABLES)
      expect([name, counts[name]]).toEqual([
        name,
        { rows: before[name].length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ]);
    for (const file of Object.values(world.files)) expect([triggers(file), noted(file)]).toEqual([[], 0]);
    expect(world.files.DB.prepare("SELECT count(*) AS n FROM project WHERE moving IS NOT NULL").get()?.n).toBe(0);
  });
});

describe("a move", () => {
  it("goes on wherever the machine stopped, and loses and doubles nothing", async () => {
    const whole = new World("DB");
    const before = contents(whole.files.DB, MOVES);
    for (const stopAt of stops(await stepsOf(whole, "DB", "DB_2"))) {
      const world = new World("DB");
      world.ask("DB", "DB_2");
      world.stopAt = stopAt;
      for (let i = 0; i < 30 && !world.stopped; i++) await world.round();
      world.stopAt = Number.POSITIVE_INFINITY;
      await world.untilDone();
      expect([stopAt, world.step(), world.home()]).toEqual([stopAt, "done", "DB_2"]);
      expect(contents(world.files.DB_2, MOVES)).toEqual(before);
      expect(Object.values(contents(world.files.DB, MOVES)).flat()).toEqual([]);
      expect([triggers(world.files.DB), noted(world.files.DB)]).toEqual([[], 0]);
    }
  }, 7_200_000);

  it("loses and doubles nothing of what is written meanwhile, by whoever believes what", async () => {
    let refusals = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = new World("DB");
      const traffic = new Traffic(world, seed);
      world.meanwhile = () => traffic.write();
      world.ask("DB", "DB_2");
      for (let i = 0; i < 40 && world.step() !== "done"; i++) {
        // Every third machine stops somewhere.
        world.stopAt = seed % 3 === 0 && i < 4 ? world.calls + 40 + traffic.below(120) : Number.POSITIVE_INFINITY;
        await world.round();
      }
      world.meanwhile = () => {};
      traffic.finish();
      expect([seed, world.step(), world.home()]).toEqual([seed, "done", "DB_2"]);
      expect([seed, traffic.rowsIn("DB_2")]).toEqual([seed, traffic.expected()]);
      expect([seed, traffic.rowsIn("DB")]).toEqual([seed, []]);
      refusals += traffic.refused;
    }
    expect(refusals).toBeGreaterThan(SEEDS);
  }, 3_600_000);

  it("refuses writes for its last step only, and says so", async () => {
    const world = new World("DB");
    world.ask("DB", "DB_2");
    const seen = new Map<string, boolean>();
    world.meanwhile = () => {
      const file = world.files.DB;
      let isTaken = true;
      try {
        file.exec(`UPDATE event SET doc = doc WHERE scope = ${MOVES * 2}`);
      } catch (error) {
        expect(String(error)).toContain(REFUSAL);
        isTaken = false;
      }
      // The neighbour writes all the time.
      file.exec(`UPDATE event SET doc = doc WHERE scope = ${STAYS * 2}`);
      seen.set(world.step(), isTaken);
    };
    await world.untilDone();
    expect(Object.fromEntries(seen)).toMatchObject({
      begin: true,
      copy: true,
      compare: true,
      last: false,
      switched: false,
    });
  });

  it("copies its first row ten seconds after it began, when every reader knows of it", async () => {
    const world = new World("DB");
    let first: number | undefined;
    world.meanwhile = () => {
      if (first === undefined && Object.values(contents(world.files.DB_2, MOVES)).flat().length > 0) first = world.now;
    };
    world.ask("DB", "DB_2");
    await world.untilDone();
    const begunAt = Number(world.files.DB.prepare("SELECT begun_at FROM project_move").get()?.begun_at);
    expect(first).toBeGreaterThanOrEqual(begunAt + 10_000);
    expect(first).toBeLessThan(begunAt + 12_000);
  });

  it("that is taken back leaves everything where it was", async () => {
    const before = contents(new World("DB").files.DB, MOVES);
    const steps = await stepsOf(new World("DB"), "DB", "DB_2");
    for (const step of ["begin", "copy", "compare", "last"]) {
      const world = new World("DB");
      world.ask("DB", "DB_2");
      world.stopAt = (steps.indexOf(step) + steps.lastIndexOf(step) + 2) >> 1;
      await world.round();
      world.stopAt = Number.POSITIVE_INFINITY;
      expect(world.step()).toBe(step);
      world.files.DB.exec("UPDATE project_move SET step = 'undo', at = NULL");
      await world.untilDone();
      expect([world.step(), world.home()]).toEqual(["undone", "DB"]);
      expect(contents(world.files.DB, MOVES)).toEqual(before);
      expect(Object.values(contents(world.files.DB_2, MOVES)).flat()).toEqual([]);
      expect([triggers(world.files.DB), noted(world.files.DB)]).toEqual([[], 0]);
    }
  });

  it("to a database that keeps something else of a row fails, and everything goes on where it was", async () => {
    const world = new World("DB");
    const before = contents(world.files.DB, MOVES);
    world.files.DB_2.exec(`CREATE TRIGGER odd AFTER INSERT ON event WHEN NEW.scope = ${MOVES * 2}
      BEGIN UPDATE event SET doc = 'other' WHERE scope = NEW.scope AND id = NEW.id; END`);
    world.ask("DB", "DB_2");
    await world.untilDone();
    expect([world.step(), world.home()]).toEqual(["failed", "DB"]);
    expect(String(world.files.DB.prepare("SELECT error FROM project_move").get()?.error)).toContain("event");
    expect(contents(world.files.DB, MOVES)).toEqual(before);
    expect(triggers(world.files.DB)).toEqual([]);
  });

  it("does not begin where the databases have had different migrations", async () => {
    const world = new World("DB");
    world.files.DB_2.exec("DELETE FROM d1_migrations WHERE name = (SELECT max(name) FROM d1_migrations)");
    world.ask("DB", "DB_2");
    await world.round();
    expect(world.step()).toBe("begin");
    expect(String(world.files.DB.prepare("SELECT error FROM project_move").get()?.error)).toContain("migrations");
  });
});

/** Somebody who writes all the time: into the database in which they believe the project to be, again where that refuses. */
class Traffic {
  refused = 0;
  readonly #world: World;
  #state: number;
  #believed = "DB";
  #askAgain = 0;
  #waiting: (() => string)[] = [];
  readonly #there = new Map<string, string>();

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#state = seed * 7919;
    for (const row of this.rowsIn("DB")) this.#there.set(row.split(" ")[0], row);
  }

  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * n);
  }

  write(): void {
    for (let i = this.below(3); i > 0; i--) this.#waiting.push(this.#draw());
    while (this.#waiting.length > 0) {
      // Beliefs are renewed with a delay, the shorter the more is known of the move; a move waits for them.
      if (this.#world.now >= this.#askAgain) {
        this.#believed = this.#world.home();
        this.#askAgain = this.#world.now + 1_000 + this.below(8_000);
      }
      try {
        this.#world.files[this.#believed].exec(this.#waiting[0]());
      } catch (error) {
        expect(String(error)).toContain(REFUSAL);
        this.refused++;
        return;
      }
      this.#waiting.shift();
    }
  }

  finish(): void {
    this.#askAgain = 0;
    this.write();
    expect(this.#waiting).toEqual([]);
  }

  /** A geofence that is written, given another's pair, deleted, or an area that becomes another one. */
  #draw(): () => string {
    const scope = MOVES * 2 + this.below(2);
    const [id, doc, kind] = [`e${this.below(30)}`, `${this.below(1e6)}`, this.below(4)];
    const event = `${scope}:${id}`;
    return () => {
      if (kind === 0) {
        this.#there.delete(event);
        return `DELETE FROM event WHERE scope = ${scope} AND id = '${id}'`;
      }
      this.#there.set(event, `${event} ${doc}`);
      return `INSERT INTO event (scope, id, type, user, created_at, doc) VALUES (${scope}, '${id}', 't', 'u', 1, '${doc}')
        ON CONFLICT (scope, id) DO UPDATE SET doc = excluded.doc`;
    };
  }

  rowsIn(name: string): string[] {
    return this.#world.files[name]
      .prepare("SELECT scope || ':' || id || ' ' || doc AS row FROM event WHERE scope IN (?, ?) ORDER BY scope, id")
      .all(MOVES * 2, MOVES * 2 + 1)
      .map(({ row }) => String(row));
  }

  expected(): string[] {
    return [...this.#there.values()].sort();
  }
}

describe("a move to another jurisdiction", () => {
  it("hands objects over after the switch, some each run, and is over when nothing is left behind", async () => {
    const { MoveSteps } = (await import(
      new URL("../../../src/worker/objects/moves/move-steps.ts", import.meta.url).href
    )) as {
      MoveSteps: new (...parameters: unknown[]) => { next(): Promise<number | undefined> };
    };
    const world = new World("DB");
    const env = world.env() as Record<string, unknown>;
    const moving = () => world.files.DB.prepare("SELECT moving FROM project WHERE id = ?").get(MOVES)?.moving;
    world.ask("DB", "DB_2");
    const lease = 1;
    world.files.DB.prepare("UPDATE project_move SET leased_until = ? WHERE project = ?").run(lease, MOVES);
    const move = { project: MOVES, source: "DB", target: "DB_2", step: "begin", at: { table: 0 }, counts: {} };
    Object.assign(move, { begunAt: 0, changedAt: 0, lease });
    let [parts, files] = [0, 3];
    const objects = {
      async next() {
        expect([world.home(), moving()]).toEqual(["DB_2", "from:DB"]);
        return ++parts < 120 ? { table: 0, after: [parts] } : undefined;
      },
      clean: async () => --files > 0,
    };
    const times = { now: () => world.now, roundMs: 40_000, sourceRetentionMs: 900_000, unknownMs: 10_000 };
    const most: number[] = [];
    for (let run = 0; run < 60 && world.step() !== "done"; run++) {
      const before = parts;
      const steps = new MoveSteps({ common: env.DB, source: env.DB, target: env.DB_2 }, move, times, objects);
      const until = world.now + times.roundMs;
      for (let wait: number | undefined = 0; wait !== undefined && world.now + wait < until; wait = await steps.next())
        world.now += wait;
      world.now += 60_000;
      most.push(parts - before);
    }
    expect([world.step(), world.home(), moving(), parts, files]).toEqual(["done", "DB_2", null, 120, 0]);
    expect(Math.max(...most)).toBe(50);
    expect(Object.values(contents(world.files.DB, MOVES)).flat()).toEqual([]);
  });
});
