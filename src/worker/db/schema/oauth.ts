import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ROLES } from "../../../core/auth/role.ts";

/** What members let agents do, and the codes and tokens for it. */

export const oauthGrant = sqliteTable("oauth_grant", {
  id: text("id").primaryKey(),
  project: integer("project").notNull(),
  live: integer("live", { mode: "boolean" }).notNull(),
  member: text("member").notNull(),
  role: text("role", { enum: ROLES }).notNull(),
  client: text("client").notNull(),
  clientName: text("client_name").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at").notNull(),
});

export const oauthToken = sqliteTable("oauth_token", {
  hash: text("hash").primaryKey(),
  grantId: text("grant_id").notNull(),
  kind: text("kind", { enum: ["access", "refresh"] }).notNull(),
  expiresAt: integer("expires_at").notNull(),
  next: text("next"),
});

export const oauthCode = sqliteTable("oauth_code", {
  hash: text("hash").primaryKey(),
  grantId: text("grant_id").notNull(),
  request: text("request").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});
