import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Events as objects in R2. */

export const archive = sqliteTable("archive", {
  scope: integer("scope").primaryKey(),
  seq: integer("seq").notNull(),
  moving: integer("moving"),
  edits: integer("edits").notNull().default(0),
  merged: integer("merged").notNull().default(0),
});

export const archivePart = sqliteTable(
  "archive_part",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    day: integer("day").notNull(),
    seq: integer("seq").notNull(),
    rows: integer("rows").notNull(),
    fromTime: integer("from_time").notNull(),
    toTime: integer("to_time").notNull(),
    bytes: integer("bytes").notNull(),
    digest: text("digest").notNull(),
    types: text("types").notNull(),
    users: text("users").notNull(),
    filter: blob("filter").notNull(),
    merge: text("merge"),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const archiveMerge = sqliteTable("archive_merge", {
  scope: integer("scope").primaryKey(),
  id: text("id").notNull(),
  month: integer("month").notNull(),
  next: text("next").notNull(),
});

export const archiveMonth = sqliteTable(
  "archive_month",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    month: integer("month").notNull(),
    merge: text("merge").notNull(),
    firstUser: text("first_user").notNull(),
    lastUser: text("last_user").notNull(),
    seq: integer("seq").notNull(),
    rows: integer("rows").notNull(),
    fromTime: integer("from_time").notNull(),
    toTime: integer("to_time").notNull(),
    bytes: integer("bytes").notNull(),
    digest: text("digest").notNull(),
    users: text("users").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const archiveForgotten = sqliteTable(
  "archive_forgotten",
  {
    scope: integer("scope").notNull(),
    user: text("user").notNull(),
    seq: integer("seq").notNull(),
    doneAt: integer("done_at"),
  },
  (table) => [primaryKey({ columns: [table.scope, table.user] })],
);

export const archiveChange = sqliteTable(
  "archive_change",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    user: text("user").notNull(),
    time: integer("time").notNull(),
    doc: text("doc"),
    seq: integer("seq").notNull(),
    doneAt: integer("done_at"),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const archiveObject = sqliteTable(
  "archive_object",
  {
    scope: integer("scope").notNull(),
    key: text("key").notNull(),
    deleteAfter: integer("delete_after").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.key] })],
);
