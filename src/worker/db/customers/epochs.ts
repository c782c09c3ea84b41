import { type SQL, sql } from "drizzle-orm";
import type { beaconEpoch, campaignEpoch } from "../schema.ts";

/**
 * Raises the epoch of a scope, and returns it. That of campaigns is also raised by changes of segments, which trackers
 * read together with campaigns.
 */
export function nextEpoch(table: typeof beaconEpoch | typeof campaignEpoch, scope: number): SQL {
  return sql`INSERT INTO ${table} (scope, epoch) VALUES (${scope}, 1)
    ON CONFLICT (scope) DO UPDATE SET epoch = epoch + 1 RETURNING epoch`;
}
