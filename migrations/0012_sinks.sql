-- Where a webhook's events go: to a receiver (webhook), or to a system that gathers them; and what that one has to be told.
ALTER TABLE webhook ADD COLUMN type TEXT NOT NULL DEFAULT 'webhook';
ALTER TABLE webhook ADD COLUMN settings TEXT;
