import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { SINK_TYPES } from "../../../core/webhooks/sink-settings.ts";

/** Webhooks and the events that they could not deliver. */

export const webhook = sqliteTable(
  "webhook",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    type: text("type", { enum: SINK_TYPES }).notNull().default("webhook"),
    url: text("url").notNull(),
    settings: text("settings"),
    description: text("description"),
    delivery: text("delivery", { enum: ["single", "multiple"] }).notNull(),
    eventTypes: text("event_types"),
    secret: text("secret").notNull(),
    previousSecret: text("previous_secret"),
    previousUntil: integer("previous_until"),
    enabled: integer("enabled", { mode: "boolean" }).notNull().default(true),
    disabledReason: text("disabled_reason"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const deadLetter = sqliteTable(
  "dead_letter",
  {
    scope: integer("scope").notNull(),
    webhook: text("webhook").notNull(),
    id: text("id").notNull(),
    user: text("user"),
    events: text("events").notNull(),
    body: text("body").notNull(),
    attempts: integer("attempts").notNull(),
    reason: text("reason").notNull(),
    createdAt: integer("created_at").notNull(),
    diedAt: integer("died_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.webhook, table.id] })],
);

export type WebhookRow = typeof webhook.$inferSelect;
