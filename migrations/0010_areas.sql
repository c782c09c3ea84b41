-- Fewer rows per update of a user. A user is found by the areas it has lately been in: who goes between home and work writes
-- nothing, as both are known. Position and distance are compared afterwards, with the row of the user.
CREATE TABLE user_area (
  scope INTEGER NOT NULL,
  cell INTEGER NOT NULL,                       -- packed H3 cell of resolution 7 (src/geo/cells/cells.ts), finer where an earlier release wrote it
  user TEXT NOT NULL,                          -- _id
  PRIMARY KEY (scope, cell, user)
) WITHOUT ROWID;
INSERT INTO user_area (scope, cell, user) SELECT scope, cell, id FROM user;

ALTER TABLE user ADD COLUMN areas TEXT; -- JSON list of the cells in user_area, the current one first; NULL: only "cell"
DROP INDEX user_cell;

-- Who is inside which geofences stands in the user's own doc, so presences are found from there.
DROP INDEX presence_user;
