-- Rules about meetings: which users, how near to each other, generate events.
CREATE TABLE meeting (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,                 -- [ms since 1970]
  updated_at INTEGER NOT NULL,
  doc TEXT NOT NULL,                           -- JSON Meeting (src/core/engagement/meetings/meeting.ts)
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
