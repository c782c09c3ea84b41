import type { ComponentChildren, JSX } from "preact";
import type { getSettings, patchProjectSettings } from "../../../worker/http/project/settings.ts";
import { type Answer, type Body, useChange, useForget, useQuery } from "../../api/hooks.ts";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { type DraftForm, useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Waiting } from "../../parts/states.tsx";

export type Settings = Answer<typeof getSettings>;
type Patch = Body<typeof patchProjectSettings>;

type Leaf = string | number | boolean | readonly string[];

/** The names of values, as the API writes them in errors: "tracking[regions][state]". */
type NameIn<T, Prefix extends string> = {
  [Key in keyof T & string]: T[Key] extends Leaf
    ? Prefix extends ""
      ? Key
      : `${Prefix}[${Key}]`
    : T[Key] extends readonly unknown[] | undefined
      ? never
      : NameIn<T[Key], Prefix extends "" ? Key : `${Prefix}[${Key}]`>;
}[keyof T & string];
export type SettingName = NameIn<Settings, "">;

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
  if (!asked.data) return <Waiting of={asked} lines={10} />;
  const saved = read(asked.data);
  return (
    <SectionForm key={JSON.stringify(saved)} saved={saved} write={write}>
      {children}
    </SectionForm>
  );
}

interface SectionFormProps<Draft extends object> {
  saved: Draft;
  write: (draft: Draft) => Patch;
  children: (form: DraftForm<Draft>) => ComponentChildren;
}

function SectionForm<Draft extends object>({ saved, write, children }: SectionFormProps<Draft>) {
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
