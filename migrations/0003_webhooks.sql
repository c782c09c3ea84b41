-- Where a scope's events are sent, and what could not be sent.

CREATE TABLE webhook (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  description TEXT,
  delivery TEXT NOT NULL,                      -- single, multiple
  event_types TEXT,                            -- JSON list; NULL = all
  secret TEXT NOT NULL,                        -- in clear: messages are signed with it
  previous_secret TEXT,                        -- signs beside it until previous_until, after a rotation
  previous_until INTEGER,
  enabled INTEGER NOT NULL DEFAULT 1,
  disabled_reason TEXT,                        -- why it was switched off, when its owner did not do it
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;

CREATE TABLE dead_letter (
  scope INTEGER NOT NULL,
  webhook TEXT NOT NULL,
  id TEXT NOT NULL,                            -- of the message: the _id of its first event
  user TEXT,
  events TEXT NOT NULL,                        -- JSON [{id, type}]
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,                 -- when its events were handed over
  died_at INTEGER NOT NULL,
  PRIMARY KEY (scope, webhook, id)
) WITHOUT ROWID;
CREATE INDEX dead_letter_created ON dead_letter (scope, webhook, created_at DESC, id DESC);
CREATE INDEX dead_letter_user ON dead_letter (scope, user) WHERE user IS NOT NULL;
CREATE INDEX dead_letter_died ON dead_letter (died_at);
