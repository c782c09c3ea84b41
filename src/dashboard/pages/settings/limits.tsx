import { useState } from "preact/hooks";
import type { getProject } from "../../../http/dashboard/project.ts";
import type { Answer } from "../../api/client.ts";
import { useChange, useForget, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Field, problemOf } from "../../forms/fields.tsx";
import { Button } from "../../parts/button.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure, SkeletonLines } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { count, percent } from "../../parts/values/number.tsx";

export const PROJECT_PATH = "/dashboard/api/project";
export type ProjectAnswer = Answer<typeof getProject>;

/** This month's usage and quota, and the rate limit of each endpoint. */
export function Limits() {
  const asked = useQuery<ProjectAnswer>(PROJECT_PATH);
  if (asked.problem && !asked.data) return <Failure problem={asked.problem} again={asked.again} />;
  if (!asked.data) return <SkeletonLines lines={10} />;
  const { project } = asked.data;
  return (
    <>
      <Quota project={project} />
      <Rates project={project} />
    </>
  );
}

function Quota({ project }: ProjectAnswer) {
  const isOwner = useMay("owner");
  const forget = useForget();
  const { usage, monthlyQuota } = project;
  const saved = monthlyQuota === undefined ? "" : String(monthlyQuota);
  const [quota, setQuota] = useState(saved);
  const change = useChange((api, value: number) => api.patch<ProjectAnswer>(PROJECT_PATH, { monthlyQuota: value }));
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
      <form
        class="row wrap"
        onSubmit={async (event) => {
          event.preventDefault();
          if (!(await change.run(Number(quota) || 0)).ok) return;
          forget(PROJECT_PATH);
          toast("Quota saved");
        }}
      >
        <Field
          label="Monthly quota"
          hint="Calls above it return 402 until the month ends. Empty: no quota."
          type="number"
          min={0}
          unit="calls"
          value={quota}
          disabled={!isOwner}
          onChange={setQuota}
          problem={problemOf(change.problem, "monthlyQuota") ?? change.problem?.message}
        />
        <Button
          type="submit"
          busy={change.busy}
          disabled={!isOwner || quota === saved}
          why={isOwner ? "There are no changes." : whyNot("owner")}
        >
          Save
        </Button>
      </form>
    </section>
  );
}

function Rates({ project }: ProjectAnswer) {
  const isOwner = useMay("owner");
  const forget = useForget();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [search, setSearch] = useState("");
  const change = useChange((api, rateLimits: Record<string, number>) =>
    api.patch<ProjectAnswer>(PROJECT_PATH, { rateLimits }),
  );
  const calls = new Map<string, number>();
  for (const { endpoint, calls: some } of project.usage.endpoints)
    calls.set(endpoint, (calls.get(endpoint) ?? 0) + some);
  const rows = project.limits.filter(({ endpoint }) => endpoint.toLowerCase().includes(search.trim().toLowerCase()));
  const changed = Object.entries(typed);
  return (
    <section class="setting-group">
      <h2>Limits</h2>
      <p class="muted">
        Calls per second in each environment; for track and ipGeocode, per device. newUsers and newTrips are per hour,
        for publishable keys. Leave a field empty to use the default.
      </p>
      <Field label="Endpoint" type="search" value={search} onChange={setSearch} />
      <form
        class="stack"
        onSubmit={async (event) => {
          event.preventDefault();
          const limits = Object.fromEntries(changed.map(([endpoint, value]) => [endpoint, Number(value) || 0]));
          if (!(await change.run(limits)).ok) return;
          setTyped({});
          forget(PROJECT_PATH);
          toast("Limits saved");
        }}
      >
        <div class="report">
          <Table
            label="Limits"
            rows={rows}
            rowKey={({ endpoint }) => endpoint}
            columns={[
              { name: "Endpoint", cell: ({ endpoint }) => <code>{endpoint}</code> },
              {
                name: "Calls",
                width: "104px",
                right: true,
                cell: ({ endpoint }) => count(calls.get(endpoint) ?? 0),
                wideOnly: true,
              },
              { name: "Default", width: "64px", right: true, cell: ({ usual }) => usual },
              {
                name: "Custom",
                width: "96px",
                cell: ({ endpoint, own }) => (
                  <input
                    class="in-row"
                    type="number"
                    min={0}
                    aria-label={`Custom limit of ${endpoint}`}
                    disabled={!isOwner}
                    value={typed[endpoint] ?? (own === undefined ? "" : String(own))}
                    onInput={(event) => setTyped({ ...typed, [endpoint]: event.currentTarget.value })}
                  />
                ),
              },
            ]}
          />
        </div>
        {change.problem && <Failure problem={change.problem} />}
        <div class="row">
          <Button
            type="submit"
            busy={change.busy}
            disabled={!isOwner || changed.length === 0}
            why={isOwner ? "There are no changes." : whyNot("owner")}
          >
            Save limits
          </Button>
        </div>
      </form>
    </section>
  );
}
