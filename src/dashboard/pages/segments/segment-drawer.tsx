import { Trash2 } from "lucide";
import { useState } from "preact/hooks";
import type { getSegment, previewSegment } from "../../../worker/http/segments/segments.ts";
import type { Answer } from "../../api/client.ts";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { useAddress } from "../../base/router.tsx";
import { Confirm } from "../../forms/confirm.tsx";
import { Field, Select } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { useForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { userName } from "../events/event-words.ts";
import { ConditionFields } from "./condition-fields.tsx";
import { type Draft, draftOf, EMPTY, NEW_CONDITION, ruleOf, type Segment } from "./segment-draft.ts";

const MAX_CONDITIONS = 10;

/** A segment by its id; without one, a new one. */
export function SegmentDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const path = id && `/v1/segments/${encodeURIComponent(id)}`;
  const found = useQuery<Answer<typeof getSegment>>(path);
  const segment = found.data?.segment;
  return (
    <Drawer title={id ? (segment?.description ?? "Segment") : "Create a segment"} onClose={onClose}>
      {found.problem && <Failure problem={found.problem} again={found.again} />}
      {id && !segment && !found.problem && <SkeletonLines lines={8} />}
      {segment && <Size segment={segment} />}
      {(segment || !id) && (
        <SegmentForm key={segment?.updatedAt ?? "new"} path={path} segment={segment} onClose={onClose} />
      )}
    </Drawer>
  );
}

function Size({ segment: { size = 0, computing, externalId } }: { segment: Segment }) {
  const { to } = useAddress();
  return (
    <p>
      <strong>{size.toLocaleString()}</strong> {size === 1 ? "user" : "users"}
      {computing && " so far; the others are still being compared"}.{" "}
      <a href={`${to("users")}?segment=${encodeURIComponent(externalId)}`}>Show them</a>
    </p>
  );
}

function SegmentForm({
  path,
  segment,
  onClose,
}: {
  path: string | undefined;
  segment: Segment | undefined;
  onClose: () => void;
}) {
  const forget = useForget();
  const [deleting, setDeleting] = useState(false);
  const form = useForm<Draft, unknown>({
    saved: segment ? draftOf(segment) : EMPTY,
    role: "write",
    isEdit: true,
    send: (api, draft) => {
      const faults: Record<string, string> = {};
      const body = { externalId: draft.externalId, description: draft.description, rule: ruleOf(draft, faults) };
      if (Object.keys(faults).length > 0) return { faults };
      return path ? api.patch(path, body) : api.post("/v1/segments", body);
    },
    onDone: () => {
      forget("/v1/segments", "/v1/users");
      toast(path ? "Saved" : "Segment created");
      if (!path) onClose();
    },
  });
  const { draft, field, set } = form;
  const put = (i: number, part: Partial<Draft["conditions"][number]>) =>
    set({ conditions: draft.conditions.map((one, at) => (at === i ? { ...one, ...part } : one)) });
  return (
    <>
      <Form of={form}>
        <Field label="Name" {...field("description")} />
        <Field label="External id" hint="Name in audiences, geofences and filters" mono {...field("externalId")} />
        <Select
          label="Users that meet"
          {...field("match", "rule.match")}
          options={[
            ["all", "all conditions"],
            ["any", "one of the conditions"],
          ]}
        />
        {draft.conditions.map((condition, i) => (
          <ConditionFields
            key={i}
            condition={condition}
            at={i}
            onChange={(part) => put(i, part)}
            onRemove={
              draft.conditions.length > 1
                ? () => set({ conditions: draft.conditions.filter((_, at) => at !== i) })
                : undefined
            }
          />
        ))}
        {draft.conditions.length < MAX_CONDITIONS && (
          <Button onClick={() => set({ conditions: [...draft.conditions, NEW_CONDITION] })}>Add a condition</Button>
        )}
        <Preview draft={draft} />
        <FormError />
        <Ends isNew={!path} onDelete={() => setDeleting(true)} onCancel={onClose} />
      </Form>
      {path && deleting && (
        <Confirm
          title={`Delete ${segment?.description}?`}
          action="Delete"
          name={segment?.description ?? ""}
          send={(api) => api.delete(path)}
          onClose={() => setDeleting(false)}
          onDone={() => {
            forget("/v1/segments", "/v1/users");
            toast(`${segment?.description} deleted`);
            onClose();
          }}
        >
          Campaigns and geofences that name it match no user by it.
        </Confirm>
      )}
    </>
  );
}

function Ends({ isNew, onDelete, onCancel }: { isNew: boolean; onDelete: () => void; onCancel: () => void }) {
  const mayWrite = useMay("write");
  return (
    <footer class="row ends wrap">
      {isNew ? (
        <Button onClick={onCancel}>Cancel</Button>
      ) : (
        <Button danger icon={Trash2} disabled={!mayWrite} why={whyNot("write")} onClick={onDelete}>
          Delete
        </Button>
      )}
      <SaveButton>{isNew ? "Create" : "Save"}</SaveButton>
    </footer>
  );
}

/** How many of the users updated last meet the rule, and some of them. */
function Preview({ draft }: { draft: Draft }) {
  const [found, setFound] = useState<Answer<typeof previewSegment>>();
  const preview = useChange((api) =>
    api.post<Answer<typeof previewSegment>>("/v1/segments/preview", { rule: ruleOf(draft, {}) }),
  );
  const show = async () => {
    const result = await preview.run();
    setFound(result.ok ? result.data : undefined);
  };
  return (
    <section class="stack tight">
      <Button busy={preview.busy} onClick={() => void show()}>
        Preview
      </Button>
      {preview.problem && <Failure problem={preview.problem} />}
      {found && (
        <p>
          {found.matched.toLocaleString()} of the {found.compared.toLocaleString()} users updated last
          {found.users.length > 0 && `: ${found.users.map(userName).join(", ")}`}
          {found.matched > found.users.length && found.users.length > 0 && " …"}
        </p>
      )}
    </section>
  );
}
