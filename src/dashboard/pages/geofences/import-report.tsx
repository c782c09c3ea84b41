import { useState } from "preact/hooks";
import { Choice } from "../../parts/button.tsx";
import { choices } from "../../parts/choices.ts";
import { Note } from "../../parts/states.tsx";
import { Pill, type Tone } from "../../parts/values/format.tsx";
import { type Column, Table } from "../../table/table.tsx";

export interface ReportRow {
  row: number;
  line?: number;
  status: "created" | "updated" | "unchanged" | "failed";
  tag?: string;
  externalId?: string;
  description?: string;
  param?: string;
  message?: string;
}

const TONES: Record<ReportRow["status"], Tone> = {
  created: "good",
  updated: "accent",
  unchanged: "plain",
  failed: "bad",
};

const COLUMNS: readonly Column<ReportRow>[] = [
  { name: "Row", width: "56px", right: true, cell: ({ row }) => row },
  { name: "Outcome", width: "112px", cell: ({ status }) => <Pill tone={TONES[status]}>{status}</Pill> },
  {
    name: "Geofence",
    cell: ({ description, externalId, message }) => (
      <span title={message}>{message ?? description ?? externalId ?? "–"}</span>
    ),
  },
];

interface ImportReportProps {
  run: { dryRun: boolean; total: number; created: number; updated: number; unchanged: number; failed: number };
  rows: readonly ReportRow[];
}

/** Row by row what happened, or what would happen. */
export function ImportReport({ run, rows }: ImportReportProps) {
  const [show, setShow] = useState<"all" | "failed">(run.failed > 0 ? "failed" : "all");
  const shown = show === "failed" ? rows.filter(({ status }) => status === "failed") : rows;
  const would = run.dryRun ? "would be " : "";
  return (
    <>
      <Note tone={run.failed > 0 ? "warn" : "good"}>
        {run.created} {would}created, {run.updated} {would}updated, {run.unchanged} unchanged, {run.failed}{" "}
        {run.dryRun ? "would fail" : "failed"}.{run.dryRun ? " No changes were made." : ""}
      </Note>
      <Choice
        label="Rows"
        options={choices({ all: `All ${run.total}`, failed: `Failed ${run.failed}` })}
        value={show}
        onChange={setShow}
      />
      {show === "failed" && shown.length > 0 ? (
        <FailedRows rows={shown.slice(0, 200)} />
      ) : (
        <div class="report-table" style={{ height: `${Math.min(Math.max(shown.length, 1), 9) * 36 + 40}px` }}>
          <Table label="Report" columns={COLUMNS} rows={shown} rowKey={({ row }) => String(row)} />
        </div>
      )}
    </>
  );
}

export function FailedRows({ rows }: { rows: readonly ReportRow[] }) {
  return (
    <ul class="faults">
      {rows.map(({ row, line, description, externalId, param, message }) => (
        <li key={row}>
          <span class="strong">
            Row {row}
            {line === undefined ? "" : ` (line ${line})`}
            {(description ?? externalId) ? `, ${description ?? externalId}` : ""}
          </span>{" "}
          {param ? `${param}: ` : ""}
          {message?.replace(`${param}: `, "")}
        </li>
      ))}
    </ul>
  );
}
