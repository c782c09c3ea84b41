import { LIMITED_ENDPOINTS, rateLimitOf } from "../../core/limits/table.ts";
import { CommandError, UsageError, wholeNumber } from "../base/command.ts";
import type { Database } from "../data/database.ts";

/** The most that an operator may allow [calls/s]: more than one machine can answer. */
const HIGHEST = 1_000_000;

/** Endpoint → calls per second; null: back to the default. */
type LimitChanges = ReadonlyMap<string, number | null>;

/** "track=50 matrix=default" as words. @throws UsageError naming the word and the rule */
export function readLimits(words: readonly string[]): LimitChanges {
  return new Map(
    words.map((word) => {
      const [endpoint, value, ...more] = word.split("=");
      if (value === undefined || more.length > 0) throw new UsageError(`A limit must be ENDPOINT=N, not "${word}".`);
      if (!LIMITED_ENDPOINTS.includes(endpoint))
        throw new UsageError(`Unknown endpoint "${endpoint}". Endpoints with limits: ${LIMITED_ENDPOINTS.join(", ")}.`);
      const rate =
        value === "default" ? null : wholeNumber(value, `The limit of ${endpoint}`, { min: 1, max: HIGHEST });
      return [endpoint, rate];
    }),
  );
}

interface Limit {
  endpoint: string;
  /** Calls per second; per device for track and ipGeocode. */
  rate: number;
  /** Set by the operator: not the default. */
  own: boolean;
}

/** Changes a project's limits in one step, and returns all of them. */
export async function changeLimits(database: Database, project: number, changes: LimitChanges): Promise<Limit[]> {
  // Done in SQL, so that a change of other settings at the same moment is not lost.
  const statements = [...changes].map(([endpoint, rate]) => ({
    sql:
      rate === null
        ? "UPDATE project SET settings = json_remove(settings, ?) WHERE id = ?"
        : `UPDATE project SET settings = json_set(json_insert(settings, '$.rateLimits', json('{}')), ?, ${rate}) WHERE id = ?`,
    values: [`$.rateLimits.${endpoint}`, project],
  }));
  const rows = await database.batch([
    ...statements,
    { sql: "SELECT settings FROM project WHERE id = ?", values: [project] },
  ]);
  const [row] = rows[rows.length - 1];
  if (!row) throw new CommandError(`No project ${project}. See: npm run project -- list`);
  const own: Record<string, number> = JSON.parse(String(row.settings)).rateLimits ?? {};
  return LIMITED_ENDPOINTS.map((endpoint) => ({
    endpoint,
    rate: rateLimitOf(endpoint, own),
    own: own[endpoint] !== undefined,
  }));
}
