import { z } from "zod";
import { rateLimitOf } from "../../../core/limits/table.ts";
import { ADDRESSES_LAYER } from "../../geodata/addresses.ts";
import { creditLayers } from "../../geodata/credit-layers.ts";
import { PLACES_LAYER } from "../../geodata/places.ts";
import { REGIONS_LAYER } from "../../geodata/regions.ts";
import { isWhole, type RowsJob } from "../../objects/jobs/job-store.ts";
import { geocodeJobsOf } from "../../objects/jobs/jobs-stub.ts";
import { newId } from "../../objects/tracker/id.ts";
import { invalid, required } from "../../platform/errors.ts";
import { countryCodes, givenLayers, language } from "../../wire/geocode/geocode-fields.ts";
import { flag, json, oneOf, optionalText } from "../../wire/input/fields.ts";
import {
  guessColumns,
  type Mapping,
  ROW_FIELDS,
  ROW_KINDS,
  type RowKind,
  resultColumns,
} from "../../wire/tables/geocode-row.ts";
import { csvRow } from "../../wire/tables/write-csv.ts";
import { readTable } from "../imports/read-table.ts";
import { commonJobFields, commonJobValues, jobEndpoints } from "../jobs/job-endpoints.ts";
import { endpoint } from "../serve/endpoint.ts";
import { BATCH_ROWS } from "../serve/row-limit.ts";

const chapter = "Batch geocoding";
const MAX_ROWS = 100_000;
/** The largest file [bytes], and its longest row [characters]. */
const FILE_LIMIT = 20 * 1024 * 1024;
const MAX_ROW = 16 * 1024;
/** Rows that are processed and written together. */
const CHUNK = 100;
/** Chunks sent per call. */
const CHUNKS_AT_ONCE = 20;

const jobShape = z.object({
  ...commonJobFields,
  kind: z.enum(ROW_KINDS),
  status: z.enum(["receiving", "running", "finished", "cancelled"]),
  filename: z.string().optional(),
  total: z.number(),
  done: z.number().meta({ description: "finished rows, including failed ones" }),
  failed: z.number(),
  columns: z.record(z.string(), z.array(z.string())).meta({ description: "which columns each parameter is read from" }),
});

const COLUMNS_RULE =
  'Expected JSON such as {"street": "Straße", "query": ["Street", "City"]}, with columns of the file.';

const { list, get, cancel, remove, start, jobOf, resultOf } = jobEndpoints({
  name: "Geocode",
  path: "/v1/geocode/jobs",
  chapter,
  summaries: {
    list: "Lists the jobs of the last seven days, newest first.",
    cancel: "Stops a job. Finished rows stay in its result.",
    remove: "Removes a job, its rows and its result.",
  },
  shape: jobShape,
  jobsOf: geocodeJobsOf,
  isOwn: (job): job is RowsJob => !isWhole(job),
  wire: wireJob,
});

export { cancel as cancelGeocodeJob, get as getGeocodeJob, list as listGeocodeJobs, remove as deleteGeocodeJob };

export const createGeocodeJob = endpoint({
  name: "createGeocodeJob",
  method: "POST",
  path: "/v1/geocode/jobs",
  level: "secret",
  chapter,
  summary: `Geocodes or validates a CSV file of up to ${MAX_ROWS.toLocaleString("en-US")} rows in the background.`,
  description:
    "The body is the file (Content-Type text/csv) or has it as the field `csv`; commas, semicolons or tabs separate, and the first row names the columns. " +
    `Columns are found by their names (${ROW_FIELDS.forward.join(", ")}; reverse: ${ROW_FIELDS.reverse.join(", ")}; validate: ${ROW_FIELDS.validate.join(", ")}), ` +
    "or set by `columns`, JSON that maps a parameter to a column or a list of columns. The response returns immediately; get the job for its progress, and its result for a CSV file with all your columns and the result columns. " +
    "Rows count as calls and toward the limit of `geocodeBatch`; a job resumes after a restart. Results are stored for seven days; a project can have five active jobs.",
  query: z.object({
    kind: oneOf(ROW_KINDS).default("forward"),
    columns: json(z.record(z.string(), z.unknown(), { error: COLUMNS_RULE }))
      .optional()
      .meta({ type: "string", description: COLUMNS_RULE }),
    countryCode: countryCodes().meta({
      description: "of all rows; for validate: one country, for rows without their own",
    }),
    layers: givenLayers(),
    lang: language(),
    filename: optionalText(),
    dryRun: flag()
      .default(false)
      .meta({ description: "only returns the columns; the beginning of the file is enough" }),
  }),
  body: z.object({ csv: z.string({ error: "Must be a CSV file." }) }),
  bodyLimit: FILE_LIMIT,
  response: z.object({
    job: jobShape.optional(),
    preview: z
      .object({
        names: z.array(z.string()).meta({ description: "the columns of the file" }),
        fields: z.array(z.string()).meta({ description: "valid parameters of a column" }),
        columns: z
          .record(z.string(), z.array(z.string()))
          .meta({ description: "the parameter detected for each column" }),
        rows: z.array(z.array(z.string())).meta({ description: "the first three" }),
      })
      .optional()
      .meta({ description: "with dryRun, instead of a job" }),
  }),
  errors: [409],
  async handle(call) {
    const { query, body, caller, now } = call;
    const { kind, filename, countryCode, lang } = query;
    const { pace } = call;
    const { names, rows } = await readTable(body.csv, { mostRows: MAX_ROWS, longestRow: MAX_ROW }, pace);
    if (query.dryRun) {
      const columns = namedColumns(
        names,
        query.columns ? mappingOf(kind, names, query.columns) : guessColumns(kind, names),
      );
      return {
        preview: { names, fields: [...ROW_FIELDS[kind]], columns, rows: rows.slice(0, 3).map(({ cells }) => cells) },
      };
    }
    const mapping = mappingOf(kind, names, query.columns);
    const fixed: Record<string, string> = kind === "validate" ? {} : { lang };
    if (countryCode && kind !== "reverse") fixed.countryCode = countryCode.join(",");
    const layers = new URL(call.request.url).searchParams.get("layers");
    if (query.layers && layers !== null && kind !== "validate") fixed.layers = layers;
    const { forwardLayers } = caller.settings.geocoding ?? {};
    if (forwardLayers && kind === "forward") fixed.defaultLayers = forwardLayers.join(",");
    const id = newId(now);
    const rate = rateLimitOf(BATCH_ROWS, caller.settings.rateLimits);
    const plan = { id, kind, names, mapping, fixed, rate, createdAt: now, ...(filename !== undefined && { filename }) };
    const input = { calls: callsOf(rows, names.length), total: rows.length, summary: `${kind}, ${rows.length} rows` };
    return { job: await start(call, plan, input) };
  },
});

