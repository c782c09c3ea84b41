import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hashProgram } from "../../../src/importer/frame/fingerprints.ts";

const folder = mkdtempSync(join(tmpdir(), "program-hash-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the hash of the program, by which an import finds what an earlier one has made", () => {
  it("changes with the code and with the tables that it reads, and with nothing else", async () => {
    mkdirSync(join(folder, "layers"));
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    const files = ["layers/pois.ts", "layers/pois.json"];
    for (const name of [...files, "layers/README.md"]) write(name, "before");
    const before = await hashProgram(folder);
    for (const name of files) {
      write(name, "after");
      expect(await hashProgram(folder), name).not.toBe(before);
      write(name, "before");
    }
    write("layers/README.md", "after");
    expect(await hashProgram(folder)).toBe(before);
    rmSync(join(folder, "layers/pois.json"));
    expect(await hashProgram(folder)).not.toBe(before);
  });
});
