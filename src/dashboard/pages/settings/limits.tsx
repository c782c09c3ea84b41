import { useState } from "preact/hooks";
import type { getProject } from "../../../worker/http/dashboard/project.ts";
import { type Answer, useQuery } from "../../api/hooks.ts";
import { BareInput } from "../../forms/bare.tsx";
import { Field } from "../../forms/fields.tsx";
import { Form, FormError, SaveButton } from "../../forms/form.tsx";
import { type DraftForm, useForm } from "../../forms/use-form.ts";
import { Waiting } from "../../parts/states.tsx";
import { count, percent } from "../../parts/values/format.tsx";
import { type Column, Table } from "../../table/table.tsx";

export const PROJECT_PATH = "/dashboard/api/project";
export type ProjectAnswer = Answer<typeof getProject>;

/** This month's usage and quota, and the rate limit of each endpoint. */
export function Limits() {
  const asked = useQuery<ProjectAnswer>(PROJECT_PATH);
  if (!asked.data) return <Waiting of={asked} lines={10} />;
  const { project } = asked.data;
  return (
    <>
      <Quota project={project} />
      <Rates project={project} />
    </>
  );
}

function Quota({ project }: ProjectAnswer) {
  const { usage, monthlyQuota } = project;
  const form = useForm({
    saved: { quota: monthlyQuota === undefined ? "" : String(monthlyQuota) },
    role: "owner",
    isEdit: true,
    send: (api, { quota }) => api.patch<ProjectAnswer>(PROJECT_PATH, { monthlyQuota: Number(quota) || 0 }),
    forgets: [PROJECT_PATH],
    said: "Quota saved",
  });
  return (
    <section class="setting-group">
      <h2>This month</h2>
      <p>
        <span class="figure number">{count(usage.calls)}</span> calls in {usage.month}
        {monthlyQuota !== undefined && (
          <span class="muted">
            , {percent(usage.calls, monthlyQuota)} of {count(monthlyQuota)}
          </span>
        )}
      </p>
      {monthlyQuota !== undefined && (
        <progress
          max={monthlyQuota}
          value={Math.min(usage.calls, monthlyQuota)}
          aria-label="Usage of the monthly quota"
        />
      )}
      <Form of={form}>
        <div class="row wrap">
          <Field
            label="Monthly quota"
            hint="Calls above it return 402 until the month ends. Empty: no quota."
            type="number"
            min={0}
            unit="calls"
            {...form.field("quota", "monthlyQuota")}
          />
          <SaveButton plain>Save</SaveButton>
        </div>
        <FormError />
      </Form>
    </section>
  );
}

function Rates({ project }: ProjectAnswer) {
  const [search, setSearch] = useState("");
  const form = useForm({
    saved: NO_LIMITS,
    role: "owner",
    isEdit: true,
    send: (api, typed) => {
      const rateLimits = Object.fromEntries(
        Object.entries(typed).map(([endpoint, value]) => [endpoint, Number(value) || 0]),
      );
      return api.patch<ProjectAnswer>(PROJECT_PATH, { rateLimits });
    },
    forgets: [PROJECT_PATH],
    said: "Limits saved",
  });
  const rows = project.limits.filter(({ endpoint }) => endpoint.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <section class="setting-group">
      <h2>Limits</h2>
      <p class="muted">
        Calls per second in each environment; for track and ipGeocode, per device. Names that begin with new are per
        hour, for publishable keys; computing is in milliseconds per second. Leave a field empty to use the default.
      </p>
      <Field label="Endpoint" type="search" value={search} onChange={setSearch} />
      <Form of={form}>
        <div class="report">
          <Table
            label="Limits"
            rows={rows}
            rowKey={({ endpoint }) => endpoint}
            columns={columnsOf(form, callsOf(project))}
          />
        </div>
        <FormError />
        <div class="row">
          <SaveButton plain>Save limits</SaveButton>
        </div>
      </Form>
    </section>
  );
}

function callsOf({ usage }: ProjectAnswer["project"]): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const { endpoint, calls: some } of usage.endpoints) calls.set(endpoint, (calls.get(endpoint) ?? 0) + some);
  return calls;
}

type EndpointLimit = ProjectAnswer["project"]["limits"][number];

const columnsOf = (
  form: DraftForm<Record<string, string>>,
  calls: ReadonlyMap<string, number>,
): readonly Column<EndpointLimit>[] => [
  { name: "Endpoint", cell: ({ endpoint }) => <code>{endpoint}</code> },
  {
    name: "Calls",
    width: "104px",
    right: true,
    cell: ({ endpoint }) => count(calls.get(endpoint) ?? 0),
    wideOnly: true,
  },
  { name: "Default", width: "80px", right: true, cell: ({ usual }) => usual },
  {
    name: "Custom",
    width: "96px",
    cell: ({ endpoint, own }) => (
      <BareInput
        class="in-row"
        type="number"
        min={0}
        label={`Custom limit of ${endpoint}`}
        disabled={form.locked !== undefined}
        value={form.draft[endpoint] ?? (own === undefined ? "" : String(own))}
        onChange={(value) => form.set({ [endpoint]: value })}
      />
    ),
  },
];

/** Custom limits as they are typed, by endpoint. */
const NO_LIMITS: Record<string, string> = {};