/** Rows as chunks (JSON strings), several per call. */
function* callsOf(rows: readonly { cells: string[] }[], columns: number): Generator<string[]> {
  const rowsAtOnce = CHUNK * CHUNKS_AT_ONCE;
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const chunks: string[] = [];
    for (let from = at; from < Math.min(at + rowsAtOnce, rows.length); from += CHUNK) {
      const some = rows.slice(from, from + CHUNK);
      chunks.push(JSON.stringify(some.map(({ cells }) => cells.slice(0, columns))));
    }
    yield chunks;
  }
}

/** Maps parameters to columns. @throws ApiError if a required column is missing */
function mappingOf(kind: RowKind, names: readonly string[], given: Record<string, unknown> | undefined): Mapping {
  const mapping = given ? requestedColumns(kind, names, given) : guessColumns(kind, names);
  const has = (...fields: string[]) => fields.every((field) => mapping[field]);
  const enough =
    kind === "reverse"
      ? has("coordinates") || has("latitude", "longitude")
      : kind === "validate"
        ? has("addressLabel") || has("number", "street")
        : ["query", "street", "city", "postalCode", "state"].some((field) => mapping[field]);
  if (enough) return mapping;
  const fields = ROW_FIELDS[kind].join(", ");
  throw required("columns", `No column of the file (${names.join(", ").slice(0, 200)}) matches any of ${fields}.`);
}

function requestedColumns(kind: RowKind, names: readonly string[], given: Record<string, unknown>): Mapping {
  const mapping: Record<string, number[]> = {};
  for (const [field, value] of Object.entries(given)) {
    if (!ROW_FIELDS[kind].includes(field))
      throw invalid("columns", `${field} is none of ${ROW_FIELDS[kind].join(", ")}.`);
    const wanted = Array.isArray(value) ? value : [value];
    mapping[field] = wanted.map((name) => {
      const at = names.indexOf(String(name));
      if (at < 0) throw invalid("columns", `The file has no column ${String(name).slice(0, 100)}.`);
      return at;
    });
  }
  return mapping;
}

function wireJob(job: RowsJob): z.input<typeof jobShape> {
  const { kind, status, filename, total, done, failed, names, mapping } = job;
  return {
    ...commonJobValues(job),
    kind,
    status,
    ...(filename !== undefined && { filename }),
    total,
    done,
    failed,
    columns: namedColumns(names, mapping),
  };
}

const namedColumns = (names: readonly string[], mapping: Mapping): Record<string, string[]> =>
  Object.fromEntries(Object.entries(mapping).map(([field, columns]) => [field, columns.map((at) => names[at])]));

export const getGeocodeJobResult = endpoint({
  name: "getGeocodeJobResult",
  method: "GET",
  path: "/v1/geocode/jobs/:id/result",
  level: "secret",
  chapter,
  summary: "Returns the results of a job so far, as CSV in the order of its file.",
  description:
    "All columns of the file, followed by the result columns with the prefix `result_`. `result_status` is ok, none (nothing found) or failed, and `result_message` has the reason. " +
    "For an active job, the finished rows. An apostrophe precedes text that a spreadsheet would run as a formula.",
  media: ["text/csv"],
  errors: [404],
  async handle(call) {
    const job = await jobOf(call);
    const encoder = new TextEncoder();
    const pieces = resultOf(call, job);
    let head: string | undefined = csvRow([...job.names, ...resultColumns(job.kind)]);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await pieces.next();
        const piece = (head ?? "") + (value ?? "");
        head = undefined;
        if (piece !== "") controller.enqueue(encoder.encode(piece));
        if (done) controller.close();
      },
    });
    await creditLayers(call.env.GEODATA, call, [ADDRESSES_LAYER, PLACES_LAYER, REGIONS_LAYER]);
    const name = `${(job.filename ?? "geocoded").replace(/\.[a-z]+$/i, "").replace(/[^\w.-]+/g, "-")}-result.csv`;
    return new Response(body, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${name}"`,
        "x-graticule-rows": `${job.done}`,
      },
    });
  },
});
