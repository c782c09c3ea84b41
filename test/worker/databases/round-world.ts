import { REFUSAL } from "../../../src/worker/db/refusal.ts";
import type { d1On } from "../../support/d1-on-sqlite.ts";
import { FakeBucket } from "../geodata/fake-bucket.ts";
import { fillExpired, SETTINGS, undoneIn } from "./expired-project.ts";
import { contents, MOVES, STAYS, World } from "./move-world.ts";

// The room of objects knows the platform's types, which tests in Node do not.
const { hourlyRound } = (await ((file: string) =>
  import(new URL(`../../../src/worker/objects/${file}.ts`, import.meta.url).href))("rounds/hourly-round")) as {
  hourlyRound(env: object, now: number): Promise<void>;
};

/** A project in the database to which the other one moves. */
export const HOST = 3;

const START = 1_800_000_000_000;
const DAY = 24 * 3_600_000;
const TODAY = Math.floor(START / DAY);

export const scopesOf = (project: number) => [project * 2, project * 2 + 1];

/** The bucket of all projects, as far as scheduled runs use it. */
class Bucket extends FakeBucket {
  /** Called before each call, with its key or prefix. */
  beforeCall: (key: string) => void = () => {};
  async list({ prefix }: { prefix: string }) {
    this.beforeCall(prefix);
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    return { objects: keys.map((key) => ({ key })), truncated: false };
  }
  async delete(keys: string | string[]) {
    for (const key of [keys].flat()) {
      this.beforeCall(key);
      this.objects.delete(key);
    }
  }
  async head(key: string) {
    this.beforeCall(key);
    const found = this.objects.get(key);
    return found ? { size: found.length } : null;
  }
  override async get(key: string, options?: Parameters<FakeBucket["get"]>[1]) {
    this.beforeCall(key);
    const stored = await super.get(key, options);
    return stored && { ...stored, text: async () => new TextDecoder().decode(this.objects.get(key)) };
  }
}

/** A statement of a scheduled run, and the database that it ran in. */
export interface Ran {
  name: string;
  sql: string;
  values: readonly unknown[];
}

/** Three databases with a project that moves, one beside it and one where it moves to; every scheduled run has work in each. */
export class RoundWorld extends World {
  readonly bucket = new Bucket();
  /** Calls of Durable Objects: "scope:name method". */
  readonly called: string[] = [];
  readonly ran: Ran[] = [];
  /** Called before each statement of a scheduled run. */
  during: (ran: Ran) => Promise<void> | void = () => {};
  /** Called before each call of a Durable Object. */
  beforeCall: (scope: number, name: string) => void = () => {};
  /** Statements of scheduled runs that a database has rejected because a project is moving. */
  rejected = 0;
  readonly source: string;
  readonly target: string;

  constructor(source: string, target: string) {
    super(source, (file, scope) => fillExpired(file, scope, START));
    this.source = source;
    this.target = target;
    const common = this.files.DB;
    common.prepare(`INSERT INTO project (id, name, created_at, "database") VALUES (?, 'p', 0, ?)`).run(HOST, target);
    common.prepare("UPDATE project SET settings = ?").run(SETTINGS);
    for (const scope of scopesOf(HOST)) fillExpired(this.files[target], scope, START);
    for (const file of Object.values(this.files))
      file.exec(`UPDATE d1_migrations SET applied_at = datetime(${START / 1000 - 3600}, 'unixepoch')`);
    for (const project of [STAYS, MOVES, HOST]) {
      for (const scope of scopesOf(project)) this.bucket.put(`archive/${scope}/unused`, "x");
      const day = TODAY - 4;
      const state = { version: 1, day, after: 0, oldest: Math.floor(day / 7), minimumDevices: 1 };
      this.bucket.put(`learning/states/${project * 2 + 1}`, JSON.stringify(state));
    }
  }

  homeOf = (project: number) => (project === HOST ? this.target : project === STAYS ? this.source : this.home());

  /** A complete hourly run, as of now, in a process of its own. */
  async hourly(): Promise<void> {
    await hourlyRound(this.roundEnv(), this.now);
  }

