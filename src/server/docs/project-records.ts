/** Records that examples create, so that a run can take them away again. */

const FAMILIES = ["trips", "users", "geofences", "beacons", "webhooks", "campaigns", "segments"] as const;
const LIMIT = 1000;

type Settings = Record<string, unknown>;

export interface ProjectRecords {
  /** Ids by family. */
  ids: Readonly<Record<string, ReadonlySet<string>>>;
  settings: Settings;
}

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

export function asker(baseUrl: string, key: string): Ask {
  return async (method, path, body) => {
    for (;;) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { authorization: key, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
      if (response.status !== 429) return answer;
      await new Promise((later) => setTimeout(later, 1000 * Number(response.headers.get("retry-after") ?? 1)));
    }
  };
}

/** The latest records of each family, and the settings. */
export async function readRecords(ask: Ask): Promise<ProjectRecords> {
  const ids: Record<string, Set<string>> = {};
  for (const family of FAMILIES) {
    const answer = await ask("GET", `/v1/${family}?limit=${LIMIT}`);
    const rows = (answer[family] ?? []) as { _id: string }[];
    ids[family] = new Set(rows.map(({ _id }) => _id));
  }
  return { ids, settings: ((await ask("GET", "/v1/settings")).settings ?? {}) as Settings };
}

/** Deletes what was not there before, and restores the settings. @returns the number of deleted records */
export async function removeNew(ask: Ask, before: ProjectRecords): Promise<number> {
  const after = await readRecords(ask);
  let deleted = 0;
  for (const family of FAMILIES) {
    for (const id of after.ids[family]) {
      if (before.ids[family].has(id)) continue;
      await ask("DELETE", `/v1/${family}/${id}`);
      deleted++;
    }
  }
  const patch = restoringPatch(before.settings, after.settings);
  if (patch) await ask("PATCH", "/v1/settings", patch as object);
  return deleted;
}

/** The merge patch (RFC 7396) from one value back to another; undefined: they are equal. */
export function restoringPatch(before: unknown, after: unknown): unknown {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  if (!isObject(before) || !isObject(after)) return before ?? null;
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const change = restoringPatch(before[name], after[name]);
    return change === undefined ? [] : [[name, change] as const];
  });
  return Object.fromEntries(changes);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
