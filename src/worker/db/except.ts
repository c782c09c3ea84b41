import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { listed } from "./database.ts";

/** Scopes that a query over several scopes leaves out. */
export type Except = ReadonlySet<number>;

/** The condition that a scope is none of them. */
export const outside = (scope: SQLWrapper, except: Except): SQL =>
  sql`${scope} NOT IN (SELECT value FROM ${listed([...except])})`;

/** The scopes of a database's projects without them. */
export const scopesOfProjects = (except: Except): SQL =>
  sql`(SELECT scope FROM (SELECT id * 2 AS scope FROM project UNION ALL SELECT id * 2 + 1 FROM project)
    WHERE ${outside(sql`scope`, except)})`;

export const listOf = (except: Except): string => JSON.stringify([...except]);
export const notListed = (scope: string, parameter: string): string =>
  `${scope} NOT IN (SELECT value FROM json_each(${parameter}))`;
export const scopesIn = (parameter: string): string =>
  `(SELECT scope FROM (SELECT id * 2 AS scope FROM project UNION ALL SELECT id * 2 + 1 FROM project)
    WHERE ${notListed("scope", parameter)})`;
