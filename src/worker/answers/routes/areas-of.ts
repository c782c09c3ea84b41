import { destination } from "../../../core/geo/distance.ts";
import type { Ring } from "../../../core/geo/shapes/polygon.ts";
import { Area } from "../../../core/routing/areas/area.ts";
import { AreasTooLarge, type AvoidedAreas } from "../../../core/routing/areas/avoided-areas.ts";
import type { Router } from "../../../core/routing/route/router.ts";
import { listGeofences } from "../../db/customers/geofences.ts";
import type { GeofenceRow } from "../../db/schema.ts";
import type { Asker } from "../../platform/call.ts";
import { invalid } from "../../platform/errors.ts";
import { MAX_FENCES } from "../../wire/routes/avoid-fields.ts";

/** A circle is avoided as the polygon around it. */
const CIRCLE_CORNERS = 48;

export interface AskedAreas {
  avoidPolygons?: Ring[][] | undefined;
  avoidGeofences?: string[] | undefined;
}

/** The caller and its project. */
export type AreasAsker = Pick<Asker, "env" | "now"> & { caller: { scope: number } };

/**
 * The areas of a request; undefined if it has none. @throws ApiError 400 if a specified geofence
 * does not exist, or if the areas contain too many roads
 */
export async function areasOf(call: AreasAsker, router: Router, asked: AskedAreas): Promise<AvoidedAreas | undefined> {
  const areas = (asked.avoidPolygons ?? []).map((rings) => new Area(rings));
  if (asked.avoidGeofences) areas.push(...(await fenceAreas(call, asked.avoidGeofences)));
  if (areas.length === 0) return undefined;
  return router.areas(areas).catch((error: unknown) => {
    if (!(error instanceof AreasTooLarge)) throw error;
    throw invalid(
      asked.avoidPolygons ? "avoidPolygons" : "avoidGeofences",
      "The areas contain too many roads: use smaller areas.",
    );
  });
}

async function fenceAreas({ env, now, caller }: AreasAsker, names: readonly string[]): Promise<Area[]> {
  const found = new Map<string, GeofenceRow>();
  for (const name of names) {
    const colon = name.indexOf(":");
    const [tag, externalId] = colon < 0 ? [name] : [name.slice(0, colon), name.slice(colon + 1)];
    const { rows } = await listGeofences(env.DB, caller.scope, { tag, externalId, limit: MAX_FENCES + 1 }, now);
    if (externalId !== undefined && rows.length === 0)
      throw invalid("avoidGeofences", `Geofence ${name} does not exist.`);
    for (const row of rows) {
      if (row.enabled && (row.disableAfter === null || row.disableAfter > now)) found.set(row.id, row);
    }
    if (found.size > MAX_FENCES)
      throw invalid("avoidGeofences", `More than ${MAX_FENCES} geofences match: specify fewer.`);
  }
  return [...found.values()].map(
    (row) => new Area([row.ring === null ? circleOf(row) : (JSON.parse(row.ring) as Ring)]),
  );
}

/** The polygon around a circle. */
function circleOf({ latitude, longitude, radius }: GeofenceRow): Ring {
  const reach = (radius ?? 0) / Math.cos(Math.PI / CIRCLE_CORNERS);
  return Array.from({ length: CIRCLE_CORNERS }, (_, i) => {
    const corner = destination({ latitude, longitude }, (i * 360) / CIRCLE_CORNERS, reach);
    return [corner.longitude, corner.latitude];
  });
}

/** Reason if there is a route only through the areas. */
export const ONLY_THROUGH_AREAS = "The roads connect these points only through the areas to be avoided.";

/** Reason if there is a route only for the default vehicle of the mode. */
export const NOT_FOR_VEHICLE = "The roads connect these points, but not for this vehicle.";
