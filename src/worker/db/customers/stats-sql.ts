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
 * Takes a JSON list of {scope, id, userId, hour}. Users already active in that hour, according to the table, are not counted; a user is all
 * records of one userId. `IN` makes SQLite use the index of userIds.
 */
export const newlyActive = prepared(
  (active) => sql`SELECT scope, 'user' AS kind, CAST(gap AS TEXT) AS name, hour, count(*) AS count FROM
     (SELECT scope, max(hour) AS hour, min(${integer(MAX_GAP)}, max(hour) - max(last)) AS gap FROM
        (SELECT scope, hour, coalesce('user ' || userId, id) AS person,
           (SELECT coalesce(max(CAST(coalesce(${user.doc} ->> '$.actualUpdatedAt', ${user.updatedAt}) AS INTEGER) / 3600000), 0)
            FROM ${user} WHERE ${user.scope} = new.scope AND ${user.id} IN
              (SELECT new.id UNION ALL SELECT id FROM ${user} WHERE scope = new.scope AND user_id = new.userId)) AS last
         FROM (SELECT value->>'scope' AS scope, value->>'id' AS id, value->>'userId' AS userId, value->>'hour' AS hour
               FROM json_each(${active})) AS new)
      GROUP BY scope, person)
   WHERE gap > 0 GROUP BY scope, hour, gap`,
);
