import { Download } from "lucide";
import type { getAudit } from "../../../worker/http/dashboard/audit.ts";
import { type Answer, useApi, useQuery } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Empty, Note } from "../../parts/states.tsx";
import { Pill, Time } from "../../parts/values/format.tsx";
import { type Bulk, onePage, Table } from "../../table/table.tsx";

const PATH = "/dashboard/api/audit";

type Entry = Answer<typeof getAudit>["entries"][number];

/** "Updates a geofence: radius 100 → 250" → "Radius 100 → 250": the values, where they are known. */
function changeWords(summary: string): string {
  const [, values = summary] = /^[^:]*: (.*→.*)$/.exec(summary) ?? [];
  return values.charAt(0).toUpperCase() + values.slice(1);
}

/** The log cannot be changed. */
const BULK: Bulk<Entry> = { noun: "change", nameOf: ({ summary, target = "" }) => `${changeWords(summary)} ${target}` };

/** The audit log: the last 100 changes, and all of them as a file. */
export function Audit() {
  const maySee = useMay("admin");
  const api = useApi();
  const asked = useQuery<Answer<typeof getAudit>>(maySee ? PATH : undefined, { limit: 100 });
  if (!maySee) return <Note>{whyNot("admin")}</Note>;
  return (
    <section class="setting-group is-log">
      <div class="row ends">
        <h2>Audit log</h2>
        <LinkButton icon={Download} href={api.url(PATH, { format: "csv" })} download>
          Export as CSV
        </LinkButton>
      </div>
      <Table
        label="Changes"
        inPage
        rows={asked.data?.entries ?? []}
        bulk={BULK}
        pages={onePage(asked)}
        columns={[
          { name: "When", width: "104px", cell: ({ createdAt }) => <Time at={createdAt} />, line: "aside" },
          {
            name: "Member",
            width: "22%",
            cell: ({ member: { email } }) => <span title={email}>{email}</span>,
            line: "detail",
          },
          {
            name: "Record",
            width: "16%",
            cell: ({ target = "" }) => <span title={target}>{target.replace(/(?<=.) \([0-9a-f]{24}\)$/, "")}</span>,
            line: "detail",
          },
          {
            name: "Change",
            cell: ({ summary, action }) => (
              <span class="wraps" title={`${changeWords(summary)} (${action})`}>
                {changeWords(summary)}
              </span>
            ),
            line: "title",
          },
          {
            name: "Environment",
            width: "112px",
            cell: ({ live }) =>
              live === undefined ? (
                <Pill>Both</Pill>
              ) : (
                <Pill tone={live ? "good" : "warn"}>{live ? "Live" : "Test"}</Pill>
              ),
          },
        ]}
        empty={<Empty title="No changes yet">Every change by a member is recorded here.</Empty>}
      />
    </section>
  );
}
