-- Users with conversions that have never been located: by these rows they are found, exported and deleted.
CREATE TABLE unlocated_user (
  scope INTEGER NOT NULL,
  id TEXT NOT NULL,                            -- the same as in `user`, once it is located
  user_id TEXT,
  device_id TEXT NOT NULL,
  day INTEGER NOT NULL,                        -- of the last conversion [days since 1970]
  PRIMARY KEY (scope, id)
) WITHOUT ROWID;
CREATE INDEX unlocated_user_day ON unlocated_user (scope, day);
CREATE INDEX unlocated_user_device ON unlocated_user (scope, device_id);
CREATE INDEX unlocated_user_user_id ON unlocated_user (scope, user_id);

-- Those so far: one seek in event_user per user with events, instead of reading all events.
INSERT INTO unlocated_user
WITH RECURSIVE known (scope, id) AS (
  SELECT scope, user FROM (SELECT scope, user FROM event ORDER BY scope, user LIMIT 1)
  UNION ALL
  SELECT more.scope, more.user FROM known JOIN event AS more ON more.scope = coalesce(
      (SELECT scope FROM event WHERE scope = known.scope AND user > known.id LIMIT 1),
      (SELECT min(scope) FROM event WHERE scope > known.scope))
    AND more.id = coalesce(
      (SELECT id FROM event WHERE scope = known.scope AND user > known.id ORDER BY user, created_at DESC LIMIT 1),
      (SELECT id FROM event WHERE scope = (SELECT min(scope) FROM event WHERE scope > known.scope) ORDER BY user, created_at DESC LIMIT 1))
)
SELECT last.scope, last.user, last.doc ->> '$.user.userId', last.doc ->> '$.user.deviceId', last.created_at / 86400000
  FROM known JOIN event AS last ON last.scope = known.scope AND last.id =
    (SELECT id FROM event WHERE scope = known.scope AND user = known.id ORDER BY created_at DESC LIMIT 1)
  WHERE last.doc ->> '$.user.deviceId' IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM user WHERE user.scope = known.scope AND user.id = known.id);

-- Trips that a device claimed for nobody in particular.
CREATE INDEX trip_claimed ON trip (scope, device_id) WHERE user IS NULL AND device_id IS NOT NULL;
