import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Users, their events and trips. */

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

/** Users with conversions that have never been located: they have no row in `user`. */
export const unlocatedUser = sqliteTable(
  "unlocated_user",
  {
    scope: integer("scope").notNull(),
    id: text("id").notNull(),
    userId: text("user_id"),
    deviceId: text("device_id").notNull(),
    day: integer("day").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.id] }),
    index("unlocated_user_day").on(table.scope, table.day),
    index("unlocated_user_device").on(table.scope, table.deviceId),
    index("unlocated_user_user_id").on(table.scope, table.userId),
  ],
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
