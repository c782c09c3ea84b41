import { openGeodata } from "../../geodata/live.ts";
import type { Env } from "../../platform/env.ts";
import { backgroundPace } from "../../platform/pace.ts";
import { defaultForwardLayers } from "../../wire/geocode/geocode-fields.ts";
import type { RowAnswer, RowKind } from "../../wire/tables/geocode-row.ts";
import { answerRow } from "./batch-row.ts";

/** Rows that load their tiles concurrently. */
const SIDE_BY_SIDE = 8;

/** Processes the rows of a job's chunk (objects/jobs/jobs-object.ts), like an endpoint. */
export async function answerRows(
  env: Env,
  kind: RowKind,
  rows: readonly Record<string, string>[],
  waitUntil: (work: Promise<unknown>) => void,
): Promise<RowAnswer[]> {
  const now = Date.now();
  const geodata = await openGeodata(env.GEODATA, { now, waitUntil });
  const pace = backgroundPace();
  const results: RowAnswer[] = [];
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < rows.length; i = next++) {
      // No column of a file can be `defaultLayers`: the job stores it with its other fixed parameters (jobs.ts).
      const { defaultLayers, ...fields } = rows[i];
      results[i] = await answerRow(geodata, kind, fields, defaultForwardLayers(defaultLayers?.split(",")), now, pace);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  return results;
}
