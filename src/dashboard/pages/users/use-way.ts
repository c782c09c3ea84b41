import { useEffect, useState } from "preact/hooks";
import type { listUserUpdates } from "../../../worker/http/insight/updates.ts";
import { type Answer, type Problem, useApi } from "../../api/hooks.ts";
import type { WayUpdate } from "../../map/movement/replay.ts";

interface Way {
  key: string;
  updates: readonly WayUpdate[];
  loading: boolean;
  problem?: Problem;
}

/** Updates by one call. */
const PAGE = 1000;

/** All updates of a time, oldest first, page after page. */
export function useWay(path: string, from: string, to: string): Way & { again: () => void } {
  const api = useApi();
  const key = `${path} ${from}`;
  const [way, setWay] = useState<Way>({ key, updates: [], loading: true });
  const [round, setRound] = useState(0);
  // A new round asks again.
  useEffect(() => {
    const ended = new AbortController();
    const load = async () => {
      let updates: WayUpdate[] = [];
      let cursor: string | undefined;
      do {
        const query = { from, to, limit: PAGE, cursor };
        const result = await api.get<Answer<typeof listUserUpdates>>(path, query, ended.signal);
        if (ended.signal.aborted) return;
        if (!result.ok) return setWay({ key, updates, loading: false, problem: result.problem });
        updates = [...updates, ...result.data.updates];
        cursor = result.data.nextCursor;
        setWay({ key, updates, loading: cursor !== undefined });
      } while (cursor !== undefined);
    };
    void load();
    return () => ended.abort();
  }, [api, path, from, to, key, round]);
  const shown = way.key === key ? way : { key, updates: [], loading: true };
  return { ...shown, again: () => setRound(round + 1) };
}
