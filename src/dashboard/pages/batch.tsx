import { FileSpreadsheet, FileUp } from "lucide";
import type { listGeocodeJobs } from "../../worker/http/geocode/jobs.ts";
import { type Answer, useQuery } from "../api/hooks.ts";
import { useAddress, useQueryValue } from "../base/router.tsx";
import { Button } from "../parts/button.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";
import { count, Time } from "../parts/values/format.tsx";
import { type Bulk, type Column, onePage, Table } from "../table/table.tsx";
import { type Job, KIND_WORDS, State } from "./batch/job.tsx";
import { JobDrawer } from "./batch/job-drawer.tsx";
import { NewJob } from "./batch/new-job.tsx";

/** Polling interval of an active job [ms]. */
const LOOK_MS = 2_000;

const COLUMNS: readonly Column<Job>[] = [
  { name: "File", cell: ({ filename }) => filename ?? "Unnamed" },
  { name: "Operation", width: "200px", cell: ({ kind }) => KIND_WORDS[kind] },
  { name: "Rows", width: "96px", right: true, cell: ({ total }) => count(total) },
  { name: "Failed", width: "88px", right: true, cell: ({ failed }) => count(failed) },
  { name: "State", width: "112px", cell: (job) => <State of={job} />, line: "aside" },
  { name: "Sent", width: "112px", cell: ({ createdAt }) => <Time at={createdAt} />, line: "detail" },
];

const BULK: Bulk<Job> = {
  noun: "job",
  nameOf: ({ filename, _id }) => filename ?? _id,
  remove: (api, { _id }) => api.delete(`/v1/geocode/jobs/${_id}`),
  removes: "Stops jobs in progress and deletes their results. This cannot be undone.",
  forgets: ["/v1/geocode/jobs"],
};

/** Files that are geocoded or validated in the background. */
export default function Batch() {
  const { to } = useAddress();
  const [open, setOpen] = useQueryValue("job");
  const list = useQuery<Answer<typeof listGeocodeJobs>>("/v1/geocode/jobs", {}, { every: LOOK_MS });
  const jobs = list.data?.jobs ?? [];
  const opened = jobs.find(({ _id }) => _id === open);
  const close = () => setOpen("");
  const action = (
    <Button main icon={FileUp} needs="write" onClick={() => setOpen("new", { push: true })}>
      Geocode a file
    </Button>
  );
  return (
    <>
      <PageHead title="Batch geocoding" actions={action} />
      <Table
        label="Jobs"
        columns={COLUMNS}
        rows={jobs}
        hrefOf={({ _id }) => `${to("batch")}?job=${_id}`}
        isSelected={({ _id }) => _id === open}
        pages={onePage(list)}
        bulk={BULK}
        empty={
          <Empty icon={FileSpreadsheet} title="No files yet">
            <p>
              Upload a CSV file of up to 100,000 addresses or positions. The server geocodes it in the background and
              adds the result columns to yours. Results are kept for seven days.
            </p>
            {action}
          </Empty>
        }
      />
      {open === "new" && <NewJob onClose={close} onStarted={(id) => setOpen(id)} again={list.again} />}
      {opened && <JobDrawer job={opened} onClose={close} again={list.again} />}
    </>
  );
}
