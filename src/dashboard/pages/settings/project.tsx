import { useState } from "preact/hooks";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, useSession, whyNot } from "../../api/session-context.ts";
import { Confirm } from "../../forms/confirm.tsx";
import { Field } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note, Waiting } from "../../parts/states.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { Time } from "../../parts/values/format.tsx";
import { PROJECT_PATH, type ProjectAnswer } from "./limits.tsx";

export function Project() {
  const asked = useQuery<ProjectAnswer>(PROJECT_PATH);
  if (!asked.data) return <Waiting of={asked} lines={6} />;
  return <ProjectForm key={asked.data.project.name} project={asked.data.project} />;
}

function ProjectForm({ project }: ProjectAnswer) {
  const forget = useForget();
  const session = useSession();
  const done = (said: string) => {
    forget(PROJECT_PATH);
    session.again();
    toast(said);
  };
  const form = useForm({
    saved: { name: project.name },
    role: "admin",
    isEdit: true,
    send: (api, { name }) => api.patch<ProjectAnswer>(PROJECT_PATH, { name }),
    onDone: () => done("Project renamed"),
  });
  return (
    <>
      <section class="setting-group">
        <h2>Project</h2>
        <Facts
          rows={[
            ["_id", project._id],
            ["Created", <Time key="made" at={project.createdAt} as="exact" />],
            ["Jurisdiction", project.jurisdiction ? JURISDICTION_NAMES[project.jurisdiction] : "None"],
          ]}
        />
        <Form of={form}>
          <Field label="Name" {...form.field("name")} />
          <FormError />
          <div>
            <SaveButton plain>Rename</SaveButton>
          </div>
        </Form>
      </section>
      <Enabled project={project} onDone={done} />
    </>
  );
}

/** Where the project is stored; fixed here. */
const JURISDICTION_NAMES = { eu: "European Union", us: "United States" };

function Enabled({ project, onDone }: ProjectAnswer & { onDone: (said: string) => void }) {
  const isOwner = useMay("owner");
  const [asking, setAsking] = useState(false);
  const enabling = useChange((api) => api.patch<ProjectAnswer>(PROJECT_PATH, { disabled: false }));
  const enable = async () => {
    if ((await enabling.run()).ok) onDone("Project enabled");
  };
  return (
    <section class="setting-group">
      <h2>{project.disabled ? "Enable" : "Disable"}</h2>
      {project.disabled ? (
        <Note tone="warn">The project is disabled. All calls with a key return 402.</Note>
      ) : (
        <p class="muted">A disabled project returns 402 for all calls with a key. No data is deleted.</p>
      )}
      {enabling.problem && <Failure problem={enabling.problem} />}
      <div>
        <Button
          danger={!project.disabled}
          disabled={!isOwner}
          why={whyNot("owner")}
          busy={enabling.busy}
          onClick={() => (project.disabled ? void enable() : setAsking(true))}
        >
          {project.disabled ? "Enable the project" : "Disable the project"}
        </Button>
      </div>
      {asking && (
        <Confirm
          title="Disable the project?"
          name={project.name}
          action="Disable"
          send={(api) => api.patch<ProjectAnswer>(PROJECT_PATH, { disabled: true })}
          onDone={() => onDone("Project disabled")}
          onClose={() => setAsking(false)}
        >
          Within 10 seconds, all API calls return 402, in both Test and Live.
        </Confirm>
      )}
    </section>
  );
}
