import type { listGeocodeJobs } from "../../../worker/http/geocode/jobs.ts";
import type { Answer } from "../../api/client.ts";
import { Pill, percent } from "../../parts/values/format.tsx";

export type Job = Answer<typeof listGeocodeJobs>["jobs"][number];

export const isUnderWay = ({ status }: Job) => status === "receiving" || status === "running";

/** State of a job as a word or in percent. */
export function State({ of: job }: { of: Job }) {
  if (job.status === "finished") return <Pill tone="good">Finished</Pill>;
  if (job.status === "cancelled") return <Pill>Cancelled</Pill>;
  return <Pill>{percent(job.done, job.total)}</Pill>;
}
