import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorker } from "../../../src/server/start/open-worker.ts";
import { isNight } from "../../support/night.ts";
import { CONTROL, faultyBundle, GEODATA_PARTS } from "./faulty-bundle.ts";
import {
  type Accepted,
  type Answered,
  ask,
  firstAccepted,
  type PreparedState,
  prepareState,
} from "./outage-requests.ts";
import { cellOf, FULL_DISK, outageTable, type Row, readTable } from "./outage-table.ts";

/** A bucket that does not respond costs a request at most this long [ms]; the others fail at once. */
const MOST_MS = 8_000;
const DOCUMENT = join(import.meta.dirname, "../../../docs/outages.md");

let prepared: PreparedState;
let worker: Awaited<ReturnType<typeof openWorker>>;
let url: string;
let dependencies: string[];
let isDiskFull = false;
const folders: string[] = [];

beforeAll(async () => {
  const state = mkdtempSync(join(tmpdir(), "graticule-outages-"));
  const { folder, bindings } = await faultyBundle();
  folders.push(state, folder);
  prepared = await prepareState(state);
  dependencies = [
    ...bindings.databases,
    ...bindings.buckets.flatMap((name) => GEODATA_PARTS.map((part) => `${name}:${part}`)),
    ...bindings.objects,
  ];
  worker = await openWorker({
    ...{ bundle: folder, state, log: () => {} },
    // Nothing stays in memory, so each request meets the outage.
    variables: { TRUSTED_PROXIES: "loopback", GEODATA_CACHE_MB: "1" },
    services: { MACHINE: async () => Response.json({ diskFreeBytes: 1e9, diskSizeBytes: 2e9, isDiskFull }) },
  });
  url = await worker.urlOf(worker.name);
}, 300_000);
afterAll(async () => {
  await worker?.miniflare.dispose();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const setDown = (names: string) => fetch(`${url}${CONTROL}?down=${names}`).then((answer) => answer.text());

async function rowsOf(): Promise<{ rows: Row[]; accepted: (Accepted & Answered)[] }> {
  const rows: Row[] = [];
  const accepted: (Accepted & Answered)[] = [];
  for (const operation of prepared.operations) {
    const found = await firstAccepted(url, operation, prepared);
    if (!found) continue;
    const row: Row = { operationId: operation.operationId, cells: {}, worst: 0, wrong: [] };
    for (const dependency of dependencies) {
      await setDown(dependency);
      cellOf(row, dependency, found, await ask(url, found).catch(String));
    }
    await setDown("");
    rows.push(row);
    accepted.push(found);
  }
  isDiskFull = true;
  await ask(url, accepted[0]);
  await expect
    .poll(async () => (await ask(url, accepted.find(({ operationId }) => operationId === "track")!)).status, {
      timeout: 20_000,
    })
    .toBe(503);
  for (const [at, found] of accepted.entries()) cellOf(rows[at], FULL_DISK, found, await ask(url, found).catch(String));
  isDiskFull = false;
  return { rows, accepted };
}

/** Whether an endpoint answers as documented when it is asked again: beside other tests, a cache may have answered. */
async function answersLater(operation: Accepted & Answered, dependency: string, documented: string | undefined) {
  for (let i = 0; i < 3; i++) {
    const row: Row = { operationId: operation.operationId, cells: {}, worst: 0, wrong: [] };
    await ask(url, operation);
    await setDown(dependency);
    cellOf(row, dependency, operation, await ask(url, operation).catch(String));
    await setDown("");
    if (row.cells[dependency] === documented) return true;
  }
  return false;
}

it("an endpoint whose dependency is away answers without it or says 503 and when to retry, as docs/outages.md lists", async () => {
  const { rows, accepted } = await rowsOf();
  expect(rows.flatMap(({ operationId, wrong }) => wrong.map((one) => `${operationId}: ${one}`))).toEqual([]);
  // By day, other tests keep the processors busy.
  if (isNight)
    expect(rows.filter(({ worst }) => worst > MOST_MS).map(({ operationId, worst }) => [operationId, worst])).toEqual(
      [],
    );
  // UPDATE_OUTAGES=1 writes the table.
  if (process.env.UPDATE_OUTAGES) writeFileSync(DOCUMENT, outageTable(rows, dependencies));
  const listed = readTable(readFileSync(DOCUMENT, "utf8"));
  expect(Object.keys(listed)).toEqual([...dependencies, FULL_DISK]);
  const differences: string[] = [];
  for (const [at, { operationId, cells }] of rows.entries())
    for (const [dependency, answers] of Object.entries(listed)) {
      const [documented, found] = [answers[operationId], cells[dependency]];
      // A run in which a request was not accepted says nothing of it.
      if (found === undefined || found === documented) continue;
      if (dependency !== FULL_DISK && (await answersLater(accepted[at], dependency, documented))) continue;
      differences.push(`${operationId}, ${dependency}: ${found}, documented: ${documented}`);
    }
  // Which requests are accepted differs a little from run to run, and the table has those of one.
  if (isNight) expect(differences).toEqual([]);
  else expect(differences.slice(4)).toEqual([]);
  expect(rows.length).toBeGreaterThan(0.55 * prepared.operations.length);
  const track = rows.find(({ operationId }) => operationId === "track")!;
  expect(track.cells["GEODATA:geodata"]).toMatch(/^without/);
  const request = accepted.find(({ operationId }) => operationId === "track")!;
  const known = { ...request, body: request.body?.replaceAll("NEW", "known") };
  // The disk is looked at every few seconds.
  await expect.poll(async () => (await ask(url, known)).status, { timeout: 20_000 }).toBe(200);
  await setDown("DB");
  expect((await ask(url, known)).status).toBe(200);
  await setDown("");
}, 280_000);
