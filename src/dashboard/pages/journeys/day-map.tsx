import { X } from "lucide";
import { useAddress } from "../../base/router.tsx";
import { Button } from "../../parts/button.tsx";
import { lazy } from "../../parts/lazy.tsx";
import { Empty, Failure, Skeleton } from "../../parts/states.tsx";
import { daysRange, dayWords } from "../../parts/values/days.ts";
import { useWay } from "../users/use-way.ts";

const WayReplay = lazy(async () => ({ default: (await import("../../map/users/way-replay.tsx")).WayReplay }), "100%");

interface DayMapProps {
  user: string;
  name: string;
  day: string;
  onClose: () => void;
}

/** Where a user went on a day. */
export function DayMap({ user, name, day, onClose }: DayMapProps) {
  const { to } = useAddress();
  const { from, to: until } = daysRange(day);
  const way = useWay(`/v1/users/${encodeURIComponent(user)}/updates`, from, until);
  const { updates, loading, problem, again } = way;
  return (
    <section class="user-day-map" aria-label="Map of the day">
      <header class="row day-map-head">
        <span class="grow wraps">
          <a href={`${to("users", user)}?view=journeys&day=${day}`}>{name}</a>, {dayWords(day)}
        </span>
        <Button bare icon={X} label="Close map" onClick={onClose} />
      </header>
      {problem && <Failure problem={problem} again={again} />}
      {updates.length > 0 && <WayReplay updates={updates} events={[]} />}
      {updates.length === 0 && loading && <Skeleton height={120} />}
      {updates.length === 0 && !loading && !problem && (
        <Empty title="No updates on this day">The retention period is set in the settings.</Empty>
      )}
    </section>
  );
}
