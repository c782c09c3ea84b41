import { useEffect, useRef, useState } from "preact/hooks";
import type { getJourneyStats } from "../../../worker/http/insight/journey-stats.ts";
import { type Answer, type Pages, type Problem, type QueryValues, useApi } from "../../api/hooks.ts";

export type JourneyDay = Answer<typeof getJourneyStats>["days"][number];

const PATH = "/v1/stats/journeys";
/** Users by one call: the first page is short, to load fast. */
const [FIRST_PAGE, PAGE] = [20, 100];
/** So many rows are loaded unasked, so that totals and paper have them; scrolling loads further ones. */
const UNASKED_ROWS = 1000;

interface State {
  key: string;
  rows: readonly JourneyDay[];
  cursor?: string;
  loading: boolean;
  problem?: Problem;
}

/** The days of all users that match, page after page. */
export function useDays(query: QueryValues): Pages<JourneyDay> {
  const api = useApi();
  const key = JSON.stringify(query);
  const [state, setState] = useState<State>({ key, rows: [], loading: true });
  const [round, setRound] = useState(0);
  const wanted = useRef(0);
  const load = useRef<(from: Pick<State, "rows" | "cursor">) => Promise<void>>(async () => {});
  // A new round asks again.
  useEffect(() => {
    const ended = new AbortController();
    wanted.current = UNASKED_ROWS;
    load.current = async (from) => {
      let { rows, cursor } = from;
      do {
        setState({ key, rows, cursor, loading: true });
        const page = { ...JSON.parse(key), cursor, limit: cursor === undefined ? FIRST_PAGE : PAGE };
        const result = await api.get<Answer<typeof getJourneyStats>>(PATH, page, ended.signal);
        if (ended.signal.aborted) return;
        if (!result.ok) return setState({ key, rows, cursor, loading: false, problem: result.problem });
        rows = [...rows, ...result.data.days];
        cursor = result.data.nextCursor;
      } while (cursor !== undefined && rows.length < wanted.current);
      setState({ key, rows, cursor, loading: false });
    };
    void load.current({ rows: [] });
    return () => ended.abort();
  }, [api, key, round]);
  const shown = state.key === key ? state : { key, rows: [], loading: true };
  return {
    ...shown,
    hasMore: shown.loading || shown.cursor !== undefined,
    more() {
      if (shown.loading || shown.cursor === undefined) return;
      wanted.current = shown.rows.length + 1;
      void load.current(shown);
    },
    again: () => setRound(round + 1),
  };
}
