import { useEffect, useState } from "preact/hooks";
import type { getRecords } from "../../http/dashboard/records.ts";
import type { Answer } from "./client.ts";
import { useApi } from "./hooks.ts";

type Records = Answer<typeof getRecords>;
/** Ids per request, as the endpoint allows. */
const MAX_IDS = { events: 100, users: 200 } as const;

/**
 * Records of a list's rows by their ids, in one request for all rows on the screen instead of one for each. Rows that are added are
 * requested together.
 * @returns undefined for an id that was not requested yet, null for one that does not exist
 */
export function useRecords<K extends keyof typeof MAX_IDS>(
  kind: K,
  ids: readonly string[],
): ReadonlyMap<string, Records[K][number] | null> {
  const api = useApi();
  const [known, setKnown] = useState<ReadonlyMap<string, Records[K][number] | null>>(new Map());
  const missing = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, MAX_IDS[kind]);
  const key = missing.join();
  useEffect(() => {
    if (key === "") return;
    let isGone = false;
    void api.get<Records>("/dashboard/api/records", { [kind]: key }).then((result) => {
      if (isGone) return;
      setKnown((before) => {
        const next = new Map(before);
        for (const id of key.split(",")) next.set(id, null);
        if (result.ok) for (const record of result.data[kind] as Records[K]) next.set(record._id, record);
        return next;
      });
    });
    return () => {
      isGone = true;
    };
  }, [api, kind, key]);
  return known;
}
