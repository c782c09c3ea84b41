import type { ComponentChildren, JSX } from "preact";
import type { getSettings, patchProjectSettings } from "../../../worker/http/project/settings.ts";
import type { Answer, Body } from "../../api/client.ts";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { type DraftForm, useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";

export type Settings = Answer<typeof getSettings>;
type Patch = Body<typeof patchProjectSettings>;

const PATH = "/v1/settings";

/**
 * A section of the settings: loads them, keeps a draft, and saves it in one request.
 * @param read converts the settings to the section's draft
 * @param write converts the draft to a change of the settings
 */
export function SettingsSection<Draft extends object>({
  read,
  write,
  children,
}: {
  read: (settings: Settings) => Draft;
  write: (draft: Draft) => Patch;
  children: (form: DraftForm<Draft>) => ComponentChildren;
}): JSX.Element {
  const asked = useQuery<Settings>(PATH);
  if (asked.problem && !asked.data) return <Failure problem={asked.problem} again={asked.again} />;
  if (!asked.data) return <SkeletonLines lines={10} />;
  const saved = read(asked.data);
  return (
    <SectionForm key={JSON.stringify(saved)} saved={saved} write={write}>
      {children}
    </SectionForm>
  );
}

function SectionForm<Draft extends object>({
  saved,
  write,
  children,
}: {
  saved: Draft;
  write: (draft: Draft) => Patch;
  children: (form: DraftForm<Draft>) => ComponentChildren;
}) {
  const forget = useForget();
  const undo = useChange((api) => api.patch<Settings>(PATH, write(saved)));
  const form = useForm({
    saved,
    role: "admin",
    isEdit: true,
    send: (api, draft) => api.patch<Settings>(PATH, write(draft)),
    onDone: () => {
      forget(PATH);
      toast("Saved. Takes effect within 10 seconds.", {
        undo: async () => {
          if ((await undo.run()).ok) forget(PATH);
        },
      });
    },
  });
  return (
    <Form of={form}>
      {children(form)}
      <FormError />
      <div class="save-bar">
        {!form.isUnchanged && <Button onClick={() => form.reset()}>Discard</Button>}
        <SaveButton>Save</SaveButton>
      </div>
    </Form>
  );
}

/** Lists are typed one to a line, or with commas. */
export const toLines = (list: readonly string[]) => list.join("\n");
export const fromLines = (text: string) =>
  [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== "");
