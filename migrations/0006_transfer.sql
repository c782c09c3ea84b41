-- What became of each file of geofences. `scope` is project × 2 + live, as everywhere.
CREATE TABLE geofence_import (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  doc TEXT NOT NULL,                           -- JSON, see src/db/customers/imports.ts
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE INDEX geofence_import_created ON geofence_import (scope, created_at DESC, id DESC);

-- Links that show one trip to whoever has them.
CREATE TABLE trip_share (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  trip TEXT NOT NULL,
  hash TEXT NOT NULL,                          -- SHA-256 of the token, hex; the token itself is shown once and never kept
  shows TEXT NOT NULL,                         -- JSON list: location, eta, destination, route
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX trip_share_hash ON trip_share (hash);
CREATE INDEX trip_share_trip ON trip_share (scope, trip, created_at DESC);
CREATE INDEX trip_share_expires ON trip_share (expires_at);
