import { Send } from "lucide";
import { useState } from "preact/hooks";
import type { testWebhook } from "../../../worker/http/webhooks/webhook-deliveries.ts";
import type { getWebhook, rotateWebhookSecret, updateWebhook } from "../../../worker/http/webhooks/webhooks.ts";
import { type Answer, useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay } from "../../api/session-context.ts";
import { ConfirmButton } from "../../forms/confirm.tsx";
import { Switch } from "../../forms/fields.tsx";
import { EditForm } from "../../forms/record-drawer.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note, Waiting } from "../../parts/states.tsx";
import { useTabs } from "../../parts/tabs.tsx";
import { milliseconds, Time } from "../../parts/values/format.tsx";
import { ShownOnce } from "./create-webhook.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { Deliveries } from "./deliveries.tsx";
import { nameOf, settingsIn } from "./sink-fields.tsx";
import { type Draft, WebhookForm } from "./webhook-form.tsx";

const TABS = choices({ deliveries: "Deliveries", dead: "Dead letters", setup: "Setup", secret: "Secret" });

type Webhook = Answer<typeof getWebhook>["webhook"];

export function WebhookDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`;
  const found = useQuery<Answer<typeof getWebhook>>(path);
  const [tab, tabs] = useTabs("tab", TABS);
  const webhook = found.data?.webhook;
  return (
    <Drawer title={webhook ? nameOf(webhook) : "Webhook"} onClose={onClose} wide>
      <Waiting of={found} lines={6} />
      {webhook && (
        <>
          {webhook.url && <p class="mono">{webhook.url}</p>}
          {webhook.disabledReason && <Note tone="warn">Stopped: {webhook.disabledReason}. Enable it under Setup.</Note>}
          <Test path={path} />
          {tabs}
          {tab === "deliveries" && <Deliveries path={path} />}
          {tab === "dead" && <DeadLetters path={path} enabled={webhook.enabled} />}
          {tab === "setup" && <Setup webhook={webhook} path={path} onGone={onClose} />}
          {tab === "secret" && <Secret webhook={webhook} path={path} />}
        </>
      )}
    </Drawer>
  );
}

function Test({ path }: { path: string }) {
  const forget = useForget();
  const [said, setSaid] = useState<Answer<typeof testWebhook>>();
  const test = useChange((api) => api.post<Answer<typeof testWebhook>>(`${path}/test`));
  const run = async () => {
    const result = await test.run();
    if (!result.ok) return;
    setSaid(result.data);
    forget(`${path}/deliveries`);
  };
  return (
    <div class="stack tight">
      <div class="row wrap">
        <Button icon={Send} busy={test.busy} needs="admin" onClick={() => void run()}>
          Send a test event
        </Button>
        {said && (
          <span role="status">
            {said.delivered ? "Delivered" : `Failed: ${said.delivery.error ?? "no details"}`},{" "}
            {said.delivery.status ?? "no response"} in {milliseconds(said.delivery.durationMs)}
          </span>
        )}
      </div>
      {test.problem && <Failure problem={test.problem} />}
    </div>
  );
}

function Setup({ webhook, path, onGone }: { webhook: Webhook; path: string; onGone: () => void }) {
  const mayWrite = useMay("admin");
  const forget = useForget();
  const { type, url, description = "", delivery, eventTypes } = webhook;
  const { secrets = [], ...shown } = webhook.settings ?? {};
  const settings = Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, String(value)]));
  const done = (said: string) => {
    forget("/v1/webhooks");
    toast(said);
  };
  const form = useForm<Draft, Answer<typeof updateWebhook>>({
    saved: { type, url, settings, description, delivery, eventTypes },
    role: "admin",
    isEdit: true,
    send: (api, { type: _, eventTypes: types = [], ...rest }) =>
      api.patch(path, {
        ...rest,
        url: rest.url || undefined,
        eventTypes: types,
        settings: settingsIn(type, rest.settings, settings),
      }),
    onDone: () => done("Saved"),
  });
  const enabling = useChange((api, enabled: boolean) => api.patch(path, { enabled }));
  const enable = async (enabled: boolean) => {
    if ((await enabling.run(enabled)).ok) done(enabled ? "Enabled" : "Disabled");
  };
  return (
    <>
      <Switch
        label="Enabled"
        hint="A disabled webhook does not queue events."
        value={webhook.enabled}
        disabled={!mayWrite || enabling.busy}
        problem={enabling.problem?.message}
        onChange={(enabled) => void enable(enabled)}
      />
      <EditForm
        form={form}
        needs="admin"
        save="Save"
        removal={{
          path,
          title: "Delete this webhook?",
          name: nameOf(webhook),
          about: "Deletes its queue, log and dead letters. This cannot be undone.",
          said: "Webhook deleted",
          forgets: ["/v1/webhooks"],
        }}
        onClose={onGone}
      >
        <WebhookForm draft={form.draft} saved={{ secrets }} onChange={form.set} />
      </EditForm>
    </>
  );
}

function Secret({ webhook, path }: { webhook: Webhook; path: string }) {
  const [secret, setSecret] = useState<string>();
  return (
    <div class="stack">
      <p>
        Each request is signed according to Standard Webhooks (<code>webhook-id</code>, <code>webhook-timestamp</code>,{" "}
        <code>webhook-signature</code>), and with <code>X-Radar-Signature</code>.
      </p>
      {webhook.previousSecretValidUntil && (
        <Note>
          The previous secret also signs until <Time at={webhook.previousSecretValidUntil} as="exact" />.
        </Note>
      )}
      <div>
        <ConfirmButton
          button={{ needs: "admin", children: "Rotate the secret" }}
          title="Rotate the secret?"
          action="Rotate"
          send={(api) => api.post<Answer<typeof rotateWebhookSecret>>(`${path}/rotate`)}
          forgets={[path]}
          onDone={(rotated) => setSecret(rotated.webhook.secret)}
        >
          Both secrets sign for 24 hours. <code>X-Radar-Signature</code> uses the new one immediately.
        </ConfirmButton>
      </div>
      {secret && (
        <Dialog title="The new secret" onClose={() => setSecret(undefined)}>
          <ShownOnce secret={secret} />
        </Dialog>
      )}
    </div>
  );
}
