import { setTimeout as sleep } from "node:timers/promises";
import { readCsv } from "../../src/worker/wire/tables/csv.ts";
import { csvRow } from "../../src/worker/wire/tables/write-csv.ts";
import { line } from "../core/geocoding/cases.ts";
import type { SampledHouse } from "../core/geocoding/sample.ts";
import type { Report } from "./bench.ts";
import { housesIn, startWithGeodata } from "./support/geodata-platform.ts";
import { type LoadRequest, send } from "./support/load.ts";
import { cpuSeconds, residentBytes } from "./support/process-cpu.ts";

export const name = "geocode-jobs";
export const summary = "A file of 100,000 addresses as a job: from upload to result, beside the world base and Porto.";

/** How often it is asked how far it is [ms]. */
const LOOK_MS = 1000;

/** BENCH_ROWS: how many (100,000); BENCH_RATE: rows per second that the project may (1,000,000: as fast as they go). */
export async function run(report: Report): Promise<void> {
  const count = Number(process.env.BENCH_ROWS ?? 100_000);
  const platform = await startWithGeodata(["geocodeBatch", "getGeocodeJob"]);
  try {
    const houses = await housesIn(platform, 10_000);
    const csv = fileOf(houses, count);
    const headers = { Authorization: platform.keys.testSecret };
    const ask = async (path: string, more: Partial<LoadRequest> = {}): Promise<string> => {
      const { status, text } = await send(platform, { path: `/v1/geocode/jobs${path}`, headers, ...more });
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
      return text;
    };
    const began = performance.now();
    const cpu = cpuSeconds(platform.pid);
    const seconds = () => (performance.now() - began) / 1000;
    let { job } = JSON.parse(await ask("", { method: "POST", body: { csv } }));
    const uploaded = seconds();
    let [looks, most] = [0, 0];
    for (let before = 0; job.status === "running"; looks++) {
      await sleep(LOOK_MS);
      ({ job } = JSON.parse(await ask(`/${job._id}`)));
      if (job.done < before) throw new Error("a job went back");
      before = job.done;
      most = Math.max(most, residentBytes(platform.pid));
      if (looks % 10 === 0) console.error(`${job.done} of ${job.total} rows, ${seconds().toFixed(0)} s`);
    }
    const done = seconds();
    const result = readCsv(await ask(`/${job._id}/result`)).slice(1);
    const label = `${count.toLocaleString("en-US")} rows, ${(csv.length / 1e6).toFixed(1)} MB`;
    const tell = (metric: string, value: number, unit: string) => report({ case: label, metric, value, unit });
    tell("upload", uploaded, "s");
    tell("until done", done, "s");
    tell("rows per second", count / (done - uploaded), "");
    tell("CPU per row", (1000 * (cpuSeconds(platform.pid) - cpu)) / count, "ms");
    tell("result", seconds() - done, "s");
    tell("rows of the result", result.length, "");
    tell("in order", result.filter(({ cells }, i) => Number(cells[0]) === i).length, "");
    tell("found", (100 * result.filter(({ cells }) => cells[COLUMNS.length] === "ok").length) / count, "%");
    tell("failed", job.failed, "");
    tell("most memory of workerd", most / 2 ** 20, "MB");
  } finally {
    await platform.stop();
  }
}

const COLUMNS = ["n", "address", "postal code", "city"] as const;

/** Houses again and again, numbered. */
function fileOf(houses: readonly SampledHouse[], count: number): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const house = houses[n % houses.length];
    return csvRow([`${n}`, line(house), house.postalCode, house.city]);
  });
  return csvRow([...COLUMNS]) + rows.join("");
}