  roundEnv(): object {
    this.stopped = false;
    this.stopAt = Number.POSITIVE_INFINITY;
    const databases = Object.entries(this.env() as Record<string, ReturnType<typeof d1On>>);
    const objects = (methods: Record<string, (scope: number, id: string, ...rest: never[]) => unknown>) => ({
      idFromName: (name: string) => name,
      get: (name: string) =>
        new Proxy(
          {},
          {
            get:
              (_, method: string) =>
              async (...given: never[]) => {
                this.called.push(`${name} ${method}`);
                this.beforeCall(Number(name.split(":")[0]), name);
                return methods[method]?.(Number(name.split(":")[0]), name, ...given);
              },
          },
        ),
    });
    return {
      ...Object.fromEntries(databases.map(([name, db]) => [name, this.#watched(name, db)])),
      GEODATA: this.bucket,
      ALERT_WATCH: objects({}),
      WEBHOOK_SENDER: objects({}),
      DEVICE_TRACKER: objects({
        forget: (scope, _, __, id: string) => {
          const { [this.homeOf(scope >> 1)]: file } = this.files;
          try {
            file.prepare("DELETE FROM user WHERE scope = ? AND id = ?").run(scope, id);
          } catch (error) {
            // A tracker stores it later; here the next run asks for it again.
            if (!String(error).includes(REFUSAL)) throw error;
          }
        },
        changeTrip: () => true,
        updates: () => ({ updates: [] }),
      }),
    };
  }

  #watched(name: string, db: ReturnType<typeof d1On>): object {
    type Statement = ReturnType<(typeof db)["prepare"]>;
    const originals = new WeakMap<object, Statement>();
    const run = async <T>(statements: readonly Statement[], work: () => Promise<T>): Promise<T> => {
      for (const { sql, values } of statements) {
        this.ran.push({ name, sql, values });
        await this.during({ name, sql, values });
      }
      return work().catch((error) => {
        if (String(error).includes(REFUSAL)) this.rejected++;
        throw error;
      });
    };
    const watch = (statement: Statement): object => {
      const made = {
        bind: (...values: never[]) => watch(statement.bind(...values)),
        ...Object.fromEntries(
          (["all", "first", "raw", "run"] as const).map((method) => [
            method,
            () => run<unknown>([statement], () => statement[method]()),
          ]),
        ),
      };
      originals.set(made, statement);
      return made;
    };
    return {
      prepare: (sql: string) => watch(db.prepare(sql)),
      batch: (given: object[]) => {
        const statements = given.map((one) => originals.get(one) as Statement);
        return run(statements, () => db.batch(statements));
      },
    };
  }

  /** What is still to be done in a project, in its database: after a complete run, nothing. */
  undone(project: number): string[] {
    return scopesOf(project).flatMap((scope) => [
      ...undoneIn(this.files[this.homeOf(project)], scope, START),
      ...(scope % 2 === 1 && this.#learnedUntil(scope) < TODAY - 1 ? ["days not learned"] : []),
      ...(this.bucket.objects.has(`archive/${scope}/unused`) ? ["unused files"] : []),
    ]);
  }

  #learnedUntil(scope: number): number {
    return Number(JSON.parse(new TextDecoder().decode(this.bucket.objects.get(`learning/states/${scope}`))).day);
  }

  /** Rows of the project that moves, in a database. */
  moving(name: string): unknown {
    return contents(this.files[name], MOVES);
  }

  /** Calls of the Durable Objects of a project, without its number, in order. */
  callsOf(project: number): string[] {
    return this.called
      .flatMap((call) =>
        scopesOf(project).flatMap((scope, live) =>
          call.startsWith(`${scope}:`) ? [call.replace(`${scope}:`, `${live}:`)] : [],
        ),
      )
      .sort();
  }

  /** How many rows each table has of a project, and how many events its archive. */
  sizesOf(project: number): Record<string, number> {
    const file = this.files[this.homeOf(project)];
    const rows = Object.entries(contents(file, project)).map(([table, rows]) => [table, rows.length] as const);
    const archived = file
      .prepare("SELECT coalesce(sum(rows), 0) AS n FROM archive_part WHERE scope IN (?, ?)")
      .get(...scopesOf(project));
    return { ...Object.fromEntries(rows), "archived events": Number(archived?.n) };
  }
}
