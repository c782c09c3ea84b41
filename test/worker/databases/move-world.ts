import type { DatabaseSync } from "node:sqlite";
import { MOVED_TABLES } from "../../../src/worker/db/moves/moved-tables.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";

// The room of objects knows the platform's types, which tests in Node do not.
const { moveRound } = (await ((file: string) =>
  import(new URL(`../../../src/worker/objects/${file}.ts`, import.meta.url).href))("moves/move-round")) as {
  moveRound(env: object, times: object): Promise<void>;
};

export const [STAYS, MOVES] = [1, 2];

/** Three databases, a project that moves from the first or second to another, and one beside it. */
export class World {
  readonly files: Record<string, DatabaseSync> = { DB: newDatabase(), DB_2: newDatabase(), DB_3: newDatabase() };
  /** Calls of databases so far, and the one at which the machine stops. */
  calls = 0;
  stopAt = Number.POSITIVE_INFINITY;
  stopped = false;
  now = 1_800_000_000_000;
  /** Called between any two statements. */
  meanwhile = () => {};

  constructor(home: string, fillWith = fill) {
    const add = this.files.DB.prepare(`INSERT INTO project (id, name, created_at, "database") VALUES (?, 'p', 0, ?)`);
    add.run(STAYS, home);
    add.run(MOVES, home);
    for (const project of [STAYS, MOVES])
      for (const scope of [project * 2, project * 2 + 1]) fillWith(this.files[home], scope);
  }

  ask(source: string, target: string): void {
    this.files.DB.prepare(
      "INSERT OR REPLACE INTO project_move (project, source, target, step, begun_at, changed_at) VALUES (?, ?, ?, 'begin', 0, 0)",
    ).run(MOVES, source, target);
  }

  /** As the Worker has them, in a process of its own. */
  env(): object {
    const step = () => {
      if (this.stopped) throw new Error("stopped");
      if (++this.calls >= this.stopAt) {
        this.stopped = true;
        throw new Error("stopped");
      }
      this.now += 3;
      this.meanwhile();
    };
    return Object.fromEntries(Object.entries(this.files).map(([name, file]) => [name, d1On(file, step)]));
  }

  async round(): Promise<void> {
    this.stopped = false;
    await this.work(40_000).catch((error) => {
      if (!this.stopped) throw error;
    });
    this.now += 61_000;
  }

  /** Works at the move for some time [ms], in a process of its own. */
  work(roundMs: number): Promise<void> {
    const sleep = async (ms: number) => {
      this.now += ms;
    };
    const times = { now: () => this.now, sleep, roundMs, sourceRetentionMs: 900_000, unknownMs: 10_000 };
    return moveRound(this.env(), times);
  }

  step(): string {
    return String(this.files.DB.prepare("SELECT step FROM project_move WHERE project = ?").get(MOVES)?.step);
  }

  home(): string {
    return String(this.files.DB.prepare(`SELECT "database" AS name FROM project WHERE id = ?`).get(MOVES)?.name);
  }

  async untilDone(most = 60): Promise<void> {
    for (let i = 0; i < most && !["done", "undone", "failed"].includes(this.step()); i++) await this.round();
  }
}

/** The step of each call of a move that nothing interrupts; it is over then. */
export async function stepsOf(world: World, from: string, to: string): Promise<string[]> {
  const steps: string[] = [];
  world.meanwhile = () => void steps.push(world.step());
  world.ask(from, to);
  await world.untilDone();
  return steps;
}

/** All that a database has of a project, with the type of each value. */
export function contents(file: DatabaseSync, project: number): Record<string, unknown[]> {
  return Object.fromEntries(
    MOVED_TABLES.map(({ name, columns, key }) => {
      const typed = columns.map((column) => `"${column}", typeof("${column}") AS "type of ${column}"`).join();
      const rows = file
        .prepare(`SELECT ${typed} FROM "${name}" WHERE scope IN (?, ?) ORDER BY ${key.map((one) => `"${one}"`).join()}`)
        .all(project * 2, project * 2 + 1);
      return [name, rows];
    }),
  );
}

export const triggers = (file: DatabaseSync) =>
  file.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
export const noted = (file: DatabaseSync) => file.prepare("SELECT count(*) AS n FROM moved_change").get()?.n;

/** At which calls a machine stops: at each with EVERY_KILL=1; else at the first, middle and last of each step. */
export function stops(stepOf: readonly string[]): number[] {
  const calls = stepOf.map((_, i) => i + 1);
  if (process.env.EVERY_KILL === "1") return calls;
  const some = [...new Set(stepOf)].flatMap((step) => {
    const [first, last] = [stepOf.indexOf(step) + 1, stepOf.lastIndexOf(step) + 1];
    return [first, (first + last) >> 1, last];
  });
  return [...new Set(some)];
}

/** Rows in every table: whole numbers and broken ones, texts of all scripts, bytes, nothing. */
function fill(file: DatabaseSync, scope: number): void {
  for (const { name, columns } of MOVED_TABLES) {
    const types = new Map(
      file
        .prepare("SELECT name, type FROM pragma_table_info(?)")
        .all(name)
        .map((row) => [row.name, row.type]),
    );
    const rows = columns.length === 2 && columns[0] === "scope" ? 1 : 5;
    for (let n = 0; n < rows; n++) {
      const values = columns.map((column, i) => {
        if (column === "scope") return scope;
        const type = types.get(column);
        if (type === "INTEGER") return 1_700_000_000_000 + n * 1000 + i;
        if (type === "REAL") return n % 2 === 0 ? n : 48.1 + n / 7;
        if (type === "BLOB") return new Uint8Array([0, n, 255]);
        return n === 3 ? `'Ünï', 東京 "${n}" ${column} ${scope}` : `${column}-${n}-${scope}`;
      });
      file
        .prepare(
          `INSERT OR REPLACE INTO "${name}" (${columns.map((c) => `"${c}"`)}) VALUES (${columns.map(() => "?")})`,
        )
        .run(...values);
    }
  }
}
