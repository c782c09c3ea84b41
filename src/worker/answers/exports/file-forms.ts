import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { UserState } from "../../../core/tracking/types/state.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import type { GeofenceRow } from "../../db/schema.ts";
import { wireEvent } from "../../wire/event.ts";
import { wireGeofence } from "../../wire/geofence.ts";
import { EVENT_COLUMNS, TRIP_COLUMNS, tableRow, USER_COLUMNS } from "../../wire/tables/columns.ts";
import { GEOFENCE_COLUMNS, geofenceFeature, geofenceTableRow } from "../../wire/tables/geofence-file.ts";
import { BYTE_ORDER_MARK, csvRow } from "../../wire/tables/write-csv.ts";
import {
  COLLECTION_HEAD,
  COLLECTION_SEPARATOR,
  COLLECTION_TAIL,
  type Feature,
  locatedFeature,
} from "../../wire/traces/geojson.ts";
import { wireTrip } from "../../wire/trip.ts";
import { wireUser } from "../../wire/user.ts";
import type { FileForm } from "./row-stream.ts";

export const FORMATS = ["csv", "ndjson", "geojson"] as const;
export type Format = (typeof FORMATS)[number];

export const MEDIA: Record<Format, string> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
  geojson: "application/geo+json",
};

/** A trip with its path, as [longitude, latitude]. */
export interface WalkedTrip {
  doc: string;
  way: readonly (readonly [longitude: number, latitude: number])[];
}

const user = (doc: string) => wireUser(JSON.parse(doc) as UserState);
const event = (doc: string) => wireEvent(JSON.parse(doc) as TrackEvent);
const trip = (doc: string) => wireTrip(JSON.parse(doc) as Trip);

/** The writer for each kind of row and format. */
interface Kind<Row> {
  columns: readonly string[];
  csv(row: Row): string;
  ndjson(row: Row): object;
  geojson(row: Row): Feature;
}

export const KINDS = {
  users: {
    columns: USER_COLUMNS,
    csv: (doc) => tableRow(USER_COLUMNS, user(doc)),
    ndjson: user,
    geojson: (doc) => locatedFeature(user(doc)),
  } satisfies Kind<string>,
  events: {
    columns: EVENT_COLUMNS,
    csv: (doc) => tableRow(EVENT_COLUMNS, event(doc)),
    ndjson: event,
    geojson: (doc) => locatedFeature(event(doc)),
  } satisfies Kind<string>,
  geofences: {
    columns: GEOFENCE_COLUMNS,
    csv: geofenceTableRow,
    ndjson: (row) => wireGeofence(row),
    geojson: geofenceFeature,
  } satisfies Kind<GeofenceRow>,
  trips: {
    columns: TRIP_COLUMNS,
    csv: ({ doc }) => tableRow(TRIP_COLUMNS, trip(doc)),
    ndjson: ({ doc }) => trip(doc),
    geojson: ({ doc, way }) => ({ ...locatedFeature(trip(doc)), geometry: wayOf(way) }),
  } satisfies Kind<WalkedTrip>,
};

function wayOf(way: WalkedTrip["way"]): Feature["geometry"] {
  if (way.length > 1) return { type: "LineString", coordinates: way };
  return way.length === 1 ? { type: "Point", coordinates: way[0] } : null;
}

export function formOf<Row>(kind: Kind<Row>, format: Format, bom: boolean): FileForm<Row> {
  if (format === "csv") {
    const head = `${bom ? BYTE_ORDER_MARK : ""}${csvRow(kind.columns)}`;
    return { head, row: kind.csv, separator: "", tail: "" };
  }
  if (format === "ndjson") {
    return { head: "", row: (row) => `${JSON.stringify(kind.ndjson(row))}\n`, separator: "", tail: "" };
  }
  return {
    head: COLLECTION_HEAD,
    row: (row) => JSON.stringify(kind.geojson(row)),
    separator: COLLECTION_SEPARATOR,
    tail: COLLECTION_TAIL,
  };
}
