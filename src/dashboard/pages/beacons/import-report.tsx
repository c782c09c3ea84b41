import type { importBeacons } from "../../../worker/http/beacons/beacon-imports.ts";
import type { Answer } from "../../api/client.ts";
import { count, Pill, type Tone } from "../../parts/values/format.tsx";
import { type Bulk, Table } from "../../table/table.tsx";

type Row = Answer<typeof importBeacons>["rows"][number];
type Import = Omit<Answer<typeof importBeacons>["import"], "dryRun"> & { dryRun?: boolean };

const TONES: Record<Row["status"], Tone> = { created: "good", updated: "accent", unchanged: "plain", failed: "bad" };

const BULK: Bulk<Row> = { noun: "row", nameOf: ({ line }) => `line ${line}` };

/** The result of each row, or its preview in a dry run; failed rows first. */
export function ImportReport({ of, rows }: { of: Import; rows: readonly Row[] }) {
  const sorted = [...rows].sort(
    (a, b) => Number(b.status === "failed") - Number(a.status === "failed") || a.line - b.line,
  );
  return (
    <div class="stack tight">
      <div class="row wrap">
        {(["created", "updated", "unchanged", "failed"] as const).map((status) => (
          <Pill key={status} tone={of[status] > 0 ? TONES[status] : "plain"}>
            {count(of[status])} {of.dryRun && status !== "unchanged" && status !== "failed" ? "would be " : ""}
            {status}
          </Pill>
        ))}
      </div>
      {sorted.length > 0 && (
        <div class="report">
          <Table
            label="Rows"
            rows={sorted}
            rowKey={({ line }) => String(line)}
            bulk={BULK}
            columns={[
              { name: "Line", width: "64px", right: true, cell: ({ line }) => line },
              { name: "Result", width: "112px", cell: ({ status }) => <Pill tone={TONES[status]}>{status}</Pill> },
              {
                name: "Beacon",
                width: "160px",
                cell: ({ tag, externalId }) => [tag, externalId].filter(Boolean).join(" / "),
                wideOnly: true,
              },
              { name: "Reason", cell: ({ message }) => <span title={message}>{message}</span> },
            ]}
          />
        </div>
      )}
    </div>
  );
}
