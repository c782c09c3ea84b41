-- What customers own. `scope` is project × 2 + live: test and live never meet, and every key begins with it.

CREATE TABLE project (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  disabled INTEGER NOT NULL DEFAULT 0,
  monthly_quota INTEGER,                       -- calls per calendar month (UTC) over live and test; NULL = unlimited
  settings TEXT NOT NULL DEFAULT '{}',         -- JSON, see src/db/projects/projects.ts
  created_at INTEGER NOT NULL                  -- all times: milliseconds since 1970
);

CREATE TABLE api_key (
  hash TEXT PRIMARY KEY,                       -- SHA-256 of the key, hex; the key itself is shown once and never kept
  project INTEGER NOT NULL REFERENCES project (id),
  live INTEGER NOT NULL,
  secret INTEGER NOT NULL,
  hint TEXT NOT NULL,                          -- last four characters, to tell keys apart
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) WITHOUT ROWID;
CREATE INDEX api_key_project ON api_key (project);

CREATE TABLE usage (
  project INTEGER NOT NULL,
  month TEXT NOT NULL,                         -- '2026-11'
  live INTEGER NOT NULL,
  endpoint TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (project, month, live, endpoint)
) WITHOUT ROWID;

-- Counts up with every change to a scope's geofences, in the same transaction.
CREATE TABLE fence_epoch (
  scope INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL
);

CREATE TABLE geofence (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  tag TEXT,
  external_id TEXT,
  description TEXT NOT NULL,
  type TEXT NOT NULL,                          -- circle, polygon, isochrone
  latitude REAL NOT NULL,                      -- centre
  longitude REAL NOT NULL,
  radius REAL,                                 -- metres (circle), minutes (isochrone), metres of the circle that holds it (polygon)
  ring TEXT,                                   -- JSON ring [[lon,lat],…] of a polygon or isochrone
  mode TEXT,
  metadata TEXT,                               -- JSON
  enabled INTEGER NOT NULL DEFAULT 1,
  dwell_threshold REAL,
  stop_detection INTEGER,
  trip_approaching_threshold REAL,
  operating_hours TEXT,                        -- JSON
  disable_after INTEGER,
  delete_after INTEGER,
  user_ids TEXT,                               -- JSON
  ip TEXT,                                     -- JSON
  cover TEXT NOT NULL,                         -- JSON list of packed H3 cells (src/geo/cells/cells.ts)
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  epoch INTEGER NOT NULL,                      -- of the change that wrote this row
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX geofence_pair ON geofence (scope, tag, external_id) WHERE tag IS NOT NULL AND external_id IS NOT NULL;
CREATE INDEX geofence_created ON geofence (scope, created_at DESC, id DESC);
CREATE INDEX geofence_epoch ON geofence (scope, epoch);
CREATE INDEX geofence_delete_after ON geofence (delete_after) WHERE delete_after IS NOT NULL;

CREATE TABLE geofence_grave (
  scope INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (scope, epoch, id)
) WITHOUT ROWID;

CREATE TABLE user (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  user_id TEXT,
  device_id TEXT NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  cell INTEGER NOT NULL,                       -- packed H3 cell, resolution 9
  version INTEGER NOT NULL,                    -- of the tracker's state: an older write never overwrites a newer one
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  metadata TEXT,                               -- JSON, for filters
  doc TEXT NOT NULL,                           -- JSON UserState
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE INDEX user_user_id ON user (scope, user_id, updated_at DESC) WHERE user_id IS NOT NULL;
CREATE INDEX user_device ON user (scope, device_id, updated_at DESC);
CREATE INDEX user_updated ON user (scope, updated_at DESC, id DESC);
CREATE INDEX user_cell ON user (scope, cell);

-- Which users are inside which geofence now.
CREATE TABLE presence (
  scope INTEGER NOT NULL,
  geofence TEXT NOT NULL,
  user TEXT NOT NULL,
  PRIMARY KEY (scope, geofence, user)
) WITHOUT ROWID;
CREATE INDEX presence_user ON presence (scope, user);

CREATE TABLE event (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  user TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  doc TEXT NOT NULL,                           -- JSON TrackEvent
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE INDEX event_created ON event (scope, created_at DESC, id DESC);
CREATE INDEX event_user ON event (scope, user, created_at DESC);
