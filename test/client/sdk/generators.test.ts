import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, it } from "vitest";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { isNight } from "../../support/night.ts";

/** At night: the generators that customers use accept the document (test/generators/run.ts). A missing one is reported. */
it.skipIf(!isNight)(
  "generators write clients that compile",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "graticule-document-"));
    try {
      const path = join(folder, "openapi.json");
      writeFileSync(path, await (await fetch(`${inject("baseUrl")}/openapi.json`)).text());
      const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, "test/generators/run.ts"), path]);
      console.log(stdout);
      expect(stdout).not.toContain("FAILED");
      expect(stdout).toContain("openapi-typescript: ok");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);
