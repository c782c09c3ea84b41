import { eq, sql } from "drizzle-orm";
import type { TokenKey } from "../../../core/auth/token.ts";
import type { RemoteOptions } from "../../../core/engagement/tracking-options.ts";
import type { PlaceSettings } from "../../../core/places/settings.ts";
import type { TrackingSettings } from "../../../core/tracking/types/settings.ts";
import { open } from "../database.ts";
import { project } from "../schema.ts";
import type { LearningSettings } from "./learning.ts";
import type { Retention } from "./retention.ts";

/** A project's settings. Absent ones have the default. */
export interface ProjectSettings {
  /** Calls per second by endpoint name (src/core/limits/table.ts); `track` counts per device. */
  rateLimits?: Record<string, number>;
  /** Origins that may use publishable keys from a browser; empty or absent: all. */
  allowedOrigins?: string[];
  /** Pages that may show maps with publishable keys (auth/referrer.ts); empty or absent: all. */
  allowedReferrers?: string[];
  tracking?: Partial<TrackingSettings>;
  /** Mapped chains, their metadata, and which places are used. */
  places?: PlaceSettings;
  /** Layers that forward geocoding searches without `layers`; absent = address and coarse. */
  geocoding?: { forwardLayers?: string[] };
  /** Slugs of chains for which `user.nearby_place_chain` is generated, within `nearbyChainRadius` meters. */
  nearbyChains?: string[];
  nearbyChainRadius?: number;
  /** If there are any, devices range only these beacons, wherever they are. */
  beacons?: { uuids?: string[]; uids?: string[] };
  /** Types of events in the track response; absent = all. All events are generated anyway. */
  returnedEventTypes?: string[];
  /** Data retention; absent values have the default of `DEFAULT_RETENTION`. */
  retention?: Partial<Retention>;
  /** IANA name: time zone for the days of statistics; absent = UTC. */
  timeZone?: string;
  /** ISO 3166-1 codes; calls with a publishable key from there return 451. */
  blockedCountries?: string[];
  /**
   * Verified tracking: distance to a border within which an update fails [m], and the tags of geofences in which it
   * fails.
   */
  verified?: { borderBuffer?: number; exclusionTags?: string[] };
  /** Learning road speeds from the project's devices; absent = disabled. */
  learning?: LearningSettings;
  /** Signed tokens: the keys that verify them, by kid, and whether apps must send one. */
  tokens?: { required?: boolean; keys?: Record<string, TokenKey> };
  /** Returned by GET /v1/config to the SDKs. */
  sdk?: {
    logLevel?: string;
    startTrackingOnInitialize?: boolean;
    trackOnceOnAppOpen?: boolean;
    defaultGeofenceDwellThreshold?: number;
    remoteTrackingOptions?: RemoteOptions[];
  } & Partial<Record<string, unknown>>;
}

export function parseSettings(text: string): ProjectSettings {
  return JSON.parse(text) as ProjectSettings;
}

export async function findSettings(db: D1Database, id: number): Promise<ProjectSettings | undefined> {
  const row = await open(db).select({ settings: project.settings }).from(project).where(eq(project.id, id)).get();
  return row && parseSettings(row.settings);
}

export async function saveSettings(db: D1Database, id: number, settings: ProjectSettings): Promise<void> {
  await open(db)
    .update(project)
    .set({ settings: JSON.stringify(settings) })
    .where(eq(project.id, id));
}

/** A project as seen by its members. */
export interface ProjectRecord {
  id: number;
  name: string;
  disabled: boolean;
  /** Calls per calendar month (UTC); null = unlimited. */
  monthlyQuota: number | null;
  settings: ProjectSettings;
  createdAt: number;
  /** Binding of its database, whose jurisdiction is the project's. */
  database: string;
}

export async function findProject(db: D1Database, id: number): Promise<ProjectRecord | undefined> {
  const row = await open(db).select().from(project).where(eq(project.id, id)).get();
  return row && { ...row, settings: parseSettings(row.settings) };
}

export interface ProjectChange {
  name?: string;
  disabled?: boolean;
  /** 0 = none. */
  monthlyQuota?: number;
  /** Calls per second by endpoint; 0 = back to the default. */
  rateLimits?: Record<string, number>;
}

/**
 * Changes the given values, in one step. Limits are changed within SQL, because other settings may change concurrently.
 */
export async function changeProject(db: D1Database, id: number, change: ProjectChange): Promise<void> {
  const { name, disabled, monthlyQuota, rateLimits = {} } = change;
  // A merge patch (RFC 7396): null removes an entry.
  const patch = Object.fromEntries(Object.entries(rateLimits).map(([endpoint, rate]) => [endpoint, rate || null]));
  const settings =
    Object.keys(patch).length > 0
      ? sql`json_patch(${project.settings}, ${JSON.stringify({ rateLimits: patch })})`
      : undefined;
  const values = { name, disabled, monthlyQuota: monthlyQuota === 0 ? null : monthlyQuota, settings };
  if (Object.values(values).every((value) => value === undefined)) return;
  await open(db).update(project).set(values).where(eq(project.id, id));
}

/** Bindings of the databases that store projects. */
export async function databasesInUse(db: D1Database): Promise<string[]> {
  const rows = await open(db).selectDistinct({ name: project.database }).from(project).all();
  return rows.map(({ name }) => name);
}
