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

async function rowsOf(): Promise<Row[]> {
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
  return rows;
}

it("an endpoint whose dependency is away answers without it or says 503 and when to retry, as docs/outages.md lists", async () => {
  const rows = await rowsOf();
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
  const differences = rows.flatMap(({ operationId, cells }) =>
    Object.entries(listed)
      .map(([dependency, answers]) => [dependency, answers[operationId], cells[dependency]])
      // A run in which a request was not accepted says nothing of it.
      .filter(([, documented, found]) => found !== undefined && documented !== found)
      .map(([dependency, documented, found]) => `${operationId}, ${dependency}: ${found}, documented: ${documented}`),
  );
  // Beside other tests, caches and retries decide what a request meets.
  if (isNight) expect(differences).toEqual([]);
  else expect(differences.length).toBeLessThan(10);
  expect(rows.length).toBeGreaterThan(0.55 * prepared.operations.length);
  const track = rows.find(({ operationId }) => operationId === "track")!;
  expect(track.cells["GEODATA:geodata"]).toMatch(/^without/);
}, 280_000);
