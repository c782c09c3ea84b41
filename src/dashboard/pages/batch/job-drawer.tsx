import type { cancelGeocodeJob } from "../../../worker/http/geocode/jobs.ts";
import type { Answer } from "../../api/client.ts";
import { useChange } from "../../api/hooks.ts";
import { useMay, whyNot } from "../../api/session-context.ts";
import { Button } from "../../parts/button.tsx";
import { DownloadButton } from "../../parts/files/downloads.tsx";
import { Drawer } from "../../parts/overlays/drawer.tsx";
import { toast } from "../../parts/overlays/toast.tsx";
import { Failure } from "../../parts/states.tsx";
import { count, plural } from "../../parts/values/number.tsx";
import { Time } from "../../parts/values/time.tsx";
import { isUnderWay, type Job, State } from "./job.tsx";

/** Progress and result of a job. The processed rows can be downloaded while it runs. */
export function JobDrawer({ job, onClose, again }: { job: Job; onClose: () => void; again: () => void }) {
  const mayWrite = useMay("write");
  const path = `/v1/geocode/jobs/${job._id}`;
  const cancel = useChange((api) =>
    api.request<Answer<typeof cancelGeocodeJob>>("POST", `${path}/cancel`, { body: {} }),
  );
  const remove = useChange((api) => api.request("DELETE", path));
  const off = { disabled: !mayWrite, why: whyNot("write") };
  const going = isUnderWay(job);
  return (
    <Drawer title={job.filename ?? "Unnamed file"} onClose={onClose}>
      <p class="row wrap">
        <State of={job} />
        <span class="muted">
          {plural(job.total, "row")}, sent <Time at={job.createdAt} />
        </span>
      </p>
      {going && <progress aria-label="Processed rows" value={job.done} max={Math.max(1, job.total)} />}
      <p role="status">
        {count(job.done)} processed, {count(job.failed)} of them failed.
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
      {(cancel.problem ?? remove.problem) && <Failure problem={(cancel.problem ?? remove.problem)!} />}
      <div class="row wrap">
        {job.done > 0 && (
          <DownloadButton path={`${path}/result`} query={{ format: "csv" }}>
            {going ? "Download partial result" : "Download result"}
          </DownloadButton>
        )}
        {going ? (
          <Button busy={cancel.busy} {...off} onClick={() => void cancel.run().then(again)}>
            Cancel job
          </Button>
        ) : (
          <Button
            danger
            busy={remove.busy}
            {...off}
            onClick={async () => {
              const done = await remove.run();
              if (!done.ok) return;
              toast("Job and result deleted");
              onClose();
              again();
            }}
          >
            Remove
          </Button>
        )}
      </div>
    </Drawer>
  );
}
