import { useState } from "preact/hooks";
import type { previewSegment } from "../../../worker/http/segments/segments.ts";
import { type Answer, useChange } from "../../api/hooks.ts";
import { useAddress } from "../../base/router.tsx";
import { Field, Select } from "../../forms/fields.tsx";
import { RecordDrawer, type RecordDrawerProps, type RecordKind } from "../../forms/record-drawer.tsx";
import type { DraftForm } from "../../forms/use-form.ts";
import { Button } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Failure } from "../../parts/states.tsx";
import { count, plural } from "../../parts/values/format.tsx";
import { nameOfRecord } from "../../parts/values/names.ts";
import { ConditionFields } from "./condition-fields.tsx";
import { type Draft, draftOf, EMPTY, NEW_CONDITION, ruleOf, type Segment } from "./segment-draft.ts";

const MAX_CONDITIONS = 10;

const SEGMENTS: RecordKind<Segment, Draft> = {
  noun: "segment",
  path: "/v1/segments",
  nameOf: nameOfRecord,
  create: "Create",
  draftOf,
  newDraft: EMPTY,
  save: (api, draft, path) => {
    const faults: Record<string, string> = {};
    const body = { externalId: draft.externalId, description: draft.description, rule: ruleOf(draft, faults) };
    if (Object.keys(faults).length > 0) return { faults };
    return path ? api.patch(path, body) : api.post("/v1/segments", body);
  },
  removes: "Campaigns and geofences that name it match no user by it.",
  forgets: ["/v1/users"],
};

export function SegmentDrawer(props: RecordDrawerProps) {
  return (
    <RecordDrawer {...props} of={SEGMENTS} head={(segment) => <Size segment={segment} />}>
      {(form) => <SegmentFields {...form} />}
    </RecordDrawer>
  );
}

function Size({ segment: { size = 0, computing, externalId } }: { segment: Segment }) {
  const { to } = useAddress();
  return (
    <p>
      <strong>{plural(size, "user")}</strong>
      {computing && " so far; the others are still being compared"}.{" "}
      <a href={`${to("users")}?segment=${encodeURIComponent(externalId)}`}>Show them</a>
    </p>
  );
}

function SegmentFields({ draft, field, set }: DraftForm<Draft>) {
  const { conditions } = draft;
  return (
    <>
      <Field label="Name" {...field("description")} />
      <Field label="External id" hint="Name in audiences, geofences and filters" mono {...field("externalId")} />
      <Select
        label="Users that meet"
        {...field("match", "rule.match")}
        options={choices({ all: "all conditions", any: "one of the conditions" })}
      />
      {conditions.map((condition, i) => (
        <ConditionFields
          key={i}
          condition={condition}
          at={i}
          onChange={(part) => set({ conditions: conditions.map((one, at) => (at === i ? { ...one, ...part } : one)) })}
          onRemove={
            conditions.length > 1 ? () => set({ conditions: conditions.filter((_, at) => at !== i) }) : undefined
          }
        />
      ))}
      {conditions.length < MAX_CONDITIONS && (
        <Button onClick={() => set({ conditions: [...conditions, NEW_CONDITION] })}>Add a condition</Button>
      )}
      <Preview draft={draft} />
    </>
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
          {count(found.matched)} of the {plural(found.compared, "user")} updated last
          {found.users.length > 0 && `: ${found.users.map(nameOfRecord).join(", ")}`}
          {found.matched > found.users.length && found.users.length > 0 && " …"}
        </p>
      )}
    </section>
  );
}
