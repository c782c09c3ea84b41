import { Plus, Webhook as WebhookIcon } from "lucide";
import type { listAllWebhooks } from "../../worker/http/webhooks/webhooks.ts";
import { type Answer, useQuery } from "../api/hooks.ts";
import { useQueryValue, useRouter } from "../base/router.tsx";
import { Button } from "../parts/button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { Pill, plural, Time } from "../parts/values/format.tsx";
import { type Bulk, type Column, onePage, Table } from "../table/table.tsx";
import { CreateWebhook } from "./webhooks/create-webhook.tsx";
import { nameOf, TYPE_NAMES } from "./webhooks/sink-fields.tsx";
import { WebhookDrawer } from "./webhooks/webhook-drawer.tsx";

export type Webhook = Answer<typeof listAllWebhooks>["webhooks"][number];

const COLUMNS: readonly Column<Webhook>[] = [
  { name: "URL", cell: (webhook) => webhook.url || nameOf(webhook), line: "title" },
  {
    name: "Type",
    width: "96px",
    cell: ({ type }) => TYPE_NAMES[type],
    line: "detail",
    // The second line has space for the description alone.
    short: ({ type, description }) => (description ? undefined : TYPE_NAMES[type]),
  },
  { name: "Description", width: "24%", cell: ({ description }) => description },
  {
    name: "Events",
    width: "120px",
    cell: typesOf,
    short: (webhook) => (webhook.description ? undefined : typesOf(webhook)),
  },
  { name: "State", width: "112px", cell: (webhook) => <State of={webhook} />, line: "aside" },
  { name: "Created", width: "112px", cell: ({ createdAt }) => <Time at={createdAt} />, line: "none" },
];

function typesOf({ eventTypes }: Webhook): string {
  return eventTypes ? plural(eventTypes.length, "type") : "All types";
}

const BULK: Bulk<Webhook> = {
  noun: "webhook",
  nameOf: (webhook) => webhook.url || nameOf(webhook),
  role: "admin",
  remove: (api, { _id }) => api.delete(`/v1/webhooks/${_id}`),
  enable: (api, { _id }, enabled) => api.patch(`/v1/webhooks/${_id}`, { enabled }),
  removes: "Deletes their queues, logs and dead letters. This cannot be undone.",
  forgets: ["/v1/webhooks"],
};

export function State({ of: { enabled, disabledReason } }: { of: Webhook }) {
  if (enabled) return <Pill tone="good">Enabled</Pill>;
  return (
    <Pill tone={disabledReason ? "bad" : "plain"} title={disabledReason}>
      {disabledReason ? "Stopped" : "Disabled"}
    </Pill>
  );
}

/** Where events are sent to, whether they arrive, and what to do when they do not. */
export default function Webhooks() {
  const { path } = useRouter();
  const [open, setOpen] = useQueryValue("webhook");
  const list = useQuery<Answer<typeof listAllWebhooks>>("/v1/webhooks", {}, { every: 30_000 });
  const webhooks = list.data?.webhooks ?? [];
  const create = (
    <Button main icon={Plus} needs="admin" onClick={() => setOpen("new", { push: true })}>
      Add a webhook
    </Button>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Events are sent to these destinations as they happen: servers, Kafka, MQTT, buckets, queues. Failed deliveries are retried; after the last attempt they become dead letters."
        actions={create}
      />
      <Table
        label="Webhooks"
        columns={COLUMNS}
        rows={webhooks}
        hrefOf={({ _id }) => `${path}?webhook=${_id}`}
        isSelected={({ _id }) => _id === open}
        pages={onePage(list)}
        bulk={BULK}
        empty={
          <Empty icon={WebhookIcon} title="No webhooks yet">
            <p>Your server gets each event as JSON within a second or two. Use any https URL.</p>
            {create}
          </Empty>
        }
      />
      {open === "new" && <CreateWebhook onClose={() => setOpen("")} onCreated={(id) => setOpen(id)} />}
      {open && open !== "new" && <WebhookDrawer key={open} id={open} onClose={() => setOpen("")} />}
    </>
  );
}
