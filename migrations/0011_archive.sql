-- Events older than the hot days lie in R2 as Parquet (docs/formats/archive.md); here stands where, and what is still to be done to them.

CREATE TABLE archive (
  scope INTEGER PRIMARY KEY,                   -- it has an archive, or has begun one
  seq INTEGER NOT NULL,                        -- counts deletions and changes of what is archived
  moving INTEGER,                              -- the day whose events were read last to be moved [days since 1970]
  edits INTEGER NOT NULL DEFAULT 0             -- changes of events of that day in `event`: what was read before one is not moved
);

CREATE TABLE archive_part (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,                            -- of its objects' names
  day INTEGER NOT NULL,                        -- of its events [days since 1970, UTC]
  seq INTEGER NOT NULL,                        -- of the archive: deletions and changes up to here are not in it any more
  rows INTEGER NOT NULL,
  from_time INTEGER NOT NULL,                  -- of its first event [ms]
  to_time INTEGER NOT NULL,                    -- and of its last
  bytes INTEGER NOT NULL,                      -- of both objects
  digest TEXT NOT NULL,                        -- SHA-256 of its events (src/archive/digest.ts)
  types TEXT NOT NULL,                         -- the groups of its object by types (src/archive/directory.ts)
  users TEXT NOT NULL,                         -- and of the one by users
  filter BLOB NOT NULL,                        -- which users it may have (src/archive/user-filter.ts); last, as it is long
  PRIMARY KEY (scope, id)
);
CREATE INDEX archive_part_time ON archive_part (scope, to_time, id);

-- Users whose events are not shown any more, and go from the archive with the next rounds.
CREATE TABLE archive_forgotten (
  scope INTEGER NOT NULL,
  user TEXT NOT NULL,
  seq INTEGER NOT NULL,
  done_at INTEGER,                             -- when no part had them any more [ms]
  PRIMARY KEY (scope, user)
) WITHOUT ROWID;

-- Archived events that were deleted or changed.
CREATE TABLE archive_change (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  user TEXT NOT NULL,
  time INTEGER NOT NULL,
  doc TEXT,                                    -- as it is now; NULL = deleted
  seq INTEGER NOT NULL,
  done_at INTEGER,                             -- when the part had been written anew [ms]
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;

-- Objects that no part names: of moves under way or interrupted, and of parts that were written anew.
CREATE TABLE archive_object (
  scope INTEGER NOT NULL,
  key TEXT NOT NULL,
  delete_after INTEGER NOT NULL,               -- [ms]
  PRIMARY KEY (scope, key)
) WITHOUT ROWID;
