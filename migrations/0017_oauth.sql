-- OAuth for agents (src/auth/oauth): a member lets a client use one environment of a project, up to a role. Codes and tokens are
-- stored as SHA-256, as are keys and sessions.

CREATE TABLE oauth_grant (
  id TEXT PRIMARY KEY,
  project INTEGER NOT NULL,
  live INTEGER NOT NULL,
  member TEXT NOT NULL,
  role TEXT NOT NULL,                          -- the most that the client may do; the member's own role limits it too
  client TEXT NOT NULL,                        -- client_id
  client_name TEXT NOT NULL,
  created_at INTEGER NOT NULL,                 -- [ms since 1970]
  last_used_at INTEGER NOT NULL                -- when it last received tokens
) WITHOUT ROWID;
CREATE INDEX oauth_grant_project ON oauth_grant (project, created_at);
CREATE INDEX oauth_grant_member ON oauth_grant (member, project);

-- Used tokens stay until they expire: a second use reveals a copy, and ends the grant.
CREATE TABLE oauth_token (
  hash TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL,
  kind TEXT NOT NULL,                          -- access, refresh
  expires_at INTEGER NOT NULL,
  next TEXT                                    -- of a refresh token that was used: the hash of its successor
) WITHOUT ROWID;
CREATE INDEX oauth_token_grant ON oauth_token (grant_id);

CREATE TABLE oauth_code (
  hash TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL,                      -- of the grant that its use creates
  request TEXT NOT NULL,                       -- JSON: what was approved (src/db/projects/grants.ts)
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) WITHOUT ROWID;
