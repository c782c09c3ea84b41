import { useCallback, useEffect, useReducer, useState } from "preact/hooks";
import type { getRecords } from "../../worker/http/dashboard/records.ts";
import type { Answer, Problem } from "./client.ts";
import { useApi } from "./hooks.ts";

type Records = Answer<typeof getRecords>;
/** Ids per request, as the endpoint allows. */
const MAX_IDS = { events: 100, users: 200 } as const;
/** Time until a failed request is sent again [ms]. */
const AGAIN_MS = 10_000;

interface AskedRecords<Record> {
  /** Without an id that was not read yet; null for one that does not exist. */
  records: ReadonlyMap<string, Record | null>;
  /** Why the others could not be read. */
  problem?: Problem;
  again(): void;
}

/**
 * Records of a list's rows by their ids, in one request for all rows on the screen instead of one for each. Rows that are added are
 * requested together. A failed request is repeated: only a response says that a record does not exist.
 */
export function useRecords<K extends keyof typeof MAX_IDS>(
  kind: K,
  ids: readonly string[],
): AskedRecords<Records[K][number]> {
  const api = useApi();
  const [records, setRecords] = useState<ReadonlyMap<string, Records[K][number] | null>>(new Map());
  const [problem, setProblem] = useState<Problem>();
  const [tries, again] = useReducer<number, void>((count) => count + 1, 0);
  const missing = [...new Set(ids)].filter((id) => !records.has(id)).slice(0, MAX_IDS[kind]);
  const key = missing.join();
  useEffect(() => {
    if (key === "") return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    void api.get<Records>("/dashboard/api/records", { [kind]: key }).then((result) => {
      if (isGone) return;
      setProblem(result.ok ? undefined : result.problem);
      if (result.ok) setRecords((before) => withRecords(before, key.split(","), result.data[kind] as Records[K]));
      else timer = setTimeout(again, AGAIN_MS);
    });
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [api, kind, key, tries]);
  return { records, problem, again: useCallback(() => again(), []) };
}

/** Adds what a response says of the requested ids: those that are not in it do not exist. */
function withRecords<Record extends { _id: string }>(
  before: ReadonlyMap<string, Record | null>,
  requested: readonly string[],
  found: readonly Record[],
): ReadonlyMap<string, Record | null> {
  const next = new Map(before);
  for (const id of requested) next.set(id, null);
  for (const record of found) next.set(record._id, record);
  return next;
}
