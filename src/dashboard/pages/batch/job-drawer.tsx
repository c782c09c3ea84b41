import type { cancelGeocodeJob } from "../../../worker/http/geocode/jobs.ts";
import { type Answer, useChange } from "../../api/hooks.ts";
import { Button } from "../../parts/button.tsx";
import { DownloadButton } from "../../parts/files/downloads.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure } from "../../parts/states.tsx";
import { count, plural, Time } from "../../parts/values/format.tsx";
import { isUnderWay, type Job, KIND_WORDS, State } from "./job.tsx";

interface JobProps {
  job: Job;
  onClose: () => void;
  again: () => void;
}

/** Progress and result of a job. The processed rows can be downloaded while it runs. */
export function JobDrawer(props: JobProps) {
  const { job, onClose } = props;
  const path = `/v1/geocode/jobs/${job._id}`;
  const going = isUnderWay(job);
  return (
    <Drawer title={job.filename ?? "Unnamed file"} onClose={onClose}>
      <p class="row wrap">
        <State of={job} />
        <span class="muted">
          {KIND_WORDS[job.kind]}: {plural(job.total, "row")}, sent <Time at={job.createdAt} />
        </span>
      </p>
      {going && <progress aria-label="Processed rows" value={job.done} max={Math.max(1, job.total)} />}
      <p role="status">
        {count(job.done)} processed, {job.failed === 0 ? "none failed" : `${count(job.failed)} of them failed`}.
        {job.expiresAt && (
          <>
            {" "}
            Kept until <Time at={job.expiresAt} as="exact" />.
          </>
        )}
      </p>
      <h2>Read from</h2>
      <ul>
        {Object.entries(job.columns).map(([field, columns]) => (
          <li key={field}>
            <code>{field}</code>: {columns.join(", ")}
          </li>
        ))}
      </ul>
      <JobButtons {...props} going={going} path={path} />
    </Drawer>
  );
}

function JobButtons({ job, onClose, again, going, path }: JobProps & { going: boolean; path: string }) {
  const cancel = useChange((api) =>
    api.request<Answer<typeof cancelGeocodeJob>>("POST", `${path}/cancel`, { body: {} }),
  );
  const remove = useChange((api) => api.request("DELETE", path));
  return (
    <>
      {(cancel.problem ?? remove.problem) && <Failure problem={(cancel.problem ?? remove.problem)!} />}
      <div class="row wrap">
        {job.done > 0 && (
          <DownloadButton path={`${path}/result`} query={{ format: "csv" }}>
            {going ? "Download partial result" : "Download result"}
          </DownloadButton>
        )}
        {going ? (
          <Button busy={cancel.busy} needs="write" onClick={() => void cancel.run().then(again)}>
            Cancel job
          </Button>
        ) : (
          <Button
            danger
            busy={remove.busy}
            needs="write"
            onClick={async () => {
              const done = await remove.run();
              if (!done.ok) return;
              toast("Job and result deleted");
              onClose();
              again();
            }}
          >
            Delete
          </Button>
        )}
      </div>
    </>
  );
}
