import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../../../src/server/base/wrangler.ts";
import { openWorker } from "../../../../src/server/start/open-worker.ts";
import { controlScript, evictBy } from "../../../support/worker-under-test.ts";
import { scratchFolder } from "../scratch.ts";

/** Lines of a run, 4 MB together: a pipe takes far less, so workerd waits for its reader, which is this thread. */
const LINES = 4_000;
const SCRIPT = `import { DurableObject } from "cloudflare:workers";
export class Counter extends DurableObject {
  #count = 0;
  fetch() { return new Response(String(++this.#count)); }
}
export default {
  async fetch(request, { COUNTER }) {
    const { pathname } = new URL(request.url);
    if (pathname === "/flags") return new Response(typeof gc);
    if (pathname === "/count") return COUNTER.getByName("one").fetch(request);
    for (let n = 0; n < ${LINES}; n++) console.log(n + " " + "x".repeat(1000));
    return new Response("logged");
  },
  scheduled({ cron, scheduledTime }) {
    if (cron === "0 0 * * *") throw new Error("no such data");
    for (let n = 0; n < ${LINES}; n++) console.log(n + " " + scheduledTime + " " + "x".repeat(1000));
  },
};`;

const CONTROL = "control";
const folder = scratchFolder();
const lines: string[] = [];
let worker: Awaited<ReturnType<typeof openWorker>>;

beforeAll(async () => {
  const bundle = join(folder, "bundle");
  mkdirSync(bundle);
  writeFileSync(join(bundle, "index.js"), SCRIPT);
  writeFileSync(
    join(bundle, "setup.json"),
    JSON.stringify({
      name: "talks",
      options: {
        compatibilityDate: "2026-10-01",
        durableObjects: { COUNTER: { className: "Counter", useSQLite: true } },
      },
    }),
  );
  process.env.MINIFLARE_WORKERD_V8_FLAGS = "--expose-gc";
  const beside = { name: CONTROL, script: await controlScript() };
  worker = await openWorker({ bundle, state: join(folder, "state"), beside, log: (_, line) => lines.push(line) });
  await worker.miniflare.ready;
});
afterAll(() => worker?.miniflare.dispose());

it("workerd has a small young generation, and the flags that an operator sets", async () => {
  expect(process.env.MINIFLARE_WORKERD_V8_FLAGS).toBe("--max-semi-space-size=2 --expose-gc");
  expect(await (await fetch(`${await worker.urlOf("talks")}/flags`)).text()).toBe("function");
});

it("a cron run that logs more than a pipe takes ends, with its cron and its time", async () => {
  await worker.runCron("* * * * *", 1_767_225_600_000);
  const last = () => lines.find((line) => line.startsWith(`${LINES - 1} `));
  await expect.poll(last, { timeout: 10_000 }).toMatch(/^3999 1767225600000 x/);
});

it("a run that fails rejects", async () => {
  await expect(worker.runCron("0 0 * * *", 0)).rejects.toThrow('the run of "0 0 * * *" ended with');
});

it("a Durable Object is evicted while the Worker logs more than a pipe takes", async () => {
  const url = await worker.urlOf("talks");
  const count = async () => (await fetch(`${url}/count`)).text();
  expect([await count(), await count()]).toEqual(["1", "2"]);
  const logged = fetch(url);
  await evictBy(await worker.urlOf(CONTROL), "COUNTER", "one");
  expect(await (await logged).text()).toBe("logged");
  expect(await count()).toBe("1");
});

/** A method of Miniflare that is not known to leave the thread free, as those that ask workerd by a stand-in do not. */
const HOLDING = /\bminiflare\s*\.\s*(?!ready\b|dispose\b|dispatchFetch\b|unsafeGetDirectURL\b)\w+\s*(<[^>]*>)?\(/i;
/** Without requests beside them, and a log. */
const LEFT = ["test/bench/support/local-d1.ts", "test/server/commands/start/open-worker.test.ts"];

it("no code asks Miniflare for a stand-in of a Worker or a binding: their calls hold the thread that reads the log", () => {
  expect(HOLDING.test("await miniflare.unsafeEvictDurableObject(name)")).toBe(true);
  const files = ["src", "test"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const sources = files.filter((file) => file.endsWith(".ts") && !LEFT.includes(file));
  expect(sources.length).toBeGreaterThan(1000);
  expect(sources.filter((file) => HOLDING.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});
