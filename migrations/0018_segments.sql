-- Computed segments: the users that meet a rule.
CREATE TABLE segment (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,                 -- [ms since 1970]
  updated_at INTEGER NOT NULL,
  doc TEXT NOT NULL,                           -- JSON ComputedSegment (src/engagement/segments/segment.ts)
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX segment_external ON segment (scope, external_id);
CREATE INDEX segment_created ON segment (scope, created_at DESC, id DESC);

-- Members: the segments that are in a user's doc ($.computed.segments).
CREATE TABLE segment_member (
  scope INTEGER NOT NULL,
  segment TEXT NOT NULL,
  user TEXT NOT NULL,
  PRIMARY KEY (scope, segment, user)
) WITHOUT ROWID;

-- When time alone may change the segments of a user: the hourly run reads only these.
CREATE TABLE segment_due (
  scope INTEGER NOT NULL,
  user TEXT NOT NULL,
  at INTEGER NOT NULL,                         -- [ms since 1970]
  PRIMARY KEY (scope, user)
) WITHOUT ROWID;
CREATE INDEX segment_due_at ON segment_due (at);

-- Scopes whose users are compared again after a change of a rule: page by page, in order of their ids.
CREATE TABLE segment_pass (
  scope INTEGER PRIMARY KEY,
  since INTEGER NOT NULL,                      -- of the change [ms since 1970]
  reached TEXT NOT NULL                        -- the last user compared
);

-- Geofences that apply only to users in a segment: JSON list of external ids.
ALTER TABLE geofence ADD COLUMN segments TEXT;
