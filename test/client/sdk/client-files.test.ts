import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { ROOT } from "../../../src/server/base/wrangler.ts";
import { clientOperations, clientTypes } from "../../../src/server/make/client-files.ts";

it("the types and operations of the client are those of the server's document; if not, run npm run generate", async () => {
  const document = await (await fetch(`${inject("baseUrl")}/openapi.json`)).json();
  for (const [file, text] of [
    ["api.d.ts", await clientTypes(document)],
    ["operations.ts", clientOperations(document)],
  ])
    expect([file, readFileSync(join(ROOT, "src/client", file), "utf8") === text]).toEqual([file, true]);
}, 120_000);
