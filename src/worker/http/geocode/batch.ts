import { z } from "zod";
import type { Pace } from "../../../core/geo/pace.ts";
import type { Layer } from "../../../core/geocoding/search/search.ts";
import { answerRow, type BatchAnswer } from "../../answers/geocode/batch-row.ts";
import { type Geodata, openGeodata } from "../../geodata/live.ts";
import { addressShape } from "../../wire/address.ts";
import { defaultForwardLayers } from "../../wire/geocode/geocode-fields.ts";
import { resultShape, validatedShape } from "../../wire/geocode/validation-fields.ts";
import { oneOf } from "../../wire/input/fields.ts";
import { ROW_KINDS, type RowKind } from "../../wire/tables/geocode-row.ts";
import { isObject } from "../../wire/tables/is-object.ts";
import { endpoint } from "../serve/endpoint.ts";
import { takeRows } from "../serve/row-limit.ts";

/** Maximum rows of one request; use a job for larger files (jobs.ts). */
const MAX_ROWS = 1000;
/** Rows that load their tiles concurrently. */
const SIDE_BY_SIDE = 8;
/** Budget of a batch [units of a pace]: later rows fail with an error. */
const BUDGET = 25_000_000;

const ROWS_RULE = `Must be a list of 1 to ${MAX_ROWS} objects.`;

const rowShape = z.object({
  row: z.number().meta({ description: "from 1" }),
  id: z.string().optional().meta({ description: "as it was sent" }),
  kind: z.enum(ROW_KINDS),
  status: z.enum(["ok", "failed"]),
  addresses: z.array(addressShape).optional().meta({ description: "forward and reverse; empty if nothing is found" }),
  address: validatedShape.optional().meta({ description: "validate" }),
  result: resultShape.optional().meta({ description: "validate" }),
  code: z
    .number()
    .optional()
    .meta({ description: "of a failed row: 400, 429 if over the limit, 503 if too expensive for one request" }),
  param: z.string().optional(),
  message: z.string().optional(),
});

export const geocodeBatch = endpoint({
  name: "geocodeBatch",
  method: "POST",
  path: "/v1/geocode/batch",
  level: "secret",
  role: "read",
  geodataOnly: true,
  chapter: "Batch geocoding",
  summary: `Geocodes or validates up to ${MAX_ROWS} addresses or positions in one request.`,
  description:
    "Each row has the parameters of its endpoint (forward geocode, reverse geocode with `coordinates`, or validate), optionally its own `kind`, and optionally your own `id`. " +
    'For example `{"kind": "forward", "rows": [{"query": "20 Jay St, Brooklyn"}, {"kind": "reverse", "coordinates": "40.7,-74"}]}`. ' +
    "Forward rows return one address unless `limit` (up to 10) is set. An invalid row returns its error and does not affect the others. " +
    "Each row counts as a call of its endpoint; the limit of `geocodeBatch` (1,000 per second) counts rows, and rows over it fail with 429. Use a job for files of up to 100,000 rows.",
  body: z.object({
    kind: oneOf(ROW_KINDS).default("forward").meta({ description: "default for rows without their own" }),
    rows: z
      .array(z.unknown().meta({ type: "object" }), { error: ROWS_RULE })
      .min(1, { error: ROWS_RULE })
      .max(MAX_ROWS, { error: ROWS_RULE }),
  }),
  bodyLimit: 2 * 1024 * 1024,
  response: z.object({
    rows: z.array(rowShape),
    total: z.number(),
    ok: z.number(),
    failed: z.number(),
  }),
  async handle(call) {
    const { body, caller, env, now } = call;
    const rows = body.rows.map(
      (row): Row =>
        isObject(row) ? { fields: row, kind: kindOf(row, body.kind) } : { fields: {}, kind: undefined, isWrong: true },
    );
    const allowed = await takeRows(
      call,
      rows.map(({ kind }) => kind),
    );
    const geodata = await openGeodata(env.GEODATA, call);
    const results = await answerAll(
      geodata,
      rows.slice(0, allowed),
      defaultForwardLayers(caller.settings.geocoding?.forwardLayers),
      now,
      call.pace.within(BUDGET),
    );
    const out = rows.map(({ fields, kind, isWrong }, i) => {
      const answer = isWrong ? NO_OBJECT : kind === undefined ? WRONG_KIND : (results[i] ?? OVER_LIMIT);
      const { id } = fields;
      const named = typeof id === "string" || typeof id === "number" ? { id: `${id}`.slice(0, 256) } : {};
      return { row: i + 1, ...named, kind: kind ?? body.kind, ...answer };
    });
    const failed = out.filter(({ status }) => status === "failed").length;
    return { rows: out, total: out.length, ok: out.length - failed, failed };
  },
});

interface Row {
  fields: Record<string, unknown>;
  /** undefined: it is none of the kinds. */
  kind: RowKind | undefined;
  isWrong?: true;
}

const NO_OBJECT: BatchAnswer = { status: "failed", code: 400, message: "Must be an object." };
const WRONG_KIND: BatchAnswer = {
  status: "failed",
  code: 400,
  param: "kind",
  message: `kind: Invalid kind. Valid values: ${ROW_KINDS.join(", ")}.`,
};
const OVER_LIMIT: BatchAnswer = {
  status: "failed",
  code: 429,
  message: "Rate limit exceeded for batch rows. Retry this row in a second.",
};

function kindOf({ kind }: Record<string, unknown>, usual: RowKind): RowKind | undefined {
  return kind === undefined || kind === null ? usual : ROW_KINDS.find((one) => one === kind);
}

async function answerAll(
  geodata: Geodata,
  rows: readonly Row[],
  defaultLayers: ReadonlySet<Layer>,
  now: number,
  pace: Pace,
): Promise<BatchAnswer[]> {
  const results: BatchAnswer[] = [];
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < rows.length; i = next++) {
      const {
        fields: { kind: _, id: __, ...given },
        kind,
      } = rows[i];
      const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ""));
      results[i] = kind === undefined ? WRONG_KIND : await answerRow(geodata, kind, fields, defaultLayers, now, pace);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  return results;
}
