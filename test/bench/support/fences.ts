import { coverCircle } from "../../../src/core/geo/cells/cover.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import type { Statement } from "../../../src/server/data/database.ts";
import type { GeofenceRow } from "../../../src/worker/db/schema.ts";

/** Greater San Francisco, some 130 × 130 km: where the benches put their fences and devices. */
export const AREA = { south: 36.9, north: 38.2, west: -122.8, east: -121.5 };

/** A point of the area, or of one `times` as wide and as high to its south and east. */
export function randomPoint(random: () => number, times = 1): Coordinate {
  return {
    latitude: AREA.north - random() * (AREA.north - AREA.south) * times,
    longitude: AREA.west + random() * (AREA.east - AREA.west) * times,
  };
}

export interface BenchFence {
  id: string;
  center: Coordinate;
  radius: number;
}

/** Circles of 50 to 500 m; every device's home lies inside four of them when there are any. */
export function makeFences(count: number, homes: readonly Coordinate[], random: () => number, times = 1): BenchFence[] {
  const fences: BenchFence[] = [];
  for (const home of homes) {
    for (let i = 0; i < 4 && fences.length < count; i++) {
      fences.push({
        id: idOf(fences.length),
        center: destination(home, random() * 360, random() * 100),
        radius: 200 + random() * 300,
      });
    }
  }
  while (fences.length < count) {
    fences.push({ id: idOf(fences.length), center: randomPoint(random, times), radius: 50 + random() * 450 });
  }
  return fences;
}

function idOf(n: number): string {
  return n.toString(16).padStart(24, "0");
}

/** A fence as a row of the database. */
export function fenceRow(scope: number, { id, center, radius }: BenchFence, cover: readonly number[]): GeofenceRow {
  return {
    scope,
    id,
    tag: "bench",
    externalId: id,
    description: "Fence",
    type: "circle",
    ...center,
    radius,
    ring: null,
    mode: null,
    metadata: null,
    enabled: true,
    dwellThreshold: null,
    stopDetection: null,
    tripApproachingThreshold: null,
    operatingHours: null,
    disableAfter: null,
    deleteAfter: null,
    userIds: null,
    segments: null,
    speedLimit: null,
    ip: null,
    cover: JSON.stringify(cover),
    createdAt: 0,
    updatedAt: 0,
    epoch: 1,
  };
}

/** The statements that put fences into a scope as the API would have. */
export function fenceStatements(scope: number, fences: readonly BenchFence[]): Statement[] {
  const statements: Statement[] = [{ sql: "INSERT INTO fence_epoch VALUES (?, 1)", values: [scope] }];
  for (let i = 0; i < fences.length; i += 500) {
    const rows = fences
      .slice(i, i + 500)
      .map(({ id, center, radius }) => ({ id, ...center, radius, cover: coverCircle(center, radius) }));
    statements.push({
      sql: `INSERT INTO geofence (scope, id, tag, external_id, description, type, latitude, longitude, radius, cover, created_at, updated_at, epoch)
        SELECT ?, value->>'id', 'bench', value->>'id', 'Fence', 'circle', value->>'latitude', value->>'longitude', value->>'radius', value->>'cover', 0, 0, 1
        FROM json_each(?)`,
      values: [scope, JSON.stringify(rows)],
    });
  }
  return statements;
}
