import { z } from "zod";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { FORMATS, type Format, formOf, KINDS, MEDIA, type WalkedTrip } from "../../answers/exports/file-forms.ts";
import { rowStream } from "../../answers/exports/row-stream.ts";
import { type Reading, readEvents, readGeofences, readTrips, readUsers } from "../../db/customers/exports.ts";
import { tripPoints } from "../../db/customers/trips.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { invalid } from "../../platform/errors.ts";
import { flag, number, oneOf, optionalText } from "../../wire/input/fields.ts";
import { eventFilterFields } from "../events/events.ts";
import { geofenceFilterFields } from "../geofences/geofences.ts";
import { type Call, type Endpoint, endpoint } from "../serve/endpoint.ts";
import { writeRows } from "../serve/rows.ts";
import { tripFilterFields } from "../trips/trips.ts";
import { userFilterFields } from "../users/users.ts";

const chapter = "Exports";

/** Points of trips in memory at the same time; a trip with more is truncated. */
const MAX_POINTS = 50_000;
/** Trips read at a time with their locations. */
const WAYS_AT_ONCE = 20;

/** Default and maximum rows of a response; `after` gets the next ones. */
const MAX_ROWS = 500_000;
/** Trips with their locations take two queries per twenty trips. */
const MAX_WALKED_TRIPS = 5_000;

const formatFields = {
  format: oneOf(FORMATS).default("csv").meta({
    description:
      "csv: a table of the common fields (RFC 4180); ndjson: one API object per line, with every field; geojson: a FeatureCollection (RFC 7946)",
  }),
  bom: flag().default(false).meta({
    description: "true: a CSV file begins with a byte order mark, which Excel needs to show non-Latin scripts",
  }),
};

const partFields = {
  limit: number({ min: 1, max: MAX_ROWS, integer: true })
    .optional()
    .meta({
      description: `rows of this response; by default ${MAX_ROWS}, of trips as GeoJSON ${MAX_WALKED_TRIPS}`,
    }),
  after: optionalText().meta({
    description:
      "continues after a previous response: the value of its x-graticule-next. A continued response has no header row or opening of the collection, so you can append it to the file",
  }),
};

interface Asked {
  format: Format;
  bom: boolean;
  limit?: number;
  after?: string;
}

/** Creates the endpoint that exports one kind of row; `fields` are the filters of its list. */
function exportOf<Kind extends keyof typeof KINDS, Fields extends z.ZodRawShape, Row>(definition: {
  kind: Kind;
  name: string;
  note: string;
  fields: Fields;
  form: (query: Asked) => ReturnType<typeof formOf<Row>>;
  read(call: Call, query: z.output<z.ZodObject<Fields>> & Asked): Reading<Row>;
  /** Rows per page and per response, for kinds that need extra queries per row. */
  costly?: (query: Asked) => { atOnce: number; most: number } | undefined;
}): Endpoint {
  const { kind, name, note, fields, form, read, costly } = definition;
  return endpoint({
    name,
    method: "GET",
    path: `/v1/exports/${kind}`,
    level: "secret",
    chapter,
    summary: `All ${kind} as a file: CSV, NDJSON or GeoJSON.`,
    description: `${note} The filters are those of GET /v1/${kind}. The file is written while it is read from the database; \`x-graticule-rows\` is the number of rows still to come, for a progress bar. A response ends after \`limit\` rows: if more follow, it has the header \`x-graticule-next\`; repeat the request with its value as \`after\` to get the rest, and append it to the file unchanged: \`curl -D head … > file; curl -D head "…&after=$(grep -i x-graticule-next head | cut -d" " -f2 | tr -d "\\r")" >> file\`. In CSV, an apostrophe precedes text that a spreadsheet would run as a formula.`,
    query: z.object({ ...formatFields, ...partFields, ...fields }),
    media: Object.values(MEDIA),
    async handle(call) {
      const query = call.query as z.output<z.ZodObject<Fields>> & Asked;
      await settleWrites(call.env);
      const reading = read(call, query);
      const { after, format } = query;
      if (after !== undefined && !reading.seek(after))
        throw invalid("after", "Must be the x-graticule-next of a response to the same request.");
      const cost = costly?.(query);
      const most = Math.min(query.limit ?? MAX_ROWS, cost?.most ?? MAX_ROWS);
      const rows = await reading.count();
      const next = rows > most ? await reading.placeAfter(most) : undefined;
      // No budget: the rows belong to the caller, and other requests run in between.
      const pace = call.pace.within(Number.POSITIVE_INFINITY);
      const write = (page: readonly Row[], each: (row: Row) => string) => writeRows(call, kind, page, each);
      const part = { isFirst: after === undefined, isLast: next === undefined, rows: most };
      const body = rowStream(reading, form(query), pace, write, part, cost?.atOnce);
      const headers = fileHeaders(call, kind, format, rows);
      return new Response(body, { headers: next === undefined ? headers : { ...headers, "x-graticule-next": next } });
    },
  });
}

