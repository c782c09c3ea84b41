import { useState } from "preact/hooks";
import type { createWebhook } from "../../../http/webhooks/webhooks.ts";
import type { Answer } from "../../api/client.ts";
import { useChange, useForget } from "../../api/hooks.ts";
import { FormProblem } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { Code } from "../../parts/values/code.tsx";
import { settingsIn } from "./sink-fields.tsx";
import { DRAFT_FIELDS, type Draft, WebhookForm } from "./webhook-form.tsx";

export function CreateWebhook({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const forget = useForget();
  const [draft, setDraft] = useState<Draft>({
    type: "webhook",
    url: "",
    settings: {},
    description: "",
    delivery: "single",
  });
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const create = useChange((api) =>
    api.post<Answer<typeof createWebhook>>("/v1/webhooks", {
      ...draft,
      url: draft.url || undefined,
      settings: settingsIn(draft.type, draft.settings),
    }),
  );
  const submit = async (event: Event) => {
    event.preventDefault();
    const result = await create.run();
    if (!result.ok) return;
    forget("/v1/webhooks");
    const { _id, secret = "" } = result.data.webhook;
    if (draft.type !== "webhook") return onCreated(_id);
    setMade({ id: _id, secret });
  };
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
    <Dialog title="Add a webhook" onClose={onClose} wide>
      <form class="stack" onSubmit={submit}>
        <WebhookForm
          draft={draft}
          problem={create.problem}
          onChange={(next) => {
            create.clear();
            setDraft(next);
          }}
        />
        <FormProblem problem={create.problem} fields={DRAFT_FIELDS} />
        <footer class="row dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" main busy={create.busy}>
            Add
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** A secret that no answer will hold again. */
export function ShownOnce({ secret }: { secret: string }) {
  return (
    <>
      <p>Your server verifies requests with this secret. It is shown only once. Rotate it if you lose it.</p>
      <Code text={secret} label="Copy the secret" wrap />
    </>
  );
}
