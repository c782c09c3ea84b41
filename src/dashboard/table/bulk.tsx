import type { IconNode } from "lucide";
import { CircleCheck, CircleOff, Download, ListChecks, Trash2, X } from "lucide";
import { useState } from "preact/hooks";
import type { Role } from "../../core/auth/role.ts";
import { csvRow } from "../../worker/wire/tables/write-csv.ts";
import { type Api, type Problem, type Result, useApi, useForget } from "../api/hooks.ts";
import { useQueryValues } from "../base/router.tsx";
import { Confirm } from "../forms/confirm.tsx";
import { Button } from "../parts/button.tsx";
import { saveFile } from "../parts/files/save-file.ts";
import { toast } from "../parts/overlays/toast.tsx";
import { Failure } from "../parts/states.tsx";
import { count, plural } from "../parts/values/format.tsx";
import { SelectAll, type Selection } from "./selection.tsx";
import "./bulk.css";

/** Actions on the selected rows of a list. */
export interface Bulk<Row> {
  /** The word for a row: "geofence". */
  noun: string;
  /** The name of a row. */
  nameOf: (row: Row) => string;
  /** Requests for one row; an absent one is not offered. */
  remove?: (api: Api, row: Row) => Promise<Result<unknown>>;
  /** One request for all rows instead, where each request would replace what the others have written. */
  removeAll?: (api: Api, rows: readonly Row[]) => Promise<Result<unknown>>;
  enable?: (api: Api, row: Row, enabled: boolean) => Promise<Result<unknown>>;
  /** A view of up to `most` selected rows: their ids are in the address under this name. */
  opens?: { icon: IconNode; text: string; name: string; most: number };
  /** The role that changes need. */
  role?: Role;
  /** What deleting also deletes. */
  removes?: string;
  /** Cached responses that a change makes outdated. */
  forgets?: readonly string[];
}

/** Requests sent at the same time. */
const AT_ONCE = 4;
/** From this number of rows on, the viewer types a word to confirm a deletion. */
const MANY_ROWS = 2;

interface Run {
  done: number;
  of: number;
}

interface BulkBarProps<Row> {
  bulk: Bulk<Row>;
  selection: Selection<Row>;
  isNarrow: boolean;
}

export function BulkBar<Row>({ bulk, selection, isNarrow }: BulkBarProps<Row>) {
  const { noun, remove, removeAll, enable, opens, role = "write" } = bulk;
  const [, setQuery] = useQueryValues();
  const removes = remove ?? removeAll;
  const [deleting, setDeleting] = useState(false);
  const { run, runAll, running, problem } = useBulkRun(bulk, selection);
  const { rows } = selection;
  const none = rows.length === 0;
  if (none && !selection.isOpen) return isNarrow ? <SelectButton onClick={() => selection.open(true)} /> : null;
  const change = (icon: IconNode, text: string, act: () => void) => (
    <Button small icon={icon} needs={role} disabled={none || running !== undefined} onClick={act}>
      {text}
    </Button>
  );
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields of a form */}
      <div class="bulk row wrap" role="group" aria-label="Selected rows">
        {isNarrow && <SelectAll of={selection} />}
        <span class="number strong" role="status">
          {running ? `${count(running.done)} of ${count(running.of)}` : `${count(rows.length)} selected`}
        </span>
        {enable && change(CircleCheck, "Enable", () => void run((api, row) => enable(api, row, true), "enabled"))}
        {enable && change(CircleOff, "Disable", () => void run((api, row) => enable(api, row, false), "disabled"))}
        {opens && (
          <Button
            small
            icon={opens.icon}
            disabled={none || rows.length > opens.most}
            why={`Select up to ${opens.most}`}
            onClick={() => setQuery({ [opens.name]: selection.ids.join(",") }, true)}
          >
            {opens.text}
          </Button>
        )}
        <Button small icon={Download} disabled={none} onClick={() => exportRows(noun, rows)}>
          CSV
        </Button>
        {removes && change(Trash2, "Delete", () => setDeleting(true))}
        <Button small bare icon={X} label="Clear the selection" onClick={() => selection.open(false)} />
      </div>
      {problem && <Failure problem={problem} />}
      {deleting && removes && (
        <Confirm
          title={`Delete ${plural(rows.length, noun)}?`}
          action="Delete"
          name={rows.length < MANY_ROWS ? undefined : `delete ${rows.length}`}
          send={async () => {
            setDeleting(false);
            await (remove ? run(remove, "deleted") : removeAll && runAll(removeAll, "deleted"));
            return { ok: true, data: {}, meta: { code: 200 } };
          }}
          onClose={() => setDeleting(false)}
        >
          {bulk.removes ?? "This cannot be undone."}
        </Confirm>
      )}
    </>
  );
}

function SelectButton({ onClick }: { onClick: () => void }) {
  return (
    <div class="bulk-open">
      <Button small bare icon={ListChecks} onClick={onClick}>
        Select
      </Button>
    </div>
  );
}

/** Sends the requests of all selected rows, and stops at the first failure. Rows that are done are no longer selected. */
function useBulkRun<Row>({ noun, forgets = [] }: Bulk<Row>, selection: Selection<Row>) {
  const api = useApi();
  const forget = useForget();
  const [running, setRunning] = useState<Run>();
  const [problem, setProblem] = useState<Problem>();
  const run = async (act: (api: Api, row: Row) => Promise<Result<unknown>>, verb: string) => {
    const waiting = [...selection.rows];
    const of = waiting.length;
    let done = 0;
    let failed: Problem | undefined;
    setProblem(undefined);
    setRunning({ done, of });
    const worker = async () => {
      for (let row = waiting.shift(); row !== undefined && !failed; row = waiting.shift()) {
        const result = await act(api, row);
        // A row that another member has deleted is as it should be.
        if (result.ok || (result.problem.status === 404 && verb === "deleted")) setRunning({ done: ++done, of });
        else failed = { ...result.problem, message: `${selection.nameOf(row)}: ${result.problem.message}` };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    ended(done, verb, failed);
  };
  const runAll = async (act: (api: Api, rows: readonly Row[]) => Promise<Result<unknown>>, verb: string) => {
    const { rows } = selection;
    setProblem(undefined);
    setRunning({ done: 0, of: rows.length });
    const result = await act(api, rows);
    ended(result.ok ? rows.length : 0, verb, result.ok ? undefined : result.problem);
  };
  const ended = (done: number, verb: string, failed?: Problem) => {
    setRunning(undefined);
    setProblem(failed);
    forget(...forgets);
    if (done > 0) toast(`${plural(done, noun)} ${verb}`);
    if (!failed) selection.open(false);
  };
  return { run, runAll, running, problem };
}

/** The selected rows as CSV: a column for each field that a row has. Nested values are JSON. */
function exportRows(noun: string, rows: readonly unknown[]): void {
  saveFile(new Blob([csvOf(rows)], { type: "text/csv" }), `${noun.replaceAll(" ", "-")}s.csv`);
}

function csvOf(rows: readonly unknown[]): string {
  const records = rows as readonly Record<string, unknown>[];
  const names = [...new Set(records.flatMap((row) => Object.keys(row)))];
  return [csvRow(names), ...records.map((row) => csvRow(names.map((name) => row[name])))].join("");
}
