-- Members who may change what concerns the complete deployment, such as its geodata. A role in a project does not give this:
-- `npm run project -- operator add EMAIL` does.
CREATE TABLE operator (
  member TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL                  -- [ms since 1970]
) WITHOUT ROWID;
