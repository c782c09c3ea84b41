import { UsersRound } from "lucide";
import type { listAllSegments } from "../../worker/http/segments/segments.ts";
import type { Answer } from "../api/hooks.ts";
import { count, Pill, Time } from "../parts/values/format.tsx";
import { nameOfRecord } from "../parts/values/names.ts";
import { RecordPage } from "../table/record-page.tsx";
import type { Bulk, Column } from "../table/table.tsx";
import { ruleWords } from "./segments/segment-draft.ts";
import { SegmentDrawer } from "./segments/segment-drawer.tsx";

type Row = Answer<typeof listAllSegments>["segments"][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: "Name", cell: nameOfRecord },
  { name: "External id", width: "14%", cell: ({ externalId }) => <code>{externalId}</code>, line: "none" },
  { name: "Rule", width: "30%", cell: ({ rule }) => ruleWords(rule) },
  {
    name: "Users",
    width: "120px",
    right: true,
    cell: ({ size, computing }) => (computing ? <Pill>Computing</Pill> : size !== undefined && count(size)),
    line: "aside",
  },
  { name: "Updated", width: "112px", cell: ({ updatedAt }) => <Time at={updatedAt} />, line: "none" },
];

const BULK: Bulk<Row> = {
  noun: "segment",
  nameOf: nameOfRecord,
  remove: (api, { _id }) => api.delete(`/v1/segments/${_id}`),
  forgets: ["/v1/segments", "/v1/users"],
};

export default function Segments() {
  return (
    <RecordPage
      title="Segments"
      columns={COLUMNS}
      bulk={BULK}
      icon={UsersRound}
      about="A segment contains the users that meet a rule, such as three visits to a store within 30 days."
      Drawer={SegmentDrawer}
    />
  );
}
