-- Beacons and trips. `scope` is project × 2 + live, as everywhere.

-- Counts up with every change to a scope's beacons, in the same transaction.
CREATE TABLE beacon_epoch (
  scope INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL
);

CREATE TABLE beacon (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,                          -- ibeacon, eddystone
  uuid TEXT,                                   -- ibeacon: lower case
  major TEXT,
  minor TEXT,
  uid TEXT,                                    -- eddystone: lower case
  instance TEXT,
  signal TEXT NOT NULL,                        -- what a device hears: 'ibeacon:uuid:major:minor' or 'eddystone:uid:instance'
  description TEXT NOT NULL,
  tag TEXT,
  external_id TEXT,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  cell INTEGER NOT NULL,                       -- packed H3 cell, resolution 9
  enabled INTEGER NOT NULL,
  metadata TEXT,                               -- JSON
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX beacon_pair ON beacon (scope, tag, external_id) WHERE tag IS NOT NULL AND external_id IS NOT NULL;
CREATE INDEX beacon_signal ON beacon (scope, signal);
CREATE INDEX beacon_cell ON beacon (scope, cell);
CREATE INDEX beacon_created ON beacon (scope, created_at DESC, id DESC);

-- What became of each CSV file.
CREATE TABLE beacon_import (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  doc TEXT NOT NULL,                           -- JSON, see src/db/beacon-imports.ts
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE INDEX beacon_import_created ON beacon_import (scope, created_at DESC, id DESC);

CREATE TABLE trip (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  external_id TEXT NOT NULL,
  user_id TEXT,                                -- the userId it was made for
  device_id TEXT,                              -- the device that makes it; NULL until one has begun
  user TEXT,                                   -- the user record that makes it
  status TEXT NOT NULL,
  destination_tag TEXT,
  destination_external_id TEXT,
  delayed INTEGER NOT NULL,
  version INTEGER NOT NULL,                    -- of the tracker's trip: an older write never overwrites a newer one
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  doc TEXT NOT NULL,                           -- JSON Trip (src/tracking/types/trip.ts)
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
-- An externalId may be used again when its trip has ended.
CREATE UNIQUE INDEX trip_active ON trip (scope, external_id) WHERE status IN ('pending', 'started', 'approaching', 'arrived');
CREATE INDEX trip_external_id ON trip (scope, external_id, created_at DESC);
CREATE INDEX trip_user ON trip (scope, user_id, created_at) WHERE user_id IS NOT NULL;
CREATE INDEX trip_maker ON trip (scope, user) WHERE user IS NOT NULL;
CREATE INDEX trip_created ON trip (scope, created_at DESC, id DESC);
CREATE INDEX trip_idle ON trip (updated_at) WHERE status IN ('pending', 'started', 'approaching', 'arrived');

-- Where trips went, one row per location update.
CREATE TABLE trip_location (
  scope INTEGER NOT NULL,
  trip TEXT NOT NULL,
  at INTEGER NOT NULL,
  latitude REAL NOT NULL,
  longitude REAL NOT NULL,
  accuracy REAL NOT NULL,
  PRIMARY KEY (scope, trip, at)
) WITHOUT ROWID;
CREATE INDEX trip_location_at ON trip_location (scope, at);
