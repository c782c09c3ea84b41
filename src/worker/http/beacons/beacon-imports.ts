import { z } from "zod";
import type { Pace } from "../../../core/geo/pace.ts";
import {
  type BeaconRow,
  type BeaconValues,
  type BeaconWrite,
  beaconsByPair,
  beaconsBySignal,
  writeBeacons,
} from "../../db/customers/beacons.ts";
import type { ImportedRow } from "../../db/customers/imports.ts";
import { newId } from "../../objects/tracker/id.ts";
import { ApiError, invalid } from "../../platform/errors.ts";
import { flag, optionalText } from "../../wire/input/fields.ts";
import { validate } from "../../wire/input/validate.ts";
import type { CsvRow } from "../../wire/tables/csv.ts";
import { historyOf, importShapeOf, reportImport, rowShape } from "../imports/history.ts";
import { readTable } from "../imports/read-table.ts";
import { noteBeaconEpoch } from "../serve/callers/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { beaconBody, beaconValues } from "./beacon-body.ts";

const chapter = "Beacons";

const COLUMNS = [
  ...["description", "tag", "externalId", "type", "uuid", "major", "minor", "uid", "instance"],
  ...["coordinates", "enabled", "metadata"],
];
/** Largest file [bytes]. */
const FILE_LIMIT = 10 * 1024 * 1024;
const MAX_ROWS = 50_000;
/** [characters] */
const MAX_ROW = 64 * 1024;
/** Rows read or written per query, and the cost of one [units of a pace]. */
const GROUP = 500;
const DATABASE_COST = 40;

const importShape = importShapeOf(rowShape);

export const importBeacons = endpoint({
  name: "importBeacons",
  method: "POST",
  path: "/v1/imports/beacons",
  level: "secret",
  chapter,
  summary: "Imports beacons from a CSV file, row by row.",
  description:
    `The file is the body (Content-Type text/csv) or the field \`csv\`. The first row names the columns: ${COLUMNS.join(", ")}; coordinates and metadata are JSON strings. ` +
    "A row whose tag and externalId exist updates that beacon; a row without both updates the beacon that has neither and has the same identifiers; otherwise it creates a beacon. " +
    `An invalid row is reported and the others are still imported; importing the same file again changes nothing. With dryRun=true nothing is written. At most ${MAX_ROWS} rows and 10 MB.`,
  query: z.object({ dryRun: flag().default(false), filename: optionalText() }),
  body: z.object({
    csv: z.string({ error: "Must be a CSV file." }),
    dryRun: flag().optional(),
    filename: optionalText(),
  }),
  bodyLimit: FILE_LIMIT,
  response: z.object({ import: importShape.extend({ dryRun: z.boolean() }), rows: z.array(rowShape) }),
  async handle(call) {
    const { query, body } = call;
    const dryRun = body.dryRun ?? query.dryRun;
    const { pace } = call;
    const parsed = await parse(body.csv, pace);
    const rows = await reconcile(call, parsed, pace);
    if (!dryRun) {
      pace.mustFinish();
      await write(call, rows, pace);
    }
    const reports = rows.map(({ report }) => report);
    return reportImport(call, "beacons", reports, { dryRun, filename: body.filename ?? query.filename });
  },
});

export const { list: listBeaconImports, get: getBeaconImport } = historyOf("beacons", {
  chapter,
  list: "listBeaconImports",
  get: "getBeaconImport",
  shape: importShape,
});

/** A row during the import: its values, or why it failed. */
interface Row {
  values?: BeaconValues;
  report: ImportedRow;
}

/** The cost of reading a row, and of comparing it with existing beacons [units of a pace]. */
const READ_COST = 15;
const RECONCILE_COST = 2;

/** The rows of a file, each checked by the rules of POST /v1/beacons. */
async function parse(csv: string, pace: Pace): Promise<Row[]> {
  const { names, rows: lines } = await readTable(csv, { mostRows: MAX_ROWS, longestRow: MAX_ROW }, pace);
  const missing = ["description", "type", "coordinates", "enabled"].filter((name) => !names.includes(name));
  if (missing.length > 0) throw invalid("csv", `The first row must name the columns; ${missing.join(", ")} not found.`);
  const rows: Row[] = [];
  for (const line of lines) {
    rows.push(parseRow(names, line));
    const turn = pace.spend(READ_COST);
    if (turn) await turn;
  }
  return rows;
}

