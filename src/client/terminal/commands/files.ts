import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, type Run, textOf, UsageError, wordsOf } from "../base/command.ts";

const contentTypeOf = (file: string) => (/\.csv$/i.test(file) ? "text/csv" : "application/json");

interface Report {
  import: { total: number; created: number; updated: number; unchanged: number; failed: number };
  rows: { row: number; status: string; message?: string; description?: string }[];
}

/** Sends a file of geofences or beacons, and prints what changed. */
async function importFile(run: Run, what: "importGeofences" | "importBeacons", file: string): Promise<void> {
  const data = await readFile(file, "utf8");
  const dryRun = run.values["dry-run"] === true;
  const input = { filename: basename(file), dryRun };
  const body = { data, contentType: contentTypeOf(file) };
  const report = (await run.client().upload(what, input, body)) as unknown as Report;
  const { total, created, updated, unchanged, failed } = report.import;
  const failures = report.rows.filter(({ status }) => status === "failed");
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged.`;
  const sentence = `${dryRun ? "Would import" : "Imported"} ${total - failed} of ${total} rows: ${counts}`;
  if (failed > 0) run.output.say(sentence);
  run.output.show(
    report,
    failures.map(({ row, message, description }) => ({ row, problem: message, description })),
    sentence,
  );
  if (failed > 0)
    throw new Error(`${failed} of ${total} rows failed; the others are ${dryRun ? "valid" : "imported"}.`);
}

const DRY_RUN = { "dry-run": { type: "boolean" } } as const;
const DRY_RUN_TEXT = { "dry-run": "only check the file" };

export const fences: Command = {
  name: "fences",
  usage: "push FILE | pull [FILE]",
  parts: ["push", "pull"],
  summary: "Imports geofences from GeoJSON or CSV, or exports them as GeoJSON.",
  options: { ...DRY_RUN, tag: { type: "string" } },
  optionTexts: { ...DRY_RUN_TEXT, tag: "pull: only this tag" },
  async run(run) {
    const [part, file] = wordsOf(run, ["push or pull"], 2);
    if (part === "push") {
      if (!file) throw new UsageError("The file is missing.");
      return importFile(run, "importGeofences", file);
    }
    if (part !== "pull") throw new UsageError("Use push or pull.");
    const text = await exportAll(run);
    if (!file) return run.output.write(text);
    await writeFile(file, text);
    run.output.say(`The geofences are in ${file}.`);
  },
};

/** All geofences as one GeoJSON text: a long export comes in parts that continue each other. */
async function exportAll(run: Run): Promise<string> {
  const client = run.client();
  const tag = textOf(run, "tag");
  const parts: string[] = [];
  let after: string | undefined;
  do {
    const response = await client.raw("exportGeofences", { format: "geojson", tag, after });
    parts.push(await response.text());
    after = response.headers.get("x-graticule-next") ?? undefined;
  } while (after !== undefined);
  return parts.join("");
}

export const importing: Command = {
  name: "import",
  usage: "geofences FILE | beacons FILE",
  parts: ["geofences", "beacons"],
  summary: "Imports geofences or beacons from a file, row by row.",
  options: DRY_RUN,
  optionTexts: DRY_RUN_TEXT,
  async run(run) {
    const [what, file] = wordsOf(run, ["geofences or beacons", "The file"]);
    if (what !== "geofences" && what !== "beacons") throw new UsageError("Use geofences or beacons.");
    return importFile(run, what === "geofences" ? "importGeofences" : "importBeacons", file);
  },
};

/** How often a job is asked about its progress [ms]. */
const POLL_MS = 1000;

export const jobs: Command = {
  name: "jobs",
  usage: "list | run FILE.csv [-o RESULT.csv]",
  parts: ["list", "run"],
  summary: "Geocodes a CSV file in the background and saves the result, or lists jobs.",
  options: { kind: { type: "string" }, output: { type: "string", short: "o" } },
  optionTexts: { kind: "forward (default), reverse or validate", output: "the file for the result" },
  async run(run) {
    const [part, file] = wordsOf(run, ["list or run"], 2);
    const client = run.client();
    if (part === "list") {
      const { jobs } = await client.listGeocodeJobs();
      const rows = jobs.map(({ _id: job, status, kind, filename: file, done, total }) => {
        return { job, status, kind, file, rows: `${done}/${total}` };
      });
      return run.output.show(jobs, rows, "No jobs.");
    }
    if (part !== "run") throw new UsageError("Use list or run.");
    if (!file) throw new UsageError("The file is missing.");
    const kind = textOf(run, "kind") ?? "forward";
    if (kind !== "forward" && kind !== "reverse" && kind !== "validate")
      throw new UsageError("--kind must be forward, reverse or validate.");
    const data = await readFile(file, "utf8");
    const input = { kind, filename: basename(file) } as const;
    let { job } = await client.upload("createGeocodeJob", input, { data, contentType: "text/csv" });
    if (!job) throw new Error("The server started no job.");
    while (job.status === "receiving" || job.status === "running") {
      await sleep(POLL_MS, undefined, { signal: run.signal });
      ({ job } = await client.getGeocodeJob({ id: job._id }));
    }
    if (job.status !== "finished") throw new Error(`The job ${job._id} ended as ${job.status}.`);
    const result = await (await client.raw("getGeocodeJobResult", { id: job._id })).text();
    const target = textOf(run, "output");
    if (target === undefined) return run.output.write(result);
    await writeFile(target, result);
    run.output.say(`The result is in ${target}.`);
  },
};
