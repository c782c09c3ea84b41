import { z } from "zod";
import type { Pace } from "../../../core/geo/pace.ts";
import {
  type GeofenceWrite,
  sameGeofence,
  storedGeofences,
  writeGeofences,
} from "../../db/customers/geofence-files.ts";
import type { GeofenceValues } from "../../db/customers/geofences.ts";
import type { ImportedRow } from "../../db/customers/imports.ts";
import { newId } from "../../objects/tracker/id.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { flag, optionalText } from "../../wire/input/fields.ts";
import { validate } from "../../wire/input/validate.ts";
import {
  type FileRow,
  type FileRows,
  featuresOf,
  fieldsOfFeatures,
  fieldsOfTable,
  foreignSystem,
  IMPORT_FIELDS,
} from "../../wire/tables/geofence-import.ts";
import { historyOf, importShapeOf, reportImport, rowShape } from "../imports/history.ts";
import { readTable } from "../imports/read-table.ts";
import { noteFenceEpoch } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { geofenceBody, geofenceValues } from "./geofence-body.ts";

const chapter = "Geofences";

/** Maximum file size [bytes], geofences per file, and row length [characters]: a polygon of 2,000 corners. */
const FILE_LIMIT = 10 * 1024 * 1024;
const MAX_ROWS = 10_000;
const MAX_ROW = 256 * 1024;
/** Isochrones need road searches, the slowest step. */
const MAX_ISOCHRONES = 100;
/** The cost of a row, and of a corner of its polygon [units of a pace]. */
const ROW_COST = 200;
const CORNER_COST = 4;
/** The cost of comparing a row with stored geofences, besides its corners. */
const COMPARE_COST = 50;

const geofenceRow = rowShape.partial({ line: true }).extend({
  row: z.number().meta({ description: "from 1, without the header row" }),
  description: z.string().optional(),
});
const importShape = importShapeOf(geofenceRow).extend({
  format: z.enum(["csv", "geojson"]),
  ignored: z.array(z.string()).meta({ description: "unknown columns or properties" }),
});

export const importGeofences = endpoint({
  name: "importGeofences",
  method: "POST",
  path: "/v1/imports/geofences",
  level: "secret",
  chapter,
  summary: "Imports geofences from a GeoJSON or CSV file, row by row.",
  description:
    `The file is the body: GeoJSON, a FeatureCollection of Polygons and of Points with a radius; or CSV (Content-Type text/csv), whose first row names the columns in any order, separated by commas, semicolons or tabs. Or it is the field \`geojson\` or \`csv\`. Columns and properties are ${IMPORT_FIELDS}; in CSV, lists and dictionaries are JSON strings, and latitude and longitude can replace coordinates. ` +
    "A row with the _id of a geofence (exports include it), or with its tag and externalId, updates that geofence; a row without either that equals a geofence is unchanged; any other row creates a geofence. " +
    `An invalid row is reported and the others are still imported; importing the same file again changes nothing. With dryRun=true nothing is written. At most ${MAX_ROWS} rows, ${MAX_ISOCHRONES} isochrones and 10 MB.`,
  query: z.object({ dryRun: flag().default(false), filename: optionalText() }),
  body: z.object({
    csv: z.string({ error: "Must be a CSV file." }).optional(),
    geojson: z
      .unknown()
      .optional()
      .meta({ type: ["object", "string"], description: "a FeatureCollection, as an object or as JSON text" }),
    type: z
      .unknown()
      .optional()
      .meta({ type: "string", description: "of a FeatureCollection that is the body itself" }),
    features: z
      .unknown()
      .optional()
      .meta({ type: "array", items: { type: "object" } }),
    geometry: z.unknown().optional().meta({ type: "object" }),
    properties: z.unknown().optional().meta({ type: "object" }),
    crs: z.unknown().optional().meta({ type: "object" }),
    dryRun: flag().optional(),
    filename: optionalText(),
  }),
  bodyLimit: FILE_LIMIT,
  response: z.object({ import: importShape.extend({ dryRun: z.boolean() }), rows: z.array(geofenceRow) }),
  errors: [409],
  async handle(call) {
    const { query, body } = call;
    const dryRun = body.dryRun ?? query.dryRun;
    const { pace } = call;
    const { rows, ignored } = await fileRows(body, pace);
    const read = await readRows(call, rows, pace);
    await reconcile(call, read, pace);
    if (!dryRun) {
      pace.mustFinish();
      await write(call, read);
    }
    const reports = read.map(({ report }) => report);
    const format = body.csv === undefined ? ("geojson" as const) : ("csv" as const);
    return reportImport(call, "geofences", reports, {
      dryRun,
      filename: body.filename ?? query.filename,
      format,
      ignored,
    });
  },
});

export const { list: listGeofenceImports, get: getGeofenceImport } = historyOf("geofences", {
  chapter,
  list: "listGeofenceImports",
  get: "getGeofenceImport",
  shape: importShape,
});

