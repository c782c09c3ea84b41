-- A user's archived events of a finished month lie together: what each day had of them by user is merged into objects of the month, each of some
-- users. Objects by type stay as they are, a day each.

ALTER TABLE archive ADD COLUMN merged INTEGER NOT NULL DEFAULT 0; -- merges that are over: a list of parts from before one does not go on behind it
ALTER TABLE archive_part ADD COLUMN merge TEXT; -- that takes or took its events by user into a month; once it is over, `users` is []

DROP INDEX archive_part_time;
CREATE INDEX archive_part_time ON archive_part (scope, to_time, id, from_time, merge);
CREATE INDEX archive_part_merge ON archive_part (merge, day, scope);

-- Merges under way, one a scope. Until it is over lists read its days, and not its months.
CREATE TABLE archive_merge (
  scope INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  month INTEGER NOT NULL,                      -- its first day [days since 1970, UTC]
  next TEXT NOT NULL                           -- JSON {user, time, id}: events from here on are still to be merged; '' = all, 'end' = none
);

CREATE TABLE archive_month (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,                            -- of its object's name
  month INTEGER NOT NULL,                      -- its first day [days since 1970, UTC]
  merge TEXT NOT NULL,                         -- that made it
  first_user TEXT NOT NULL,                    -- the least and the greatest of its users
  last_user TEXT NOT NULL,
  seq INTEGER NOT NULL,                        -- as of archive_part
  rows INTEGER NOT NULL,
  from_time INTEGER NOT NULL,                  -- of its first event [ms]
  to_time INTEGER NOT NULL,                    -- and of its last
  bytes INTEGER NOT NULL,
  digest TEXT NOT NULL,                        -- SHA-256 of its events
  users TEXT NOT NULL,                         -- the groups of its object
  PRIMARY KEY (scope, id)
);
CREATE INDEX archive_month_user ON archive_month (scope, first_user, last_user, id);
CREATE INDEX archive_month_merge ON archive_month (merge);
CREATE INDEX archive_month_time ON archive_month (scope, from_time);
