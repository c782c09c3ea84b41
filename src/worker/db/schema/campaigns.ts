import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const campaign = sqliteTable(
  "campaign",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const campaignEpoch = sqliteTable("campaign_epoch", {
  scope: integer("scope").primaryKey(),
  epoch: integer("epoch").notNull(),
});
