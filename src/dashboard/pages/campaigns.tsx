import { Megaphone } from "lucide";
import type { listCampaigns } from "../../worker/http/campaigns/campaigns.ts";
import type { Answer } from "../api/hooks.ts";
import { count, EnabledPill, Time } from "../parts/values/format.tsx";
import { RecordPage } from "../table/record-page.tsx";
import { type Bulk, type Column, numberColumn } from "../table/table.tsx";
import { TYPE_WORDS } from "./campaigns/campaign-draft.ts";
import { CampaignDrawer } from "./campaigns/campaign-drawer.tsx";

type Row = Answer<typeof listCampaigns>["campaigns"][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: "Name", cell: ({ name }) => name },
  { name: "Type", width: "256px", cell: ({ type }) => TYPE_WORDS[type] },
  { ...numberColumn<Row>("Sent", 88, ({ stats }) => stats && count(stats.sent)), line: "none" },
  { ...numberColumn<Row>("Displayed", 104, ({ stats }) => stats && count(stats.displayed)), line: "none" },
  { ...numberColumn<Row>("Clicked", 88, ({ stats }) => stats && count(stats.clicked)), line: "none" },
  { ...numberColumn<Row>("Conversions", 116, ({ stats }) => stats && count(stats.conversions)), line: "none" },
  { name: "State", width: "104px", cell: EnabledPill, line: "aside" },
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
  return (
    <RecordPage
      title="Campaigns"
      columns={COLUMNS}
      bulk={BULK}
      icon={Megaphone}
      about="A campaign shows a message on the phones of users that enter a geofence, a place, or a beacon's range."
      Drawer={CampaignDrawer}
    />
  );
}