function parseRow(names: readonly string[], { line, cells }: CsvRow): Row {
  const fields: Record<string, string> = {};
  names.forEach((name, i) => {
    const cell = cells[i]?.trim() ?? "";
    if (COLUMNS.includes(name) && cell !== "")
      fields[name] = name === "enabled" || name === "type" ? cell.toLowerCase() : cell;
  });
  const report: ImportedRow = { line, status: "failed", tag: fields.tag, externalId: fields.externalId };
  try {
    if (cells.length > names.length) throw new ApiError(400, "The row has more cells than the file has columns.");
    return { values: beaconValues(validate(beaconBody, fields)), report };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { report: { ...report, param: error.param, message: error.message } };
  }
}

/**
 * Finds out for each valid row whether its beacon is created, updated or unchanged. Of two rows for one beacon the last
 * wins.
 */
async function reconcile({ caller, env, now }: Call, rows: Row[], pace: Pace): Promise<Row[]> {
  const good = rows.flatMap(({ values }) => values ?? []);
  const pairs = good.flatMap(({ tag, externalId }) =>
    tag !== null && externalId !== null ? [[tag, externalId] as const] : [],
  );
  const loose = good.filter((values) => !hasPair(values)).map(({ signal }) => signal);
  const paired = await inGroups(pairs, pace, (group) => beaconsByPair(env.DB, caller.scope, group));
  const bySignal = await inGroups(loose, pace, (group) => beaconsBySignal(env.DB, caller.scope, group));
  const known = new Map<string, BeaconValues & { id: string }>();
  for (const row of [...bySignal.flat().filter((one) => !hasPair(one)), ...paired.flat()]) known.set(keyOf(row), row);
  for (const { values, report } of rows) {
    if (!values) continue;
    const key = keyOf(values);
    const there = known.get(key);
    report._id = there?.id ?? newId(now);
    report.status = !there ? "created" : same(there, values) ? "unchanged" : "updated";
    known.set(key, { ...values, id: report._id });
    const turn = pace.spend(RECONCILE_COST);
    if (turn) await turn;
  }
  return rows;
}

function hasPair({ tag, externalId }: Pick<BeaconRow, "tag" | "externalId">): boolean {
  return tag !== null && externalId !== null;
}

function keyOf(values: Pick<BeaconRow, "tag" | "externalId" | "signal">): string {
  return JSON.stringify(hasPair(values) ? [values.tag, values.externalId] : values.signal);
}

function same(there: BeaconValues, values: BeaconValues): boolean {
  return (Object.keys(values) as (keyof BeaconValues)[]).every((name) => there[name] === values[name]);
}

/** Queries the database in groups, and yields to other requests in between. */
async function inGroups<T, R>(all: readonly T[], pace: Pace, ask: (group: readonly T[]) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < all.length; from += GROUP) {
    const group = all.slice(from, from + GROUP);
    results.push(await ask(group));
    const turn = pace.spend(group.length * DATABASE_COST);
    if (turn) await turn;
  }
  return results;
}

async function write({ caller, env, now }: Call, rows: readonly Row[], pace: Pace): Promise<void> {
  const writes = new Map<string, BeaconWrite>();
  for (const { values, report } of rows) {
    if (!values || report._id === undefined || report.status === "unchanged") continue;
    writes.set(report._id, { id: report._id, createdAt: now, values });
  }
  const all = [...writes.values()];
  // Each gets its own millisecond, up to now, in the order of the file: lists of beacons are paged by time.
  all.forEach((one, i) => {
    one.createdAt = now - (all.length - 1 - i);
  });
  await inGroups(all, pace, async (group) =>
    noteBeaconEpoch(caller.scope, await writeBeacons(env.DB, caller.scope, group, now)),
  );
}
