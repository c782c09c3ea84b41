import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Projects, what they use, and where they are stored. */

export const project = sqliteTable("project", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  disabled: integer("disabled", { mode: "boolean" }).notNull().default(false),
  monthlyQuota: integer("monthly_quota"),
  settings: text("settings").notNull().default("{}"),
  createdAt: integer("created_at").notNull(),
  database: text("database").notNull().default("DB"),
  moving: text("moving"),
});

export const closedDatabase = sqliteTable("closed_database", {
  name: text("name").primaryKey(),
});

export const projectMove = sqliteTable("project_move", {
  project: integer("project").primaryKey(),
  source: text("source").notNull(),
  target: text("target").notNull(),
  step: text("step").notNull(),
  at: text("at"),
  counts: text("counts").notNull().default("{}"),
  begunAt: integer("begun_at").notNull(),
  changedAt: integer("changed_at").notNull(),
  leasedUntil: integer("leased_until").notNull().default(0),
  error: text("error"),
});

export const movedChange = sqliteTable(
  "moved_change",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    project: integer("project").notNull(),
    name: text("name").notNull(),
    key: text("key").notNull(),
  },
  (table) => [index("moved_change_project").on(table.project, table.seq)],
);

export const usage = sqliteTable(
  "usage",
  {
    project: integer("project").notNull(),
    month: text("month").notNull(),
    live: integer("live", { mode: "boolean" }).notNull(),
    endpoint: text("endpoint").notNull(),
    calls: integer("calls").notNull(),
    hours: text("hours").notNull().default("{}"),
  },
  (table) => [primaryKey({ columns: [table.project, table.month, table.live, table.endpoint] })],
);

export const stat = sqliteTable(
  "stat",
  {
    scope: integer("scope").notNull(),
    day: integer("day").notNull(),
    kind: text("kind", { enum: ["event", "user"] }).notNull(),
    name: text("name").notNull(),
    hours: text("hours").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.day, table.kind, table.name] })],
);

export const historyRound = sqliteTable("history_round", {
  scope: integer("scope").primaryKey(),
  until: integer("until").notNull(),
});

export const signingKey = sqliteTable("signing_key", {
  id: text("id").primaryKey(),
  createdAt: integer("created_at").notNull(),
  privateKey: text("private_key").notNull(),
});
