import { Megaphone, Plus } from "lucide";
import type { listCampaigns } from "../../worker/http/campaigns/campaigns.ts";
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
import { TYPE_WORDS } from "./campaigns/campaign-draft.ts";
import { CampaignDrawer } from "./campaigns/campaign-drawer.tsx";

type Row = Answer<typeof listCampaigns>["campaigns"][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: "Name", cell: ({ name }) => name },
  { name: "Type", width: "180px", cell: ({ type }) => TYPE_WORDS[type] },
  { name: "Sent", width: "88px", cell: ({ stats }) => stats?.sent.toLocaleString(), line: "none" },
  { name: "Displayed", width: "104px", cell: ({ stats }) => stats?.displayed.toLocaleString(), line: "none" },
  { name: "Clicked", width: "88px", cell: ({ stats }) => stats?.clicked.toLocaleString(), line: "none" },
  { name: "Conversions", width: "116px", cell: ({ stats }) => stats?.conversions.toLocaleString(), line: "none" },
  {
    name: "State",
    width: "104px",
    cell: ({ enabled }) => (enabled ? <Pill tone="good">Enabled</Pill> : <Pill>Disabled</Pill>),
    line: "aside",
  },
  { name: "Updated", width: "112px", cell: ({ updatedAt }) => <Time at={updatedAt} />, line: "none" },
];

const BULK: Bulk<Row> = {
  noun: "campaign",
  nameOf: ({ name }) => name,
  remove: (api, { _id }) => api.delete(`/v1/campaigns/${_id}`),
  enable: (api, { _id }, enabled) => api.patch(`/v1/campaigns/${_id}`, { enabled }),
  forgets: ["/v1/campaigns"],
};

export default function Campaigns() {
  const [open, setOpen] = useQueryValue("campaign");
  const { path } = useRouter();
  const mayWrite = useMay("write");
  const pages = usePages<Row>("/v1/campaigns", { limit: 200 }, "campaigns", ({ createdAt }) => ({
    createdBefore: createdAt,
  }));
  const add = (
    <Button main icon={Plus} disabled={!mayWrite} why={whyNot("write")} onClick={() => setOpen("new", { push: true })}>
      Create a campaign
    </Button>
  );
  return (
    <>
      <PageHead title="Campaigns" actions={add} />
      <Table
        label="Campaigns"
        columns={COLUMNS}
        rows={pages.rows}
        rowKey={({ _id }) => _id}
        hrefOf={({ _id }) => `${path}?campaign=${_id}`}
        isSelected={({ _id }) => _id === open}
        pages={pages}
        bulk={BULK}
        empty={
          <Empty icon={Megaphone} title="No campaigns yet">
            <p>
              A campaign shows a message on the phones of users that enter a geofence, a place, or a beacon's range.
            </p>
            <div class="row wrap">{add}</div>
          </Empty>
        }
      />
      {open && <CampaignDrawer key={open} id={open === "new" ? undefined : open} onClose={() => setOpen("")} />}
    </>
  );
}
