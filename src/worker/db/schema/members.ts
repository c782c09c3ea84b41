import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ROLES } from "../../../core/auth/role.ts";

/** Keys, members, their sessions, and the audit log. */

export const apiKey = sqliteTable("api_key", {
  hash: text("hash").primaryKey(),
  project: integer("project").notNull(),
  live: integer("live", { mode: "boolean" }).notNull(),
  secret: integer("secret", { mode: "boolean" }).notNull(),
  hint: text("hint").notNull(),
  createdAt: integer("created_at").notNull(),
  revokedAt: integer("revoked_at"),
  lastUsedAt: integer("last_used_at"),
});

export const member = sqliteTable("member", {
  id: text("id").primaryKey(),
  email: text("email").notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Members who may change settings of the complete deployment. */
export const operator = sqliteTable("operator", {
  member: text("member").primaryKey(),
  createdAt: integer("created_at").notNull(),
});

export const membership = sqliteTable(
  "membership",
  {
    project: integer("project").notNull(),
    member: text("member").notNull(),
    role: text("role", { enum: ROLES }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.project, table.member] })],
);

export const signInLink = sqliteTable("sign_in_link", {
  hash: text("hash").primaryKey(),
  member: text("member").notNull(),
  project: integer("project"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});

export const session = sqliteTable("session", {
  hash: text("hash").primaryKey(),
  member: text("member").notNull(),
  project: integer("project"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const passkey = sqliteTable("passkey", {
  id: text("id").primaryKey(),
  member: text("member").notNull(),
  project: integer("project"),
  name: text("name").notNull(),
  publicKey: text("public_key").notNull(),
  counter: integer("counter").notNull(),
  transports: text("transports").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
});

export const passkeyChallenge = sqliteTable("passkey_challenge", {
  challenge: text("challenge").primaryKey(),
  member: text("member"),
  expiresAt: integer("expires_at").notNull(),
});

export const auditEntry = sqliteTable(
  "audit_entry",
  {
    project: integer("project").notNull(),
    id: text("id").notNull(),
    createdAt: integer("created_at").notNull(),
    member: text("member").notNull(),
    email: text("email").notNull(),
    live: integer("live", { mode: "boolean" }),
    action: text("action").notNull(),
    target: text("target").notNull(),
    summary: text("summary").notNull(),
  },
  (table) => [primaryKey({ columns: [table.project, table.id] })],
);