/** The file as rows of fields. @throws ApiError 400 for an invalid file */
async function fileRows(body: { csv?: string; geojson?: unknown; type?: unknown }, pace: Pace): Promise<FileRows> {
  if (body.csv !== undefined) {
    const { names, rows, separator } = await readTable(body.csv, { mostRows: MAX_ROWS, longestRow: MAX_ROW }, pace);
    const plain = names.map((name) => name.toLowerCase());
    const has = (...some: string[]) => some.some((name) => plain.includes(name));
    const missing = [
      ...(has("description", "name", "title") ? [] : ["description"]),
      ...(has("coordinates") || (has("latitude", "lat") && has("longitude", "lng", "lon")) ? [] : ["coordinates"]),
    ];
    if (missing.length > 0)
      throw invalid("csv", `The first row must name the columns; ${missing.join(", ")} not found.`);
    return fieldsOfTable(names, rows, separator);
  }
  const file = body.geojson ?? (body.type === undefined ? undefined : body);
  if (file === undefined) throw invalid("geojson", "Send a GeoJSON FeatureCollection, or CSV as text/csv.");
  const features = featuresOf(file);
  if (!features) throw invalid("geojson", "Must be a GeoJSON FeatureCollection or Feature.");
  const system = foreignSystem(file);
  if (system !== undefined) {
    throw invalid(
      "geojson",
      `Its coordinates are in ${system.slice(0, 100)}; GeoJSON is in longitude and latitude (WGS 84).`,
    );
  }
  if (features.length > MAX_ROWS)
    throw invalid("geojson", `At most ${MAX_ROWS} features; the file has ${features.length}.`);
  return fieldsOfFeatures(features);
}

/** A row during the import: its values, or why it failed. */
interface Row {
  values?: GeofenceValues;
  /** The _id in the row. */
  id?: string;
  report: ImportedRow;
}

/** Each row checked by the rules of POST /v1/geofences. */
async function readRows(call: Call, rows: readonly FileRow[], pace: Pace): Promise<Row[]> {
  const read: Row[] = [];
  let isochrones = 0;
  for (const row of rows) {
    if (row.fields?.type === "isochrone" && ++isochrones > MAX_ISOCHRONES) {
      throw invalid("type", `At most ${MAX_ISOCHRONES} isochrones in a file.`);
    }
    const one = await readRow(call, row);
    read.push(one);
    const turn = pace.spend(ROW_COST + CORNER_COST * (one.values?.ring?.length ?? 0));
    if (turn) await turn;
  }
  return read;
}

async function readRow(call: Call, { row, line, id, fields = {}, wrong }: FileRow): Promise<Row> {
  const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);
  const report: ImportedRow = {
    row,
    ...(line === undefined ? {} : { line }),
    status: "failed",
    tag: text(fields.tag),
    externalId: text(fields.externalId),
    description: text(fields.description),
  };
  if (wrong) return { report: { ...report, ...wrong } };
  try {
    const values = await geofenceValues(validate(geofenceBody, fields), call);
    return { values, report, ...(id === undefined ? {} : { id }) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { report: { ...report, param: error.param, message: error.message } };
  }
}

/**
 * Finds out for each valid row whether its geofence is created, updated or unchanged. Of two rows for one geofence the
 * last wins.
 */
async function reconcile({ caller, env, now }: Call, rows: readonly Row[], pace: Pace): Promise<void> {
  const there = await storedGeofences(env.DB, caller.scope, rows, now);
  for (const { values, id, report } of rows) {
    if (!values) continue;
    const turn = pace.spend(COMPARE_COST + CORNER_COST * (values.ring?.length ?? 0));
    if (turn) await turn;
    const byId = id === undefined ? undefined : there.byId(id);
    const byPair = there.byPair(values);
    if (byId && byPair && byPair.id !== byId.id) {
      report.status = "failed";
      report.param = "externalId";
      report.message = "Another geofence has this tag and externalId.";
      continue;
    }
    const found = byId ?? byPair ?? there.alike(values);
    report._id = found?.id ?? newId(now);
    report.status = !found ? "created" : sameGeofence(found.values, values) ? "unchanged" : "updated";
    there.put(report._id, values);
  }
}

async function write({ caller, env, now }: Call, rows: readonly Row[]): Promise<void> {
  const writes = new Map<string, GeofenceWrite>();
  for (const { values, report } of rows) {
    if (!values || report._id === undefined || report.status === "unchanged" || report.status === "failed") continue;
    writes.set(report._id, { id: report._id, createdAt: now, values });
  }
  const all = [...writes.values()];
  // Each gets its own millisecond, up to now, in the order of the file: lists of geofences are paged by time.
  all.forEach((one, i) => {
    one.createdAt = now - (all.length - 1 - i);
  });
  const epoch = await writeGeofences(env.DB, caller.scope, all, now);
  if (epoch === "taken") {
    throw new ApiError(
      409,
      "Geofences were changed at the same time. Send the file again: finished rows stay unchanged.",
    );
  }
  if (epoch !== undefined) noteFenceEpoch(caller.scope, epoch);
}
