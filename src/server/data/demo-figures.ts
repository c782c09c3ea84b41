import { addDrive, emptyReport } from "../../core/routing/learn/eta-report.ts";
import { reportKey } from "../../core/routing/learn/keys.ts";
import type { FilledDemo } from "../../demo/day/fill.ts";
import { DAYS_BEFORE, drivesOf } from "../../demo/day/month.ts";
import { random } from "../../demo/world/random.ts";
import type { Bucket } from "../../importer/publish/bucket.ts";
import { type Database, query, type Statement } from "./database.ts";

/**
 * What the month of the demo data would have left behind, and no endpoint can write, because it is of the past: when things were
 * created, calls by hour, results of campaigns, and errors of arrival times. Written once.
 */

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

const CREATED = ["geofence", "beacon", "webhook"] as const;
/** Their JSON has the time, too. */
const CREATED_WITH_DOC = ["campaign", "segment", "beacon_import", "geofence_import"] as const;

/** Calls per update of a phone, by endpoint. */
const CALLS: readonly [endpoint: string, share: number][] = [
  ["track", 1],
  ["directions", 0.31],
  ["autocomplete", 0.42],
  ["searchPlaces", 0.17],
  ["forwardGeocode", 0.12],
  ["staticMap", 0.05],
];
/** Longer ones are stored as this one [hours]. */
const LONGEST_GAP = 25;
/** Of all calls, those with a mistake of the caller. */
const ERRORS = 0.008;

export async function writeDemoFigures(
  database: Database,
  bucket: Bucket,
  { project, filled, now, end }: { project: number; filled: FilledDemo; now: number; end: number },
): Promise<void> {
  const scope = project * 2;
  const begin = now - (DAYS_BEFORE + 1) * DAY_MS;
  const [{ oldest }] = await query(database, "SELECT min(created_at) AS oldest FROM geofence WHERE scope = ?", scope);
  // The updates came in minutes: the charts have them when they happened.
  await database.batch(withoutHours(project, Math.floor(now / HOUR_MS), Math.floor(end / HOUR_MS)));
  if (oldest === null || Number(oldest) < begin + DAY_MS) return;
  const campaigns = await query(database, "SELECT id, doc FROM campaign WHERE scope = ? ORDER BY created_at", scope);
  await database.batch([
    ...CREATED.map((table) => backdate(table, scope, begin, false)),
    ...CREATED_WITH_DOC.map((table) => backdate(table, scope, begin, true)),
    { sql: "UPDATE project SET created_at = min(created_at, ?) WHERE id = ?", values: [begin, project] },
    ...["api_key", "membership"].map((table) => ({
      sql: `UPDATE ${table} SET created_at = min(created_at, ?) WHERE project = ?`,
      values: [begin, project],
    })),
    ...usageRows(project, filled.updateHours.flat()),
    ...userCounts(scope, filled.updateHours),
    ...campaignCounts(
      scope,
      campaigns.map(({ id, doc }) => ({ id: String(id), doc: JSON.parse(String(doc)) })),
      now,
    ),
    {
      sql: "UPDATE project SET settings = json_patch(settings, ?) WHERE id = ?",
      values: [JSON.stringify({ learning: { enabled: true } }), project],
    },
  ]);
  const report = emptyReport();
  for (const drive of drivesOf(filled.drives, now, random("demo-data", "drives"))) addDrive(report, drive);
  await bucket.put(reportKey(scope), Buffer.from(JSON.stringify(report)));
}

/** Removes the calls and active users of some hours. */
function withoutHours(project: number, first: number, last: number): Statement[] {
  const statements: Statement[] = [];
  for (let hour = first; hour <= last; hour++) {
    const month = new Date(hour * HOUR_MS).toISOString().slice(0, 7);
    const ofMonth = `$.h${hour - Date.parse(`${month}-01`) / HOUR_MS}`;
    statements.push(
      {
        sql: `UPDATE usage SET calls = calls - coalesce(hours ->> ?, 0), hours = json_remove(hours, ?)
          WHERE project = ? AND month = ? AND live = 0`,
        values: [`${ofMonth}[0]`, ofMonth, project, month],
      },
      {
        sql: "UPDATE stat SET hours = json_remove(hours, ?) WHERE scope = ? AND day = ? AND kind = 'user'",
        values: [`$.h${hour % 24}`, project * 2, Math.floor(hour / 24)],
      },
    );
  }
  return statements;
}

function backdate(table: string, scope: number, begin: number, hasDoc: boolean): Statement {
  const times = hasDoc && !table.endsWith("_import") ? ", '$.createdAt', ?, '$.updatedAt', ?" : ", '$.createdAt', ?";
  const doc = hasDoc ? `, doc = json_set(doc${times})` : "";
  const updated = table.endsWith("_import") ? "" : ", updated_at = ?";
  const count = [doc, updated].join("").split("?").length;
  return {
    sql: `UPDATE ${table} SET created_at = ?${updated}${doc} WHERE scope = ?`,
    values: [...new Array<number>(count).fill(begin), scope],
  };
}

