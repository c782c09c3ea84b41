-- An update of a user writes one row: what changes with every update stands in no index. A row and each index it is in are
-- counted (and paid) by themselves.

ALTER TABLE user ADD COLUMN day INTEGER NOT NULL DEFAULT 0; -- of updated_at: days since 1970, UTC
UPDATE user SET day = updated_at / 86400000;

DROP INDEX user_user_id;
DROP INDEX user_device;
DROP INDEX user_updated;
CREATE INDEX user_user_id ON user (scope, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX user_device ON user (scope, device_id);
CREATE INDEX user_day ON user (scope, day);
-- user_cell stays. A cell is now of resolution 7, and is kept until the user is 3 km from its centre; finer cells of before
-- lie in the key ranges of theirs, and go with the next update.
