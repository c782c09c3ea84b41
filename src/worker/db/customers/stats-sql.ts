import { type SQL, sql } from "drizzle-orm";
import { integer, prepared } from "../database.ts";
import { event, stat, user } from "../schema.ts";

/** The queries for counting. */

/**
 * Longer gaps since a user's previous activity [hours], or none at all, are stored as this one: a day has at most 25
 * hours.
 */
export const MAX_GAP = 25;

/** Adds a JSON list of {scope, kind, name, hour, count} to the counts. */
export const addingCounts = (counts: string): SQL => sql`INSERT INTO ${stat} (scope, day, kind, name, hours)
  SELECT value->>'scope', (value->>'hour') / 24, value->>'kind', value->>'name',
    json_object('h' || ((value->>'hour') % 24), value->>'count') FROM json_each(${counts}) WHERE true
  ON CONFLICT (scope, day, kind, name) DO UPDATE SET hours = json_set(hours,
  '$.' || (SELECT key FROM json_each(excluded.hours)),
  coalesce(hours ->> ('$.' || (SELECT key FROM json_each(excluded.hours))), 0) + (SELECT value FROM json_each(excluded.hours)))`;

/**
 * Takes a JSON list of {scope, id, kind, name, hour}; events already in the table were counted then, however often they
 * arrive.
 */
export const newEvents = prepared(
  (events) => sql`SELECT scope, kind, name, hour, count(*) AS count FROM
   (SELECT DISTINCT value->>'scope' AS scope, value->>'id' AS id, value->>'kind' AS kind, value->>'name' AS name, value->>'hour' AS hour
    FROM json_each(${events})) AS new
  WHERE NOT EXISTS (SELECT 1 FROM ${event} WHERE ${event.scope} = new.scope AND ${event.id} = new.id)
  GROUP BY scope, hour, kind, name`,
);

/**
 * Takes a JSON list of {scope, id, hour}. Users already active in that hour, according to the table, are not counted.
 */
export const newlyActive = prepared(
  (active) => sql`SELECT scope, 'user' AS kind, CAST(gap AS TEXT) AS name, hour, count(*) AS count FROM
     (SELECT new.scope, new.hour, min(${integer(MAX_GAP)},
        coalesce(new.hour - CAST(coalesce(${user.doc} ->> '$.actualUpdatedAt', ${user.updatedAt}) AS INTEGER) / 3600000, ${integer(MAX_GAP)})) AS gap
      FROM (SELECT value->>'scope' AS scope, value->>'id' AS id, max(value->>'hour') AS hour
            FROM json_each(${active}) GROUP BY 1, 2) AS new
      LEFT JOIN ${user} ON ${user.scope} = new.scope AND ${user.id} = new.id)
   WHERE gap > 0 GROUP BY scope, hour, gap`,
);
