import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import type { BeaconRow } from "../db/schema.ts";
import { wireDate } from "./date.ts";
import { pointShape } from "./point.ts";
import { beaconLabelShape } from "./surroundings.ts";

export const beaconShape = beaconLabelShape.extend({
  createdAt: z.string(),
  updatedAt: z.string(),
  live: z.boolean(),
  geometry: pointShape,
});

/** A beacon as clients read it. */
export function wireBeacon(row: BeaconRow): z.input<typeof beaconShape> {
  return {
    _id: row.id,
    createdAt: wireDate(row.createdAt),
    updatedAt: wireDate(row.updatedAt),
    live: row.scope % 2 === 1,
    type: row.type,
    uuid: row.uuid ?? undefined,
    major: row.major ?? undefined,
    minor: row.minor ?? undefined,
    uid: row.uid ?? undefined,
    instance: row.instance ?? undefined,
    description: row.description,
    tag: row.tag ?? undefined,
    externalId: row.externalId ?? undefined,
    geometry: toPoint(row),
    enabled: row.enabled,
    metadata: row.metadata === null ? undefined : JSON.parse(row.metadata),
  };
}
