import { useState } from "preact/hooks";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, useSession, whyNot } from "../../api/session-context.ts";
import { Field, problemOf } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/overlays/dialog.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, Note, SkeletonLines } from "../../parts/states.tsx";
import { Facts } from "../../parts/values/facts.tsx";
import { Time } from "../../parts/values/time.tsx";
import { PROJECT_PATH, type ProjectAnswer } from "./limits.tsx";

export function Project() {
  const asked = useQuery<ProjectAnswer>(PROJECT_PATH);
  if (asked.problem && !asked.data) return <Failure problem={asked.problem} again={asked.again} />;
  if (!asked.data) return <SkeletonLines lines={6} />;
  return <ProjectForm key={asked.data.project.name} project={asked.data.project} />;
}

function ProjectForm({ project }: ProjectAnswer) {
  const isAdmin = useMay("admin");
  const isOwner = useMay("owner");
  const forget = useForget();
  const session = useSession();
  const [name, setName] = useState(project.name);
  const [asking, setAsking] = useState(false);
  const change = useChange((api, body: { name?: string; disabled?: boolean }) =>
    api.patch<ProjectAnswer>(PROJECT_PATH, body),
  );
  const put = async (body: { name?: string; disabled?: boolean }, said: string) => {
    if (!(await change.run(body)).ok) return;
    forget(PROJECT_PATH);
    session.again();
    toast(said);
    setAsking(false);
  };
  return (
    <>
      <section class="setting-group">
        <h2>Project</h2>
        <Facts
          rows={[
            ["_id", project._id],
            ["Created", <Time key="made" at={project.createdAt} as="exact" />],
          ]}
        />
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void put({ name }, "Project renamed");
          }}
        >
          <Field
            label="Name"
            value={name}
            disabled={!isAdmin}
            onChange={setName}
            problem={problemOf(change.problem, "name")}
          />
          <div>
            <Button
              type="submit"
              busy={change.busy}
              disabled={!isAdmin || name === project.name}
              why={isAdmin ? "There are no changes." : whyNot("admin")}
            >
              Rename
            </Button>
          </div>
        </form>
      </section>
      <section class="setting-group">
        <h2>{project.disabled ? "Enable" : "Disable"}</h2>
        {project.disabled && <Note tone="warn">The project is disabled. All calls with a key return 402.</Note>}
        <p class="muted">A disabled project returns 402 for all calls with a key. No data is deleted.</p>
        <div>
          <Button
            danger={!project.disabled}
            disabled={!isOwner}
            why={whyNot("owner")}
            onClick={() => (project.disabled ? void put({ disabled: false }, "Project enabled") : setAsking(true))}
          >
            {project.disabled ? "Enable project" : "Disable the project"}
          </Button>
        </div>
        {asking && (
          <Confirm
            title="Disable the project?"
            name={project.name}
            action="Disable"
            busy={change.busy}
            problem={change.problem?.message}
            onClose={() => setAsking(false)}
            onConfirm={() => void put({ disabled: true }, "Project disabled")}
          >
            Within 10 seconds, all API calls return 402, in both Test and Live.
          </Confirm>
        )}
      </section>
    </>
  );
}
