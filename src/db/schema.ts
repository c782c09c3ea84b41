import { blob, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ROLES } from "../auth/role.ts";
import { SINK_TYPES } from "../webhooks/sinks/settings.ts";

/** The tables of migrations/*.sql for Drizzle. The SQL files are authoritative; a test compares the two. */

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

export const fenceEpoch = sqliteTable("fence_epoch", {
  scope: integer("scope").primaryKey(),
  epoch: integer("epoch").notNull(),
});

export const geofence = sqliteTable(
  "geofence",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    tag: text("tag"),
    externalId: text("external_id"),
    description: text("description").notNull(),
    type: text("type", { enum: ["circle", "polygon", "isochrone"] }).notNull(),
    latitude: real("latitude").notNull(),
    longitude: real("longitude").notNull(),
    radius: real("radius"),
    ring: text("ring"),
    mode: text("mode"),
    metadata: text("metadata"),
    enabled: integer("enabled", { mode: "boolean" }).notNull().default(true),
    dwellThreshold: real("dwell_threshold"),
    stopDetection: integer("stop_detection", { mode: "boolean" }),
    tripApproachingThreshold: real("trip_approaching_threshold"),
    operatingHours: text("operating_hours"),
    disableAfter: integer("disable_after"),
    deleteAfter: integer("delete_after"),
    userIds: text("user_ids"),
    ip: text("ip"),
    cover: text("cover").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    epoch: integer("epoch").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] }), index("geofence_epoch").on(table.scope, table.epoch)],
);

export const geofenceTombstone = sqliteTable(
  "geofence_grave",
  {
    scope: integer("scope").notNull(),
    epoch: integer("epoch").notNull(),
    id: text("id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.epoch, table.id] })],
);

export const user = sqliteTable(
  "user",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    userId: text("user_id"),
    deviceId: text("device_id").notNull(),
    latitude: real("latitude").notNull(),
    longitude: real("longitude").notNull(),
    cell: integer("cell").notNull(),
    version: integer("version").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    metadata: text("metadata"),
    doc: text("doc").notNull(),
    day: integer("day").notNull().default(0),
    areas: text("areas"),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const userArea = sqliteTable(
  "user_area",
  {
    scope: integer("scope").notNull(),
    cell: integer("cell").notNull(),
    user: text("user").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.cell, table.user] })],
);

export const presence = sqliteTable(
  "presence",
  {
    scope: integer("scope").notNull(),
    geofence: text("geofence").notNull(),
    user: text("user").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.geofence, table.user] })],
);

export const event = sqliteTable(
  "event",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    type: text("type").notNull(),
    user: text("user").notNull(),
    createdAt: integer("created_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

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

export const beaconEpoch = sqliteTable("beacon_epoch", {
  scope: integer("scope").primaryKey(),
  epoch: integer("epoch").notNull(),
});

export const beacon = sqliteTable(
  "beacon",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    type: text("type", { enum: ["ibeacon", "eddystone"] }).notNull(),
    uuid: text("uuid"),
    major: text("major"),
    minor: text("minor"),
    uid: text("uid"),
    instance: text("instance"),
    signal: text("signal").notNull(),
    description: text("description").notNull(),
    tag: text("tag"),
    externalId: text("external_id"),
    latitude: real("latitude").notNull(),
    longitude: real("longitude").notNull(),
    cell: integer("cell").notNull(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    metadata: text("metadata"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] }), index("beacon_signal").on(table.scope, table.signal)],
);

export const beaconImport = sqliteTable(
  "beacon_import",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    createdAt: integer("created_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const geofenceImport = sqliteTable(
  "geofence_import",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    createdAt: integer("created_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const trip = sqliteTable(
  "trip",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    externalId: text("external_id").notNull(),
    userId: text("user_id"),
    deviceId: text("device_id"),
    user: text("user"),
    status: text("status", {
      enum: ["pending", "started", "approaching", "arrived", "completed", "canceled", "expired"],
    }).notNull(),
    destinationTag: text("destination_tag"),
    destinationExternalId: text("destination_external_id"),
    delayed: integer("delayed", { mode: "boolean" }).notNull(),
    version: integer("version").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    doc: text("doc").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const tripLocation = sqliteTable(
  "trip_location",
  {
    scope: integer("scope").notNull(),
    trip: text("trip").notNull(),
    at: integer("at").notNull(),
    latitude: real("latitude").notNull(),
    longitude: real("longitude").notNull(),
    accuracy: real("accuracy").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scope, table.trip, table.at] })],
);

export const tripShare = sqliteTable(
  "trip_share",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    trip: text("trip").notNull(),
    hash: text("hash").notNull(),
    shows: text("shows").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [primaryKey({ columns: [table.scope, table.id] })],
);

export const signingKey = sqliteTable("signing_key", {
  id: text("id").primaryKey(),
  createdAt: integer("created_at").notNull(),
  privateKey: text("private_key").notNull(),
});

export type BeaconRow = typeof beacon.$inferSelect;
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

export type GeofenceRow = typeof geofence.$inferSelect;
export type WebhookRow = typeof webhook.$inferSelect;
