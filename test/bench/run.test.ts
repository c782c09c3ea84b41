import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, ["--no-warnings", join(import.meta.dirname, "run.ts"), ...args]);

describe("npm run bench", () => {
  it("lists every bench under the name of its file, with a line of what it measures", async () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".bench.ts"))
      .map((file) => basename(file));
    const listed = JSON.parse((await bench("--json")).stdout) as { name: string; summary: string }[];
    expect(listed.map(({ name }) => `${name}.bench.ts`).sort()).toEqual(files.sort());
    for (const { summary } of listed) expect(summary).toMatch(/^\S.{10,120}\.$/);
  });

  it("tells which benches there are when asked for another", async () => {
    await expect(bench("speed-of-light")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^No bench "speed-of-light"\. There are: .*http/),
    });
  });
});
