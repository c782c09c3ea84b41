/** The tables of migrations/*.sql for Drizzle. The SQL files are authoritative; a test compares the two. */

export * from "./schema/archive.ts";
export * from "./schema/campaigns.ts";
export * from "./schema/deployment.ts";
export * from "./schema/geofences.ts";
export * from "./schema/meetings.ts";
export * from "./schema/members.ts";
export * from "./schema/oauth.ts";
export * from "./schema/segments.ts";
export * from "./schema/tracking.ts";
export * from "./schema/webhooks.ts";
