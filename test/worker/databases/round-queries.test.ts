import { readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { MOVED_TABLES } from "../../../src/worker/db/moves/moved-tables.ts";
import { newDatabase } from "../../support/d1-on-sqlite.ts";
import { importsOf, ROOT, sourcesBelow } from "../../support/imports.ts";
import { MOVES } from "./move-world.ts";
import { type Ran, RoundWorld } from "./round-world.ts";

/**
 * Every query of a scheduled run is about one scope, whose work begins only if it is not moving (`unlessMoving`), or
 * leaves out the scopes that move. A new one that does neither fails here.
 */

const ROUNDS = join(ROOT, "src/worker/objects/rounds");
const DB = join(ROOT, "src/worker/db");

/** Functions of src/worker/db about no rows of projects. */
const WITHOUT_ROWS = [
  "deleteEndedSessions",
  "deleteEndedGrants",
  "copyProjects",
  "refreshStatistics",
  "learningProjects",
];
/** Those without a query. */
const NO_QUERY = [
  "everyDatabase",
  "everyResidence",
  "addFigures",
  "applyChanges",
  "fetchGroups",
  "pausedScopes",
  "MovingScopes",
];

/** Objects whose methods are each about one scope (`db, scope`). */
const OF_ONE_SCOPE = ["campaignRows"];

const textOf = (path: string) => readFileSync(path, "utf8");

/** The functions of src/worker/db that a module calls: their names and files. */
function calledBy(path: string): { name: string; file: string }[] {
  return [...textOf(path).matchAll(/^import (?!type)\{([^}]*)\} from "([^"]*)";/gms)].flatMap(([, names, from]) => {
    const file = resolve(dirname(path), from);
    if (!file.startsWith(DB)) return [];
    return names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => ({ name, file }));
  });
}

/** The parameters of an exported function; undefined: it is none. */
function parametersOf(name: string, file: string): string | undefined {
  const [, rest] = textOf(file).split(new RegExp(`export (?:async )?function ${name}(?:<[^>]*>)?\\(`));
  if (rest === undefined) return undefined;
  let depth = 1;
  for (let i = 0; i < rest.length; i++) {
    if (/[({[]/.test(rest[i])) depth++;
    if (/[)}\]]/.test(rest[i]) && --depth === 0) return rest.slice(0, i);
  }
  return undefined;
}

/** Names of interfaces with a scope, also by extension. */
function scopedTypes(): Set<string> {
  const declared = [join(ROOT, "src/worker/db"), join(ROOT, "src/core/archive")].flatMap((folder) =>
    sourcesBelow(folder).flatMap((path) =>
      [...textOf(path).matchAll(/interface (\w+)(?: extends ([\w, ]+))? \{(.*?)^\}/gms)].map(
        ([, name, parents = "", body]) => ({
          name,
          parents: parents.split(/[, ]+/),
          isScoped: /^ {2}scope: number;/m.test(body),
        }),
      ),
    ),
  );
  const found = new Set(declared.filter(({ isScoped }) => isScoped).map(({ name }) => name));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { name, parents } of declared) if (parents.some((one) => found.has(one))) found.add(name);
  }
  return found;
}

const modules = sourcesBelow(ROUNDS);

