import type { ComponentChildren, JSX } from "preact";
import { useCallback, useState } from "preact/hooks";
import type { getSettings, patchProjectSettings } from "../../../http/project/settings.ts";
import type { Answer, Body, Problem } from "../../api/client.ts";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { useLeaveGuard } from "../../router.tsx";

export type Settings = Answer<typeof getSettings>;
export type Patch = Body<typeof patchProjectSettings>;

const PATH = "/v1/settings";

/** The form of one section: its draft, what is saved of it, and what the server said. */
export interface SectionForm<Draft> {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  problem?: Problem;
  /** False if the member may not change settings. */
  locked: boolean;
}

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
  children: (form: SectionForm<Draft>) => ComponentChildren;
}): JSX.Element {
  const asked = useQuery<Settings>(PATH);
  if (asked.problem && !asked.data) return <Failure problem={asked.problem} again={asked.again} />;
  if (!asked.data) return <SkeletonLines lines={10} />;
  const saved = read(asked.data);
  return (
    <Form key={JSON.stringify(saved)} saved={saved} write={write}>
      {children}
    </Form>
  );
}

function Form<Draft extends object>({
  saved,
  write,
  children,
}: {
  saved: Draft;
  write: (draft: Draft) => Patch;
  children: (form: SectionForm<Draft>) => ComponentChildren;
}) {
  const mayChange = useMay("admin");
  const forget = useForget();
  const [draft, setDraft] = useState(saved);
  // Treat a successful save as the saved state until the settings are reloaded.
  const [kept, setKept] = useState(saved);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(kept);
  const mayLeave = useCallback(() => !isDirty, [isDirty]);
  useLeaveGuard(mayLeave);
  const save = useChange((api, body: Patch) => api.patch<Settings>(PATH, body));
  const set = (part: Partial<Draft>) => {
    save.clear();
    setDraft((now) => ({ ...now, ...part }));
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!(await save.run(write(draft))).ok) return;
    setKept(draft);
    forget(PATH);
    toast("Saved. Takes effect within 10 seconds.", {
      undo: async () => {
        if ((await save.run(write(saved))).ok) forget(PATH);
      },
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      {children({ draft, set, problem: save.problem, locked: !mayChange })}
      {save.problem && (
        <p class="field-problem" role="alert">
          {save.problem.param ? `${save.problem.param}: ` : ""}
          {save.problem.message}
        </p>
      )}
      <div class="save-bar">
        {isDirty && <Button onClick={() => setDraft(kept)}>Discard</Button>}
        <Button
          type="submit"
          main
          busy={save.busy}
          disabled={!isDirty || !mayChange}
          why={mayChange ? "There are no changes." : whyNot("admin")}
        >
          Save
        </Button>
      </div>
    </form>
  );
}

/** Lists are typed one to a line, or with commas. */
export const toLines = (list: readonly string[]) => list.join("\n");
export const fromLines = (text: string) =>
  [...new Set(text.split(/[\n,]/).map((line) => line.trim()))].filter((line) => line !== "");
