import { z } from "zod";
import type { Pace } from "../../../core/geo/pace.ts";
import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { type Part, zipStream } from "../../answers/exports/zip-stream.ts";
import { type Reading, readEvents, readTrips } from "../../db/customers/exports.ts";
import { tripPoints } from "../../db/customers/trips.ts";
import { findUser, findUserRecords, type UserRecord } from "../../db/customers/users.ts";
import { deviceTrackerOf } from "../../objects/tracker/device-tracker-stub.ts";
import { settleWrites } from "../../objects/writer/database-writers-stub.ts";
import { invalid, notFound } from "../../platform/errors.ts";
import { wireDate } from "../../wire/date.ts";
import { wireEvent } from "../../wire/event.ts";
import { datetime, oneOf } from "../../wire/input/fields.ts";
import { EVENT_COLUMNS, tableRow, UPDATE_COLUMNS } from "../../wire/tables/columns.ts";
import { csvRow } from "../../wire/tables/write-csv.ts";
import { GPX_TAIL, GPX_TRACK_END, gpxHead, gpxPoint, gpxTrack, type Waypoint } from "../../wire/traces/gpx.ts";
import { wireTrip } from "../../wire/trip.ts";
import { wireUpdate } from "../../wire/updates.ts";
import { wireUser } from "../../wire/user.ts";
import { keptSince } from "../insight/updates.ts";
import { type Call, endpoint } from "../serve/endpoint.ts";
import { writeRow, writeRows } from "../serve/rows.ts";

const MEDIA = { zip: "application/zip", gpx: "application/gpx+xml" };
/** Rows and updates read at a time, and what writing one costs [units of a pace]. */
const AT_ONCE = 300;
const ROW_COST = 40;
/** Most locations of one trip. */
const MAX_POINTS = 50_000;

/** Time range [ms]. */
interface Time {
  from?: number;
  to?: number;
}

export const exportUser = endpoint({
  name: "exportUser",
  method: "GET",
  path: "/v1/users/:id/export",
  level: "secret",
  chapter: "Exports",
  summary: "Exports all data of one user as a ZIP file, or their track as GPX.",
  description:
    "By _id, userId or deviceId, for every matching record, also of a user that has only conversions or trips. The ZIP has a folder per record with user.json (the user with its current geofences, trip and segments), updates.ndjson, events.ndjson and trips.ndjson (each with its locations) in the API's format, updates.csv and events.csv for spreadsheets, and way.gpx. The GPX 1.1 file has a track per record, split at gaps of 15 minutes. Both files are streamed.",
  query: z.object({
    format: oneOf(["zip", "gpx"]).default("zip"),
    from: datetime().optional().meta({ description: "only updates and events from this time on" }),
    to: datetime().optional().meta({ description: "only updates and events until this time" }),
  }),
  media: Object.values(MEDIA),
  errors: [404],
  async handle(call) {
    const { params, query, caller, env, now } = call;
    if (query.from !== undefined && query.to !== undefined && query.from > query.to)
      throw invalid("from", "Must not be after `to`.");
    await settleWrites(env);
    const records = await findUserRecords(env.DB, caller.scope, params.id);
    if (records.length === 0 && !(await hasTrips(call, params.id))) throw notFound("User");
    // A file that begins cannot become an error: what the first record needs must respond before.
    if (records.length > 0) await stateOf(call, records[0]);
    const pace = call.pace.within(Number.POSITIVE_INFINITY);
    const { format } = query;
    const body =
      format === "zip"
        ? zipStream(partsOf(call, records, params.id, query, pace))
        : textStream(gpxOf(call, records, query, pace));
    const name = `graticule-user-${records[0]?.id ?? "trips"}-${new Date(now).toISOString().slice(0, 10)}.${format}`;
    return new Response(body, {
      headers: {
        "content-type": MEDIA[format],
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "no-store",
      },
    });
  },
});

/** Trips that name a person who has no record. */
const tripsOf = ({ env, caller }: Call, name: string) => readTrips(env.DB, caller.scope, {}, { name });
const hasTrips = async (call: Call, name: string) => (await tripsOf(call, name).count()) > 0;

async function* partsOf(
  call: Call,
  records: readonly UserRecord[],
  asked: string,
  time: Time,
  pace: Pace,
): AsyncGenerator<Part> {
  const { env, caller } = call;
  if (records.length === 0) yield { name: "trips.ndjson", texts: tripLines(call, tripsOf(call, asked), pace) };
  for (const [i, record] of records.entries()) {
    const state = await stateOf(call, record);
    const folder = `record-${i + 1}`;
    const between = { createdAfter: before(time.from), createdBefore: after(time.to), records: [record.id] };
    const events = readEvents(env, caller.scope, between);
    const name = state?.userId ?? record.userId ?? record.deviceId;
    const trips = readTrips(env.DB, caller.scope, {}, { id: record.id, name });
    const shown = () => (state ? writeRow(call, "users", state, wireUser) : unlocated(call, record));
    const user = () => JSON.stringify(shown(), undefined, 2);
    yield { name: `${folder}/user.json`, texts: once(user) };
    yield { name: `${folder}/updates.ndjson`, texts: updateLines(call, record, time, pace) };
    yield { name: `${folder}/updates.csv`, texts: updateTable(call, record, time, pace) };
    yield { name: `${folder}/way.gpx`, texts: gpxOf(call, [record], time, pace) };
    yield {
      name: `${folder}/events.ndjson`,
      texts: lines(call, "events", events, pace, (doc) => jsonLine(wireDoc(doc))),
    };
    const again = readEvents(env, caller.scope, between);
    yield { name: `${folder}/events.csv`, texts: eventTable(call, again, pace) };
    yield { name: `${folder}/trips.ndjson`, texts: tripLines(call, trips, pace) };
  }
}

