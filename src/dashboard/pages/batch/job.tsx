import type { listGeocodeJobs } from "../../../worker/http/geocode/jobs.ts";
import type { Answer } from "../../api/client.ts";
import { Pill, percent } from "../../parts/values/format.tsx";

export type Job = Answer<typeof listGeocodeJobs>["jobs"][number];

export const isUnderWay = ({ status }: Job) => status === "receiving" || status === "running";

/** What a job does with its rows. */
export const KIND_WORDS: Readonly<Record<Job["kind"], string>> = {
  forward: "Addresses to coordinates",
  reverse: "Coordinates to addresses",
  validate: "Validate addresses",
};

/** State of a job as a word or in percent. */
export function State({ of: job }: { of: Job }) {
  if (job.status === "finished") return <Pill tone="good">Finished</Pill>;
  if (job.status === "cancelled") return <Pill>Canceled</Pill>;
  return <Pill>{percent(job.done, job.total)}</Pill>;
}
