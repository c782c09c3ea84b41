import { eq } from "drizzle-orm";
import type { TokenKey } from "../auth/token.ts";
import type { PlaceSettings } from "../places/settings.ts";
import type { TrackingSettings } from "../tracking/types/settings.ts";
import { open } from "./database.ts";
import type { Retention } from "./retention.ts";
import { project } from "./schema.ts";

/** What a project may set. Everything absent means the default. */
export interface ProjectSettings {
  /** Calls per second by endpoint name (src/limits/table.ts); `track` counts per device. */
  rateLimits?: Record<string, number>;
  /** Origins that may use publishable keys from a browser; empty or absent: all. */
  allowedOrigins?: string[];
  tracking?: Partial<TrackingSettings>;
  /** Mapped chains, their metadata, and which places count. */
  places?: PlaceSettings;
  /** Slugs of chains for which `user.nearby_place_chain` is made, within `nearbyChainRadius` metres. */
  nearbyChains?: string[];
  nearbyChainRadius?: number;
  /** If there are any, devices range beacons by these alone, wherever they are. */
  beacons?: { uuids?: string[]; uids?: string[] };
  /** Types of events that the answer of track shows; absent = all. Events are made either way. */
  returnedEventTypes?: string[];
  /** How long data is kept; what is absent has its value of `DEFAULT_RETENTION`. */
  retention?: Partial<Retention>;
  /** ISO 3166-1 codes; calls with a publishable key from there are refused with 451. */
  blockedCountries?: string[];
  /** Signed tokens: the keys that verify them, by kid, and whether apps must send one. */
  tokens?: { required?: boolean; keys?: Record<string, TokenKey> };
  /** Answered by GET /v1/config to the SDKs. */
  sdk?: { logLevel?: string; startTrackingOnInitialize?: boolean; trackOnceOnAppOpen?: boolean };
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
