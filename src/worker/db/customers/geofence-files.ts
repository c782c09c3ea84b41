import { and, getTableColumns, type SQL, sql } from "drizzle-orm";
import { batch, open, upsert } from "../database.ts";
import { jsonTexts } from "../json-texts.ts";
import { geofence } from "../schema.ts";
import { currentEpoch, deleteExpired, type GeofenceValues, geofencesWhere, nextEpoch } from "./geofences.ts";

/** A geofence to write: with `id` and `createdAt` [ms] if it is new. */
export interface GeofenceWrite {
  id: string;
  createdAt: number;
  values: GeofenceValues;
}

/** The compared fields: the covering follows from the shape. */
type Compared = Omit<GeofenceValues, "cover">;
interface Stored {
  id: string;
  values: Compared;
}

/** Rows looked up at a time. */
const GROUP = 500;
/**
 * Maximum length of the rows written in one transaction [characters]; more are split into several, each with complete
 * geofences.
 */
const BATCH = 8_000_000;

const pairOf = ({ tag, externalId }: Pick<Compared, "tag" | "externalId">) =>
  tag === null || externalId === null ? undefined : JSON.stringify([tag, externalId]);

/** The stored geofences that the rows of a file may refer to, and those created by previous rows. */
class StoredGeofences {
  readonly #ids = new Map<string, Stored>();
  readonly #pairs = new Map<string, Stored>();
  readonly #loose = new Map<string, Stored[]>();

  byId(id: string): Stored | undefined {
    return this.#ids.get(id);
  }

  byPair(values: Compared): Stored | undefined {
    return this.#pairs.get(pairOf(values) ?? "");
  }

  /** A geofence without tag and externalId that is otherwise identical. */
  alike(values: Compared): Stored | undefined {
    if (pairOf(values) !== undefined) return undefined;
    return this.#loose.get(values.description)?.find((one) => sameGeofence(one.values, values));
  }

  put(id: string, values: Compared): void {
    const before = this.#ids.get(id);
    // If a row changes a geofence's pair, later rows may use the old one.
    const had = before && pairOf(before.values);
    if (had !== undefined && this.#pairs.get(had)?.id === id) this.#pairs.delete(had);
    const one = { id, values };
    this.#ids.set(id, one);
    const pair = pairOf(values);
    if (pair !== undefined) this.#pairs.set(pair, one);
    else this.#loose.set(values.description, [...(this.#loose.get(values.description) ?? []), one]);
  }
}

export async function storedGeofences(
  db: D1Database,
  scope: number,
  rows: readonly { id?: string; values?: Compared }[],
  now: number,
): Promise<StoredGeofences> {
  const stored = new StoredGeofences();
  const {
    cover: _,
    scope: __,
    epoch: ___,
    createdAt: ____,
    updatedAt: _____,
    id,
    ...columns
  } = getTableColumns(geofence);
  const find = async (wanted: readonly string[], which: (values: SQL) => SQL) => {
    for (let from = 0; from < wanted.length; from += GROUP) {
      for (const text of jsonTexts(wanted.slice(from, from + GROUP))) {
        const found = await open(db)
          .select({ id, ...columns })
          .from(geofence)
          .where(and(geofencesWhere(scope, {}, now), which(sql`(SELECT value FROM json_each(${text}))`)))
          .all();
        for (const { id, ...values } of found) stored.put(id, values);
      }
    }
  };
  const valid = rows.flatMap(({ values }) => values ?? []);
  const distinct = (texts: (string | undefined)[]) => [...new Set(texts.flatMap((text) => text ?? []))];
  const named = rows.flatMap(({ id, values }) => (values && id !== undefined ? JSON.stringify(id) : []));
  await find(distinct(named), (values) => sql`${geofence.id} IN ${values}`);
  // Joined from the list to the table: in the other order, SQLite reads every geofence of the scope.
  await find(
    distinct(valid.map(pairOf)),
    (pairs) =>
      sql`${geofence.id} IN (SELECT g.id FROM ${pairs} AS pair CROSS JOIN ${geofence} AS g
            ON g.scope = ${scope} AND g.tag = pair.value ->> 0 AND g.external_id = pair.value ->> 1)`,
  );
  const unpaired = valid.filter((values) => pairOf(values) === undefined);
  await find(
    distinct(unpaired.map(({ description }) => JSON.stringify(description))),
    (values) =>
      sql`(${geofence.tag} IS NULL OR ${geofence.externalId} IS NULL) AND ${geofence.description} IN ${values}`,
  );
  return stored;
}

/** Are all fields set by callers the same? A ring may have the opposite direction, as in GeoJSON. */
export function sameGeofence(a: Compared, b: Compared): boolean {
  const names = Object.keys(b).filter((name) => name !== "cover") as (keyof Compared)[];
  return names.every((name) => {
    if (a[name] === b[name]) return true;
    return isShape(a) && isShape(b) && turned(a) === turned(b) && (SHAPE as readonly string[]).includes(name);
  });
}

/** Derived from the ring; their last digits differ if it is reversed. */
const SHAPE = ["ring", "latitude", "longitude", "radius"] as const;

const isShape = ({ type }: Compared) => type === "polygon";

/** The ring or its reverse, whichever string sorts first. */
function turned({ ring }: Compared): string {
  const text = ring ?? "[]";
  const backwards = JSON.stringify((JSON.parse(text) as unknown[]).reverse());
  return text < backwards ? text : backwards;
}

/**
 * Creates geofences, or replaces those with the same id; each transaction all or none. Returns the scope's new epoch;
 * undefined: nothing to write; "taken": another geofence got one of the pairs meanwhile.
 */
export async function writeGeofences(
  db: D1Database,
  scope: number,
  writes: readonly GeofenceWrite[],
  now: number,
): Promise<number | undefined | "taken"> {
  let epoch: number | undefined;
  const rows = writes.map(({ id, createdAt, values }) => JSON.stringify({ ...values, id, createdAt, updatedAt: now }));
  const given = { scope: sql`${scope}`, epoch: currentEpoch(scope) };
  for (const texts of inBatches(jsonTexts(rows))) {
    const queries = texts.map((text) =>
      upsert(geofence, getTableColumns(geofence), sql`json_each(${text})`, [sql`(scope, id)`], given),
    );
    const first = [nextEpoch(db, scope), ...deleteExpired(db, scope, now)];
    try {
      const [raised] = await batch<[{ epoch: number }]>(db, [...first, ...queries]);
      epoch = raised.results[0].epoch;
    } catch (error) {
      if (/UNIQUE constraint/.test(`${error} ${error instanceof Error ? error.cause : ""}`)) return "taken";
      throw error;
    }
  }
  return epoch;
}

function inBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let size = BATCH;
  for (const text of texts) {
    if (size + text.length > BATCH) {
      batches.push([]);
      size = 0;
    }
    batches[batches.length - 1].push(text);
    size += text.length;
  }
  return batches;
}
