import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorker } from "../../src/cli/start/open-worker.ts";
import { ROOT } from "../../src/cli/wrangler.ts";
import { scratchFolder } from "./scratch.ts";

/** Lines of a run, 4 MB together: a pipe takes far less, so workerd waits for its reader, which is this thread. */
const LINES = 4_000;
const SCRIPT = `export default {
  fetch() { return new Response("ok"); },
  scheduled({ cron, scheduledTime }) {
    if (cron === "0 0 * * *") throw new Error("no such data");
    for (let n = 0; n < ${LINES}; n++) console.log(n + " " + scheduledTime + " " + "x".repeat(1000));
  },
};`;

const folder = scratchFolder();
const lines: string[] = [];
let worker: Awaited<ReturnType<typeof openWorker>>;

beforeAll(async () => {
  const bundle = join(folder, "bundle");
  mkdirSync(bundle);
  writeFileSync(join(bundle, "index.js"), SCRIPT);
  writeFileSync(
    join(bundle, "setup.json"),
    JSON.stringify({ name: "talks", options: { compatibilityDate: "2026-10-01" } }),
  );
  worker = await openWorker({ bundle, state: join(folder, "state"), log: (_, line) => lines.push(line) });
  await worker.miniflare.ready;
});
afterAll(() => worker?.miniflare.dispose());

it("a cron run that logs more than a pipe takes ends, with its cron and its time", async () => {
  await worker.runCron("* * * * *", 1_767_225_600_000);
  const last = () => lines.find((line) => line.startsWith(`${LINES - 1} `));
  await expect.poll(last, { timeout: 10_000 }).toMatch(/^3999 1767225600000 x/);
});

it("a run that fails rejects", async () => {
  await expect(worker.runCron("0 0 * * *", 0)).rejects.toThrow('the run of "0 0 * * *" ended with');
});

it("neither the server nor the Worker under test asks Miniflare for a proxy of a Worker or a binding: their calls hold the thread that reads the log", () => {
  const asks = (path: string) => /miniflare\s*\.\s*get\w+\(/i.test(readFileSync(path, "utf8"));
  const files = ["src", "test/support"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const sources = files.filter((file) => file.endsWith(".ts"));
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((file) => asks(join(ROOT, file)))).toEqual([]);
});
