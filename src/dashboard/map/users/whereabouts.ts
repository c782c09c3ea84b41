import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { getUser } from "../../../worker/http/users/users.ts";
import { type Answer, type Problem, useApi, useForgotten } from "../../api/hooks.ts";
import { type LiveEvent, type LivePosition, useLive } from "../../api/live.ts";

export type WireUser = Answer<typeof getUser>["user"];

/** Most users a map holds; the quietest are left out. */
const MAX_USERS = 10_000;
const PAGE = 1000;
/** Maximum number of events kept next to the map. */
const MAX_EVENTS = 200;

/**
 * Interval between map updates [ms]. Sorting, clustering and drawing take longer with more users; for 10,000 users,
 * twice a second keeps the map responsive.
 */
const pauseOf = (users: number) => Math.min(500, 16 + users / 20);

interface Whereabouts {
  users: readonly WireUser[];
  events: readonly LiveEvent[];
  loading: boolean;
  /** There are more users than a map holds. */
  isCut: boolean;
  problem?: Problem;
  live: ReturnType<typeof useLive>;
  again: () => void;
}

/**
 * Current positions of all users. Loads the list after the live feed is open, so that no update is missed, then
 * applies live positions. Updates are batched: a thousand positions a second cause only a few redraws.
 */
export function useWhereabouts(): Whereabouts {
  const api = useApi();
  const users = useRef(new Map<string, WireUser>());
  const waiting = useRef<LivePosition[]>([]);
  /** Users that moved since the list was requested. */
  const moved = useRef(new Set<string>());
  const frame = useRef(0);
  const [shown, setShown] = useState<readonly WireUser[]>([]);
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [state, setState] = useState<{ loading: boolean; isCut: boolean; problem?: Problem }>({
    loading: true,
    isCut: false,
  });
  const round = useRef(0);

  const load = useCallback(async () => {
    const mine = ++round.current;
    let before: string | undefined;
    let isCut = false;
    const listed = new Set<string>();
    moved.current.clear();
    for (let got = 0; ; ) {
      const query = { limit: PAGE, updatedBefore: before };
      const result = await api.get<{ users: WireUser[] }>("/v1/users", query);
      if (mine !== round.current) return;
      if (!result.ok) {
        setState({ loading: false, isCut, problem: result.problem });
        return;
      }
      const page = result.data.users;
      for (const user of page) {
        listed.add(user._id);
        const known = users.current.get(user._id);
        if (!known || known.updatedAt <= user.updatedAt) users.current.set(user._id, user);
      }
      got += page.length;
      setShown([...users.current.values()]);
      before = page.at(-1)?.updatedAt;
      if (!result.meta.hasMore || before === undefined) break;
      if (got >= MAX_USERS) {
        isCut = true;
        break;
      }
    }
    // Users that were deleted are in no page.
    if (!isCut)
      for (const id of users.current.keys()) if (!listed.has(id) && !moved.current.has(id)) users.current.delete(id);
    setShown([...users.current.values()]);
    setState({ loading: false, isCut });
  }, [api]);
  useForgotten("/v1/users", load);

  const move = useCallback(() => {
    frame.current = 0;
    for (const { _id, location, accuracy, stopped, updatedAt, userId, deviceId } of waiting.current) {
      const known = users.current.get(_id);
      const at = { location: location as WireUser["location"], locationAccuracy: accuracy, updatedAt, stopped };
      const fresh = {
        _id,
        userId,
        deviceId,
        live: api.scope?.environment === "live",
        createdAt: updatedAt,
        geofences: [],
      };
      users.current.set(_id, { ...(known ?? fresh), ...at } as WireUser);
    }
    waiting.current = [];
    setShown([...users.current.values()]);
  }, [api]);

  const live = useLive({
    onHello: () => void load(),
    onPosition: (user) => {
      waiting.current.push(user);
      moved.current.add(user._id);
      frame.current ||= window.setTimeout(move, pauseOf(users.current.size));
    },
    onEvent: (event) =>
      setEvents((known) =>
        known.some(({ _id }) => _id === event._id) ? known : [event, ...known].slice(0, MAX_EVENTS),
      ),
  });
  // A feed that does not open must not keep the map empty.
  const isLost = live === "waiting" || live === "ended";
  useEffect(() => {
    if (isLost && users.current.size === 0) void load();
  }, [isLost, load]);
  useEffect(
    () => () => {
      round.current++;
      clearTimeout(frame.current);
    },
    [],
  );
  return useMemo(
    () => ({ users: shown, events, ...state, live, again: () => void load() }),
    [shown, events, state, live, load],
  );
}
