import { or, type SQL, sql } from "drizzle-orm";
import { isMoving } from "../away.ts";
import { open } from "../database.ts";
import { commonDatabase, type Databases, databaseOf, hasMore } from "../databases.ts";
import type { Except } from "../except.ts";
import { project, projectMove } from "../schema.ts";
import { scopesOf } from "./moved-tables.ts";

/**
 * How long a list may be used [ms]. Much shorter than a move waits before it copies its first row
 * (objects/moves/move-times.ts, `unknownMs`).
 */
const FRESH_MS = 1_000;

/** Attempts of a query that a database rejects because a project has just begun to move. */
const ATTEMPTS = 3;

/** Moves during which the project's rows must not change anywhere, or its files are not all where its rows are. */
const PAUSED = sql`step IN ('last', 'undo') OR (step IN ('switched', 'objects') AND coalesce(at ->> '$.table', 0) = 0)`;

const scopesWhere = async (env: Databases, which: SQL | undefined): Promise<Except> => {
  const rows = await open(commonDatabase(env)).select({ of: projectMove.project }).from(projectMove).where(which).all();
  return new Set(rows.flatMap(({ of }) => scopesOf(of)));
};

/**
 * The scopes that scheduled runs leave out in a database: those of projects with a move that are not in it, so that
 * its rows of them are a copy that has not arrived or is to be deleted; and those that are paused in it for a move.
 *
 * A list is as old as its reading, and a move may go on meanwhile. In the source, the database itself rejects changes
 * from the step `last` on, for at least 15 minutes (move-triggers.ts). In the target, the first row of a project
 * arrives ten seconds after its move is in the list. So a list that is read before each query is sufficient.
 */
export class MovingScopes {
  readonly #env: Databases;
  readonly #now: () => number;
  #list: Except = new Set();
  #readAt = Number.NEGATIVE_INFINITY;

  /** @param env that of the database */
  constructor(env: Databases, now: () => number = Date.now) {
    this.#env = env;
    this.#now = now;
  }

  /**
   * Runs one query over all scopes but these. It is repeated with a new list if the database rejects it because a
   * project has just begun to move.
   */
  async leftOutOf<T>(query: (except: Except) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await query(await this.#current());
      } catch (error) {
        if (!isMoving(error) || attempt >= ATTEMPTS) throw error;
        this.#readAt = Number.NEGATIVE_INFINITY;
      }
    }
  }

  /**
   * Works on a scope that an earlier query has found.
   * @returns undefined if it is moving by now, or has begun to meanwhile
   */
  async unlessMoving<T>(scope: number, work: () => Promise<T>): Promise<T | undefined> {
    if ((await this.#current()).has(scope)) return undefined;
    try {
      return await work();
    } catch (error) {
      if (isMoving(error)) return undefined;
      throw error;
    }
  }

  async #current(): Promise<Except> {
    if (!hasMore(this.#env)) return this.#list;
    const now = this.#now();
    if (now >= this.#readAt && now < this.#readAt + FRESH_MS) return this.#list;
    const name = databaseOf(this.#env);
    const database = sql`(SELECT "database" FROM ${project} WHERE ${project.id} = ${projectMove.project})`;
    this.#list = await scopesWhere(this.#env, or(PAUSED, sql`${database} IS NOT ${name}`));
    this.#readAt = now;
    return this.#list;
  }
}

/** The scopes of projects that are paused for a move in any database: for work on the files of all projects. */
export async function pausedScopes(env: Databases): Promise<Except> {
  return hasMore(env) ? scopesWhere(env, PAUSED) : new Set();
}