/** Calls of the past by month and endpoint, with the calls of each hour, as the Worker counts them. */
function usageRows(project: number, hours: readonly number[]): Statement[] {
  const draw = random("demo-data", "usage");
  const byHour = new Map<number, number>();
  for (const hour of hours) byHour.set(hour, (byHour.get(hour) ?? 0) + 1);
  const rows = new Map<string, Record<string, number[]>>();
  for (const [hour, updates] of byHour) {
    const month = new Date(hour * HOUR_MS).toISOString().slice(0, 7);
    const name = `h${hour - Date.parse(`${month}-01`) / HOUR_MS}`;
    for (const [endpoint, share] of CALLS) {
      const calls = endpoint === "track" ? updates : Math.round(updates * share * draw.between(0.6, 1.4));
      if (calls === 0) continue;
      const errors = Math.round(calls * ERRORS * draw.between(0, 3));
      const key = `${month} ${endpoint}`;
      rows.set(key, { ...rows.get(key), [name]: [calls, errors, endpoint === "track" ? updates : 0, 0] });
    }
  }
  return [...rows].map(([key, counted]) => {
    const [month, endpoint] = key.split(" ");
    const calls = Object.values(counted).reduce((sum, [one]) => sum + one, 0);
    return {
      sql: `INSERT INTO usage (project, month, live, endpoint, calls, hours) VALUES (?, ?, 0, ?, ?, ?)
        ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, hours = json_patch(excluded.hours, hours)`,
      values: [project, month, endpoint, calls, JSON.stringify(counted)],
    };
  });
}

/** Active users by hour and by the hours since their last activity, as the Worker counts them. */
function userCounts(scope: number, people: readonly (readonly number[])[]): Statement[] {
  const rows = new Map<string, Record<string, number>>();
  for (const hours of people) {
    let before = Number.NEGATIVE_INFINITY;
    for (const hour of [...new Set(hours)].sort((a, b) => a - b)) {
      const key = `${Math.floor(hour / 24)} ${Math.min(LONGEST_GAP, hour - before)}`;
      const name = `h${hour % 24}`;
      rows.set(key, { ...rows.get(key), [name]: (rows.get(key)?.[name] ?? 0) + 1 });
      before = hour;
    }
  }
  return [...rows].map(([key, counted]) => {
    const [day, gap] = key.split(" ");
    return statRow(scope, Number(day), "user", gap, counted);
  });
}

const statRow = (scope: number, day: number, kind: string, name: string, hours: Record<string, number>): Statement => ({
  sql: `INSERT INTO stat (scope, day, kind, name, hours) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET hours = json_patch(excluded.hours, hours)`,
  values: [scope, day, kind, name, JSON.stringify(hours)],
});

interface StoredCampaign {
  id: string;
  doc: { enabled?: boolean; variants?: unknown[]; goal?: unknown; type: string };
}

/** What the campaigns were sent and led to, by day. */
function campaignCounts(scope: number, campaigns: readonly StoredCampaign[], now: number): Statement[] {
  const today = Math.floor(now / DAY_MS);
  const rows: Statement[] = [];
  for (const { id, doc } of campaigns) {
    if (doc.enabled === false) continue;
    const draw = random("demo-data", doc.type);
    for (let ago = DAYS_BEFORE; ago >= 1; ago--) {
      for (const variant of doc.variants?.keys() ?? [0]) {
        const sent = 4 + draw.below(6);
        const counts = { sent, ...shownOf(doc.type, sent, draw), ...(doc.goal ? goalOf(sent, variant, draw) : {}) };
        for (const [what, count] of Object.entries(counts)) {
          rows.push(statRow(scope, today - ago, "campaign", `${id} ${variant} ${what}`, { h12: count }));
        }
      }
    }
  }
  return rows;
}

function shownOf(type: string, sent: number, draw: ReturnType<typeof random>): Record<string, number> {
  const displayed = Math.max(1, sent - draw.below(2));
  const reacted = draw.below(Math.ceil(displayed / 2));
  return type === "inAppMessage"
    ? { displayed, clicked: reacted, dismissed: displayed - reacted }
    : { displayed, opened: reacted };
}

/** The second variant sells better. */
function goalOf(sent: number, variant: number, draw: ReturnType<typeof random>): Record<string, number> {
  const users = Math.max(1, Math.round(sent / 2));
  const converted = Math.min(users, draw.below(2 + variant));
  return { users, converted, conversions: converted };
}
