import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const segment = sqliteTable(
  "segment",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    externalId: text("external_id").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const segmentMember = sqliteTable(
  "segment_member",
  {
    scope: integer("scope").notNull(),
    segment: text("segment").notNull(),
    user: text("user").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.segment, table.user] })],
);

export const segmentDue = sqliteTable(
  "segment_due",
  {
    scope: integer("scope").notNull(),
    user: text("user").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.user] })],
);

export const segmentPass = sqliteTable("segment_pass", {
  scope: integer("scope").primaryKey(),
  since: integer("since").notNull(),
  reached: text("reached").notNull(),
});
