import { EndedEarly, type Pace, TooMuchWork } from "../../../core/geo/pace.ts";
import type { Layer } from "../../../core/geocoding/search/search.ts";
import type { Geodata } from "../../geodata/live.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import { ApiError } from "../../platform/errors.ts";
import { forwardRow, reverseRow, validateRow } from "../../wire/geocode/batch-fields.ts";
import { validate } from "../../wire/input/validate.ts";
import type { RowAnswer, RowKind } from "../../wire/tables/geocode-row.ts";
import { forwardAnswers } from "./forward.ts";
import { addressesAt } from "./reverse.ts";
import { type Validated, validated } from "./validation.ts";

export type BatchAnswer = RowAnswer<Validated>;

/** Parameters of a row; invalid ones fail only this row. @throws EndedEarly if the request ends */
export async function answerRow(
  geodata: Geodata,
  kind: RowKind,
  fields: Record<string, unknown>,
  defaultLayers: ReadonlySet<Layer>,
  now: number,
  pace: Pace,
): Promise<BatchAnswer> {
  try {
    if (kind === "reverse") {
      const { coordinates, layers: wanted, lang } = validate(reverseRow, withCoordinates(fields));
      const addresses = await addressesAt(geodata, coordinates, wanted, lang, now);
      return { status: "ok", addresses };
    }
    if (kind === "validate") return { status: "ok", ...(await validated(geodata, validate(validateRow, fields))) };
    const query = validate(forwardRow, fields);
    const addresses = await forwardAnswers(geodata, query, defaultLayers, pace, now);
    return { status: "ok", addresses };
  } catch (error) {
    if (error instanceof EndedEarly) throw error;
    return failureOf(error);
  }
}

/** `latitude` and `longitude` columns instead of `coordinates`. */
function withCoordinates(fields: Record<string, unknown>): Record<string, unknown> {
  const { latitude, longitude } = fields;
  return fields.coordinates === undefined && latitude !== undefined && longitude !== undefined
    ? { ...fields, coordinates: `${latitude},${longitude}` }
    : fields;
}

function failureOf(error: unknown): BatchAnswer {
  if (error instanceof ApiError) {
    const { status: code, param, message } = error;
    return { status: "failed", code, ...(param !== undefined && { param }), message };
  }
  if (error instanceof TooMuchWork) {
    return { status: "failed", code: 503, message: "The rows before it took the work of one request. Send it again." };
  }
  console.error(JSON.stringify({ what: "row of a batch", error: describeBriefly(error) }));
  return { status: "failed", code: 500, message: "Internal server error." };
}
