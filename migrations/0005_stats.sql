-- Figures over time. Counts of calls stand in the month's row that is written anyway, so that they cost no further row.

-- Of each hour of the month that has one, from 0 at its first midnight (UTC): calls, errors, location updates. {"h13": [5, 0, 5]}
ALTER TABLE usage ADD COLUMN hours TEXT NOT NULL DEFAULT '{}';

CREATE TABLE stat (
  scope INTEGER NOT NULL,
  day INTEGER NOT NULL,                        -- days since 1970, UTC
  kind TEXT NOT NULL,                          -- event, user
  name TEXT NOT NULL,                          -- event: its type; user: hours since it was active before, 25 = more or never
  hours TEXT NOT NULL,                         -- JSON, of each hour of the day that has one: {"h13": 5}
  PRIMARY KEY (scope, day, kind, name)
) WITHOUT ROWID;

-- Until when the hourly round has deleted the histories of devices that send no more, by scope.
CREATE TABLE history_round (
  scope INTEGER PRIMARY KEY,
  until INTEGER NOT NULL                       -- last updates before this have been seen to [ms]
);
