-- Who may enter the dashboard, how they come in, and what they changed.

-- A person, known by their address. What they may do stands in `membership`.
CREATE TABLE member (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,                         -- lower case
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX member_email ON member (email);

CREATE TABLE membership (
  project INTEGER NOT NULL REFERENCES project (id),
  member TEXT NOT NULL,
  role TEXT NOT NULL,                          -- read, write, admin, owner (src/auth/role.ts)
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project, member)
) WITHOUT ROWID;
CREATE INDEX membership_member ON membership (member);

-- Links, sessions and passkeys reach as far as who made the link: `project` is the one project whose admin made it, NULL
-- means the operator did, and all of the member's projects are open.

CREATE TABLE sign_in_link (
  hash TEXT PRIMARY KEY,                       -- SHA-256 of the token, hex; the token itself is shown once and never kept
  member TEXT NOT NULL,
  project INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER                              -- it opens once
) WITHOUT ROWID;
CREATE INDEX sign_in_link_member ON sign_in_link (member);
CREATE INDEX sign_in_link_expires ON sign_in_link (expires_at);

CREATE TABLE session (
  hash TEXT PRIMARY KEY,                       -- SHA-256 of the cookie's token, hex
  member TEXT NOT NULL,
  project INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX session_member ON session (member);
CREATE INDEX session_expires ON session (expires_at);

CREATE TABLE passkey (
  id TEXT PRIMARY KEY,                         -- of the credential, base64url (WebAuthn)
  member TEXT NOT NULL,
  project INTEGER,
  name TEXT NOT NULL,
  public_key TEXT NOT NULL,                    -- COSE key, base64url
  counter INTEGER NOT NULL,                    -- signatures made, where the authenticator counts them; 0 where it does not
  transports TEXT NOT NULL,                    -- JSON list: how a browser reaches it
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) WITHOUT ROWID;
CREATE INDEX passkey_member ON passkey (member);

-- What an authenticator has been asked to sign, until it has, or for minutes.
CREATE TABLE passkey_challenge (
  challenge TEXT PRIMARY KEY,                  -- base64url
  member TEXT,                                 -- who registers a passkey; NULL: somebody signs in
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX passkey_challenge_expires ON passkey_challenge (expires_at);

-- Every change made with a session.
CREATE TABLE audit_entry (
  project INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  member TEXT NOT NULL,
  email TEXT NOT NULL,                         -- as it was then: members may go, the log stays
  live INTEGER,                                -- NULL: the project itself, neither Test nor Live
  action TEXT NOT NULL,                        -- the endpoint's name
  target TEXT NOT NULL,                        -- what it was done to: an id, a pair, an address; '' where there is one only
  summary TEXT NOT NULL,
  PRIMARY KEY (project, id)
) WITHOUT ROWID;
CREATE INDEX audit_entry_created ON audit_entry (project, created_at DESC, id DESC);

-- To the minute, written with the counts of usage.
ALTER TABLE api_key ADD COLUMN last_used_at INTEGER;
