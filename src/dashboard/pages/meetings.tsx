import { Handshake } from "lucide";
import type { listMeetings } from "../../worker/http/meetings/meetings.ts";
import type { Answer } from "../api/hooks.ts";
import { metres, Pill, Time } from "../parts/values/format.tsx";
import { RecordPage } from "../table/record-page.tsx";
import type { Bulk, Column } from "../table/table.tsx";
import { groupWords } from "./meetings/meeting-draft.ts";
import { MeetingDrawer } from "./meetings/meeting-drawer.tsx";

type Row = Answer<typeof listMeetings>["meetings"][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: "Name", cell: ({ name }) => name },
  { name: "Who", width: "40%", cell: ({ users, others }) => `${groupWords(users)} meet ${groupWords(others)}` },
  { name: "Radius", width: "96px", right: true, cell: ({ radius }) => metres(radius), line: "aside" },
  {
    name: "State",
    width: "128px",
    cell: ({ enabled, testUserIds }) =>
      enabled ? (
        testUserIds ? (
          <Pill tone="warn">Test users</Pill>
        ) : (
          <Pill tone="good">Enabled</Pill>
        )
      ) : (
        <Pill>Disabled</Pill>
      ),
  },
  { name: "Updated", width: "112px", cell: ({ updatedAt }) => <Time at={updatedAt} />, line: "none" },
];

const BULK: Bulk<Row> = {
  noun: "meeting",
  nameOf: ({ name }) => name,
  remove: (api, { _id }) => api.delete(`/v1/meetings/${_id}`),
  forgets: ["/v1/meetings"],
};

export default function Meetings() {
  return (
    <RecordPage
      title="Meetings"
      columns={COLUMNS}
      bulk={BULK}
      icon={Handshake}
      about="A rule generates an event when two users come near each other, such as a courier and a customer, and when they part."
      Drawer={MeetingDrawer}
    />
  );
}
