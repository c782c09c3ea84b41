/** The statements that count, as texts: a test runs them against a database of its own. */

/** A user's previous activity this many hours ago, or longer, or never, is not told apart: a day has at most 25. */
export const LONGEST_GAP = 25;

/** One more row of a count; the hour is the only key of `excluded.hours`. */
const ADDING = `ON CONFLICT (scope, day, kind, name) DO UPDATE SET hours = json_set(hours,
  '$.' || (SELECT key FROM json_each(excluded.hours)),
  coalesce(hours ->> ('$.' || (SELECT key FROM json_each(excluded.hours))), 0) + (SELECT value FROM json_each(excluded.hours)))`;

/** Takes a JSON list of {scope, doc}. Events that the table has already are not counted. */
export const COUNT_EVENTS = `INSERT INTO stat (scope, day, kind, name, hours)
  SELECT scope, hour / 24, 'event', type, json_object('h' || (hour % 24), count(*)) FROM
   (SELECT DISTINCT value->>'scope' AS scope, value->>'$.doc._id' AS id, value->>'$.doc.type' AS type,
      CAST(value->>'$.doc.createdAt' AS INTEGER) / 3600000 AS hour FROM json_each(?1)) AS new
  WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.scope = new.scope AND event.id = new.id)
  GROUP BY scope, hour, type ${ADDING}`;

/** Takes a JSON list of {scope, id, hour}. Who was active in that hour already, by the table, is not counted. */
export const COUNT_USERS = `INSERT INTO stat (scope, day, kind, name, hours)
   SELECT scope, hour / 24, 'user', gap, json_object('h' || (hour % 24), count(*)) FROM
     (SELECT new.scope, new.hour, min(${LONGEST_GAP},
        coalesce(new.hour - CAST(coalesce(user.doc ->> '$.actualUpdatedAt', user.updated_at) AS INTEGER) / 3600000, ${LONGEST_GAP})) AS gap
      FROM (SELECT value->>'scope' AS scope, value->>'id' AS id, max(value->>'hour') AS hour
            FROM json_each(?1) GROUP BY 1, 2) AS new
      LEFT JOIN user ON user.scope = new.scope AND user.id = new.id)
   WHERE gap > 0 GROUP BY scope, hour, gap ${ADDING}`;
