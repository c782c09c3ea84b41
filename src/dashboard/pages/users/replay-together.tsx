import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { getUser } from "../../../worker/http/users/users.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { useAddress, useQueryValue } from "../../base/router.tsx";
import type { ReplayedUser } from "../../map/users/users-replay.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Empty, Failure } from "../../parts/states.tsx";
import { dayOr, daysRange, today } from "../../parts/values/days.ts";
import { plural } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { useWay } from "./use-way.ts";
import { DayPicker } from "./user-day.tsx";
import "./users.css";

const UsersReplay = lazy<{ users: readonly ReplayedUser[] }>(() => import("../../map/users/users-replay.tsx"), "100%");

/** A day of several users, played together. */
export function ReplayTogether({ ids }: { ids: readonly string[] }) {
  const { to } = useAddress();
  const [asked, setDay] = useQueryValue("day");
  const day = dayOr(asked, today());
  const [known, setKnown] = useState<Readonly<Record<string, ReplayedUser>>>({});
  const put = useCallback((user: ReplayedUser) => setKnown((before) => ({ ...before, [user.id]: user })), []);
  const users = useMemo(() => ids.flatMap((id) => known[id] ?? []), [ids, known]);
  const updates = users.reduce((sum, user) => sum + user.updates.length, 0);
  return (
    <>
      <PageHead
        title={
          <>
            <a href={to("users")}>Users</a> / Replay of {plural(ids.length, "user")}
          </>
        }
        about={`${plural(updates, "update")} on this day`}
        actions={<DayPicker day={day} onChange={setDay} />}
      />
      {ids.map((id) => (
        <WayOf key={`${id} ${day}`} id={id} day={day} onWay={put} />
      ))}
      <div class="fill card-map">
        {updates > 0 ? (
          <UsersReplay users={users} />
        ) : (
          <Empty title="No updates on this day">Choose another day.</Empty>
        )}
      </div>
    </>
  );
}

/** Loads the way of a user; shows only a problem. */
function WayOf({ id, day, onWay }: { id: string; day: string; onWay: (user: ReplayedUser) => void }) {
  const { from, to } = daysRange(day);
  const path = `/v1/users/${encodeURIComponent(id)}`;
  const user = useQuery<Answer<typeof getUser>>(path);
  const way = useWay(`${path}/updates`, from, to);
  const name = user.data ? nameOfRecord(user.data.user) : id;
  useEffect(() => {
    if (!way.loading) onWay({ id, name, updates: way.updates });
  }, [way.loading, way.updates, name, id, onWay]);
  const problem = way.problem ?? user.problem;
  return problem ? <Failure problem={problem} again={way.again} /> : null;
}
