import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "../../src/server/data/database.ts";
import { openLocalDatabase } from "../../src/server/data/local-database.ts";
import { createProject } from "../../src/server/project/projects.ts";
import { readCsv } from "../../src/worker/wire/tables/csv.ts";
import { send } from "../bench/support/load.ts";
import { type BuiltWorker, buildWorker } from "../bench/worker.ts";
import { startVictim, type Victim } from "./victim.ts";

let built: BuiltWorker;
let state: string;
let server: Victim;
let project: number;
let headers: Record<string, string>;
/** Rows a second: the file of the first test takes some four seconds, however fast the machine is. */
const RATE = 1500;

beforeAll(async () => {
  built = await buildWorker();
  state = mkdtempSync(join(tmpdir(), "graticule-jobs-"));
  const database = openLocalDatabase(state);
  const { id, keys } = await createProject(database, "jobs");
  const rateLimits = { geocodeBatch: RATE, getGeocodeJob: 1000, getGeocodeJobResult: 1000 };
  await query(database, "UPDATE project SET settings = ? WHERE id = ?", JSON.stringify({ rateLimits }), id);
  database.close();
  project = id;
  headers = { authorization: keys.testSecret };
  server = await startVictim(built, state);
});
afterAll(async () => {
  await server.kill();
  built.discard();
  rmSync(state, { recursive: true, force: true });
});

const csvOf = (rows: number) =>
  `n,address\n${Array.from({ length: rows }, (_, n) => `${n},${n} Nowhere St\n`).join("")}`;
const json = async (path: string, method: "GET" | "POST" = "GET", body?: unknown) =>
  JSON.parse((await send(server, { method, path, headers, body })).text);
const start = async (rows: number): Promise<string> =>
  (await json("/v1/geocode/jobs", "POST", { csv: csvOf(rows) })).job._id;
const jobAt = async (id: string) => (await json(`/v1/geocode/jobs/${id}`)).job;
async function until(id: string, enough: (done: number) => boolean) {
  for (let job = await jobAt(id); ; job = await jobAt(id)) {
    if (enough(job.done)) return job;
    await sleep(20);
  }
}
const resultOf = async (id: string) =>
  readCsv((await send(server, { path: `/v1/geocode/jobs/${id}/result`, headers })).text).slice(1);

it("a job whose server is killed in its middle answers each row once, in order, as soon as somebody asks", async () => {
  const rows = 6000;
  const id = await start(rows);
  const { done } = await until(id, (count) => count > 0);
  // Others have their turn while rows are answered.
  expect(done).toBeLessThan(rows);
  await server.kill();
  server = await startVictim(built, state);
  const job = await until(id, (count) => count === rows);
  expect(job).toMatchObject({ status: "finished", total: rows, done: rows, failed: 0 });
  const numbers = (await resultOf(id)).map(({ cells }) => Number(cells[0]));
  expect(numbers).toEqual(Array.from({ length: rows }, (_, n) => n));
}, 90_000);

it("rows beyond the month's quota fail and say so, to the row, and are no calls", async () => {
  const database = openLocalDatabase(state);
  try {
    const used = async () =>
      Number(
        (await query(database, "SELECT sum(calls) AS calls FROM usage WHERE endpoint = 'forwardGeocode'"))[0].calls,
      );
    // What the last rows of the file before cost is being written down.
    await sleep(500);
    const all = Number((await query(database, "SELECT sum(calls) AS calls FROM usage"))[0].calls);
    const before = await used();
    // A few calls more that are on their way to be counted do no harm: they ask for the job.
    await query(database, "UPDATE project SET monthly_quota = ? WHERE id = ?", all + 250, project);
    const id = await start(400);
    await sleep(300);
    const job = (await until(id, (count) => count === 400)) as { failed: number };
    const answered = 400 - job.failed;
    expect(answered).toBeGreaterThan(200);
    expect(answered).toBeLessThanOrEqual(250);
    const result = await resultOf(id);
    expect(result.slice(0, answered).every(({ cells }) => cells[2] === "none")).toBe(true);
    expect(result.slice(answered).every(({ cells }) => cells.at(-1)?.includes("monthly quota is used up"))).toBe(true);
    expect(await used()).toBe(before + answered);
  } finally {
    database.close();
  }
});
