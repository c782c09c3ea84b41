-- The keys that sign verified locations, the same for all projects: public halves at /.well-known/jwks.json.
CREATE TABLE signing_key (
  id TEXT PRIMARY KEY,                         -- kid of the tokens
  created_at INTEGER NOT NULL,                 -- it signs from a day later on, and for 90 days
  private_key TEXT NOT NULL                    -- JWK (EC, P-256) with its private part: whoever reads it can sign
) WITHOUT ROWID;