/** A user that has only conversions. */
function unlocated({ caller: { live } }: Call, { id: _id, userId, deviceId }: UserRecord) {
  return { _id, live, ...(userId !== null && { userId }), deviceId };
}

/** Filters exclude their own time; here it is included. */
function before(at: number | undefined): number | undefined {
  return at === undefined ? undefined : at - 1;
}

function after(at: number | undefined): number | undefined {
  return at === undefined ? undefined : at + 1;
}

/** The tracker's state, which may be newer than the database; a row without a tracker is returned unchanged. */
async function stateOf({ env, caller }: Call, { id, deviceId }: UserRecord): Promise<UserState | undefined> {
  const state = await deviceTrackerOf(env, caller.scope, deviceId).user(id);
  if (state) return state as UserState;
  const row = await findUser(env.DB, caller.scope, id);
  return row && (JSON.parse(row.doc) as UserState);
}

async function* once(text: () => string): AsyncGenerator<string> {
  yield text();
}

function jsonLine(wire: object): string {
  return `${JSON.stringify(wire)}\n`;
}

function wireDoc(doc: string): object {
  return wireEvent(JSON.parse(doc) as TrackEvent);
}

async function* lines(
  call: Call,
  what: string,
  reading: Reading<string>,
  pace: Pace,
  write: (doc: string) => string,
): AsyncGenerator<string> {
  for (;;) {
    const docs = await reading.next(AT_ONCE);
    const turn = pace.spend(ROW_COST * docs.length);
    if (turn) await turn;
    const texts = writeRows(call, what, docs, write);
    if (texts.length > 0) yield texts.join("");
    if (docs.length < AT_ONCE) return;
  }
}

async function* tripLines(call: Call, reading: Reading<string>, pace: Pace): AsyncGenerator<string> {
  for await (const text of lines(call, "trips", reading, pace, (doc) => jsonLine(wireTrip(JSON.parse(doc) as Trip)))) {
    for (const line of text.split("\n")) {
      if (line === "") continue;
      const trip = JSON.parse(line) as { _id: string };
      const points = await tripPoints(call.env.DB, call.caller.scope, [trip._id], MAX_POINTS);
      const locations = points.map(({ at, latitude, longitude, accuracy }) => ({
        location: { type: "Point", coordinates: [longitude, latitude] },
        locationAccuracy: accuracy,
        createdAt: wireDate(at),
      }));
      yield `${JSON.stringify({ ...trip, locations })}\n`;
    }
  }
}

async function* eventTable(call: Call, reading: Reading<string>, pace: Pace): AsyncGenerator<string> {
  yield csvRow(EVENT_COLUMNS);
  yield* lines(call, "events", reading, pace, (doc) => tableRow(EVENT_COLUMNS, wireDoc(doc)));
}

async function* updateTable(call: Call, record: UserRecord, time: Time, pace: Pace): AsyncGenerator<string> {
  yield csvRow(UPDATE_COLUMNS);
  for await (const updates of updatesOf(call, record, time, pace)) {
    const texts = writeRows(call, "updates", updates, (update) => tableRow(UPDATE_COLUMNS, wireUpdate(update)));
    if (texts.length > 0) yield texts.join("");
  }
}

/** A record's updates, a page at a time, in the order in which they arrived. */
async function* updatesOf({ env, caller, now }: Call, { id, deviceId }: UserRecord, time: Time, pace: Pace) {
  const tracker = deviceTrackerOf(env, caller.scope, deviceId);
  const from = Math.max(time.from ?? 0, keptSince(caller, now));
  let cursor: { page: number; entry: number } | undefined = { page: 0, entry: 0 };
  while (cursor) {
    const to = time.to ?? Number.MAX_SAFE_INTEGER;
    const { updates, next } = await tracker.updates(id, { from, to, limit: AT_ONCE, cursor });
    const turn = pace.spend(ROW_COST * updates.length);
    if (turn) await turn;
    yield updates;
    cursor = next;
  }
}

async function* updateLines(call: Call, record: UserRecord, time: Time, pace: Pace): AsyncGenerator<string> {
  for await (const updates of updatesOf(call, record, time, pace)) {
    const texts = writeRows(call, "updates", updates, (update) => `${JSON.stringify(wireUpdate(update))}\n`);
    if (texts.length > 0) yield texts.join("");
  }
}

async function* gpxOf(call: Call, records: readonly UserRecord[], time: Time, pace: Pace): AsyncGenerator<string> {
  yield gpxHead();
  for (const record of records) {
    const state = await stateOf(call, record);
    yield gpxTrack(state?.description ?? state?.userId ?? record.deviceId);
    let last: Waypoint | undefined;
    for await (const updates of updatesOf(call, record, time, pace)) {
      // An update that arrived too late did not move the user and is not part of the track.
      const texts = writeRows(
        call,
        "updates",
        updates.filter(({ counted }) => counted),
        ({ update, at }) => {
          const point = { at, ...update.location, altitude: update.altitude };
          const text = gpxPoint(point, last);
          last = point;
          return text;
        },
      );
      if (texts.length > 0) yield texts.join("");
    }
    yield GPX_TRACK_END;
  }
  yield GPX_TAIL;
}

function textStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
