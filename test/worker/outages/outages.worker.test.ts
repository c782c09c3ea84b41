import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorker } from "../../../src/server/start/open-worker.ts";
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

/** How often an answer is looked at that differs from the documented one: what is in memory for seconds decides what a request meets. */
const LOOKS = 3;

/** Notes the answer while a dependency is away. @param documented of the operation and this dependency */
async function look(row: Row, dependency: string, found: Accepted & Answered, documented: string | undefined) {
  for (let looks = 1; ; looks++) {
    delete row.cells[dependency];
    if (dependency !== FULL_DISK) await setDown(dependency);
    cellOf(row, dependency, found, await ask(url, found).catch(String));
    await setDown("");
    if (row.cells[dependency] === documented || looks === LOOKS) return;
    // With everything there: keys and lists are in memory again.
    if (dependency !== FULL_DISK) await ask(url, found).catch(() => undefined);
  }
}

async function rowsOf(listed: Record<string, Record<string, string>>): Promise<Row[]> {
  const rows: Row[] = [];
  const accepted: (Accepted & Answered)[] = [];
  for (const operation of prepared.operations) {
    const found = await firstAccepted(url, operation, prepared);
    if (!found) continue;
    const row: Row = { operationId: operation.operationId, cells: {}, worst: 0, wrong: [] };
    for (const dependency of dependencies)
      await look(row, dependency, found, listed[dependency]?.[operation.operationId]);
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
  for (const [at, found] of accepted.entries())
    await look(rows[at], FULL_DISK, found, listed[FULL_DISK]?.[found.operationId]);
  isDiskFull = false;
  return rows;
}

it("an endpoint whose dependency is away answers without it or says 503 and when to retry, as docs/outages.md lists", async () => {
  const listed = readTable(readFileSync(DOCUMENT, "utf8"));
  const rows = await rowsOf(process.env.UPDATE_OUTAGES ? {} : listed);
  expect(rows.flatMap(({ operationId, wrong }) => wrong.map((one) => `${operationId}: ${one}`))).toEqual([]);
  expect(rows.filter(({ worst }) => worst > MOST_MS).map(({ operationId, worst }) => [operationId, worst])).toEqual([]);
  // UPDATE_OUTAGES=1 writes the table.
  if (process.env.UPDATE_OUTAGES) return writeFileSync(DOCUMENT, outageTable(rows, dependencies));
  expect(Object.keys(listed)).toEqual([...dependencies, FULL_DISK]);
  const differences = rows.flatMap(({ operationId, cells }) =>
    Object.entries(listed)
      .map(([dependency, answers]) => [dependency, answers[operationId], cells[dependency]])
      .filter(([, documented, found]) => documented !== found)
      .map(([dependency, documented, found]) => `${operationId}, ${dependency}: ${found}, documented: ${documented}`),
  );
  expect(differences).toEqual([]);
  expect(rows.length).toBeGreaterThan(0.55 * prepared.operations.length);
  const track = rows.find(({ operationId }) => operationId === "track")!;
  expect(track.cells["GEODATA:geodata"]).toMatch(/^without/);
}, 280_000);
