import { Users as UsersIcon } from "lucide";
import type { listAllUsers } from "../../http/users/users.ts";
import type { Answer } from "../api/client.ts";
import { usePages } from "../api/hooks.ts";
import { FilterBar, SearchFilter } from "../parts/filters.tsx";
import { metres } from "../parts/number.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Pill } from "../parts/pill.tsx";
import { Empty } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { useAddress } from "../router.tsx";

type User = Answer<typeof listAllUsers>["users"][number];

const COLUMNS: readonly Column<User>[] = [
  { name: "User", cell: (user) => user.description ?? user.userId ?? user.deviceId },
  { name: "Device", cell: ({ deviceId }) => <code>{deviceId}</code>, wideOnly: true },
  {
    name: "State",
    width: "120px",
    cell: ({ stopped }) => (stopped ? <Pill>Stopped</Pill> : <Pill tone="good">Moving</Pill>),
  },
  {
    name: "Accuracy",
    width: "96px",
    right: true,
    cell: ({ locationAccuracy }) => metres(locationAccuracy),
    wideOnly: true,
  },
  { name: "Updated", width: "112px", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

export default function Users() {
  const { to } = useAddress();
  const pages = usePages<User>("/v1/users", { limit: 200 }, "users", ({ updatedAt }) => ({ updatedBefore: updatedAt }));
  return (
    <>
      <PageHead title="Users" />
      <FilterBar>
        <SearchFilter name="q" label="userId, deviceId, description" />
      </FilterBar>
      <Table
        label="Users"
        columns={COLUMNS}
        rows={pages.rows}
        rowKey={({ _id }) => _id}
        hrefOf={({ _id }) => to("users", _id)}
        pages={pages}
        empty={<Empty icon={UsersIcon} title="No user has been tracked yet." />}
      />
    </>
  );
}
