import { z } from "zod";
import { type Reading, readEvents, readGeofences, readTrips, readUsers } from "../../db/exports.ts";
import { tripPoints } from "../../db/trips.ts";
import { settleWrites } from "../../objects/stubs/database-writers.ts";
import { TRIP_STATUSES, type Trip } from "../../tracking/types/trip.ts";
import { eventFilterFields } from "../events/events.ts";
import { type Call, type Endpoint, endpoint } from "../serve/endpoint.ts";
import { datetime, flag, metadataFilter, oneOf, optionalList, optionalListOf, optionalText } from "../serve/fields.ts";
import { requestPace } from "../serve/pace.ts";
import { writeRows } from "../serve/rows.ts";
import { userFilterFields } from "../users/users.ts";
import { FORMATS, type Format, formOf, KINDS, MEDIA, type WalkedTrip } from "./file-forms.ts";
import { rowStream } from "./row-stream.ts";

const chapter = "Exports";

/** Points of trips in memory at once; a trip with more than these is cut short. */
const MOST_POINTS = 50_000;
/** Trips with their ways read at a time. */
const WAYS_AT_ONCE = 20;

const formatFields = {
  format: oneOf(FORMATS).default("csv").meta({
    description:
      "csv: a table of the usual fields, as RFC 4180; ndjson: one object of the API per line, with every field; geojson: a FeatureCollection as RFC 7946",
  }),
  bom: flag().default(false).meta({
    description: "true: a CSV file begins with a byte order mark, without which Excel shows other scripts as signs",
  }),
};

interface Asked {
  format: Format;
  bom: boolean;
}

/** The endpoint that exports one kind of rows; `fields` are the filters of its list. */
function exportOf<Kind extends keyof typeof KINDS, Fields extends z.ZodRawShape, Row>(definition: {
  kind: Kind;
  name: string;
  note: string;
  fields: Fields;
  form: (query: Asked) => ReturnType<typeof formOf<Row>>;
  read(call: Call, query: z.output<z.ZodObject<Fields>> & Asked): Reading<Row>;
  atOnce?: (query: Asked) => number | undefined;
}): Endpoint {
  const { kind, name, note, fields, form, read, atOnce } = definition;
  return endpoint({
    name,
    method: "GET",
    path: `/v1/exports/${kind}`,
    level: "secret",
    chapter,
    summary: `All ${kind} as a file: CSV, NDJSON or GeoJSON.`,
    description: `${note} The filters are those of GET /v1/${kind}. The file is written while it is read from the database, whatever its size; \`x-graticule-rows\` tells how many rows there were at the beginning, for a progress bar. In CSV a text that a spreadsheet would run as a formula has an apostrophe before it.`,
    query: z.object({ ...formatFields, ...fields }),
    media: Object.values(MEDIA),
    async handle(call) {
      const query = call.query as z.output<z.ZodObject<Fields>> & Asked;
      await settleWrites(call.env);
      const reading = read(call, query);
      const rows = await reading.count();
      // No budget: the rows are the caller's own, and others get their turn in between.
      const pace = requestPace(Number.POSITIVE_INFINITY);
      const write = (page: readonly Row[], each: (row: Row) => string) => writeRows(call, kind, page, each);
      const body = rowStream(reading, form(query), pace, write, atOnce?.(query));
      return new Response(body, { headers: fileHeaders(call, kind, query.format, rows) });
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
  note: "By _id, so that a user who moves meanwhile is in it once.",
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
  read: ({ env, caller }, query) => readEvents(env.DB, caller.scope, query),
});

export const exportGeofences = exportOf({
  kind: "geofences",
  name: "exportGeofences",
  note: "Newest first. A circle is a Point with its radius; POST /v1/imports/geofences reads both files, and the same file changes nothing.",
  fields: {
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
    updatedBefore: datetime().optional(),
    updatedAfter: datetime().optional(),
    tag: optionalText(),
    externalId: optionalText(),
    metadata: metadataFilter(),
  },
  form: ({ format, bom }) => formOf(KINDS.geofences, format, bom),
  read: ({ env, caller, now }, query) => readGeofences(env.DB, caller.scope, query, now),
});

export const exportTrips = exportOf({
  kind: "trips",
  name: "exportTrips",
  note: "Newest first. In GeoJSON a trip's geometry is the way it went, as far as its locations are still kept.",
  fields: {
    status: optionalListOf(TRIP_STATUSES),
    externalId: optionalList(),
    userId: optionalText(),
    destinationGeofenceTag: optionalText(),
    destinationGeofenceExternalId: optionalText(),
    createdBefore: datetime().optional(),
    createdAfter: datetime().optional(),
    delayed: flag().optional().meta({ description: "behind scheduledArrivalAt, or not" }),
  },
  form: ({ format, bom }) => formOf(KINDS.trips, format, bom),
  read: ({ env, caller }, query) => {
    const trips = readTrips(env.DB, caller.scope, query);
    return {
      count: trips.count,
      async next(limit) {
        const docs = await trips.next(limit);
        return query.format === "geojson"
          ? withWays(env.DB, caller.scope, docs)
          : docs.map((doc): WalkedTrip => ({ doc, way: [] }));
      },
    };
  },
  atOnce: ({ format }) => (format === "geojson" ? WAYS_AT_ONCE : undefined),
});

async function withWays(db: D1Database, scope: number, docs: readonly string[]): Promise<WalkedTrip[]> {
  const trips = docs.map((doc) => ({ doc, id: idOf(doc) }));
  const ids = trips.flatMap(({ id }) => id ?? []);
  let points = await tripPoints(db, scope, ids, MOST_POINTS);
  if (points.length === MOST_POINTS) {
    // Long trips: one by one, so that none takes another's points.
    points = [];
    for (const id of ids) points.push(...(await tripPoints(db, scope, [id], MOST_POINTS)));
  }
  const ways = Map.groupBy(points, ({ trip }) => trip);
  return trips.map(({ doc, id }) => ({
    doc,
    way: (ways.get(id ?? "") ?? []).map(({ longitude, latitude }) => [longitude, latitude] as const),
  }));
}

/** undefined for a row that cannot be read: `writeRows` leaves it out and says so. */
function idOf(doc: string): string | undefined {
  try {
    return (JSON.parse(doc) as Trip)._id;
  } catch {
    return undefined;
  }
}
