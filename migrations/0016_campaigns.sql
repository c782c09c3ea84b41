-- Campaigns: messages that the server adds to the responses of matching updates.
CREATE TABLE campaign (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,                 -- [ms since 1970]
  updated_at INTEGER NOT NULL,
  doc TEXT NOT NULL,                           -- JSON Campaign (src/engagement/campaign.ts)
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE INDEX campaign_created ON campaign (scope, created_at DESC, id DESC);

-- Raised by every change of a scope's campaigns, so that trackers know when to read them again.
CREATE TABLE campaign_epoch (
  scope INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL
);