function fileHeaders({ caller, now }: Call, kind: string, format: Format, rows: number): Record<string, string> {
  const day = new Date(now).toISOString().slice(0, 10);
  const name = `graticule-${kind}-${caller.live ? "live" : "test"}-${day}.${format}`;
  return {
    "content-type": MEDIA[format],
    "content-disposition": `attachment; filename="${name}"`,
    "cache-control": "no-store",
    "x-graticule-rows": String(rows),
  };
}

export const exportUsers = exportOf({
  kind: "users",
  name: "exportUsers",
  note: "Sorted by _id, so that a user who moves during the export is in it once.",
  fields: userFilterFields,
  form: ({ format, bom }) => formOf(KINDS.users, format, bom),
  read: ({ env, caller }, query) => readUsers(env.DB, caller.scope, query),
});

export const exportEvents = exportOf({
  kind: "events",
  name: "exportEvents",
  note: "Newest first.",
  fields: eventFilterFields,
  form: ({ format, bom }) => formOf(KINDS.events, format, bom),
  read: (call, { limit: _, ...query }) => readEvents(call.env, call.caller.scope, query, () => call.leftOut("events")),
});

export const exportGeofences = exportOf({
  kind: "geofences",
  name: "exportGeofences",
  note: "Newest first. A circle is a Point with its radius. POST /v1/imports/geofences reads both formats; importing an unchanged file changes nothing.",
  fields: geofenceFilterFields,
  form: ({ format, bom }) => formOf(KINDS.geofences, format, bom),
  read: ({ env, caller, now }, query) => readGeofences(env.DB, caller.scope, query, now),
});

export const exportTrips = exportOf({
  kind: "trips",
  name: "exportTrips",
  note: "Newest first. In GeoJSON a trip's geometry is its path, as far as its locations are still stored.",
  fields: tripFilterFields,
  form: ({ format, bom }) => formOf(KINDS.trips, format, bom),
  read: ({ env, caller }, query) => {
    const trips = readTrips(env.DB, caller.scope, query);
    return {
      ...trips,
      async next(limit) {
        const docs = await trips.next(limit);
        return query.format === "geojson"
          ? withWays(env.DB, caller.scope, docs)
          : docs.map((doc): WalkedTrip => ({ doc, way: [] }));
      },
    };
  },
  costly: ({ format }) => (format === "geojson" ? { atOnce: WAYS_AT_ONCE, most: MAX_WALKED_TRIPS } : undefined),
});

async function withWays(db: D1Database, scope: number, docs: readonly string[]): Promise<WalkedTrip[]> {
  const trips = docs.map((doc) => ({ doc, id: idOf(doc) }));
  const ids = trips.flatMap(({ id }) => id ?? []);
  let points = await tripPoints(db, scope, ids, MAX_POINTS);
  if (points.length === MAX_POINTS) {
    // Long trips are read one by one, so that the point limit applies to each.
    points = [];
    for (const id of ids) points.push(...(await tripPoints(db, scope, [id], MAX_POINTS)));
  }
  const ways = Map.groupBy(points, ({ trip }) => trip);
  return trips.map(({ doc, id }) => ({
    doc,
    way: (ways.get(id ?? "") ?? []).map(({ longitude, latitude }) => [longitude, latitude] as const),
  }));
}

/** undefined for a corrupt row: `writeRows` omits and reports it. */
function idOf(doc: string): string | undefined {
  try {
    return (JSON.parse(doc) as Trip)._id;
  } catch {
    return undefined;
  }
}
