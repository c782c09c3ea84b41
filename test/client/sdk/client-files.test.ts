import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { clientOperations, clientTypes } from "../../support/client-files.ts";

/** The generated files of src/client: `WRITE_CLIENT=1` writes them. */
const WRITES = process.env.WRITE_CLIENT === "1";

it("the types and operations of the client are those of the server's document", async () => {
  const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
  for (const [file, text] of [
    ["api.d.ts", await clientTypes(document)],
    ["operations.ts", clientOperations(document)],
  ]) {
    const path = join(ROOT, "src/client", file);
    if (WRITES) writeFileSync(path, text);
    expect([file, readFileSync(path, "utf8") === text]).toEqual([file, true]);
  }
}, 120_000);
