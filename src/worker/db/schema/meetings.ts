import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Rules about meetings of users; their epoch is that of campaigns. */
export const meeting = sqliteTable(
  "meeting",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);
