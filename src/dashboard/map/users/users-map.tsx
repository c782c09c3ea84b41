import { useMemo } from "preact/hooks";
import { useNow } from "../../parts/values/now.ts";
import { viewOf } from "../clusters.ts";
import { MapView } from "../dashboard-map.tsx";
import type { MapUser } from "../layers/features.ts";
import { UsersLayer } from "../layers/layers.tsx";

/** The users of a list. */
export default function UsersMap({ users, onPick }: { users: readonly MapUser[]; onPick: (id: string) => void }) {
  const fit = useMemo(() => viewOf(users.map(({ location }) => location.coordinates)), [users]);
  return (
    <MapView label="Map of users" fit={fit}>
      <UsersLayer users={users} now={useNow()} onPick={onPick} />
    </MapView>
  );
}
