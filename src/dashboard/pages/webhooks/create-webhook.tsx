import { useState } from "preact/hooks";
import type { createWebhook } from "../../../worker/http/webhooks/webhooks.ts";
import type { Answer } from "../../api/hooks.ts";
import { DialogForm } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Code } from "../../parts/values/code.tsx";
import { settingsIn } from "./sink-fields.tsx";
import { type Draft, WebhookForm } from "./webhook-form.tsx";

export function CreateWebhook({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const form = useForm({
    saved: NEW,
    role: "admin",
    send: (api, draft) =>
      api.post<Answer<typeof createWebhook>>("/v1/webhooks", {
        ...draft,
        url: draft.url || undefined,
        settings: settingsIn(draft.type, draft.settings),
      }),
    forgets: ["/v1/webhooks"],
    onDone: ({ webhook: { _id, secret = "" } }, draft) => {
      if (draft.type !== "webhook") onCreated(_id);
      else setMade({ id: _id, secret });
    },
  });
  if (made) {
    return (
      <Dialog title="Webhook created" onClose={() => onCreated(made.id)}>
        <ShownOnce secret={made.secret} />
        <footer class="row dialog-foot">
          <Button main onClick={() => onCreated(made.id)}>
            I have saved it
          </Button>
        </footer>
      </Dialog>
    );
  }
  return (
    <DialogForm of={form} title="Add a webhook" action="Add" onClose={onClose} wide>
      <WebhookForm draft={form.draft} onChange={form.set} />
    </DialogForm>
  );
}

const NEW: Draft = { type: "webhook", url: "", settings: {}, description: "", delivery: "single" };

/** A secret that no later response contains. */
export function ShownOnce({ secret }: { secret: string }) {
  return (
    <>
      <p>Your server verifies requests with this secret. It is shown only once. Rotate it if you lose it.</p>
      <Code text={secret} label="Copy the secret" wrap />
    </>
  );
}
