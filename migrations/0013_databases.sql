-- Projects may live in several databases. The first, DB, holds what is common: members, projects, keys, usage, the audit log. What a
-- project owns, which is every table with a scope, lies in the database that its row names.

ALTER TABLE project ADD COLUMN "database" TEXT NOT NULL DEFAULT 'DB'; -- binding in wrangler.toml: DB, DB_2, …
ALTER TABLE project ADD COLUMN moving TEXT;                        -- binding of the database to which it is being moved

-- Databases in which no new project begins; in the first database only.
CREATE TABLE closed_database (
  name TEXT PRIMARY KEY                        -- binding
) WITHOUT ROWID;

-- Projects on their way from one database to another (src/db/moves/moves.ts); in the first database only. A row stays when the move is over.
CREATE TABLE project_move (
  project INTEGER PRIMARY KEY,
  source TEXT NOT NULL,                        -- bindings
  target TEXT NOT NULL,
  step TEXT NOT NULL,
  at TEXT,                                     -- JSON: how far the step has come
  counts TEXT NOT NULL DEFAULT '{}',           -- JSON: by table its rows, and the SHA-256 of what was compared
  begun_at INTEGER NOT NULL,                   -- [ms]
  changed_at INTEGER NOT NULL,                 -- when the step began, or the last round was here
  leased_until INTEGER NOT NULL DEFAULT 0,     -- a round works at it until then
  error TEXT                                   -- why it stands still
);

-- What of a moving project was written since its move began, in the database that it leaves: triggers write it, and the move copies it again.
CREATE TABLE moved_change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL,
  name TEXT NOT NULL,                          -- of the table
  key TEXT NOT NULL                            -- JSON list: the primary key
);
CREATE INDEX moved_change_project ON moved_change (project, seq);
