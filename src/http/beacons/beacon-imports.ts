import { z } from "zod";
import { type BeaconImport, findImport, type ImportedRow, keepImport, listImports } from "../../db/beacon-imports.ts";
import {
  type BeaconRow,
  type BeaconValues,
  type BeaconWrite,
  beaconsByPair,
  beaconsBySignal,
  writeBeacons,
} from "../../db/beacons.ts";
import type { Pace } from "../../geo/pace.ts";
import { newId } from "../../objects/id.ts";
import { type CsvRow, readCsvPiece } from "../../wire/csv.ts";
import { wireDate } from "../../wire/tracked.ts";
import { noteBeaconEpoch } from "../serve/caller.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { ApiError, invalid, notFound } from "../serve/errors.ts";
import { flag, number, optionalText } from "../serve/fields.ts";
import { requestPace } from "../serve/pace.ts";
import { validate } from "../serve/validate.ts";
import { beaconBody, beaconValues } from "./beacon-body.ts";

const chapter = "Beacons";

const COLUMNS = [
  ...["description", "tag", "externalId", "type", "uuid", "major", "minor", "uid", "instance"],
  ...["coordinates", "enabled", "metadata"],
];
/** Largest file [bytes]. */
const FILE_LIMIT = 10 * 1024 * 1024;
const MOST_ROWS = 50_000;
/** Characters read at a time, the cost of that [units of a pace], and the longest row. */
const PIECE = 128 * 1024;
const PIECE_COST = 4_000;
const LONGEST_ROW = 64 * 1024;
/** Rows looked up, or written to the database, at a time, and what one costs there [units of a pace]. */
const GROUP = 500;
const DATABASE_COST = 40;
const KEPT_FAILURES = 100;

const rowShape = z.object({
  line: z.number(),
  status: z.enum(["created", "updated", "unchanged", "failed"]),
  _id: z.string().optional(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  param: z.string().optional(),
  message: z.string().optional(),
});

const importShape = z.object({
  _id: z.string(),
  createdAt: z.string(),
  live: z.boolean(),
  filename: z.string().optional(),
  total: z.number(),
  created: z.number(),
  updated: z.number(),
  unchanged: z.number(),
  failed: z.number(),
  failures: z.array(rowShape).meta({ description: `the first ${KEPT_FAILURES}` }),
});

export const importBeacons = endpoint({
  name: "importBeacons",
  method: "POST",
  path: "/v1/imports/beacons",
  level: "secret",
  chapter,
  summary: "Imports beacons from a CSV file, row by row.",
  description:
    `The file is the body (Content-Type text/csv) or the field \`csv\`. The first row names the columns: ${COLUMNS.join(", ")}; coordinates and metadata are JSON texts. ` +
    "A row whose tag and externalId exist updates that beacon; one without such a pair updates the beacon without a pair that has the same identifiers; else it creates one. " +
    `A bad row is reported and stops no other; the same file again changes nothing. With dryRun=true nothing is written. At most ${MOST_ROWS} rows and 10 MB.`,
  query: z.object({ dryRun: flag().default(false), filename: optionalText() }),
  body: z.object({
    csv: z.string({ error: "Must be a CSV file." }),
    dryRun: flag().optional(),
    filename: optionalText(),
  }),
  bodyLimit: FILE_LIMIT,
  response: z.object({ import: importShape.extend({ dryRun: z.boolean() }), rows: z.array(rowShape) }),
  async handle(call) {
    const { query, body, caller, env, now } = call;
    const dryRun = body.dryRun ?? query.dryRun;
    const pace = requestPace();
    const parsed = await parse(body.csv, pace);
    const rows = await reconcile(call, parsed, pace);
    if (!dryRun) await write(call, rows, pace);
    const count = (status: ImportedRow["status"]) => rows.filter(({ report }) => report.status === status).length;
    const done: BeaconImport = {
      _id: newId(now),
      createdAt: now,
      live: caller.live,
      filename: body.filename ?? query.filename,
      total: rows.length,
      created: count("created"),
      updated: count("updated"),
      unchanged: count("unchanged"),
      failed: count("failed"),
      failures: rows.flatMap(({ report }) => (report.status === "failed" ? report : [])).slice(0, KEPT_FAILURES),
    };
    if (!dryRun) await keepImport(env.DB, caller.scope, done);
    return { import: { ...wireImport(done), dryRun }, rows: rows.map(({ report }) => report) };
  },
});

export const listBeaconImports = endpoint({
  name: "listBeaconImports",
  method: "GET",
  path: "/v1/imports/beacons",
  level: "secret",
  chapter,
  summary: "The imports of beacons so far, newest first. Dry runs are not kept.",
  query: z.object({ limit: number({ min: 1, max: 1000, integer: true }).default(100) }),
  response: z.object({ imports: z.array(importShape) }),
  async handle({ query, caller, env }) {
    const { imports, hasMore } = await listImports(env.DB, caller.scope, query.limit);
    return { meta: { hasMore }, imports: imports.map(wireImport) };
  },
});

export const getBeaconImport = endpoint({
  name: "getBeaconImport",
  method: "GET",
  path: "/v1/imports/beacons/:id",
  level: "secret",
  chapter,
  summary: "An import of beacons, with the rows that failed.",
  response: z.object({ import: importShape }),
  errors: [404],
  async handle({ params, caller, env }) {
    const found = await findImport(env.DB, caller.scope, params.id);
    if (!found) throw notFound("Import");
    return { import: wireImport(found) };
  },
});

/** A row during the import: its values, or why it failed. */
interface Row {
  values?: BeaconValues;
  report: ImportedRow;
}

/** The cost of reading a row, and of comparing it with the beacons there are [units of a pace]. */
const READ_COST = 15;
const RECONCILE_COST = 2;

/**
 * The cells of a file, read piece by piece: a file with too many rows is refused as soon as the limit is passed, and
 * other requests get their turn in between.
 */
async function readRows(csv: string, pace: Pace): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  let [rest, line] = ["", 1];
  for (let at = 0; at < csv.length; at += PIECE) {
    const piece = readCsvPiece(rest + csv.slice(at, at + PIECE), line, at + PIECE >= csv.length);
    ({ rest, line } = piece);
    for (const row of piece.rows) rows.push(row);
    if (rows.length > MOST_ROWS + 1) throw invalid("csv", `At most ${MOST_ROWS} rows.`);
    if (rest.length > LONGEST_ROW) {
      throw invalid("csv", `Line ${line}: a row has at most ${LONGEST_ROW} characters. Is a closing quote missing?`);
    }
    const turn = pace.spend(PIECE_COST);
    if (turn) await turn;
  }
  return rows;
}

/** The rows of a file, each checked by the rules of POST /v1/beacons. */
async function parse(csv: string, pace: Pace): Promise<Row[]> {
  const [head, ...lines] = await readRows(csv, pace);
  if (!head) throw invalid("csv", "The file is empty.");
  const names = head.cells.map((name) => name.trim());
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

/** Asks the database for a group at a time, and lets other requests have their turn in between. */
async function inGroups<T, R>(all: readonly T[], pace: Pace, ask: (group: readonly T[]) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < all.length; from += GROUP) {
    const group = all.slice(from, from + GROUP);
    answers.push(await ask(group));
    const turn = pace.spend(group.length * DATABASE_COST);
    if (turn) await turn;
  }
  return answers;
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

function wireImport({ createdAt, ...rest }: BeaconImport): z.input<typeof importShape> {
  return { ...rest, createdAt: wireDate(createdAt) };
}
