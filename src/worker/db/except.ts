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
