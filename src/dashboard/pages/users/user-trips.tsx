import { Route } from "lucide";
import { usePages } from "../../api/hooks.ts";
import { useAddress } from "../../base/router.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { Table } from "../../table/table.tsx";
import { Arrival, DelayMark, StatusMark } from "../trips/status.tsx";
import { TRIP_BULK, type Trip } from "../trips/trip.ts";
import type { User } from "./user-list.tsx";

export function UserTrips({ user }: { user: User }) {
  const { to } = useAddress();
  const path = user.userId === undefined ? undefined : "/v1/trips";
  const pages = usePages<Trip>(path, { userId: user.userId, limit: 100 }, "trips");
  if (path === undefined) return <Empty icon={Route} title="Trips require a userId, and this device has none" />;
  return (
    <Table
      label="Trips"
      hrefOf={({ _id }) => to("trips", _id)}
      pages={pages}
      bulk={TRIP_BULK}
      columns={[
        { name: "Trip", cell: nameOfRecord },
        { name: "Status", width: "128px", cell: ({ status }) => <StatusMark status={status} /> },
        { name: "Mode", width: "96px", cell: ({ mode }) => mode, wideOnly: true },
        { name: "To", cell: ({ destinationGeofenceExternalId }) => destinationGeofenceExternalId, wideOnly: true },
        { name: "Arrival", width: "26%", cell: (trip) => <Arrival of={trip} /> },
        { name: "Schedule", width: "148px", cell: (trip) => <DelayMark of={trip} /> },
        { name: "Created", width: "112px", cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
      ]}
      empty={<Empty icon={Route} title="No trips" />}
    />
  );
}
