import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** An empty folder that is gone after the file's tests. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "graticule-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