describe("a scheduled run", () => {
  it("calls functions of the database for one scope, or without those that move", () => {
    const scoped = scopedTypes();
    const isForOne = (parameters: string) =>
      /\bscope: number\b/.test(parameters) ||
      [...parameters.matchAll(/: (?:readonly )?(\w+)/g)].some(([, type]) => scoped.has(type));
    const called = modules.flatMap((path) => calledBy(path).map((one) => ({ ...one, by: basename(path) })));
    expect(called.length).toBeGreaterThan(50);
    const found = called
      .filter(({ name }) => ![...WITHOUT_ROWS, ...NO_QUERY, ...OF_ONE_SCOPE].includes(name))
      .filter(({ name, file }) => {
        const parameters = parametersOf(name, file);
        // A constant.
        if (parameters === undefined) return !/^[A-Z_\d]+$/.test(name);
        return !/\bexcept: Except\b/.test(parameters) && !isForOne(parameters);
      })
      .map(({ name, by }) => `${by}: ${name}`);
    expect(found).toEqual([]);
  });

  it("reads the list of scopes for each query, right before it", () => {
    for (const path of modules) {
      const calls = calledBy(path).filter(({ name, file }) =>
        /\bexcept: Except\b/.test(parametersOf(name, file) ?? ""),
      );
      for (const { name } of calls) {
        const text = textOf(path).replace(/^import .*?;$/gms, "");
        const uses = text.match(new RegExp(`\\b${name}\\(`, "g"))?.length ?? 0;
        const guarded = text.match(new RegExp(`leftOutOf\\(\\s*\\(except\\) =>\\s*${name}\\(`, "g"))?.length ?? 0;
        expect([basename(path), name, guarded]).toEqual([basename(path), name, uses]);
        expect(uses).toBeGreaterThan(0);
      }
    }
  });

  it("makes no query of its own", () => {
    const own = modules.filter((path) => /\.prepare\(|\.batch\(|\bopen\(/.test(textOf(path)));
    expect(own.map((path) => relative(ROOT, path))).toEqual([]);
  });

  it("imports the database only by names, which this test follows", () => {
    for (const path of modules)
      for (const { target, typeOnly } of importsOf(path))
        if (!typeOnly && resolve(dirname(path), target).startsWith(DB))
          expect(calledBy(path).map(({ file }) => file)).toContain(resolve(dirname(path), target));
  });
});

describe("the statements of a complete run", () => {
  let world: RoundWorld;
  beforeAll(async () => {
    vi.stubGlobal("scheduler", { wait: () => Promise.resolve() });
    for (const method of ["log", "error"] as const) vi.spyOn(console, method).mockReturnValue();
    world = new RoundWorld("DB_2", "DB");
    world.ask("DB_2", "DB");
    await world.hourly();
    return () => {
      vi.restoreAllMocks();
      vi.unstubAllGlobals();
    };
  });

  const TABLES = new RegExp(
    `\\b(FROM|INTO|UPDATE|JOIN|from|into|update|join) "?(${MOVED_TABLES.map(({ name }) => name).join("|")})\\b`,
  );
  const ONE_SCOPE =
    /\bscope"? = \?|\+geofence\.scope = \?|value->>'scope'|\bvalues \(\?|VALUES \(\?|SELECT \?, |\bmerge = \?/i;
  const isList = (value: unknown) => typeof value === "string" && /^\[[\d,]*\]$/.test(value);
  const leavesOut = ({ sql, values }: Ran) => /NOT IN \(SELECT value FROM json_each\(/.test(sql) && values.some(isList);

  it("name one scope, or leave out those that move", () => {
    const about = world.ran.filter(({ sql }) => TABLES.test(sql));
    expect(about.length).toBeGreaterThan(300);
    expect(about.filter(leavesOut).length).toBeGreaterThan(50);
    const others = about.filter((ran) => !leavesOut(ran) && !ONE_SCOPE.test(ran.sql)).map(({ sql }) => sql);
    expect([...new Set(others)]).toEqual([]);
    const moving = [MOVES * 2, MOVES * 2 + 1];
    for (const { sql, values } of about.filter((ran) => leavesOut(ran) && ran.name === "DB")) {
      const lists = values.filter(isList).map((list) => JSON.parse(String(list)) as number[]);
      expect([sql, lists.some((list) => moving.every((scope) => list.includes(scope)))]).toEqual([sql, true]);
    }
  });

  /** Tables with a row or few for each scope, and the parts of the archive, which the figures add up. */
  const SMALL = ["project", "half", "archive", "archive_merge", "archive_part", "archive_month", "segment_pass"];
  /** Of SQLite itself, and the results of queries within a query. */
  const NONE = ["json_each", "CONSTANT", "one", "done"];

  it("read no large table from beginning to end, nor all of a scope", () => {
    // Without statistics, as a new database has none.
    const database = newDatabase();
    const statements = new Set(world.ran.filter(leavesOut).map(({ sql }) => sql));
    expect(statements.size).toBeGreaterThan(15);
    for (const sql of statements) {
      const plan = database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail));
      const read = plan.flatMap(
        (line) => /^SCAN (\w+)|^SEARCH (?!campaign)(\w+) USING PRIMARY KEY \(scope=\?\)/.exec(line)?.slice(1) ?? [],
      );
      const large = read.filter((name) => name !== undefined && !SMALL.includes(name) && !NONE.includes(name));
      expect([sql, large]).toEqual([sql, []]);
    }
  });

  it("read no list where there is one database", async () => {
    const env = world.roundEnv() as Record<string, unknown>;
    delete env.DB_2;
    delete env.DB_3;
    world.ran.length = 0;
    const { hourlyRound } = (await import(
      new URL("../../../src/worker/objects/rounds/hourly-round.ts", import.meta.url).href
    )) as {
      hourlyRound(env: object, now: number): Promise<void>;
    };
    await hourlyRound(env, world.now);
    expect(world.ran.length).toBeGreaterThan(40);
    expect(world.ran.filter(({ sql }) => sql.includes("project_move"))).toEqual([]);
  });
});
