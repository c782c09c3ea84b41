import { Plus, UsersRound } from "lucide";
import type { listAllSegments } from "../../worker/http/segments/segments.ts";
import type { Answer } from "../api/client.ts";
import { usePages } from "../api/hooks.ts";
import { useMay, whyNot } from "../api/session-context.ts";
import { useQueryValue, useRouter } from "../base/router.tsx";
import { Button } from "../parts/button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { Pill } from "../parts/values/pill.tsx";
import { Time } from "../parts/values/time.tsx";
import type { Bulk } from "../table/bulk.tsx";
import { type Column, Table } from "../table/table.tsx";
import { ruleWords } from "./segments/segment-draft.ts";
import { SegmentDrawer } from "./segments/segment-drawer.tsx";

type Row = Answer<typeof listAllSegments>["segments"][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: "Name", cell: ({ description }) => description },
  { name: "External id", width: "18%", cell: ({ externalId }) => <code>{externalId}</code>, line: "none" },
  { name: "Rule", width: "34%", cell: ({ rule }) => ruleWords(rule) },
  {
    name: "Users",
    width: "120px",
    right: true,
    cell: ({ size, computing }) => (computing ? <Pill>Computing</Pill> : size?.toLocaleString()),
    line: "aside",
  },
  { name: "Updated", width: "112px", cell: ({ updatedAt }) => <Time at={updatedAt} />, line: "none" },
];

const BULK: Bulk<Row> = {
  noun: "segment",
  nameOf: ({ description }) => description,
  remove: (api, { _id }) => api.delete(`/v1/segments/${_id}`),
  forgets: ["/v1/segments", "/v1/users"],
};

export default function Segments() {
  const [open, setOpen] = useQueryValue("segment");
  const { path } = useRouter();
  const mayWrite = useMay("write");
  const pages = usePages<Row>("/v1/segments", { limit: 200 }, "segments", ({ createdAt }) => ({
    createdBefore: createdAt,
  }));
  const add = (
    <Button main icon={Plus} disabled={!mayWrite} why={whyNot("write")} onClick={() => setOpen("new", { push: true })}>
      Create a segment
    </Button>
  );
  return (
    <>
      <PageHead title="Segments" actions={add} />
      <Table
        label="Segments"
        columns={COLUMNS}
        rows={pages.rows}
        rowKey={({ _id }) => _id}
        hrefOf={({ _id }) => `${path}?segment=${_id}`}
        isSelected={({ _id }) => _id === open}
        pages={pages}
        bulk={BULK}
        empty={
          <Empty icon={UsersRound} title="No segments yet">
            <p>A segment contains the users that meet a rule, such as three visits to a store within 30 days.</p>
            <div class="row wrap">{add}</div>
          </Empty>
        }
      />
      {open && <SegmentDrawer key={open} id={open === "new" ? undefined : open} onClose={() => setOpen("")} />}
    </>
  );
}
