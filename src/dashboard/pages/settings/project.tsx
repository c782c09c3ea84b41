import { useState } from "preact/hooks";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, useSession, whyNot } from "../../api/session-context.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Field, problemOf } from "../../parts/form.tsx";
import { Failure, Note, SkeletonLines } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
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
            ["Made", <Time key="made" at={project.createdAt} as="exact" />],
          ]}
        />
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void put({ name }, "The project is renamed");
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
              why={isAdmin ? "Nothing has changed." : whyNot("admin")}
            >
              Rename
            </Button>
          </div>
        </form>
      </section>
      <section class="setting-group">
        <h2>{project.disabled ? "Enable" : "Disable"}</h2>
        {project.disabled && <Note tone="warn">The project is disabled: every call with a key answers 402.</Note>}
        <p class="muted">A disabled project answers 402 to every call with a key. Nothing is deleted.</p>
        <div>
          <Button
            danger={!project.disabled}
            disabled={!isOwner}
            why={whyNot("owner")}
            onClick={() =>
              project.disabled ? void put({ disabled: false }, "The project is enabled") : setAsking(true)
            }
          >
            {project.disabled ? "Enable the project" : "Disable the project"}
          </Button>
        </div>
        {asking && (
          <Confirm
            title="Disable the project?"
            name={project.name}
            action="Disable it"
            busy={change.busy}
            problem={change.problem?.message}
            onClose={() => setAsking(false)}
            onConfirm={() => void put({ disabled: true }, "The project is disabled")}
          >
            Apps and servers get 402 within ten seconds, in Test and Live.
          </Confirm>
        )}
      </section>
    </>
  );
}
