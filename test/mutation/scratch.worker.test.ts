import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ROOT } from "../support/imports.ts";
import { changeOf, mutationsOf } from "./mutations.ts";
import { Host } from "./pool.ts";
import { pureTestsOf } from "./rooms.ts";
import { testMutants } from "./test-mutants.ts";

const root = mkdtempSync(join(tmpdir(), "graticule-mutation-test-"));
const hosts: Host[] = [];
afterAll(() => {
  for (const host of hosts) host.stop();
  rmSync(root, { recursive: true, force: true });
});

const SOURCE = `const MAX = 3;
export const isFull = (count: number) => count >= MAX;
export const next = (count: number) => count + 1;
export function down(count: number) {
  while (count > 0) count -= 1;
  return count;
}
`;

it("names the changes of a project that its tests do not detect, and ends loops", async () => {
  for (const folder of ["src", "test"]) mkdirSync(join(root, folder));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "src/count.ts"), SOURCE);
  writeFileSync(
    join(root, "test/count.test.ts"),
    [
      'import { expect, it } from "vitest";',
      'import { down, isFull } from "../src/count.ts";',
      'it("is full", () => expect([isFull(1), isFull(5)]).toEqual([false, true]));',
      'it("goes down", () => expect(down(2)).toBe(0));',
    ].join("\n"),
  );
  const mutations = mutationsOf("src/count.ts", SOURCE).filter(({ line }) => line !== 6);
  const verdicts = await testMutants({
    root,
    mutants: mutations.map((mutation, index) => ({ ...mutation, id: index + 1 })),
    tests: pureTestsOf(root, ["src/count.ts"], []),
    workers: 1,
    budget: 60,
    report() {},
  });
  const statuses = Object.fromEntries(
    mutations.map((mutation, index) => [`${mutation.line}: ${changeOf(mutation)}`, verdicts[index].status]),
  );
  expect(statuses).toMatchObject({
    // A constant of the module: read when it is loaded, once for each mutant.
    "1: `3` → `4`": "survived",
    "1: `3` → `6`": "detected",
    "2: `count >= MAX` → `count > MAX`": "survived",
    "2: `count >= MAX` → `count < MAX`": "detected",
    "3: `count + 1` → `count - 1`": "survived",
    "5: `count -= 1` → `count += 1`": "detected",
  });
  // What no test reaches is told apart.
  expect(verdicts[mutations.findIndex(({ line }) => line === 3)].tests).toEqual([]);
}, 120_000);

it("kills a test process that does not end, and starts another", async () => {
  mkdirSync(join(root, "other/src"), { recursive: true });
  mkdirSync(join(root, "other/test"));
  const source = "const FOREVER = false;\nexport const wait = () => { while (FOREVER); };\n";
  writeFileSync(join(root, "other/src/wait.ts"), source);
  writeFileSync(
    join(root, "other/test/wait.test.ts"),
    'import { it } from "vitest";\nimport { wait } from "../src/wait.ts";\nit("waits", wait);\n',
  );
  symlinkSync(join(ROOT, "node_modules"), join(root, "other/node_modules"));
  const mutants = mutationsOf("src/wait.ts", source)
    .filter(({ original }) => original === "false")
    .map((mutation) => ({ ...mutation, id: 1 }));
  const host = new Host({ root: join(root, "other"), mutants });
  hosts.push(host);
  const tests = ["test/wait.test.ts"];
  expect(await host.run({ mutant: 1, tests }, 5_000)).toBe("timeout");
  expect(await host.run({ mutant: 0, tests }, 60_000)).toMatchObject({ failures: [] });
}, 120_000);
